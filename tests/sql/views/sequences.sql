-- sys.sequences: what was given out last, and whether there is more.
CREATE SEQUENCE dbo.Up AS tinyint MAXVALUE 3 MINVALUE 1;
CREATE SEQUENCE dbo.Round AS smallint START WITH 2 MINVALUE 2 MAXVALUE 3 CYCLE;
CREATE SEQUENCE dbo.Down AS int START WITH 5 INCREMENT BY -2 MINVALUE 1;
GO
CREATE VIEW dbo.Shown AS SELECT name, current_value, last_used_value, is_exhausted, SQL_VARIANT_PROPERTY(last_used_value, 'BaseType') AS base FROM sys.sequences;
GO
SELECT * FROM dbo.Shown ORDER BY name;
GO
--! rows
--! Down | 5 | NULL | 0 | NULL
--! Round | 2 | NULL | 0 | NULL
--! Up | 1 | NULL | 0 | NULL
SELECT NEXT VALUE FOR dbo.Up, NEXT VALUE FOR dbo.Round, NEXT VALUE FOR dbo.Down;
SELECT * FROM dbo.Shown ORDER BY name;
SELECT NEXT VALUE FOR dbo.Up, NEXT VALUE FOR dbo.Round, NEXT VALUE FOR dbo.Down;
SELECT * FROM dbo.Shown ORDER BY name;
SELECT NEXT VALUE FOR dbo.Up, NEXT VALUE FOR dbo.Round, NEXT VALUE FOR dbo.Down;
SELECT * FROM dbo.Shown ORDER BY name;
GO
--! rows
--! 1 | 2 | 5
--! rows
--! Down | 5 | 5 | 0 | int
--! Round | 2 | 2 | 0 | smallint
--! Up | 1 | 1 | 0 | tinyint
--! rows
--! 2 | 3 | 3
--! rows
--! Down | 3 | 3 | 0 | int
--! Round | 3 | 3 | 0 | smallint
--! Up | 2 | 2 | 0 | tinyint
--! rows
--! 3 | 2 | 1
--! rows
--! Down | 1 | 1 | 1 | int
--! Round | 2 | 2 | 0 | smallint
--! Up | 3 | 3 | 1 | tinyint
-- the error changes nothing
SELECT NEXT VALUE FOR dbo.Up;
GO
--! error 11728
SELECT * FROM dbo.Shown WHERE name = 'Up';
ALTER SEQUENCE dbo.Up RESTART;
SELECT * FROM dbo.Shown WHERE name = 'Up';
ALTER SEQUENCE dbo.Up RESTART WITH 3;
SELECT NEXT VALUE FOR dbo.Up;
SELECT * FROM dbo.Shown WHERE name = 'Up';
ALTER SEQUENCE dbo.Up MAXVALUE 9;
SELECT * FROM dbo.Shown WHERE name = 'Up';
SELECT NEXT VALUE FOR dbo.Up;
GO
--! rows
--! Up | 3 | 3 | 1 | tinyint
--! rows
--! Up | 1 | NULL | 0 | NULL
--! rows
--! 3
--! rows
--! Up | 3 | 3 | 1 | tinyint
--! rows
--! Up | 3 | 3 | 0 | tinyint
--! rows
--! 4
-- sp_sequence_get_range to the last value
DECLARE @first sql_variant;
EXEC sp_sequence_get_range N'dbo.Up', 5, @first OUTPUT;
SELECT * FROM dbo.Shown WHERE name = 'Up';
EXEC sp_sequence_get_range N'dbo.Round', 1, @first OUTPUT;
SELECT * FROM dbo.Shown WHERE name = 'Round';
EXEC sp_sequence_get_range N'dbo.Round', 1, @first OUTPUT;
SELECT @first, NEXT VALUE FOR dbo.Round;
GO
--! rows
--! Up | 9 | 9 | 1 | tinyint
--! rows
--! Round | 3 | 3 | 0 | smallint
--! rows
--! 2 | 3
