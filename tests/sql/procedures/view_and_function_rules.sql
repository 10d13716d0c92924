-- What the query of a view or an inline function may not be is said when it is created.
CREATE TABLE dbo.T (id int, v int);
INSERT dbo.T VALUES (1, 10), (2, 20);
GO
CREATE VIEW dbo.V AS SELECT id FROM dbo.T ORDER BY id;
GO
--! error 1033 line 1
CREATE FUNCTION dbo.F () RETURNS TABLE AS RETURN SELECT id FROM dbo.T ORDER BY id;
GO
--! error 1033 line 1
CREATE VIEW dbo.V AS SELECT TOP (100) PERCENT id FROM dbo.T ORDER BY id;
GO
CREATE VIEW dbo.W AS SELECT id, v, id FROM dbo.T;
GO
--! error 4506 severity 16
CREATE VIEW dbo.W AS SELECT id, v + 1 FROM dbo.T;
GO
--! error 4511
CREATE VIEW dbo.W AS SELECT id FROM #T;
GO
--! error 4508
CREATE FUNCTION dbo.F () RETURNS TABLE AS RETURN SELECT id, v + 1 FROM dbo.T;
GO
--! error 4514
CREATE FUNCTION dbo.F () RETURNS TABLE AS RETURN SELECT id FROM dbo.Missing;
GO
--! error 208
CREATE FUNCTION dbo.F () RETURNS TABLE AS RETURN SELECT id, @missing AS x FROM dbo.T;
GO
--! error 137
CREATE FUNCTION dbo.F () RETURNS TABLE AS RETURN SELECT id FROM #T;
GO
--! error 2772
CREATE FUNCTION dbo.F () RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM #T) END;
GO
--! error 2772
CREATE FUNCTION dbo.F () RETURNS @r TABLE (id int) AS BEGIN INSERT @r SELECT id FROM #T; RETURN END;
GO
--! error 2772
CREATE FUNCTION dbo.F (@min int = 2) RETURNS TABLE AS RETURN
(
    WITH x AS (SELECT id, v + @min AS sum FROM dbo.T WHERE id >= @min)
    SELECT id, sum FROM x
);
GO
SELECT * FROM dbo.F(DEFAULT);
SELECT * FROM dbo.V ORDER BY id DESC;
GO
--! rows
--! 2 | 22
--! rows
--! 2
--! 1
