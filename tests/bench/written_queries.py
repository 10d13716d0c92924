"""Queries as people write them, each beside the cheapest of bare DuckDB for the same rows.

Orders and customers of a shop, of the types and with the texts that such tables have. It decides what is asked; what is
measured is `bench_queries`.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BARE", "QUERIES", "SETUP", "Query"]


class Query(NamedTuple):
    """What it is, in T-SQL, and in DuckDB's SQL."""

    name: str
    sql: str
    bare: str


SETUP = """CREATE DATABASE shop
GO
USE shop; SET NOCOUNT ON
CREATE TABLE Orders (
    OrderId int NOT NULL PRIMARY KEY, CustomerId int NOT NULL, OrderDate datetime NOT NULL, ShipDate datetime2(3), Status varchar(20) NOT NULL, Note nvarchar(200), Total money NOT NULL,
    Price decimal(18,2) NOT NULL, Qty int NOT NULL, Rate float NOT NULL, Guid uniqueidentifier NOT NULL, Payload nvarchar(max), Flag bit NOT NULL, Email varchar(100), v varbinary(100))
CREATE TABLE Customers (CustomerId int NOT NULL PRIMARY KEY, Name nvarchar(100) NOT NULL, City nvarchar(50) NOT NULL, Birth date, ParentId int)
INSERT Orders SELECT
    i, i % 1000, DATEADD(minute, i, '20200101'), CASE WHEN i % 7 = 0 THEN NULL ELSE DATEADD(second, i, CAST('20200105' AS datetime2(3))) END,
    CASE i % 4 WHEN 0 THEN 'new' WHEN 1 THEN 'Shipped' WHEN 2 THEN 'cancelled' ELSE 'Open ' END, N'note ' + CAST(i AS nvarchar(10)), i * 1.25, i * 0.37, i % 50, i / 3.0, NEWID(),
    N'{"id":' + CAST(i AS nvarchar(10)) + N',"name":"x' + CAST(i AS nvarchar(10)) + N'","items":[1,2,3]}', i % 2, 'user' + CAST(i AS varchar(10)) + '@example.com', CAST(i AS varbinary(8))
    FROM (SELECT value AS i FROM GENERATE_SERIES(1, {rows})) AS t
INSERT Customers SELECT
    i, N'Customer ' + CAST(i AS nvarchar(10)), CHOOSE(i % 5 + 1, N'Berlin', N'Paris', N'Zürich', N'London', N'New York'), DATEADD(day, -i, '20000101'), NULLIF(i / 10, i)
    FROM (SELECT value AS i FROM GENERATE_SERIES(0, 999)) AS t
GO
CREATE FUNCTION dbo.Net (@p money, @q int) RETURNS money AS BEGIN RETURN @p * @q / 1.19 END
GO
CREATE FUNCTION dbo.Band (@p money) RETURNS varchar(10) AS BEGIN
    DECLARE @r varchar(10)
    IF @p < 100 SET @r = 'low' ELSE IF @p < 10000 SET @r = 'mid' ELSE SET @r = 'high'
    RETURN @r
END
GO
CREATE FUNCTION dbo.CustName (@id int) RETURNS nvarchar(100) AS BEGIN RETURN (SELECT Name FROM dbo.Customers WHERE CustomerId = @id) END
GO
CREATE FUNCTION dbo.CustCount (@id int) RETURNS int AS BEGIN
    DECLARE @n int
    SELECT @n = COUNT(*) FROM dbo.Orders WHERE CustomerId = @id
    RETURN @n
END
GO
CREATE FUNCTION dbo.Lines (@id int) RETURNS TABLE AS RETURN (SELECT OrderId, Total FROM dbo.Orders WHERE CustomerId = @id)
GO
CREATE FUNCTION dbo.Split (@s nvarchar(max), @c nchar(1)) RETURNS @t TABLE (v nvarchar(100)) AS BEGIN
    DECLARE @i int = 1, @j int
    WHILE @i <= LEN(@s) BEGIN
        SET @j = CHARINDEX(@c, @s + @c, @i)
        INSERT @t VALUES (SUBSTRING(@s, @i, @j - @i))
        SET @i = @j + 1
    END
    RETURN
END"""

