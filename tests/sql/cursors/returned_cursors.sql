-- Cursors that a procedure hands out: one that is closed when it ends is none. And whose rows @@CURSOR_ROWS counts.
CREATE TABLE t (id int PRIMARY KEY);
INSERT t VALUES (1), (2), (3);
GO
CREATE PROCEDURE Opened @c CURSOR VARYING OUTPUT AS
SET @c = CURSOR SCROLL STATIC FOR SELECT id FROM t;
OPEN @c;
FETCH @c;
CLOSE @c;
OPEN @c;
FETCH LAST FROM @c;
GO
CREATE PROCEDURE Closed @c CURSOR VARYING OUTPUT AS
SET @c = CURSOR STATIC FOR SELECT id FROM t;
OPEN @c;
CLOSE @c;
GO
CREATE PROCEDURE NeverOpened @c CURSOR VARYING OUTPUT AS SET @c = CURSOR STATIC FOR SELECT id FROM t;
GO
CREATE PROCEDURE Deallocated @c CURSOR VARYING OUTPUT AS
SET @c = CURSOR STATIC FOR SELECT id FROM t;
OPEN @c;
DEALLOCATE @c;
GO
CREATE PROCEDURE OfAll @c CURSOR VARYING OUTPUT AS SET @c = everybodys;
GO
DECLARE @a CURSOR, @b CURSOR, @c CURSOR, @d CURSOR;
EXEC Opened @a OUTPUT;
EXEC Closed @b OUTPUT;
EXEC NeverOpened @c OUTPUT;
EXEC Deallocated @d OUTPUT;
SELECT CURSOR_STATUS('variable', '@a'), CURSOR_STATUS('variable', '@b'), CURSOR_STATUS('variable', '@c'), CURSOR_STATUS('variable', '@d');
FETCH PRIOR FROM @a;
OPEN @b;
OPEN @c;
GO
--! rows
--! 1
--! rows
--! 3
--! rows
--! 1 | -2 | -2 | -2
--! rows
--! 2
--! error 16950
--! error 16950
-- A global cursor is there for everybody, and is handed out only when it is open.
DECLARE everybodys CURSOR GLOBAL STATIC FOR SELECT id FROM t;
DECLARE @c CURSOR, @d CURSOR;
EXEC OfAll @c OUTPUT;
OPEN everybodys;
EXEC OfAll @d OUTPUT;
SELECT CURSOR_STATUS('variable', '@c'), CURSOR_STATUS('variable', '@d'), CURSOR_STATUS('global', 'everybodys');
DEALLOCATE everybodys;
GO
--! rows
--! -2 | 1 | 1
-- @@CURSOR_ROWS is of the cursor that was opened last: 0 when it is closed or deallocated, whatever happens to others.
DECLARE a CURSOR STATIC FOR SELECT id FROM t;
DECLARE b CURSOR STATIC FOR SELECT id FROM t WHERE id > 1;
OPEN a;
SELECT @@CURSOR_ROWS;
OPEN b;
SELECT @@CURSOR_ROWS;
CLOSE a;
SELECT @@CURSOR_ROWS;
DEALLOCATE a;
SELECT @@CURSOR_ROWS;
DECLARE @b CURSOR;
SET @b = b;
DEALLOCATE b;
SELECT @@CURSOR_ROWS;
DEALLOCATE @b;
SELECT @@CURSOR_ROWS;
GO
--! rows
--! 3
--! rows
--! 2
--! rows
--! 2
--! rows
--! 2
--! rows
--! 2
--! rows
--! 0
-- Local ones go with their batch, and CURSOR_CLOSE_ON_COMMIT closes all.
EXEC ('DECLARE a CURSOR LOCAL STATIC FOR SELECT id FROM t; OPEN a; SELECT @@CURSOR_ROWS');
SELECT @@CURSOR_ROWS;
SET CURSOR_CLOSE_ON_COMMIT ON;
DECLARE a CURSOR STATIC FOR SELECT id FROM t;
BEGIN TRAN;
OPEN a;
SELECT @@CURSOR_ROWS;
ROLLBACK;
SELECT @@CURSOR_ROWS;
OPEN a;
SELECT @@CURSOR_ROWS;
GO
--! rows
--! 3
--! rows
--! 0
--! rows
--! 3
--! rows
--! 0
--! rows
--! 3
SELECT @@CURSOR_ROWS;
DEALLOCATE a;
SELECT @@CURSOR_ROWS;
GO
--! rows
--! 3
--! rows
--! 0
