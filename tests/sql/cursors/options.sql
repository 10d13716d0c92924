-- Options of cursors, what they become, what describes them, and the errors of their statements.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(10), N int);
CREATE TABLE dbo.Heap (Id int, V varchar(10));
INSERT dbo.T VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3);
INSERT dbo.Heap SELECT Id, V FROM dbo.T;
GO
-- The implicit conversions: 16956 under TYPE_WARNING.
DECLARE c1 CURSOR LOCAL TYPE_WARNING FOR SELECT Id FROM dbo.T ORDER BY V;
DECLARE c2 CURSOR LOCAL TYPE_WARNING FOR SELECT Id FROM dbo.T ORDER BY Id DESC;
DECLARE c3 CURSOR LOCAL TYPE_WARNING KEYSET FOR SELECT Id FROM dbo.Heap;
DECLARE c4 CURSOR LOCAL DYNAMIC TYPE_WARNING FOR SELECT DISTINCT V FROM dbo.T;
DECLARE c5 CURSOR LOCAL TYPE_WARNING FOR SELECT Id FROM dbo.Heap;
DECLARE c6 CURSOR LOCAL FORWARD_ONLY TYPE_WARNING FOR SELECT TOP (2) Id FROM dbo.T;
DECLARE c7 CURSOR LOCAL FAST_FORWARD FOR SELECT V FROM dbo.T GROUP BY V;
DECLARE c8 CURSOR LOCAL SCROLL FOR SELECT Id FROM dbo.T FOR READ ONLY;
DECLARE c9 CURSOR LOCAL SCROLL_LOCKS SCROLL DYNAMIC FOR SELECT Id FROM dbo.T FOR UPDATE OF N;
DECLARE @r CURSOR, @n sysname, @x sysname, @scope tinyint, @status int, @model tinyint, @con tinyint, @scroll tinyint,
    @open tinyint, @rows int, @fetch int, @columns int, @count int, @last tinyint, @handle int;
EXEC sp_cursor_list @cursor_return = @r OUTPUT, @cursor_scope = 1;
DECLARE @all TABLE (n sysname, model tinyint, con tinyint, scroll tinyint, opened tinyint);
FETCH NEXT FROM @r INTO @n, @x, @scope, @status, @model, @con, @scroll, @open, @rows, @fetch, @columns, @count, @last, @handle;
WHILE @@FETCH_STATUS = 0
BEGIN
    INSERT @all VALUES (@n, @model, @con, @scroll, @open);
    FETCH NEXT FROM @r INTO @n, @x, @scope, @status, @model, @con, @scroll, @open, @rows, @fetch, @columns, @count, @last, @handle;
