-- What a constraint may not be, in CREATE TABLE and ALTER TABLE: the cause is told, and then 1750; and whose name it may not have.
CREATE TABLE p (id int PRIMARY KEY, code varchar(10) COLLATE Latin1_General_CS_AS UNIQUE, plain varchar(5) COLLATE SQL_Latin1_General_CP1_CI_AS UNIQUE);
GO
CREATE VIEW seen AS SELECT id FROM p;
GO
CREATE TABLE bad (v int NOT NULL REFERENCES p ON DELETE SET NULL);
GO
--! error 1761 severity 16 line 1
--! error 1750 line 1
CREATE TABLE bad (v int NOT NULL REFERENCES p ON UPDATE SET DEFAULT);
GO
--! error 1762 severity 16
--! error 1750
CREATE TABLE bad (v varchar(10) COLLATE Latin1_General_CI_AS REFERENCES p (code));
GO
--! error 1757 severity 16
--! error 1750
CREATE TABLE bad (v int REFERENCES tempdb.dbo.p (id));
GO
--! error 1763 severity 16
--! error 1750
CREATE TABLE bad (v int REFERENCES seen (id));
GO
--! error 1768 severity 16
--! error 1750
CREATE TABLE good (v varchar(5) REFERENCES p (plain), w int NOT NULL DEFAULT 1 REFERENCES p ON DELETE SET DEFAULT, x int REFERENCES p ON UPDATE SET NULL,
    y int REFERENCES p ON UPDATE SET DEFAULT, CHECK (w > 0 OR x > 0));
GO
--! error 1785
--! error 1750
CREATE TABLE good (v varchar(5) REFERENCES p (plain), w int NOT NULL DEFAULT 1 REFERENCES p ON DELETE SET DEFAULT, x int REFERENCES p ON UPDATE SET NULL,
    CHECK (w > 0 OR x > 0));
GO

-- The CHECK of a column knows this column alone; a column that is nowhere is no other one.
CREATE TABLE bad (a int CHECK (b > 1), b int);
GO
--! error 8141 severity 16 state 0
--! error 1750
CREATE TABLE bad (b int, a int CHECK (A > 1 AND b > 1));
GO
--! error 8141
--! error 1750
CREATE TABLE #bad (b int, a int CHECK (b > 1));
GO
--! error 8141
--! error 1750
ALTER TABLE good ADD z int CHECK (w > 1);
GO
--! error 8141
--! error 1750
CREATE TABLE bad (a int CHECK (nowhere > 1));
GO
--! error 207
ALTER TABLE good ADD z int CONSTRAINT ck_z CHECK (Z > 1), CONSTRAINT ck_more CHECK (z > w);
GO

-- No two constraints, and no object and constraint, of a schema have one name, whichever comes first.
CREATE TABLE bad (a int CONSTRAINT same REFERENCES p, b int CONSTRAINT SAME REFERENCES p);
GO
--! error 2714 severity 16
--! error 1750
CREATE TABLE bad (a int CONSTRAINT same REFERENCES p, b int CONSTRAINT same DEFAULT 1);
GO
--! error 2714
--! error 1750
CREATE TABLE bad (a int CONSTRAINT p CHECK (a > 1));
GO
--! error 2714
--! error 1750
CREATE TABLE bad (a int CONSTRAINT bad UNIQUE);
GO
--! error 2714
--! error 1750
CREATE TABLE bad (a int CONSTRAINT seen DEFAULT 1);
GO
--! error 2714
--! error 1750
ALTER TABLE good ADD CONSTRAINT good CHECK (w > 1);
GO
--! error 2714
--! error 1750
ALTER TABLE good ADD CONSTRAINT ck_z CHECK (w > 1);
GO
--! error 2714
--! error 1750
CREATE TABLE ck_z (a int);
GO
--! error 2714
SELECT 1 AS a INTO ck_z;
GO
--! error 2714
CREATE PROCEDURE ck_z AS RETURN;
GO
--! error 2714
CREATE OR ALTER VIEW ck_z AS SELECT 1 AS a;
GO
--! error 2714
ALTER VIEW ck_z AS SELECT 1 AS a;
GO
--! error 208
CREATE FUNCTION ck_z () RETURNS int AS BEGIN RETURN 1 END;
GO
--! error 2714
CREATE QUEUE ck_z;
GO
--! error 2714
CREATE SYNONYM ck_z FOR p;
GO
--! error 2714
CREATE SEQUENCE ck_z;
GO
--! error 2714

-- A cascade and an INSTEAD OF trigger of the same statement are not together on one table.
CREATE TABLE kid (id int CONSTRAINT fk_kid REFERENCES p);
GO
CREATE TRIGGER kid_goes ON kid INSTEAD OF DELETE AS RETURN;
GO
ALTER TABLE kid ADD FOREIGN KEY (id) REFERENCES p ON DELETE CASCADE;
GO
--! error 1787 severity 16
--! error 1750
ALTER TABLE kid ADD FOREIGN KEY (id) REFERENCES p ON UPDATE CASCADE;
GO

-- Columns that no key can have.
CREATE TABLE bad (a xml UNIQUE);
GO
--! error 1919
--! error 1750
CREATE TABLE #bad (a int, PRIMARY KEY (b));
GO
--! error 1911
--! error 1750
CREATE TABLE bad (a int, UNIQUE (a, a));
GO
--! error 1909
--! error 1750

-- What does not drop or switch a constraint tells the cause, too.
ALTER TABLE kid DROP CONSTRAINT nowhere;
GO
--! error 3728 severity 16
--! error 3727 severity 16 state 0
ALTER TABLE kid NOCHECK CONSTRAINT nowhere;
GO
--! error 4917 severity 16 state 0
--! error 4916 severity 16 state 0
CREATE TABLE keyed (id int CONSTRAINT pk_keyed PRIMARY KEY);
CREATE TABLE refers (id int REFERENCES keyed);
ALTER TABLE keyed DROP CONSTRAINT pk_keyed;
GO
--! error 3725
--! error 3727
SELECT name FROM sys.tables ORDER BY name;
GO
--! rows
--! good
--! keyed
--! kid
--! p
--! refers