BARE = """CREATE TABLE Orders AS SELECT
    i::INTEGER OrderId, (i % 1000)::INTEGER CustomerId, TIMESTAMP '2020-01-01' + to_minutes(i) OrderDate, CASE WHEN i % 7 = 0 THEN NULL ELSE TIMESTAMP '2020-01-05' + to_seconds(i) END ShipDate,
    CASE i % 4 WHEN 0 THEN 'new' WHEN 1 THEN 'Shipped' WHEN 2 THEN 'cancelled' ELSE 'Open ' END Status, 'note ' || i Note, (i * 1.25)::DECIMAL(19,4) Total, (i * 0.37)::DECIMAL(18,2) Price,
    (i % 50)::INTEGER Qty, i / 3.0 Rate, uuid() Guid, '{"id":' || i || ',"name":"x' || i || '","items":[1,2,3]}' Payload, i % 2 = 1 Flag, 'user' || i || '@example.com' Email, encode(i::VARCHAR) v
    FROM range(1, {rows} + 1) t(i);
CREATE TABLE Customers AS SELECT
    i::INTEGER CustomerId, 'Customer ' || i AS Name, (['Berlin', 'Paris', 'Zürich', 'London', 'New York'])[i % 5 + 1] City, DATE '2000-01-01' - i::INTEGER Birth, nullif(i // 10, i)::INTEGER ParentId
    FROM range(0, 1000) t(i)"""

