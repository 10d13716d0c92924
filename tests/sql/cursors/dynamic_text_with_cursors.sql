-- A cursor as an OUTPUT parameter of sp_executesql: the dynamic text makes it, its caller reads it.
CREATE TABLE t (id int PRIMARY KEY, name varchar(10))
INSERT t VALUES (1, 'one'), (2, 'two'), (3, 'three')
CREATE TABLE told (what varchar(20))
GO
CREATE PROCEDURE reads @table sysname, @least int AS
    DECLARE @rows CURSOR, @name varchar(10), @next int = @least
    DECLARE @text nvarchar(max) = N'SET @made = CURSOR LOCAL STATIC FOR SELECT name FROM ' + QUOTENAME(@table)
        + N' WHERE id >= @from ORDER BY id DESC; OPEN @made; SET @from += 100'
    EXEC sys.sp_executesql @text, N'@made CURSOR OUTPUT, @from int OUTPUT', @rows OUTPUT, @next OUTPUT
    FETCH NEXT FROM @rows INTO @name
    WHILE @@FETCH_STATUS = 0
    BEGIN
        INSERT told VALUES (@name)
        FETCH NEXT FROM @rows INTO @name
    END
    INSERT told VALUES (@next)
GO
EXEC reads 't', 2
SELECT what FROM told
GO
--! rows
--! three
--! two
--! 102
DECLARE @c CURSOR
EXEC sp_executesql N'DECLARE x CURSOR GLOBAL FOR SELECT id FROM t ORDER BY id; OPEN x; SET @c = x', N'@c CURSOR VARYING OUTPUT', @c = @c OUTPUT
FETCH @c
FETCH x
SELECT CURSOR_STATUS('variable', '@c')
GO
--! rows
--! 1
--! rows
--! 2
--! rows
--! 1
DEALLOCATE x
GO
-- Without OUTPUT in the call the caller hears nothing of it; one that has a cursor already, or is none, is refused.
DECLARE @c CURSOR
EXEC sp_executesql N'SET @c = CURSOR LOCAL FOR SELECT 7 AS a; OPEN @c; FETCH @c', N'@c CURSOR OUTPUT', @c
SELECT CURSOR_STATUS('variable', '@c')
SET @c = CURSOR FOR SELECT 1 AS a
BEGIN TRY
    EXEC sp_executesql N'SET @c = CURSOR FOR SELECT 1 AS a', N'@c CURSOR OUTPUT', @c OUTPUT
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER()
END CATCH
BEGIN TRY
    EXEC sp_executesql N'SET @c = CURSOR FOR SELECT 1 AS a', N'@c CURSOR OUTPUT', 5
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER()
END CATCH
GO
--! rows
--! 7
--! rows
--! -2
--! rows
--! 16951
--! rows
--! 206
