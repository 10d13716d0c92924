-- WITH VALUES: the default of an added column also goes into the rows that are there; without it a nullable column is NULL in them.
CREATE TABLE Old (id int);
INSERT Old VALUES (1), (2);
ALTER TABLE Old ADD a int DEFAULT 5 WITH VALUES, b int DEFAULT 6, c int NOT NULL DEFAULT 7,
    d datetime2 NULL CONSTRAINT df DEFAULT '2020-01-01 00:00:00.1234567' WITH VALUES;
INSERT Old (id) VALUES (3);
SELECT * FROM Old ORDER BY id;
GO
--! rows
--! 1 | 5 | NULL | 7 | 2020-01-01 00:00:00.1234567
--! 2 | 5 | NULL | 7 | 2020-01-01 00:00:00.1234567
--! 3 | 5 | 6 | 7 | 2020-01-01 00:00:00.1234567
