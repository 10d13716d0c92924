-- numeric is decimal by another name; the catalog keeps the name that was written, and literals are numeric.
CREATE TABLE dbo.N (a numeric(5, 2), b decimal(5, 2), c numeric, d dec(4));
INSERT dbo.N VALUES (1.25, 1.25, 3, 4);
SELECT COLUMN_NAME, DATA_TYPE, NUMERIC_PRECISION, NUMERIC_SCALE FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'N' ORDER BY ORDINAL_POSITION;
SELECT SQL_VARIANT_PROPERTY(1.5, 'BaseType'), SQL_VARIANT_PROPERTY(CAST(1 AS decimal(5, 2)), 'BaseType'), SQL_VARIANT_PROPERTY(CAST(1 AS numeric), 'BaseType');
SELECT COUNT(*) FROM dbo.N WHERE a = b;
SELECT a, b, 2.5 AS e INTO dbo.M FROM dbo.N;
SELECT name, TYPE_NAME(user_type_id), precision, scale FROM sys.columns WHERE object_id = OBJECT_ID('dbo.M') ORDER BY column_id;
GO
--! rows
--! a | numeric | 5 | 2
--! b | decimal | 5 | 2
--! c | numeric | 18 | 0
--! d | decimal | 4 | 0
--! rows
--! numeric | decimal | numeric
--! rows
--! 1
--! rows
--! a | numeric | 5 | 2
--! b | decimal | 5 | 2
--! e | numeric | 2 | 1
--! restart
SELECT name, TYPE_NAME(user_type_id) FROM sys.columns WHERE object_id = OBJECT_ID('dbo.N') ORDER BY column_id;
GO
--! rows
--! a | numeric
--! b | decimal
--! c | numeric
--! d | decimal