END
SELECT * FROM @all ORDER BY n;
GO
--! print not of the requested type
--! print not of the requested type
--! print not of the requested type
--! print not of the requested type
--! rows
--! c1 | 2 | 3 | 0 | 0
--! c2 | 3 | 3 | 0 | 0
--! c3 | 1 | 1 | 1 | 0
--! c4 | 1 | 1 | 1 | 0
--! c5 | 3 | 3 | 0 | 0
--! c6 | 2 | 3 | 0 | 0
--! c7 | 4 | 1 | 0 | 0
--! c8 | 2 | 1 | 1 | 0
--! c9 | 3 | 2 | 1 | 0
DECLARE g CURSOR GLOBAL KEYSET FOR SELECT Id, V FROM dbo.T;
OPEN g;
FETCH LAST FROM g;
DECLARE @r CURSOR;
EXEC sp_describe_cursor @cursor_return = @r OUTPUT, @cursor_source = N'global', @cursor_identity = N'g';
FETCH NEXT FROM @r;
GO
--! rows
--! 3 | c
--! rows
--! columns reference_name | cursor_name | cursor_scope | status | model | concurrency | scrollable | open_status | cursor_rows | fetch_status | column_count | row_count | last_operation | cursor_handle
--! g | g | 2 | 1 | 2 | 3 | 1 | 1 | 3 | 0 | 2 | 1 | 2 | *
DECLARE @r CURSOR;
EXEC sp_describe_cursor_tables @cursor_return = @r OUTPUT, @cursor_source = N'global', @cursor_identity = N'g';
FETCH NEXT FROM @r;
EXEC sp_describe_cursor @cursor_return = @r OUTPUT, @cursor_source = N'global', @cursor_identity = N'g';
DEALLOCATE @r;
EXEC sp_describe_cursor @cursor_return = @r OUTPUT, @cursor_source = N'global', @cursor_identity = N'nope';
GO
--! rows
--! dbo | T | 0 | 0 | * | * | 1 | master
--! error 16951
--! error 16916
DECLARE @r CURSOR;
EXEC sp_describe_cursor_columns @cursor_return = @r OUTPUT, @cursor_source = N'global', @cursor_identity = N'g';
FETCH NEXT FROM @r;
FETCH NEXT FROM @r;
GO
--! rows
--! columns column_name | ordinal_position | column_characteristics_flags | column_size | data_type_sql | column_precision | column_scale | order_position | order_direction | hidden_column | columnid | objectid | dbid | dbname
--! Id | 0 | 18 | 4 | 56 | 10 | 0 | 0 | NULL | 0 | 1 | * | 1 | master
--! rows
--! V | 1 | 20 | 10 | 167 | 0 | 0 | 0 | NULL | 0 | 2 | * | 1 | master
DEALLOCATE g;
GO
-- Options that exclude each other.
DECLARE x CURSOR FAST_FORWARD SCROLL FOR SELECT 1;
GO
--! error 1048
DECLARE x CURSOR STATIC KEYSET FOR SELECT 1;
GO
--! error 1048
DECLARE x CURSOR LOCAL GLOBAL FOR SELECT 1;
GO
--! error 1048
DECLARE x CURSOR STATIC SCROLL_LOCKS FOR SELECT 1;
GO
--! error 1048
DECLARE x INSENSITIVE CURSOR DYNAMIC FOR SELECT 1;
GO
--! error 1049
DECLARE x CURSOR STATIC FOR SELECT Id FROM dbo.T FOR UPDATE;
GO
--! error 16957
DECLARE x CURSOR FOR SELECT DISTINCT Id FROM dbo.T FOR UPDATE;
GO
--! error 16957
DECLARE x CURSOR FOR SELECT Id FROM dbo.Heap ORDER BY Id FOR UPDATE;
GO
--! error 16957
DECLARE x CURSOR FOR SELECT Id FROM dbo.T FOR UPDATE OF Nope;
GO
--! error 207
DECLARE x CURSOR FOR SELECT Id FROM dbo.Nope;
GO
--! error 208
-- FOR UPDATE OF, other tables, nothing fetched, types that do not convert.
DECLARE u CURSOR LOCAL FOR SELECT Id FROM dbo.T FOR UPDATE OF N;
DECLARE @d datetime;
OPEN u;
UPDATE dbo.T SET N = 0 WHERE CURRENT OF u;
FETCH NEXT FROM u;
UPDATE dbo.T SET N = 10 WHERE CURRENT OF u;
UPDATE dbo.T SET V = 'x' WHERE CURRENT OF u;
UPDATE dbo.Heap SET V = 'x' WHERE CURRENT OF u;
UPDATE dbo.T SET N = 11 WHERE CURRENT OF GLOBAL u;
SELECT N, V FROM dbo.T WHERE Id = 1;
DECLARE w CURSOR LOCAL FOR SELECT CAST(0x01 AS varbinary(10)), GETDATE();
DECLARE @f float, @g uniqueidentifier;
OPEN w;
FETCH NEXT FROM w INTO @f, @g;
GO
--! error 16931
--! rows
--! 1
--! error 16932
--! error 16933
--! error 16916
--! rows
--! 10 | a
--! error 16922
-- CURSOR_CLOSE_ON_COMMIT closes what is open at the end of a transaction; without it nothing is closed.
DECLARE t CURSOR GLOBAL FOR SELECT Id FROM dbo.T;
OPEN t;
BEGIN TRAN; COMMIT;
SELECT CURSOR_STATUS('global', 't');
BEGIN TRAN; ROLLBACK;
SELECT CURSOR_STATUS('global', 't');
SET CURSOR_CLOSE_ON_COMMIT ON;
BEGIN TRAN; BEGIN TRAN; COMMIT;
SELECT CURSOR_STATUS('global', 't');
COMMIT;
SELECT CURSOR_STATUS('global', 't');
OPEN t;
BEGIN TRAN; ROLLBACK;
FETCH NEXT FROM t;
SET CURSOR_CLOSE_ON_COMMIT OFF;
DEALLOCATE t;
GO
--! rows
--! 1
--! rows
--! 1
--! rows
--! 1
--! rows
--! -1
--! error 16917
-- A variable and a name refer to one cursor: it is gone with its last reference.
DECLARE n CURSOR GLOBAL STATIC FOR SELECT Id FROM dbo.T ORDER BY Id;
DECLARE @v CURSOR;
SELECT CURSOR_STATUS('variable', '@v'), CURSOR_STATUS('variable', '@w');
SET @v = n;
SELECT CURSOR_STATUS('variable', '@v');
OPEN n;
FETCH NEXT FROM @v;
DEALLOCATE n;
FETCH NEXT FROM @v;
SELECT CURSOR_STATUS('variable', '@v'), CURSOR_STATUS('global', 'n');
DEALLOCATE @v;
SELECT CURSOR_STATUS('variable', '@v');
FETCH NEXT FROM @v;
GO
--! rows
--! -2 | -3
--! rows
--! -1
--! rows
--! 1
--! rows
--! 2
--! rows
--! 1 | -3
--! rows
--! -2
--! error 16950
CREATE PROCEDURE dbo.GiveCursor @c CURSOR VARYING OUTPUT AS
SET @c = CURSOR FORWARD_ONLY STATIC FOR SELECT V FROM dbo.T ORDER BY Id; OPEN @c;
GO
DECLARE @m CURSOR, @s varchar(10);
EXEC dbo.GiveCursor @c = @m OUTPUT;
FETCH NEXT FROM @m INTO @s;
SELECT @s;
GO
--! rows
--! a
-- CURSOR_DEFAULT of the database.
ALTER DATABASE CURRENT SET CURSOR_DEFAULT LOCAL;
DECLARE z CURSOR FOR SELECT 1 AS x;
SELECT CURSOR_STATUS('local', 'z'), CURSOR_STATUS('global', 'z');
ALTER DATABASE CURRENT SET CURSOR_DEFAULT GLOBAL;
GO
--! rows
--! -1 | -3
-- In a function, and GOTO there.
CREATE FUNCTION dbo.Joined(@from int) RETURNS varchar(100) AS
BEGIN
    DECLARE @all varchar(100) = '', @v varchar(10);
    DECLARE c CURSOR LOCAL FOR SELECT V FROM dbo.T WHERE Id >= @from;
    OPEN c;
    FETCH NEXT FROM c INTO @v;
    WHILE @@FETCH_STATUS = 0
    BEGIN
        SET @all += @v;
        FETCH NEXT FROM c INTO @v;
    END
    CLOSE c;
    DEALLOCATE c;
    IF @from > 1 GOTO marked;
    RETURN @all;
    WHILE 1 = 1 BEGIN marked: RETURN @all + '!'; END
    RETURN NULL;
END
GO
SELECT dbo.Joined(1), dbo.Joined(2);
SELECT dbo.Joined(Id) FROM dbo.T ORDER BY Id;
GO
--! rows
--! abc | bc!
--! rows
--! abc
--! bc!
--! c!
