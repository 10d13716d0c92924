-- WITH STATS: a message whenever so many percent more are done, ten without a number, and one at 100 percent. What is reported is what is done by then.
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE A (id int); CREATE TABLE B (id int); CREATE TABLE C (id int); CREATE TABLE D (id int); CREATE TABLE E (id int);
INSERT INTO A SELECT value FROM GENERATE_SERIES(1, 40);
INSERT INTO B SELECT value FROM GENERATE_SERIES(1, 20);
INSERT INTO C SELECT value FROM GENERATE_SERIES(1, 20);
INSERT INTO D SELECT value FROM GENERATE_SERIES(1, 15);
INSERT INTO E SELECT value FROM GENERATE_SERIES(1, 5);
GO
BACKUP DATABASE Shop TO DISK = N'shop.bak' WITH INIT, STATS;
GO
--! print 40 percent processed
--! print 60 percent processed
--! print 80 percent processed
--! print 95 percent processed
--! print 100 percent processed
--! print Processed
--! print BACKUP DATABASE
BACKUP DATABASE Shop TO DISK = N'shop.bak' WITH INIT, STATS = 50;
GO
--! print 60 percent processed
--! print 100 percent processed
--! print Processed
--! print BACKUP DATABASE
-- 100 is told, whatever the number is.
BACKUP DATABASE Shop TO DISK = N'shop.bak' WITH INIT, STATS = 30;
GO
--! print 40 percent processed
--! print 60 percent processed
--! print 95 percent processed
--! print 100 percent processed
--! print Processed
--! print BACKUP DATABASE
BACKUP DATABASE Shop TO DISK = N'shop.bak' WITH INIT;
GO
--! print Processed
--! print BACKUP DATABASE
USE master;
GO
RESTORE DATABASE Copy FROM DISK = N'shop.bak' WITH STATS = 40, MOVE 'Shop' TO 'copy.mdf', MOVE 'Shop_log' TO 'copy.ldf';
GO
--! print 40 percent processed
--! print 80 percent processed
--! print 100 percent processed
--! print Processed
--! print RESTORE DATABASE
SELECT (SELECT COUNT(*) FROM Copy.dbo.A), (SELECT MAX(id) FROM Copy.dbo.B), (SELECT COUNT(*) FROM Copy.dbo.E);
GO
--! rows
--! 40 | 20 | 5
-- A database without rows has its 100 percent, too.
CREATE DATABASE Bare;
BACKUP DATABASE Bare TO DISK = N'bare.bak' WITH INIT, STATS = 10;
GO
--! print 100 percent processed
--! print Processed
--! print BACKUP DATABASE
