-- Cursors: the usual loop, orientations, scope, cursor variables, WHERE CURRENT OF, and their errors.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(10));
INSERT dbo.T VALUES (1, 'a'), (2, 'b'), (3, 'c');
GO
DECLARE @id int, @v varchar(10), @all varchar(100) = '';
DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT Id, V FROM dbo.T ORDER BY Id DESC;
OPEN c;
FETCH NEXT FROM c INTO @id, @v;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @all += @v + CAST(@id AS varchar(10));
    FETCH NEXT FROM c INTO @id, @v;
END
CLOSE c;
DEALLOCATE c;
SELECT @all, @@FETCH_STATUS;
GO
--! rows
--! c3b2a1 | -1
DECLARE s SCROLL CURSOR FOR SELECT V FROM dbo.T ORDER BY Id;
OPEN s;
FETCH LAST FROM s;
FETCH PRIOR FROM s;
FETCH ABSOLUTE -3 FROM s;
FETCH RELATIVE 2 FROM s;
FETCH NEXT FROM s;
FETCH FIRST FROM s;
GO
--! rows
--! c
--! rows
--! b
--! rows
--! a
--! rows
--! c
--! rows
--! rows
--! a
-- A cursor is global unless it says LOCAL.
FETCH NEXT FROM s;
SELECT CURSOR_STATUS('global', 's');
CLOSE s;
SELECT CURSOR_STATUS('global', 's');
FETCH NEXT FROM s;
GO
--! rows
--! b
--! rows
--! 1
--! rows
--! -1
--! error 16917
DEALLOCATE s;
SELECT CURSOR_STATUS('global', 's');
OPEN s;
GO
--! rows
--! -3
--! error 16916
DECLARE f CURSOR FORWARD_ONLY FOR SELECT V FROM dbo.T;
DECLARE f CURSOR FOR SELECT 1;
GO
--! error 16915
OPEN f;
OPEN f;
GO
--! error 16905
FETCH PRIOR FROM f;
GO
--! error 16911
DECLARE @a int, @b int;
FETCH NEXT FROM f INTO @a, @b;
GO
--! error 16924
CLOSE f; DEALLOCATE f;
GO
-- Variables in the query keep the value they had at DECLARE.
DECLARE @from int = 2, @got int;
DECLARE v CURSOR LOCAL FOR SELECT Id FROM dbo.T WHERE Id >= @from ORDER BY Id;
SET @from = 0;
OPEN v;
FETCH NEXT FROM v INTO @got;
SELECT @got;
GO
--! rows
--! 2
-- Cursor variables.
DECLARE @c CURSOR, @x int;
SET @c = CURSOR FOR SELECT Id FROM dbo.T ORDER BY Id;
OPEN @c;
FETCH NEXT FROM @c INTO @x;
SELECT @x;
CLOSE @c;
DEALLOCATE @c;
OPEN @c;
GO
--! rows
--! 1
--! error 16950
-- WHERE CURRENT OF.
DECLARE @k int;
DECLARE u CURSOR LOCAL FOR SELECT Id FROM dbo.T FOR UPDATE;
OPEN u;
FETCH NEXT FROM u INTO @k;
WHILE @@FETCH_STATUS = 0
BEGIN
    IF @k = 2 DELETE dbo.T WHERE CURRENT OF u;
    ELSE UPDATE dbo.T SET V = V + V WHERE CURRENT OF u;
    FETCH NEXT FROM u INTO @k;
END
SELECT Id, V FROM dbo.T ORDER BY Id;
UPDATE dbo.T SET V = 'x' WHERE CURRENT OF u;
GO
--! rows
--! 1 | aa
--! 3 | cc
--! error 16931
DECLARE r CURSOR LOCAL STATIC FOR SELECT Id FROM dbo.T;
OPEN r;
FETCH NEXT FROM r;
DELETE dbo.T WHERE CURRENT OF r;
GO
--! error 16929

-- CURSOR_STATUS tells local from global; @@CURSOR_ROWS is of the cursor opened last, and 0 once one is closed.
DECLARE l CURSOR LOCAL STATIC FOR SELECT 1 AS x UNION ALL SELECT 2;
OPEN l;
SELECT CURSOR_STATUS('local', 'l'), CURSOR_STATUS('global', 'l'), @@CURSOR_ROWS;
CLOSE l;
SELECT CURSOR_STATUS('local', 'L'), @@CURSOR_ROWS;
GO
--! rows
--! 1 | -3 | 2
--! rows
--! -1 | 0
