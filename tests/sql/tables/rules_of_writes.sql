-- What MERGE, OUTPUT and IDENTITY refuse, with SQL Server's numbers.
CREATE TABLE dbo.T (Id int IDENTITY PRIMARY KEY, A int, B varchar(5));
CREATE TABLE dbo.U (Id int, C int);
INSERT dbo.T (A) VALUES (1), (2);
INSERT dbo.U VALUES (1, 10), (3, 30);
GO
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN NOT MATCHED THEN DELETE;
GO
--! error 10711
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN MATCHED THEN INSERT (A) VALUES (1);
GO
--! error 10710 text WHEN MATCHED
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN NOT MATCHED BY SOURCE THEN INSERT (A) VALUES (1);
GO
--! error 10710 text BY SOURCE
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN MATCHED AND A = 1 THEN UPDATE SET A = 1 WHEN MATCHED THEN UPDATE SET A = 2;
GO
--! error 10714 text UPDATE
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN NOT MATCHED AND C = 1 THEN INSERT (A) VALUES (1) WHEN NOT MATCHED THEN INSERT (A) VALUES (2);
GO
--! error 10714 text INSERT
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN MATCHED THEN DELETE WHEN MATCHED AND C = 1 THEN UPDATE SET A = 1;
GO
--! error 5324
MERGE dbo.T USING dbo.T ON 1 = 1 WHEN MATCHED THEN DELETE;
GO
--! error 5318
MERGE dbo.T AS x USING dbo.U AS X ON 1 = 1 WHEN MATCHED THEN DELETE;
GO
--! error 5318
MERGE dbo.T USING dbo.U ON T.Id = U.Id WHEN MATCHED AND MAX(C) > 1 THEN DELETE;
GO
--! error 5319
MERGE dbo.T AS t USING dbo.U AS u ON t.Id = u.Id WHEN NOT MATCHED AND t.A = 1 THEN INSERT (A) VALUES (1);
GO
--! error 5333
MERGE dbo.T AS t USING dbo.U AS u ON t.Id = u.Id WHEN NOT MATCHED BY SOURCE THEN UPDATE SET A = u.C;
GO
--! error 5334
MERGE dbo.T AS t USING dbo.U AS u ON t.Id = u.Id WHEN NOT MATCHED BY SOURCE AND C = 1 THEN DELETE;
GO
--! error 5334
MERGE dbo.T AS t USING (SELECT Id, MAX(C) AS C FROM dbo.U GROUP BY Id) AS u ON t.Id = u.Id
    WHEN MATCHED AND u.C > (SELECT MAX(A) FROM dbo.T) THEN UPDATE SET A = u.C
    WHEN MATCHED THEN DELETE
    WHEN NOT MATCHED BY SOURCE AND A = 2 THEN UPDATE SET A += 5
    WHEN NOT MATCHED BY SOURCE THEN DELETE
    WHEN NOT MATCHED AND C = 30 THEN INSERT (A) VALUES (C);
