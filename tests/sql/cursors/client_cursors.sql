-- The procedures by which drivers have server cursors: windows of a static copy, in the order in which ODBC's scrollable results move.
CREATE TABLE t (a int);
INSERT t SELECT value FROM GENERATE_SERIES(1, 7);
GO
-- A keyset is asked for; what comes is static and read-only, and says so. The number of rows is known.
DECLARE @c int, @scroll int = 1, @cc int = 4, @n int = 0;
EXEC sp_cursoropen @c OUTPUT, N'SELECT a FROM t ORDER BY a', @scroll OUTPUT, @cc OUTPUT, @n OUTPUT;
SELECT @scroll, @cc, @n, SIGN(@c);
INSERT t VALUES (8);  -- the copy does not see it
EXEC sp_cursorfetch @c, 2, 0, 3;
EXEC sp_cursorfetch @c, 2, 0, 3;
EXEC sp_cursorfetch @c, 2, 0, 3;
EXEC sp_cursorfetch @c, 2, 0, 3;
EXEC sp_cursorfetch @c, 4, 0, 2;   -- from behind the last row
EXEC sp_cursorfetch @c, 128, 0, 2; -- the same again
EXEC sp_cursorfetch @c, 1, 0, 2;
EXEC sp_cursorfetch @c, 4, 0, 2;   -- before the first row
EXEC sp_cursorfetch @c, 2, 0, 1;
EXEC sp_cursorfetch @c, 8, 0, 1;
EXEC sp_cursorfetch @c, 16, 3, 1;
EXEC sp_cursorfetch @c, 16, -2, 1;
EXEC sp_cursorfetch @c, 32, -4, 3;
EXEC sp_cursorfetch @c, 512, 0, 3; -- only what lies before
DECLARE @row int, @rows int;
EXEC sp_cursorfetch @c, 256, @row OUTPUT, @rows OUTPUT;
SELECT @row, @rows;
EXEC sp_cursoroption @c, 2, N'named';
EXEC sp_cursorclose @c;
GO
--! rows
--! rows
--! 8 | 1 | 7 | 1
--! rows
--! 1 | 1
--! 2 | 1
--! 3 | 1
--! rows
--! 4 | 1
--! 5 | 1
--! 6 | 1
--! rows
--! 7 | 1
--! rows
--! rows
--! 6 | 1
--! 7 | 1
--! rows
--! 6 | 1
--! 7 | 1
--! rows
--! 1 | 1
--! 2 | 1
--! rows
--! rows
--! 1 | 1
--! rows
--! 7 | 1
--! rows
--! 3 | 1
--! rows
--! 6 | 1
--! rows
--! 2 | 1
--! 3 | 1
--! 4 | 1
--! rows
--! 1 | 1
--! rows
--! 1 | 7
-- Parameters; forward-only cursors stay what they were asked for.
DECLARE @c int, @scroll int = 0x1010, @cc int = 1, @n int;
EXEC sp_cursoropen @c OUTPUT, N'SELECT a FROM t WHERE a > @least', @scroll OUTPUT, @cc OUTPUT, @n OUTPUT, N'@least int', 6;
SELECT @scroll, @n;
EXEC sp_cursorfetch @c, 2, 0, 10;
GO
--! rows
--! rows
--! 16 | 2
--! rows
--! 7 | 1
--! 8 | 1
-- Prepared, run twice, and forgotten.
DECLARE @h int, @c int, @n int;
EXEC sp_cursorprepare @h OUTPUT, N'@a int', N'SELECT @a AS one', 1;
EXEC sp_cursorexecute @h, @c OUTPUT, 8, 1, @n OUTPUT, 5;
EXEC sp_cursorfetch @c;
EXEC sp_cursorexecute @h, @c OUTPUT, 8, 1, @n OUTPUT, 6;
EXEC sp_cursorfetch @c;
EXEC sp_cursorunprepare @h;
EXEC sp_cursorexecute @h, @c OUTPUT;
GO
--! rows
--! columns one | ROWSTAT
--! rows
--! 5 | 1
--! rows
--! rows
--! 6 | 1
--! error 8179
DECLARE @h int, @c int, @n int;
EXEC sp_cursorprepexec @h OUTPUT, @c OUTPUT, N'@a int', N'SELECT @a + 1', 8, 1, @n OUTPUT, 1;
EXEC sp_cursorfetch @c, 2, 0, 1;
SELECT @n;
GO
--! rows
--! rows
--! 2 | 1
--! rows
--! 1
-- No single result set: refused, or run as it is where the client allows that (0x2000).
DECLARE @c int;
EXEC sp_cursoropen @c OUTPUT, N'PRINT ''no rows''';
GO
--! print no rows
--! error 16937
DECLARE @c int, @scroll int = 8, @cc int = 0x2001;
EXEC sp_cursoropen @c OUTPUT, N'SELECT 1; SELECT 2', @scroll OUTPUT, @cc OUTPUT;
SELECT @c;
GO
--! rows
--! 1
--! rows
--! 2
--! rows
--! 0
-- What cannot be: an error of the statement, a handle that is none, a fetch and an option that there are not, changes.
DECLARE @c int;
EXEC sp_cursoropen @c OUTPUT, N'SELECT nothing FROM t';
GO
--! error 207
EXEC sp_cursorfetch 5;
EXEC sp_cursorclose 5;
EXEC sp_cursoropen 5;
GO
--! error 16909
--! error 16909
--! error 201
DECLARE @c int;
EXEC sp_cursoropen @c OUTPUT, N'SELECT a FROM t';
EXEC sp_cursorfetch @c, 3;
EXEC sp_cursoroption @c, 9, 0;
EXEC sp_cursor @c, 4, 1, N't', 5;
EXEC sp_cursorclose -1;
EXEC sp_cursorfetch @c;
GO
--! rows
--! error 16902
--! error 16902
--! error 16929
--! error 16909