QUERIES = (
    Query('a group for each month', 'SELECT YEAR(OrderDate), MONTH(OrderDate), SUM(Total) FROM Orders GROUP BY YEAR(OrderDate), MONTH(OrderDate)', 'SELECT year(OrderDate), month(OrderDate), SUM(Total) FROM Orders GROUP BY ALL'),
    Query('a group for each day, by CONVERT', 'SELECT CONVERT(varchar(10), OrderDate, 120), COUNT(*) FROM Orders GROUP BY CONVERT(varchar(10), OrderDate, 120)', "SELECT strftime(OrderDate,'%Y-%m-%d'), COUNT(*) FROM Orders GROUP BY ALL"),
    Query('a group for each day, by DATEADD of DATEDIFF', 'SELECT DATEADD(day, DATEDIFF(day, 0, OrderDate), 0) x, COUNT(*) c FROM Orders GROUP BY DATEADD(day, DATEDIFF(day, 0, OrderDate), 0)', "SELECT date_trunc('day',OrderDate), count(*) FROM Orders GROUP BY ALL"),
    Query('the first of the month', 'SELECT COUNT(DISTINCT DATEADD(month, DATEDIFF(month, 0, OrderDate), 0)) FROM Orders', "SELECT count(distinct date_trunc('month',OrderDate)) FROM Orders"),
    Query('a group for each date', 'SELECT CAST(OrderDate AS date) d, SUM(Price * Qty) FROM Orders GROUP BY CAST(OrderDate AS date)', 'SELECT CAST(OrderDate AS date) d, SUM(Price * Qty) FROM Orders GROUP BY ALL'),
    Query('UPPER(RTRIM()) in WHERE', "SELECT COUNT(*) FROM Orders WHERE UPPER(RTRIM(Status)) = 'OPEN'", "SELECT COUNT(*) FROM Orders WHERE upper(rtrim(Status)) = 'OPEN'"),
    Query('a text in another case', "SELECT COUNT(*) FROM Orders WHERE Status = 'SHIPPED'", "SELECT COUNT(*) FROM Orders WHERE lower(rtrim(Status)) = 'shipped'"),
    Query('groups of a text', 'SELECT Status, COUNT(*), AVG(Total), MIN(OrderDate), MAX(OrderDate) FROM Orders GROUP BY Status', 'SELECT lower(rtrim(Status)), COUNT(*), AVG(Total), MIN(OrderDate), MAX(OrderDate) FROM Orders GROUP BY ALL'),
    Query('a join and its groups', 'SELECT c.City, SUM(o.Total) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId GROUP BY c.City ORDER BY 2 DESC', 'SELECT c.City, SUM(o.Total) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId GROUP BY c.City ORDER BY 2 DESC'),
    Query('a join on texts', 'SELECT COUNT(*) FROM Orders o JOIN (SELECT DISTINCT Status FROM Orders) s ON s.Status = o.Status', 'SELECT COUNT(*) FROM Orders o JOIN (SELECT DISTINCT lower(rtrim(Status)) Status FROM Orders) s ON s.Status = lower(rtrim(o.Status))'),
    Query('LIKE, a beginning', "SELECT COUNT(*) FROM Orders WHERE Email LIKE 'user12%'", "SELECT COUNT(*) FROM Orders WHERE Email ILIKE 'user12%'"),
    Query('LIKE, in the middle', "SELECT COUNT(*) FROM Orders WHERE Note LIKE '%99%'", "SELECT COUNT(*) FROM Orders WHERE Note ILIKE '%99%'"),
    Query('LIKE, a set', "SELECT COUNT(*) FROM Orders WHERE Note LIKE '%[0-9][0-9]5'", "SELECT COUNT(*) FROM Orders WHERE regexp_matches(Note,'.*[0-9][0-9]5$')"),
    Query('what stands behind a sign', "SELECT SUBSTRING(Email, CHARINDEX('@', Email) + 1, LEN(Email)) dom, COUNT(*) FROM Orders GROUP BY SUBSTRING(Email, CHARINDEX('@', Email) + 1, LEN(Email))", "SELECT substr(Email, instr(Email,'@')+1) d, count(*) FROM Orders GROUP BY ALL"),
    Query('zeros in front', "SELECT MAX(RIGHT('0000000000' + CAST(OrderId AS varchar(10)), 10)) FROM Orders", "SELECT max(lpad(OrderId::varchar,10,'0')) FROM Orders"),
    Query('STR', 'SELECT MAX(STR(Rate, 12, 2)) FROM Orders', "SELECT max(printf('%12.2f',Rate)) FROM Orders"),
    Query('CONCAT of texts and numbers', "SELECT MAX(CONCAT(Status, '-', Qty, '/', OrderId)) FROM Orders", "SELECT max(concat(Status,'-',Qty,'/',OrderId)) FROM Orders"),
    Query('texts and numbers by +', "SELECT MAX(Status + ':' + CAST(Qty AS varchar(5)) + ':' + ISNULL(Note, '')) FROM Orders", "SELECT max(Status||':'||Qty::varchar||':'||coalesce(Note,'')) FROM Orders"),
    Query('ISNULL of DATEDIFF', 'SELECT SUM(ISNULL(DATEDIFF(day, OrderDate, ShipDate), 0)) FROM Orders', "SELECT SUM(coalesce(date_diff('day', OrderDate, ShipDate), 0)) FROM Orders"),
    Query('groups of CASE', "SELECT CASE WHEN Total < 100 THEN 'low' WHEN Total < 10000 THEN 'mid' ELSE 'high' END b, COUNT(*) FROM Orders GROUP BY CASE WHEN Total < 100 THEN 'low' WHEN Total < 10000 THEN 'mid' ELSE 'high' END", "SELECT CASE WHEN Total < 100 THEN 'low' WHEN Total < 10000 THEN 'mid' ELSE 'high' END b, COUNT(*) FROM Orders GROUP BY ALL"),
    Query('the newest of each group', 'SELECT COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY CustomerId ORDER BY OrderDate DESC) rn FROM Orders) t WHERE rn = 1', 'SELECT COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY CustomerId ORDER BY OrderDate DESC) rn FROM Orders) t WHERE rn = 1'),
    Query('a running total', 'SELECT MAX(x) FROM (SELECT SUM(Total) OVER (PARTITION BY CustomerId ORDER BY OrderId ROWS UNBOUNDED PRECEDING) x FROM Orders) t', 'SELECT MAX(x) FROM (SELECT SUM(Total) OVER (PARTITION BY CustomerId ORDER BY OrderId ROWS UNBOUNDED PRECEDING) x FROM Orders) t'),
    Query('the time since the row before', 'SELECT AVG(g) FROM (SELECT DATEDIFF(minute, LAG(OrderDate) OVER (PARTITION BY CustomerId ORDER BY OrderDate), OrderDate) g FROM Orders) t', "SELECT AVG(g) FROM (SELECT date_diff('minute', LAG(OrderDate) OVER (PARTITION BY CustomerId ORDER BY OrderDate), OrderDate) g FROM Orders) t"),
    Query('STRING_AGG, in order', "SELECT CustomerId, STRING_AGG(CAST(OrderId AS varchar(max)), ',') WITHIN GROUP (ORDER BY OrderId) x INTO #sa FROM Orders GROUP BY CustomerId; DROP TABLE #sa", "CREATE OR REPLACE TEMP TABLE sa AS SELECT CustomerId, string_agg(OrderId::varchar, ',' ORDER BY OrderId) FROM Orders GROUP BY ALL"),
    Query('the sum of JSON_VALUE', "SELECT SUM(CAST(JSON_VALUE(Payload, '$.id') AS bigint)) FROM Orders", "SELECT SUM(CAST(json_extract_string(Payload, '$.id') AS bigint)) FROM Orders"),
    Query('OPENJSON of an array', "SELECT COUNT(*) FROM Orders CROSS APPLY OPENJSON(Payload, '$.items')", "SELECT count(*) FROM (SELECT unnest(json_extract(Payload,'$.items[*]')) FROM Orders)"),
    Query('OPENJSON WITH', 'SELECT SUM(j.id) FROM Orders CROSS APPLY OPENJSON(Payload) WITH (id bigint, name nvarchar(50)) j', "SELECT SUM(CAST(json_extract_string(Payload, '$.id') AS bigint)), max(json_extract_string(Payload,'$.name')) FROM Orders"),
    Query('FOR JSON PATH', 'DECLARE @x nvarchar(max) = (SELECT OrderId, Status, Total FROM Orders FOR JSON PATH); SELECT LEN(@x)', 'SELECT length(to_json(list({a:OrderId,b:Status,c:Total}))) FROM Orders'),
    Query('STRING_SPLIT', "SELECT COUNT(*) FROM Orders CROSS APPLY STRING_SPLIT(Email, '@')", "SELECT count(*) FROM (SELECT unnest(string_split(Email,'@')) FROM Orders)"),
    Query('TRY_CAST of a piece', 'SELECT COUNT(TRY_CAST(SUBSTRING(Note, 6, 10) AS int)) FROM Orders', 'SELECT count(TRY_CAST(substr(Note,6,10) AS int)) FROM Orders'),
    Query('TRY_CONVERT of a date', 'SELECT COUNT(TRY_CONVERT(date, CONVERT(varchar(10), OrderDate, 112))) FROM Orders', "SELECT count(try_strptime(strftime(OrderDate,'%Y%m%d'),'%Y%m%d')) FROM Orders"),
    Query('ISNUMERIC', 'SELECT SUM(ISNUMERIC(SUBSTRING(Note, 6, 10))) FROM Orders', 'SELECT count(TRY_CAST(substr(Note,6,10) AS double)) FROM Orders'),
    Query("groups of the day's name", 'SELECT DATENAME(weekday, OrderDate), COUNT(*) FROM Orders GROUP BY DATENAME(weekday, OrderDate)', 'SELECT dayname(OrderDate), COUNT(*) FROM Orders GROUP BY ALL'),
    Query('FORMAT of a date', "SELECT MAX(FORMAT(OrderDate, 'yyyy-MM')) FROM Orders", "SELECT max(strftime(OrderDate,'%Y-%m')) FROM Orders"),
    Query('FORMAT of a number', "SELECT MAX(FORMAT(Total, 'N2')) FROM Orders", "SELECT max(format('{:,.2f}',Total::double)) FROM Orders"),
    Query('EOMONTH', 'SELECT MAX(EOMONTH(OrderDate)) FROM Orders', 'SELECT max(last_day(OrderDate)) FROM Orders'),
    Query('week and quarter', 'SELECT MAX(DATEPART(iso_week, OrderDate) * 10 + DATEPART(quarter, OrderDate)) FROM Orders', 'SELECT max(weekofyear(OrderDate)*10+quarter(OrderDate)) FROM Orders'),
    Query('DATEFROMPARTS', 'SELECT MAX(DATEFROMPARTS(YEAR(OrderDate), MONTH(OrderDate), 1)) FROM Orders', 'SELECT max(make_date(year(OrderDate), month(OrderDate), 1)) FROM Orders'),
    Query('dates between texts', "SELECT COUNT(*) FROM Orders WHERE OrderDate BETWEEN '2020-02-01' AND '2020-02-15 23:59:59.997'", "SELECT COUNT(*) FROM Orders WHERE OrderDate BETWEEN '2020-02-01' AND '2020-02-15 23:59:59.997'"),
    Query('the last thirty days', 'SELECT COUNT(*) FROM Orders WHERE OrderDate > DATEADD(day, -30, GETDATE())', 'SELECT COUNT(*) FROM Orders WHERE OrderDate > now()::timestamp - interval 30 day'),
    Query('a function of one expression', 'SELECT SUM(dbo.Net(Total, Qty)) FROM Orders', 'SELECT SUM(Total*Qty/1.19) FROM Orders'),
    Query('a function of IFs', 'SELECT dbo.Band(Total), COUNT(*) FROM Orders GROUP BY dbo.Band(Total)', "SELECT CASE WHEN Total < 100 THEN 'low' WHEN Total < 10000 THEN 'mid' ELSE 'high' END b, COUNT(*) FROM Orders GROUP BY ALL"),
    Query('a function that looks up', 'SELECT MAX(dbo.CustName(CustomerId)) FROM Orders', 'SELECT max(Name) FROM Orders JOIN Customers USING (CustomerId)'),
    Query('a function that counts, 1,000 calls', 'SELECT MAX(dbo.CustCount(CustomerId)) FROM Customers', 'SELECT max(c) FROM (SELECT CustomerId, count(*) c FROM Orders GROUP BY ALL)'),
    Query('CROSS APPLY of an inline function', 'SELECT COUNT(*), SUM(l.Total) FROM Customers c CROSS APPLY dbo.Lines(c.CustomerId) l', 'SELECT count(*), sum(Total) FROM Orders JOIN Customers USING (CustomerId)'),
    Query('CROSS APPLY of a function with statements, 1,000 calls', "SELECT COUNT(*) FROM Customers c CROSS APPLY dbo.Split(c.Name, ' ') s", "SELECT count(*) FROM (SELECT unnest(string_split(Name,' ')) FROM Customers)"),
    Query('OUTER APPLY of TOP (1)', 'SELECT COUNT(*) FROM Customers c OUTER APPLY (SELECT TOP (1) * FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.OrderDate DESC) x', 'SELECT count(*) FROM Customers c LEFT JOIN LATERAL (SELECT * FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.OrderDate DESC LIMIT 1) ON true'),
    Query('EXISTS', 'SELECT COUNT(*) FROM Customers c WHERE EXISTS (SELECT 1 FROM Orders o WHERE o.CustomerId = c.CustomerId AND o.Total > 1000)', 'SELECT COUNT(*) FROM Customers c WHERE EXISTS (SELECT 1 FROM Orders o WHERE o.CustomerId = c.CustomerId AND o.Total > 1000)'),
    Query('NOT IN', "SELECT COUNT(*) FROM Orders WHERE CustomerId NOT IN (SELECT CustomerId FROM Customers WHERE City = 'Paris')", "SELECT COUNT(*) FROM Orders WHERE CustomerId NOT IN (SELECT CustomerId FROM Customers WHERE City = 'Paris')"),
    Query('a correlated sum', 'SELECT MAX(x) FROM (SELECT (SELECT SUM(o.Total) FROM Orders o WHERE o.CustomerId = c.CustomerId) x FROM Customers c) t', 'SELECT MAX(x) FROM (SELECT (SELECT SUM(o.Total) FROM Orders o WHERE o.CustomerId = c.CustomerId) x FROM Customers c) t'),
    Query('PIVOT', 'SELECT * FROM (SELECT CustomerId % 10 AS g, Flag, Total FROM Orders) s PIVOT (SUM(Total) FOR Flag IN ([0], [1])) p', 'SELECT CustomerId%10, sum(Total) filter (Flag), sum(Total) filter (not Flag) FROM Orders GROUP BY ALL'),
    Query('UNPIVOT', 'SELECT COUNT(*) FROM (SELECT OrderId, Qty AS a, CustomerId AS b FROM Orders) s UNPIVOT (v FOR n IN (a, b)) u', 'SELECT count(*) FROM (UNPIVOT (SELECT OrderId, Qty AS a, CustomerId AS b FROM Orders) ON a,b)'),
    Query('a tree, by recursion', 'WITH t AS (SELECT CustomerId, ParentId, 0 AS lvl FROM Customers WHERE ParentId IS NULL UNION ALL SELECT c.CustomerId, c.ParentId, t.lvl + 1 FROM Customers c JOIN t ON t.CustomerId = c.ParentId) SELECT MAX(lvl) FROM t', 'WITH RECURSIVE t AS (SELECT CustomerId, ParentId, 0 AS lvl FROM Customers WHERE ParentId IS NULL UNION ALL SELECT c.CustomerId, c.ParentId, t.lvl + 1 FROM Customers c JOIN t ON t.CustomerId = c.ParentId) SELECT MAX(lvl) FROM t'),
    Query('10,000 numbers, by recursion', 'WITH n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT SUM(i) FROM n OPTION (MAXRECURSION 0)', 'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT SUM(i) FROM n'),
    Query('ROLLUP', 'SELECT CustomerId % 10 g, Status, SUM(Total) FROM Orders GROUP BY ROLLUP (CustomerId % 10, Status)', 'SELECT CustomerId % 10 g, lower(rtrim(Status)) s, SUM(Total) FROM Orders GROUP BY ROLLUP (g, s)'),
    Query('products of money', 'SELECT SUM(CAST(Total * 1.19 AS money)), SUM(ROUND(Total, 0)) FROM Orders', 'SELECT SUM(CAST(Total*1.19 AS decimal(19,4))), sum(round(Total,0)) FROM Orders'),
    Query('products and quotients of decimals', 'SELECT SUM(Price * Qty * 0.95), SUM(Price / NULLIF(Qty, 0)) FROM Orders', 'SELECT SUM(Price * Qty * 0.95), SUM(Price / NULLIF(Qty, 0)) FROM Orders'),
    Query('whole numbers', 'SELECT SUM(OrderId / 7), SUM(OrderId % 7), SUM(CAST(Qty AS bigint) * OrderId) FROM Orders', 'SELECT SUM(OrderId // 7), SUM(OrderId % 7), SUM(Qty::bigint * OrderId) FROM Orders'),
    Query('floats', 'SELECT SUM(SQRT(ABS(Rate)) + POWER(Rate, 0.5) + LOG(Rate + 1) + EXP(-Rate / 100000)) FROM Orders', 'SELECT SUM(sqrt(abs(Rate)) + power(Rate, 0.5) + ln(Rate + 1) + exp(-Rate / 100000)) FROM Orders'),
    Query('ROUND, CEILING, FLOOR', 'SELECT SUM(ROUND(Price, 1) + CEILING(Price) + FLOOR(Rate)) FROM Orders', 'SELECT SUM(round(Price,1)+ceil(Price)+floor(Rate)) FROM Orders'),
    Query('GUIDs as text', 'SELECT MAX(CAST(Guid AS varchar(36))), COUNT(DISTINCT Guid) FROM Orders', 'SELECT max(upper(Guid::varchar)), count(distinct Guid) FROM Orders'),
    Query('ORDER BY a text, ten of them', 'SELECT TOP (10) * FROM Orders ORDER BY Note DESC', 'SELECT * FROM Orders ORDER BY Note DESC LIMIT 10'),
    Query('ORDER BY a text, all', 'SELECT COUNT(*) FROM (SELECT TOP (1000000000) OrderId FROM Orders ORDER BY Email) t', 'SELECT count(*) FROM (SELECT OrderId FROM Orders ORDER BY Email LIMIT 1000000000)'),
    Query('COUNT(DISTINCT) of a text', 'SELECT COUNT(DISTINCT Email) FROM Orders', 'SELECT count(distinct lower(Email)) FROM Orders'),
    Query('HASHBYTES', "SELECT MAX(HASHBYTES('SHA2_256', Email)) FROM Orders", 'SELECT max(sha256(Email)) FROM Orders'),
    Query('HASHBYTES in hexadecimal', "SELECT MAX(CONVERT(varchar(32), HASHBYTES('MD5', Email), 2)) FROM Orders", 'SELECT max(upper(md5(Email))) FROM Orders'),
    Query('CHECKSUM of three columns', 'SELECT MAX(CHECKSUM(Status, Qty, Note)) FROM Orders', 'SELECT max(hash(Status,Qty,Note)) FROM Orders'),
    Query('BINARY_CHECKSUM', 'SELECT MAX(BINARY_CHECKSUM(Status, Qty)) FROM Orders', 'SELECT max(hash(Status,Qty)) FROM Orders'),
    Query('REPLACE in REPLACE', "SELECT MAX(REPLACE(REPLACE(REPLACE(Note, 'n', 'm'), ' ', ''), '1', 'one')) FROM Orders", "SELECT max(replace(replace(replace(Note,'n','m'),' ',''),'1','one')) FROM Orders"),
    Query('PATINDEX of a set', "SELECT SUM(PATINDEX('%[0-9]%', Note)) FROM Orders", "SELECT sum(length(regexp_extract(Note,'^[^0-9]*'))+1) FROM Orders"),
    Query('TRANSLATE, TRIM', "SELECT MAX(TRIM(TRANSLATE(Email, '@.', '  '))) FROM Orders", "SELECT max(trim(translate(Email,'@.','  '))) FROM Orders"),
    Query('REVERSE, STUFF', "SELECT MAX(STUFF(REVERSE(Email), 1, 3, 'abc')) FROM Orders", "SELECT max('abc'||substr(reverse(Email),4)) FROM Orders"),
    Query('LEN, DATALENGTH', 'SELECT SUM(LEN(Note) + DATALENGTH(Note)) FROM Orders', "SELECT sum(length(rtrim(Note,' '))+2*length(Note)) FROM Orders"),
    Query('UNICODE, ASCII', 'SELECT SUM(UNICODE(Note) + ASCII(Email)) FROM Orders', 'SELECT sum(unicode(Note)+ascii(Email)) FROM Orders'),
    Query('IIF, CHOOSE', "SELECT IIF(Flag = 1, 'y', 'n'), CHOOSE(Qty % 3 + 1, 'a', 'b', 'c'), COUNT(*) FROM Orders GROUP BY IIF(Flag = 1, 'y', 'n'), CHOOSE(Qty % 3 + 1, 'a', 'b', 'c')", "SELECT CASE WHEN Flag THEN 'y' ELSE 'n' END, (['a','b','c'])[Qty%3+1], count(*) FROM Orders GROUP BY ALL"),
    Query('GREATEST', 'SELECT MAX(GREATEST(Qty, CustomerId, OrderId % 77)) FROM Orders', 'SELECT max(greatest(Qty,CustomerId,OrderId%77)) FROM Orders'),
    Query('NTILE, PERCENT_RANK', 'SELECT MAX(n) FROM (SELECT NTILE(4) OVER (ORDER BY Total) n, PERCENT_RANK() OVER (ORDER BY Total) p FROM Orders) t', 'SELECT MAX(n) FROM (SELECT NTILE(4) OVER (ORDER BY Total) n, PERCENT_RANK() OVER (ORDER BY Total) p FROM Orders) t'),
    Query('PERCENTILE_CONT', 'SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY Total) OVER (PARTITION BY Flag) FROM Orders', 'SELECT quantile_cont(Total::double,0.5) FROM Orders GROUP BY Flag'),
    Query('STDEV, VAR', 'SELECT STDEV(Rate), VAR(Total), STDEVP(Qty) FROM Orders', 'SELECT stddev_samp(Rate), var_samp(Total::double), stddev_pop(Qty) FROM Orders'),
    Query("a share of the group's sum", 'SELECT MAX(x) FROM (SELECT Total * 100.0 / SUM(Total) OVER (PARTITION BY CustomerId) x FROM Orders) t', 'SELECT MAX(x) FROM (SELECT Total * 100.0 / SUM(Total) OVER (PARTITION BY CustomerId) x FROM Orders) t'),
    Query('OFFSET, FETCH', 'SELECT OrderId, Total FROM Orders ORDER BY Total OFFSET 5000 ROWS FETCH NEXT 50 ROWS ONLY', 'SELECT OrderId, Total FROM Orders ORDER BY Total LIMIT 50 OFFSET 5000'),
    Query('EXCEPT of numbers', "SELECT COUNT(*) FROM (SELECT CustomerId FROM Orders EXCEPT SELECT CustomerId FROM Customers WHERE City = N'Paris') t", "SELECT count(*) FROM (SELECT CustomerId FROM Orders EXCEPT SELECT CustomerId FROM Customers WHERE City='Paris')"),
    Query('EXCEPT of texts', 'SELECT COUNT(*) FROM (SELECT Note FROM Orders EXCEPT SELECT Name FROM Customers) t', 'SELECT count(*) FROM (SELECT Note FROM Orders EXCEPT SELECT Name FROM Customers)'),
    Query('IN of a list', "SELECT COUNT(*) FROM Orders WHERE Status IN ('new', 'open', 'shipped') AND Qty IN (1,2,3,5,8)", "SELECT COUNT(*) FROM Orders WHERE lower(rtrim(Status)) IN ('new', 'open', 'shipped') AND Qty IN (1,2,3,5,8)"),
    Query('a float as text', 'SELECT MAX(CAST(Rate AS varchar(30))) FROM Orders', 'SELECT max(Rate::varchar) FROM Orders'),
    Query('money with commas', 'SELECT MAX(CONVERT(varchar(30), Total, 1)) FROM Orders', "SELECT max(format('{:,.2f}',Total::double)) FROM Orders"),
    Query('bytes in hexadecimal', 'SELECT MAX(CONVERT(varchar(50), v, 1)) FROM Orders', "SELECT max('0x'||hex(v)) FROM Orders"),
    Query('bits', 'SELECT SUM(Qty & 7 | 1 ^ 2) FROM Orders', 'SELECT SUM((Qty & 7) | 1) FROM Orders'),
    Query('the sum of DATEDIFF', 'SELECT SUM(CAST(DATEDIFF(second, OrderDate, ShipDate) AS bigint)) FROM Orders', "SELECT SUM(date_diff('second', OrderDate, ShipDate)) FROM Orders"),
    Query('ages in years', 'SELECT SUM(DATEDIFF(year, Birth, GETDATE()) - CASE WHEN DATEADD(year, DATEDIFF(year, Birth, GETDATE()), Birth) > GETDATE() THEN 1 ELSE 0 END) FROM Customers CROSS JOIN (SELECT TOP (100) 1 x FROM Orders) t', "SELECT sum(date_diff('year',Birth,current_date)-CASE WHEN Birth + to_years(date_diff('year',Birth,current_date)) > current_date THEN 1 ELSE 0 END) FROM Customers CROSS JOIN (SELECT 1 x FROM Orders LIMIT 100)"),
    Query('CONVERT to 101 and 108', 'SELECT MAX(CONVERT(varchar(10), OrderDate, 101) + CONVERT(char(8), OrderDate, 108)) FROM Orders', "SELECT max(strftime(OrderDate,'%m/%d/%Y')||strftime(OrderDate,'%H:%M:%S')) FROM Orders"),
    Query('CONVERT to 126', 'SELECT MAX(CONVERT(varchar(30), ShipDate, 126)) FROM Orders', "SELECT max(strftime(ShipDate,'%Y-%m-%dT%H:%M:%S.%g')) FROM Orders"),
    Query('AT TIME ZONE', "SELECT MAX(ShipDate AT TIME ZONE 'UTC' AT TIME ZONE 'Central European Standard Time') FROM Orders", "SELECT max(ShipDate AT TIME ZONE 'UTC') FROM Orders"),
    Query('SWITCHOFFSET', "SELECT MAX(SWITCHOFFSET(TODATETIMEOFFSET(ShipDate, '+00:00'), '+02:00')) FROM Orders", 'SELECT max(ShipDate) FROM Orders'),
    Query('QUOTENAME', 'SELECT MAX(QUOTENAME(Status)) FROM Orders', "SELECT max('['||Status||']') FROM Orders"),
    Query('REPLICATE, SPACE', "SELECT MAX(REPLICATE('*', Qty) + SPACE(2) + Status) FROM Orders", "SELECT max(repeat('*',Qty)||'  '||Status) FROM Orders"),
    Query('SELECT INTO #t', 'SELECT * INTO #x FROM Orders; DROP TABLE #x', 'CREATE OR REPLACE TEMP TABLE x AS SELECT * FROM Orders'),
    Query('aggregates to variables', "DECLARE @a int, @b money; SELECT @a = COUNT(*), @b = SUM(Total) FROM Orders WHERE Status <> 'new'; SELECT @a, @b", "SELECT count(*), sum(Total) FROM Orders WHERE lower(rtrim(Status)) <> 'new'"),
    Query('variables in WHERE', "DECLARE @s varchar(20) = 'open', @d datetime = '20200201'; SELECT COUNT(*) FROM Orders WHERE Status = @s AND OrderDate >= @d", "SELECT count(*) FROM Orders WHERE lower(rtrim(Status))='open' AND OrderDate>='2020-02-01'::timestamp"),
    Query('a variable that may be NULL', 'DECLARE @s varchar(20) = NULL; SELECT COUNT(*) FROM Orders WHERE (@s IS NULL OR Status = @s)', 'SELECT count(*) FROM Orders'),
    Query('texts joined in a variable', "DECLARE @s nvarchar(max) = N''; SELECT @s = @s + Name + N',' FROM Customers; SELECT LEN(@s)", "SELECT length(string_agg(Name,',')) FROM Customers"),
    Query('UPDATE with CASE', "UPDATE Orders SET Status = CASE WHEN Status = 'new' THEN 'New' ELSE Status END, Total = Total + 1", "UPDATE Orders SET Status = CASE WHEN Status = 'new' THEN 'New' ELSE Status END, Total = Total + 1"),
)  # fmt: skip
