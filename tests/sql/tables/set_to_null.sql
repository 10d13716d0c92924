-- The bare word NULL goes into a column of any type, whichever statement writes it.
CREATE TABLE Kinds (id int, d date, d2 datetime2, o datetimeoffset, t time, g uniqueidentifier, x xml, b varbinary(8), v sql_variant);
INSERT Kinds VALUES
    (1, '20200101', '20200101', '20200101', '10:00', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '<a/>', 0x01, 1),
    (2, '20200101', '20200101', '20200101', '10:00', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '<a/>', 0x01, 1),
    (3, '20200101', '20200101', '20200101', '10:00', '6F9619FF-8B86-D011-B42D-00C04FC964FF', '<a/>', 0x01, 1);
GO
CREATE VIEW Shown AS SELECT * FROM Kinds;
GO
UPDATE Kinds SET d = NULL, d2 = NULL, o = NULL, t = NULL, g = NULL, x = NULL, b = NULL, v = NULL WHERE id = 1;
UPDATE Shown SET d = NULL, d2 = NULL, o = NULL, t = NULL, g = NULL, x = NULL, b = NULL, v = NULL FROM Kinds k WHERE Shown.id = 2 AND k.id = 2;
MERGE Kinds AS k USING (SELECT 3 AS id) AS s ON s.id = k.id
WHEN MATCHED THEN UPDATE SET d = NULL, d2 = NULL, o = NULL, t = NULL, g = NULL, x = NULL, b = NULL, v = NULL;
SELECT * FROM Kinds ORDER BY id;
GO
--! rows
--! 1 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
--! 2 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
--! 3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
CREATE TRIGGER Instead ON Shown INSTEAD OF UPDATE AS SELECT i.id, i.g, i.d2 FROM inserted i;
GO
UPDATE Kinds SET g = NEWID(), d2 = '20200101';
UPDATE Shown SET g = NULL, d2 = NULL WHERE id = 1;
GO
--! rows
--! 1 | NULL | NULL
