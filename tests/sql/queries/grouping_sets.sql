-- ROLLUP, CUBE and GROUPING SETS beside columns, with composite elements, inside each other (page "GROUP BY").
CREATE TABLE sales (country char(2), region char(2), amount int)
INSERT sales VALUES ('CA', 'AB', 100), ('CA', 'BC', 200), ('CA', 'BC', 300), ('US', 'MT', 100)
GO
SELECT country, region, SUM(amount) FROM sales GROUP BY ROLLUP (country, region) ORDER BY 1, 2
SELECT country, region, SUM(amount) FROM sales GROUP BY country, ROLLUP (region) ORDER BY 1, 2
SELECT country, region, SUM(amount) FROM sales GROUP BY ROLLUP ((country, region)) ORDER BY 1, 2
GO
--! rows
--! NULL | NULL | 700
--! CA | NULL | 600
--! CA | AB | 100
--! CA | BC | 500
--! US | NULL | 100
--! US | MT | 100
--! rows
--! CA | NULL | 600
--! CA | AB | 100
--! CA | BC | 500
--! US | NULL | 100
--! US | MT | 100
--! rows
--! NULL | NULL | 700
--! CA | AB | 100
--! CA | BC | 500
--! US | MT | 100
SELECT country, region, SUM(amount) FROM sales GROUP BY GROUPING SETS (ROLLUP (country, region), (), region) ORDER BY 1, 2, 3
SELECT country, SUM(amount), GROUPING(country) FROM sales GROUP BY GROUPING SETS (country, ()) ORDER BY 3, 1
SELECT SUM(amount) FROM sales GROUP BY ()
SELECT country, COUNT(*) FROM sales GROUP BY country WITH CUBE ORDER BY 1
GO
--! rows
--! NULL | NULL | 700
--! NULL | NULL | 700
--! NULL | AB | 100
--! NULL | BC | 500
--! NULL | MT | 100
--! CA | NULL | 600
--! CA | AB | 100
--! CA | BC | 500
--! US | NULL | 100
--! US | MT | 100
--! rows
--! CA | 600 | 0
--! US | 100 | 0
--! NULL | 700 | 1
--! rows
--! 700
--! rows
--! NULL | 4
--! CA | 3
--! US | 1
SELECT country FROM sales GROUP BY country WITH SPEED
GO
--! error 102 line 1
SELECT country FROM sales GROUP BY ROLLUP (country) WITH CUBE
GO
--! error 102 line 1
SELECT COUNT(*) FROM sales TABLESAMPLE SYSTEM (100 PERCENT) REPEATABLE (205)
GO
--! rows
--! 4
