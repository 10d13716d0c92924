-- A synonym may stand for a system view; one whose object is gone says so when it is used.
CREATE DATABASE D
GO
USE D
GO
CREATE TABLE t (a int)
CREATE SYNONYM o FOR sys.objects
CREATE SYNONYM i FOR INFORMATION_SCHEMA.TABLES
CREATE SYNONYM d FOR master.sys.databases
CREATE SYNONYM v FOR master..spt_values
CREATE SYNONYM old FOR sysobjects
CREATE SYNONYM gone FOR dbo.nothing
GO
SELECT o.name FROM o WHERE o.name = 't'
SELECT x.TABLE_NAME FROM dbo.i AS x
SELECT name FROM d WHERE name = 'D'
SELECT MAX(number) FROM v WHERE type = 'P'
SELECT COUNT(*) FROM t AS t CROSS JOIN old WHERE old.name = 't'
GO
--! rows
--! t
--! rows
--! t
--! rows
--! D
--! rows
--! 2047
--! rows
--! 0
SELECT * FROM gone
GO
--! error 5313
UPDATE o SET name = 'x'
GO
--! error 259
INSERT gone VALUES (1)
GO
--! error 5313
