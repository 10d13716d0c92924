-- PERCENTILE_CONT, PERCENTILE_DISC and their APPROX_ twins, IGNORE NULLS, CHECKSUM_AGG, and the errors of their clauses.
CREATE TABLE rates (department varchar(10), rate decimal(6, 2), name varchar(10))
INSERT rates VALUES ('Control', 16.5, 'a'), ('Control', 17.5, 'B'), ('Sales', 10, 'x'), ('Sales', 20, 'y'), ('Sales', 60, 'Z'), ('Sales', NULL, NULL)
GO
SELECT DISTINCT department,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY rate) OVER (PARTITION BY department),
       PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rate) OVER (PARTITION BY department),
       PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rate DESC) OVER (PARTITION BY department),
       PERCENTILE_DISC(0) WITHIN GROUP (ORDER BY rate DESC) OVER (PARTITION BY department),
       PERCENTILE_DISC(1.0) WITHIN GROUP (ORDER BY name) OVER (PARTITION BY department)
FROM rates ORDER BY 1
SELECT department, APPROX_PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY rate DESC), APPROX_PERCENTILE_DISC(0.25) WITHIN GROUP (ORDER BY rate)
FROM rates GROUP BY department ORDER BY 1
GO
--! rows
--! Control | 17.0 | 16.50 | 17.50 | 17.50 | B
--! Sales | 20.0 | 20.00 | 20.00 | 60.00 | Z
--! rows
--! Control | 17.25 | 16.50
--! Sales | 40.0 | 10.00
SELECT PERCENTILE_CONT(0.5) OVER () FROM rates
GO
--! error 10755 line 1
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY rate) FROM rates
GO
--! error 10753 line 1
SELECT PERCENTILE_CONT(1.5) WITHIN GROUP (ORDER BY rate) OVER () FROM rates
GO
--! error 10750 line 1
SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rate, name) OVER () FROM rates
GO
--! error 10751 line 1
SELECT PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY rate) OVER (ORDER BY name) FROM rates
GO
--! error 10757 line 1
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY name) OVER () FROM rates
GO
--! error 8117 line 1
SELECT SUM(rate) WITHIN GROUP (ORDER BY rate) FROM rates
GO
--! error 10758 line 1
SELECT STRING_AGG(name, ',') OVER () FROM rates
GO
--! error 4113 line 1
-- NULLs passed over by LAG, LEAD, FIRST_VALUE and LAST_VALUE
CREATE TABLE readings (at int, value int)
INSERT readings VALUES (1, NULL), (2, 5), (3, NULL), (4, NULL), (5, 8)
SELECT at, LAG(value) IGNORE NULLS OVER (ORDER BY at), LEAD(value) IGNORE NULLS OVER (ORDER BY at),
       LAST_VALUE(value) IGNORE NULLS OVER (ORDER BY at ROWS UNBOUNDED PRECEDING),
       FIRST_VALUE(value) IGNORE NULLS OVER (ORDER BY at ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING),
       LAG(value) RESPECT NULLS OVER (ORDER BY at)
FROM readings ORDER BY at
GO
--! rows
--! 1 | NULL | 5 | NULL | 5 | NULL
--! 2 | NULL | 8 | 5 | 5 | NULL
--! 3 | 5 | 8 | 5 | 8 | 5
--! 4 | 5 | 8 | 5 | 8 | NULL
--! 5 | 5 | NULL | 8 | 8 | NULL
SELECT RANK() IGNORE NULLS OVER (ORDER BY at) FROM readings
GO
--! error 102 line 1 text IGNORE
-- CHECKSUM_AGG: the order of the rows does not count, NULLs are passed over, a pair of equal values leaves nothing
SELECT IIF(CHECKSUM_AGG(value) = (SELECT CHECKSUM_AGG(value) FROM (VALUES (8), (5)) AS v (value)), 'same', 'other'),
       IIF(CHECKSUM_AGG(value) = CHECKSUM_AGG(value + 1), 'same', 'other')
FROM readings
SELECT CHECKSUM_AGG(value) FROM readings WHERE at > 5
SELECT COUNT(*) FROM (SELECT CHECKSUM_AGG(value) OVER (PARTITION BY at) AS c FROM readings) AS r WHERE c IS NOT NULL
GO
--! rows
--! same | other
--! rows
--! NULL
--! rows
--! 2
SELECT CHECKSUM_AGG(CAST(value AS varchar(5))) FROM readings
GO
--! error 8117 line 1
