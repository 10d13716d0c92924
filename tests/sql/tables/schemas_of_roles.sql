-- guest and the schemas of the fixed roles hold tables as others do.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE guest.T (A int); INSERT guest.T VALUES (1);
SELECT A + 1 AS A INTO db_owner.U FROM guest.T;
GO
ALTER SCHEMA db_datareader TRANSFER guest.T;
SELECT SCHEMA_NAME(schema_id), name FROM sys.tables ORDER BY name;
SELECT t.A, u.A FROM db_datareader.T AS t CROSS JOIN db_owner.U AS u;
GO
--! rows
--! db_datareader | T
--! db_owner | U
--! rows
--! 1 | 2
--! restart
USE Shop;
SELECT t.A, u.A FROM db_datareader.T AS t CROSS JOIN db_owner.U AS u;
DROP TABLE db_owner.U;
GO
--! rows
--! 1 | 2
