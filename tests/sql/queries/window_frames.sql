-- What a window function does not take. (Pages: OVER clause, NTILE, LAG.)
CREATE TABLE steps (n int, m money);
INSERT steps VALUES (1, 1), (2, 2), (NULL, NULL);
SELECT NTILE(0) OVER (ORDER BY n) FROM steps;
GO
--! error 4116
DECLARE @groups int = -1; SELECT NTILE(@groups) OVER (ORDER BY n) FROM steps;
GO
--! error 4116
SELECT NTILE('2') OVER (ORDER BY n) FROM steps;
GO
--! error 4116
DECLARE @groups int = 2; SELECT n, NTILE(@groups) OVER (ORDER BY n) FROM steps ORDER BY n;
GO
--! rows
--! NULL | 1
--! 1 | 1
--! 2 | 2
SELECT LAG(n, -1) OVER (ORDER BY n) FROM steps;
GO
--! error 8730
DECLARE @back int = -1; SELECT LEAD(n, @back) OVER (ORDER BY n) FROM steps;
GO
--! error 8730
SELECT LAG(NULL) OVER (ORDER BY n) FROM steps;
GO
--! error 8117
SELECT FIRST_VALUE(NULL) OVER (ORDER BY n) FROM steps;
GO
--! error 8117
SELECT RANK() OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) FROM steps;
GO
--! error 10752
SELECT LAG(n) OVER (ORDER BY n ROWS UNBOUNDED PRECEDING) FROM steps;
GO
--! error 10752
SELECT SUM(n) OVER (ROWS UNBOUNDED PRECEDING) FROM steps;
GO
--! error 10756
SELECT SUM(n) OVER (ORDER BY n RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM steps;
GO
--! error 4194
SELECT SUM(n) OVER (ORDER BY n ROWS BETWEEN CURRENT ROW AND 1 PRECEDING) FROM steps;
GO
--! error 4193
SELECT SUM(n) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED FOLLOWING AND CURRENT ROW) FROM steps;
GO
--! error 4193
SELECT SUM(n) OVER (ORDER BY n ROWS 1 FOLLOWING) FROM steps;
GO
--! error 102
SELECT n, FIRST_VALUE(n) OVER (ORDER BY n DESC ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM steps ORDER BY n;
GO
--! rows
--! NULL | 1
--! 1 | 2
--! 2 | 2
-- A sum of money that money does not hold, and a deviation that is no number.
SELECT SUM(m) FROM (VALUES ($922337203685477.5807), ($1)) AS v (m);
GO
--! error 8115
SELECT SUM(m), SUM(DISTINCT m) FROM steps;
GO
--! rows
--! 3.0000 | 3.0000
SELECT STDEV(f) FROM (VALUES (1.7E308), (-1.7E308)) AS v (f);
GO
--! error 8115
