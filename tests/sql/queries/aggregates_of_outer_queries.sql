-- An aggregate whose columns are all of a query around is one of that query, wherever in it the subquery stands.
CREATE TABLE dbo.t (g int, b int, id int, s varchar(10));
INSERT dbo.t VALUES (1, 1, 1, 'x'), (1, 2, 2, 'Y'), (2, 5, 3, NULL);
CREATE TABLE dbo.u (a int);
INSERT dbo.u VALUES (3), (5), (2);
GO
SELECT g FROM dbo.t GROUP BY g HAVING EXISTS (SELECT * FROM dbo.u WHERE u.a = SUM(t.b)) ORDER BY g;
GO
--! rows
--! 1
--! 2
SELECT g, (SELECT COUNT(*) FROM dbo.u WHERE u.a <= SUM(t.b)) FROM dbo.t GROUP BY g ORDER BY g;
GO
--! rows
--! 1 | 2
--! 2 | 3
SELECT g, (SELECT MAX(u.a) + MAX(t.b) FROM dbo.u) FROM dbo.t GROUP BY g ORDER BY g;
GO
--! rows
--! 1 | 7
--! 2 | 10
-- Beside columns of the query inside it groups nothing there.
SELECT g, (SELECT TOP (1) u.a + MAX(t.b) FROM dbo.u ORDER BY u.a DESC) FROM dbo.t GROUP BY g ORDER BY g;
GO
--! rows
--! 1 | 7
--! 2 | 10
SELECT g FROM dbo.t GROUP BY g HAVING (SELECT COUNT(*) FROM dbo.u WHERE EXISTS (SELECT 1 FROM dbo.u AS v WHERE v.a = u.a AND v.a > AVG(t.b))) = 3;
GO
--! rows
--! 1
-- All of the table is one group, as it is with the aggregate outside.
SELECT (SELECT COUNT(*) FROM dbo.u WHERE u.a < MAX(t.b)), MIN(t.b) FROM dbo.t;
GO
--! rows
--! 2 | 1
SELECT (SELECT MAX(t.s));
GO
--! error 4104
SELECT (SELECT MAX(t.s)), (SELECT MIN(t.b) + 0) FROM dbo.t;
GO
--! rows
--! Y | 1
SELECT g, (SELECT MAX(t.b) FROM dbo.u) FROM dbo.t GROUP BY g;
GO
--! error 512
SELECT t.g, (SELECT MAX(t.b)) FROM dbo.t;
GO
--! error 8120
SELECT id FROM dbo.t AS o WHERE o.b = (SELECT MAX(o.b) FROM dbo.u);
GO
--! error 147
SELECT o.id FROM dbo.t AS o WHERE o.b = (SELECT MAX(i.b) FROM dbo.t AS i WHERE i.g = o.g) ORDER BY o.id;
GO
--! rows
--! 2
--! 3