SELECT Id, A FROM dbo.T ORDER BY Id;
GO
--! rows
--! 1 | 10
--! 2 | 7
--! 3 | 30
-- TOP of an INSERT
CREATE TABLE dbo.N (A int);
INSERT TOP (50) PERCENT dbo.N SELECT value FROM GENERATE_SERIES(1, 5);
INSERT TOP (1) dbo.N SELECT value FROM GENERATE_SERIES(1, 5);
SELECT COUNT(*) FROM dbo.N;
GO
--! rows
--! 4
-- OUTPUT
DELETE dbo.T OUTPUT inserted.A;
GO
--! error 4104 text inserted.A
INSERT dbo.T (A) OUTPUT deleted.A VALUES (1);
GO
--! error 4104 text deleted.A
INSERT dbo.T (A) OUTPUT deleted.* VALUES (1);
GO
--! error 107
UPDATE dbo.T SET A = 1 OUTPUT (SELECT 1);
GO
--! error 10705
UPDATE dbo.T SET A = 1 OUTPUT MAX(inserted.A);
GO
--! error 158
UPDATE dbo.T SET A = 1 OUTPUT $action;
GO
--! error 207
INSERT dbo.U OUTPUT inserted.C EXEC ('SELECT 1, 2');
GO
--! error 483
CREATE TABLE dbo.Checked (A int CONSTRAINT CK_A CHECK (A > 0));
CREATE TABLE dbo.Child (A int CONSTRAINT FK_A REFERENCES dbo.T);
CREATE TABLE dbo.Watched (A int);
GO
CREATE VIEW dbo.V AS SELECT C FROM dbo.U;
GO
CREATE TRIGGER dbo.Watch ON dbo.Watched AFTER INSERT AS RETURN;
GO
UPDATE dbo.U SET C = 1 OUTPUT inserted.C INTO dbo.V;
GO
--! error 330
UPDATE dbo.U SET C = 1 OUTPUT inserted.C INTO dbo.Watched;
GO
--! error 331
UPDATE dbo.U SET C = 1 OUTPUT inserted.C INTO dbo.Child;
GO
--! error 332 text FK_A
UPDATE dbo.U SET C = 1 OUTPUT inserted.C INTO dbo.T (A);
GO
--! error 332 text FK_A
UPDATE dbo.U SET C = 1 OUTPUT inserted.C INTO dbo.Checked;
GO
--! error 333 text CK_A
INSERT dbo.Watched OUTPUT inserted.A VALUES (1);
GO
--! error 334
-- a trigger for another action is no obstacle
INSERT dbo.Watched VALUES (1);
DELETE dbo.Watched OUTPUT deleted.A;
GO
--! rows
--! 1

-- Where a row is not there on one side, bare names mean the other: what dbt and others write.
CREATE TABLE Kept (Id int, V int);
CREATE TABLE Came (Id int, V int, W int);
INSERT Kept VALUES (7, 6);
INSERT Came VALUES (1, 2, 3), (2, 4, 0);
MERGE Kept USING Came ON Kept.Id = Came.Id
    WHEN NOT MATCHED AND W = 3 AND V < 5 THEN INSERT (Id, V) VALUES (Id, V * 10)
    WHEN NOT MATCHED BY SOURCE AND V > 5 THEN UPDATE SET V = V + Id;
MERGE Kept AS k USING (SELECT Id + 10 AS Id, V FROM Came) AS c ON k.Id = c.Id
    WHEN NOT MATCHED AND (SELECT MAX(W) FROM Came WHERE Id = c.Id - 10) = 3 THEN INSERT VALUES (Id, (SELECT MIN(V) FROM Came));
SELECT * FROM Kept ORDER BY Id;
GO
--! rows
--! 1 | 20
--! 7 | 13
--! 11 | 2
MERGE Kept AS k USING Came AS c ON k.Id = c.Id WHEN MATCHED THEN UPDATE SET V = V;
GO
--! error 209
MERGE Kept AS k USING (SELECT Id AS Other FROM Came) AS c ON k.Id = c.Other WHEN NOT MATCHED THEN INSERT VALUES (c.Other, V);
GO
--! error 207
-- NOLOCK and READUNCOMMITTED are refused behind the target of a write, and passed over in FROM. Other hints of locks are allowed.
CREATE TABLE hinted (id int PRIMARY KEY, n int);
INSERT hinted WITH (ROWLOCK) VALUES (1, 1), (2, 2);
GO
UPDATE hinted WITH (NOLOCK) SET n = 5 WHERE id = 1;
GO
--! error 1065
INSERT INTO hinted WITH (READUNCOMMITTED) VALUES (3, 3);
GO
--! error 1065
DELETE hinted WITH (NOLOCK) WHERE id = 1;
GO
--! error 1065
MERGE hinted WITH (NOLOCK) AS t USING (SELECT 1 AS id) AS s ON s.id = t.id WHEN MATCHED THEN DELETE;
GO
--! error 1065
UPDATE x SET n += 10 FROM hinted AS x WITH (NOLOCK) WHERE id = 1;
UPDATE hinted WITH (ROWLOCK) SET n += 10 WHERE id = 2;
SELECT id, n FROM hinted WITH (NOLOCK) WHERE id = 1;
SELECT n FROM hinted (NOLOCK) WHERE id = 2;
DROP TABLE hinted;
GO
--! rows
--! 1 | 11
--! rows
--! 12
