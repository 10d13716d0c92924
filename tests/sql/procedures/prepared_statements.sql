-- sp_prepare, sp_execute, sp_prepexec, sp_unprepare; sp_describe_first_result_set and its functions; sp_describe_undeclared_parameters.
CREATE TABLE dbo.T (Id int IDENTITY NOT NULL PRIMARY KEY, Name nvarchar(20), Price decimal(9, 2) NOT NULL, Twice AS Price * 2);
GO
DECLARE @h int, @g int;
EXEC sp_prepare @h OUTPUT, N'@a int, @b nvarchar(10)', N'SELECT @a + 1, @b';
EXEC sp_execute @h, 1, N'x';
EXEC sp_execute @h, @b = N'y', @a = 2;
EXEC sp_prepexec @g OUTPUT, N'@a int', N'SELECT @a * 10', 5;
EXEC sp_execute @g, 6;
SELECT @g - @h;
EXEC sp_unprepare @h;
EXEC sp_execute @h, 1, N'x';
GO
--! rows
--! 2 | x
--! rows
--! 3 | y
--! rows
--! 50
--! rows
--! 60
--! rows
--! 1
--! error 8179
EXEC sp_unprepare 99;
GO
--! error 8179
DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'', 'SELECT 1';
GO
--! error 214
DECLARE @h int; EXEC sp_prepare @h OUTPUT, NULL, N'SELEC 1 FRM';
GO
--! error 102
SELECT column_ordinal, name, is_nullable, system_type_name, max_length, precision, scale, is_identity_column, is_updateable, is_computed_column, source_table,
    source_column, is_part_of_unique_key, ordinal_in_order_by_list, order_by_is_descending
FROM sys.dm_exec_describe_first_result_set(N'SELECT Id, Name AS Title, Price, Twice, @p AS P, Price + 1 FROM dbo.T AS t ORDER BY Title DESC, Id', N'@p varchar(max)', 1);
GO
--! rows
--! 1 | Id | 0 | int | 4 | 10 | 0 | 1 | 0 | 0 | T | Id | 1 | 2 | 0
--! 2 | Title | 1 | nvarchar(20) | 40 | 0 | 0 | 0 | 1 | 0 | T | Name | 0 | 1 | 1
--! 3 | Price | 0 | decimal(9,2) | 5 | 9 | 2 | 0 | 1 | 0 | T | Price | 0 | NULL | NULL
--! 4 | Twice | 1 | * | * | * | 2 | 0 | 0 | 1 | T | Twice | 0 | NULL | NULL
--! 5 | P | 1 | varchar(max) | -1 | 0 | 0 | 0 | 0 | 0 | NULL | NULL | NULL | NULL | NULL
--! 6 | NULL | 0 | * | * | * | 2 | 0 | 0 | 0 | NULL | NULL | NULL | NULL | NULL
CREATE PROCEDURE dbo.Either @n int AS
    IF @n = 1 SELECT Id, Name FROM dbo.T;
    ELSE SELECT 2 AS Id, N'constant        20ch' AS Name;
GO
CREATE PROCEDURE dbo.Torn @n int AS IF @n = 1 SELECT 1 AS a; ELSE SELECT 'x' AS a, 2 AS b;
GO
SELECT name, system_type_name, is_nullable FROM sys.dm_exec_describe_first_result_set_for_object(OBJECT_ID('dbo.Either'), 0);
SELECT name, error_number, error_type_desc FROM sys.dm_exec_describe_first_result_set_for_object(OBJECT_ID('dbo.Torn'), 0);
SELECT name, error_number, error_type_desc FROM sys.dm_exec_describe_first_result_set(N'EXEC (''SELECT 1'')', NULL, 0);
SELECT name, error_number FROM sys.dm_exec_describe_first_result_set(N'SELECT * FROM dbo.NoSuch', NULL, 0);
SELECT COUNT(*) FROM sys.dm_exec_describe_first_result_set(N'DECLARE @x int = 1; SET @x += 1; INSERT dbo.T (Price) VALUES (1)', NULL, 0);
SELECT name, system_type_name FROM sys.dm_exec_describe_first_result_set(N'DELETE dbo.T OUTPUT deleted.Id, deleted.Name AS Old', NULL, 0);
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! Id | int | 0
--! Name | nvarchar(20) | 1
--! rows
--! NULL | 11509 | CONFLICTING_RESULTS
--! rows
--! NULL | 11514 | DYNAMIC_SQL
--! rows
--! NULL | 208
--! rows
--! 0
--! rows
--! Id | int
--! Old | nvarchar(20)
--! rows
--! 0
EXEC sp_describe_first_result_set N'SELECT Id FROM dbo.T', NULL, 0;
GO
--! rows
--! 0 | 1 | Id | 0 | 56 | int | 4 | 10 | 0 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 0 | 0 | 0 | NULL | NULL | NULL | NULL | NULL | 1 | NULL | 0 | 0 | 0 | NULL | NULL | NULL | 56 | 4 | NULL | NULL
EXEC sp_describe_first_result_set N'EXEC dbo.Torn 1';
GO
--! error 11509
EXEC sp_describe_first_result_set N'IF 1 = 1 SELECT  1 AS [a] ELSE SELECT ''x'' AS b -- other';
GO
--! error 11509 text the statement 'SELECT  1 AS [a]' does not fit with the statement 'SELECT 'x' AS b'
CREATE TABLE #r (parameter_ordinal int, name sysname, id int, type nvarchar(256), max_length smallint, p tinyint, s tinyint, u1 int, u2 sysname NULL, u3 sysname NULL,
    u4 sysname NULL, a nvarchar(4000), x1 int, x2 sysname NULL, x3 sysname NULL, x4 sysname NULL, d bit, c bit, f bit, i bit, o bit, formal sysname NULL, t1 int, t2 int, t3 int, t4 tinyint);
INSERT #r EXEC sp_describe_undeclared_parameters N'SELECT TOP (@n) Name FROM dbo.T WHERE Price > @min AND Name LIKE @like AND Id IN (@a, 7)';
INSERT #r EXEC sp_describe_undeclared_parameters N'INSERT dbo.T (Name, Price) VALUES (@name, @price)';
INSERT #r EXEC sp_describe_undeclared_parameters N'EXEC dbo.Either @which', NULL;
SELECT parameter_ordinal, name, type, i, o, formal FROM #r;
GO
--! rows unordered
--! 1 | @n | bigint | 1 | 0 | NULL
--! 2 | @min | decimal(9,2) | 1 | 0 | NULL
--! 3 | @like | nvarchar(20) | 1 | 0 | NULL
--! 4 | @a | int | 1 | 0 | NULL
--! 1 | @name | nvarchar(20) | 1 | 0 | NULL
--! 2 | @price | decimal(9,2) | 1 | 0 | NULL
--! 1 | @which | int | 1 | 0 | @n
EXEC sp_describe_undeclared_parameters N'SELECT * FROM dbo.T WHERE Name = @x AND Price = @x';
GO
--! error 11503
EXEC sp_describe_undeclared_parameters N'SELECT @x';
GO
--! error 11502
