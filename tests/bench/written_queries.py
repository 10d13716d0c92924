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
    Query('OPENJSON WITH', 'SELECT SUM(j.id) FROM Orders CROSS APPLY OPENJSON(Payload) WITH (id bigint, name nvarchar(50)) j', "SELECT SUM(CAST(json_extract_string(Payload, '$.id') AS bigint)) FROM Orders"),
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
    Query('whole numbers', 'SELECT MAX(OrderId / 7), SUM(OrderId % 7), SUM(CAST(Qty AS bigint) * OrderId) FROM Orders', 'SELECT max(OrderId // 7), SUM(OrderId % 7), SUM(Qty::bigint * OrderId) FROM Orders'),
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
    Query('three tables', 'SELECT c.City, p.City, COUNT(*) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId LEFT JOIN Customers p ON p.CustomerId = c.ParentId GROUP BY c.City, p.City', 'SELECT lower(c.City), lower(p.City), COUNT(*) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId LEFT JOIN Customers p ON p.CustomerId = c.ParentId GROUP BY ALL'),
    Query('six tables', "SELECT COUNT(*), SUM(o.Total) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId JOIN Customers p ON p.CustomerId = c.ParentId JOIN Customers g ON g.CustomerId = p.ParentId JOIN Orders n ON n.OrderId = o.OrderId + 1 LEFT JOIN Orders l ON l.OrderId = o.OrderId - 1 WHERE g.City <> 'Paris' AND o.Status <> n.Status", "SELECT COUNT(*), SUM(o.Total) FROM Orders o JOIN Customers c ON c.CustomerId = o.CustomerId JOIN Customers p ON p.CustomerId = c.ParentId JOIN Customers g ON g.CustomerId = p.ParentId JOIN Orders n ON n.OrderId = o.OrderId + 1 LEFT JOIN Orders l ON l.OrderId = o.OrderId - 1 WHERE lower(g.City) <> 'paris' AND lower(rtrim(o.Status)) <> lower(rtrim(n.Status))"),
    Query('a join with itself', 'SELECT COUNT(*), AVG(b.Total - a.Total) FROM Orders a JOIN Orders b ON b.CustomerId = a.CustomerId AND b.OrderId = a.OrderId + 1000', 'SELECT COUNT(*), AVG(b.Total - a.Total) FROM Orders a JOIN Orders b ON b.CustomerId = a.CustomerId AND b.OrderId = a.OrderId + 1000'),
    Query('a join with bands', "SELECT b.Name, COUNT(*) FROM Orders o JOIN (VALUES ('low', 0, 100), ('mid', 100, 10000), ('high', 10000, 1000000)) b (Name, Low, High) ON o.Total >= b.Low AND o.Total < b.High GROUP BY b.Name", "SELECT b.Name, COUNT(*) FROM Orders o JOIN (VALUES ('low', 0, 100), ('mid', 100, 10000), ('high', 10000, 1000000)) b (Name, Low, High) ON o.Total >= b.Low AND o.Total < b.High GROUP BY b.Name"),
    Query('LEFT JOIN … IS NULL', "SELECT COUNT(*) FROM Orders o LEFT JOIN Customers c ON c.CustomerId = o.CustomerId AND c.City = 'Berlin' WHERE c.CustomerId IS NULL", "SELECT COUNT(*) FROM Orders o LEFT JOIN Customers c ON c.CustomerId = o.CustomerId AND lower(c.City) = 'berlin' WHERE c.CustomerId IS NULL"),
    Query('a calendar and what falls on its days', "WITH d AS (SELECT CAST('20200101' AS date) AS Day UNION ALL SELECT DATEADD(day, 1, Day) FROM d WHERE Day < '20200301') SELECT d.Day, COUNT(o.OrderId) FROM d LEFT JOIN Orders o ON CAST(o.OrderDate AS date) = d.Day GROUP BY d.Day OPTION (MAXRECURSION 0)", "WITH RECURSIVE d AS (SELECT DATE '2020-01-01' AS Day UNION ALL SELECT Day + 1 FROM d WHERE Day < '2020-03-01') SELECT d.Day, COUNT(o.OrderId) FROM d LEFT JOIN Orders o ON CAST(o.OrderDate AS date) = d.Day GROUP BY d.Day"),
    Query('FULL JOIN of groups', "SELECT COUNT(*) FROM (SELECT CustomerId, SUM(Total) s FROM Orders WHERE Flag = 1 GROUP BY CustomerId) a FULL JOIN (SELECT CustomerId, SUM(Total) s FROM Orders WHERE Status = 'new' GROUP BY CustomerId) b ON b.CustomerId = a.CustomerId WHERE ISNULL(a.s, 0) <> ISNULL(b.s, 0)", "SELECT COUNT(*) FROM (SELECT CustomerId, SUM(Total) s FROM Orders WHERE Flag GROUP BY CustomerId) a FULL JOIN (SELECT CustomerId, SUM(Total) s FROM Orders WHERE lower(rtrim(Status)) = 'new' GROUP BY CustomerId) b ON b.CustomerId = a.CustomerId WHERE coalesce(a.s, 0) <> coalesce(b.s, 0)"),
    Query('a join on texts that are computed', "SELECT COUNT(*) FROM Orders o JOIN Customers c ON c.Name = REPLACE(o.Note, 'note', 'Customer')", "SELECT COUNT(*) FROM Orders o JOIN Customers c ON lower(c.Name) = lower(replace(o.Note, 'note', 'Customer'))"),
    Query('a join of nvarchar with varchar', 'SELECT COUNT(*) FROM Orders o JOIN (SELECT DISTINCT CAST(Status AS nvarchar(20)) s FROM Orders) n ON n.s = o.Status', 'SELECT COUNT(*) FROM Orders o JOIN (SELECT DISTINCT lower(rtrim(Status)) s FROM Orders) n ON n.s = lower(rtrim(o.Status))'),
    Query('IN of a subquery of groups', 'SELECT COUNT(*) FROM Orders WHERE CustomerId IN (SELECT CustomerId FROM Orders GROUP BY CustomerId HAVING SUM(Total) > 6250000)', 'SELECT COUNT(*) FROM Orders WHERE CustomerId IN (SELECT CustomerId FROM Orders GROUP BY CustomerId HAVING SUM(Total) > 6250000)'),
    Query('above the average of its group', 'SELECT COUNT(*) FROM Orders o WHERE o.Total > (SELECT AVG(i.Total) FROM Orders i WHERE i.CustomerId = o.CustomerId)', 'SELECT COUNT(*) FROM Orders o WHERE o.Total > (SELECT AVG(i.Total) FROM Orders i WHERE i.CustomerId = o.CustomerId)'),
    Query('the latest order by MAX', 'SELECT COUNT(*) FROM Orders o WHERE o.OrderDate = (SELECT MAX(i.OrderDate) FROM Orders i WHERE i.CustomerId = o.CustomerId)', 'SELECT COUNT(*) FROM Orders o WHERE o.OrderDate = (SELECT MAX(i.OrderDate) FROM Orders i WHERE i.CustomerId = o.CustomerId)'),
    Query('ALL of a subquery', 'SELECT COUNT(*) FROM Orders WHERE Total >= ALL (SELECT Total FROM Orders WHERE CustomerId = 7)', 'SELECT COUNT(*) FROM Orders WHERE Total >= ALL (SELECT Total FROM Orders WHERE CustomerId = 7)'),
    Query('NOT EXISTS of two levels', 'SELECT COUNT(*) FROM Customers c WHERE NOT EXISTS (SELECT 1 FROM Orders o WHERE o.CustomerId = c.CustomerId AND NOT EXISTS (SELECT 1 FROM Customers p WHERE p.CustomerId = c.ParentId AND p.City = c.City))', 'SELECT COUNT(*) FROM Customers c WHERE NOT EXISTS (SELECT 1 FROM Orders o WHERE o.CustomerId = c.CustomerId AND NOT EXISTS (SELECT 1 FROM Customers p WHERE p.CustomerId = c.ParentId AND lower(p.City) = lower(c.City)))'),
    Query('three subqueries, one in the other', 'SELECT AVG(x.n) FROM (SELECT g.City, COUNT(*) n FROM (SELECT c.City, o.OrderId FROM Customers c JOIN (SELECT OrderId, CustomerId FROM Orders WHERE Qty > 10) o ON o.CustomerId = c.CustomerId) g GROUP BY g.City) x', 'SELECT AVG(x.n) FROM (SELECT lower(g.City), COUNT(*) n FROM (SELECT c.City, o.OrderId FROM Customers c JOIN (SELECT OrderId, CustomerId FROM Orders WHERE Qty > 10) o ON o.CustomerId = c.CustomerId) g GROUP BY ALL) x'),
    Query('WITH of three steps', 'WITH a AS (SELECT CustomerId, SUM(Total) s, COUNT(*) n FROM Orders GROUP BY CustomerId), b AS (SELECT c.City, a.s, a.n, RANK() OVER (PARTITION BY c.City ORDER BY a.s DESC) r FROM a JOIN Customers c ON c.CustomerId = a.CustomerId) SELECT City, SUM(s), MAX(n) FROM b WHERE r <= 10 GROUP BY City', 'WITH a AS (SELECT CustomerId, SUM(Total) s, COUNT(*) n FROM Orders GROUP BY CustomerId), b AS (SELECT lower(c.City) City, a.s, a.n, RANK() OVER (PARTITION BY lower(c.City) ORDER BY a.s DESC) r FROM a JOIN Customers c ON c.CustomerId = a.CustomerId) SELECT City, SUM(s), MAX(n) FROM b WHERE r <= 10 GROUP BY City'),
    Query('TOP (1) in the select list', 'SELECT MAX(x) FROM (SELECT (SELECT TOP (1) o.Note FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.OrderDate DESC) x FROM Customers c) t', 'SELECT max(x) FROM (SELECT (SELECT o.Note FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.OrderDate DESC LIMIT 1) x FROM Customers c) t'),
    Query('CROSS APPLY of TOP (3)', 'SELECT SUM(x.Total) FROM Customers c CROSS APPLY (SELECT TOP (3) o.Total FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.Total DESC) x', 'SELECT SUM(x.Total) FROM Customers c CROSS JOIN LATERAL (SELECT o.Total FROM Orders o WHERE o.CustomerId = c.CustomerId ORDER BY o.Total DESC LIMIT 3) x'),
    Query('CROSS APPLY of VALUES', "SELECT v.n, SUM(v.x) FROM Orders o CROSS APPLY (VALUES ('Total', o.Total), ('Qty', o.Qty)) v (n, x) GROUP BY v.n", "SELECT v.n, SUM(v.x) FROM Orders o CROSS JOIN LATERAL (VALUES ('Total', o.Total), ('Qty', o.Qty)) v (n, x) GROUP BY v.n"),
    Query('a name for an expression, by CROSS APPLY', 'SELECT a.Net, COUNT(*) FROM Orders o CROSS APPLY (SELECT CAST(o.Total / 1.19 / 1000 AS int) AS Net) a GROUP BY a.Net', 'SELECT CAST(trunc(o.Total / 1.19 / 1000) AS int) Net, COUNT(*) FROM Orders o GROUP BY ALL'),
    Query('UNION of texts', 'SELECT COUNT(*) FROM (SELECT City FROM Customers UNION SELECT Status FROM Orders) t', 'SELECT COUNT(*) FROM (SELECT lower(City) FROM Customers UNION SELECT lower(rtrim(Status)) FROM Orders) t'),
    Query('INTERSECT', 'SELECT COUNT(*) FROM (SELECT CustomerId, Qty FROM Orders WHERE Flag = 1 INTERSECT SELECT CustomerId, Qty FROM Orders WHERE Total > 1000) t', 'SELECT COUNT(*) FROM (SELECT CustomerId, Qty FROM Orders WHERE Flag INTERSECT SELECT CustomerId, Qty FROM Orders WHERE Total > 1000) t'),
    Query('RANK, DENSE_RANK', 'SELECT MAX(r), MAX(d) FROM (SELECT RANK() OVER (PARTITION BY CustomerId ORDER BY Qty) r, DENSE_RANK() OVER (PARTITION BY CustomerId ORDER BY Qty) d FROM Orders) t', 'SELECT MAX(r), MAX(d) FROM (SELECT RANK() OVER (PARTITION BY CustomerId ORDER BY Qty) r, DENSE_RANK() OVER (PARTITION BY CustomerId ORDER BY Qty) d FROM Orders) t'),
    Query('FIRST_VALUE, LAST_VALUE', 'SELECT COUNT(*) FROM (SELECT FIRST_VALUE(Status) OVER (PARTITION BY CustomerId ORDER BY OrderDate) f, LAST_VALUE(Status) OVER (PARTITION BY CustomerId ORDER BY OrderDate ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) l FROM Orders) t WHERE f <> l', 'SELECT COUNT(*) FROM (SELECT FIRST_VALUE(Status) OVER (PARTITION BY CustomerId ORDER BY OrderDate) f, LAST_VALUE(Status) OVER (PARTITION BY CustomerId ORDER BY OrderDate ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) l FROM Orders) t WHERE lower(rtrim(f)) <> lower(rtrim(l))'),
    Query('an average of seven rows', 'SELECT MAX(x) FROM (SELECT AVG(Rate) OVER (ORDER BY OrderId ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) x FROM Orders) t', 'SELECT MAX(x) FROM (SELECT AVG(Rate) OVER (ORDER BY OrderId ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) x FROM Orders) t'),
    Query('islands of numbers', 'SELECT COUNT(*), MAX(n) FROM (SELECT MIN(OrderId) a, COUNT(*) n FROM (SELECT OrderId, OrderId - ROW_NUMBER() OVER (ORDER BY OrderId) g FROM Orders WHERE Qty <> 7) t GROUP BY g) u', 'SELECT COUNT(*), MAX(n) FROM (SELECT MIN(OrderId) a, COUNT(*) n FROM (SELECT OrderId, OrderId - ROW_NUMBER() OVER (ORDER BY OrderId) g FROM Orders WHERE Qty <> 7) t GROUP BY g) u'),
    Query('where a text changes', 'SELECT COUNT(*) FROM (SELECT Status, LAG(Status) OVER (ORDER BY OrderId) p FROM Orders) t WHERE Status <> p', 'SELECT COUNT(*) FROM (SELECT Status, LAG(Status) OVER (ORDER BY OrderId) p FROM Orders) t WHERE lower(rtrim(Status)) <> lower(rtrim(p))'),
    Query('rows that are there twice', 'SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY Status, Qty ORDER BY OrderId) rn FROM Orders) t WHERE rn > 1', 'SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY lower(rtrim(Status)), Qty ORDER BY OrderId) rn FROM Orders) t WHERE rn > 1'),
    Query('groups and their share', 'SELECT Status, COUNT(*) n, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () p FROM Orders GROUP BY Status', 'SELECT lower(rtrim(Status)) s, COUNT(*) n, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () p FROM Orders GROUP BY s'),
    Query('ROW_NUMBER in the order of a text', 'SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY Qty ORDER BY Note) n FROM Orders) t', 'SELECT MAX(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY Qty ORDER BY lower(Note)) n FROM Orders) t'),
    Query('sums under conditions', "SELECT CustomerId, SUM(CASE WHEN Status = 'new' THEN Total ELSE 0 END) a, SUM(CASE WHEN Status = 'shipped' THEN 1 ELSE 0 END) b, COUNT(CASE WHEN ShipDate IS NULL THEN 1 END) c FROM Orders GROUP BY CustomerId", "SELECT CustomerId, SUM(CASE WHEN lower(rtrim(Status)) = 'new' THEN Total ELSE 0 END) a, SUM(CASE WHEN lower(rtrim(Status)) = 'shipped' THEN 1 ELSE 0 END) b, COUNT(CASE WHEN ShipDate IS NULL THEN 1 END) c FROM Orders GROUP BY CustomerId"),
    Query('GROUPING SETS', 'SELECT Status, Qty, GROUPING(Status) g, COUNT(*) FROM Orders GROUP BY GROUPING SETS ((Status), (Qty), ())', 'SELECT lower(rtrim(Status)) s, Qty, GROUPING(s) g, COUNT(*) FROM Orders GROUP BY GROUPING SETS ((s), (Qty), ())'),
    Query('the last text of each group', 'SELECT CustomerId, MAX(Note), MIN(Email) FROM Orders GROUP BY CustomerId', 'SELECT CustomerId, arg_max(Note, lower(Note)), arg_min(Email, lower(Email)) FROM Orders GROUP BY CustomerId'),
    Query('STRING_AGG of what is distinct', "SELECT STRING_AGG(s, ', ') FROM (SELECT DISTINCT Status s FROM Orders) t", "SELECT string_agg(s, ', ') FROM (SELECT DISTINCT lower(rtrim(Status)) s FROM Orders) t"),
    Query('texts joined by FOR XML PATH', "SELECT c.City, STUFF((SELECT ',' + d.Name FROM Customers d WHERE d.City = c.City ORDER BY d.CustomerId FOR XML PATH('')), 1, 1, '') FROM Customers c GROUP BY c.City", "SELECT lower(City), string_agg(Name, ',' ORDER BY CustomerId) FROM Customers GROUP BY ALL"),
    Query('the first word', "SELECT COUNT(DISTINCT LEFT(Note, CHARINDEX(' ', Note + ' ') - 1)) FROM Orders", "SELECT COUNT(DISTINCT lower(left(Note, instr(Note || ' ', ' ') - 1))) FROM Orders"),
    Query('the name before a sign', "SELECT MAX(LEFT(Email, CHARINDEX('@', Email) - 1)) FROM Orders WHERE Email LIKE '%@%.com'", "SELECT max(left(Email, instr(Email, '@') - 1)) FROM Orders WHERE Email ILIKE '%@%.com'"),
    Query('how often a letter comes', "SELECT SUM(LEN(Email) - LEN(REPLACE(Email, 'e', ''))) FROM Orders", "SELECT sum(length(Email) - length(replace(lower(Email), 'e', ''))) FROM Orders"),
    Query('a large first letter', 'SELECT MAX(UPPER(LEFT(Status, 1)) + LOWER(SUBSTRING(Status, 2, LEN(Status)))) FROM Orders', 'SELECT max(upper(left(Status, 1)) || lower(substring(Status, 2))) FROM Orders'),
    Query('LTRIM, RTRIM, NULLIF', "SELECT COUNT(NULLIF(LTRIM(RTRIM(Note)), '')) FROM Orders", "SELECT COUNT(nullif(trim(Note), '')) FROM Orders"),
    Query('CONCAT_WS', "SELECT MAX(CONCAT_WS(', ', Status, Note, Email)) FROM Orders", "SELECT max(lower(concat_ws(', ', Status, Note, Email))) FROM Orders"),
    Query('LIKE of several patterns', "SELECT COUNT(*) FROM Orders WHERE Status LIKE 'S%' OR Note LIKE '% 1_5' OR Email NOT LIKE '%.com'", "SELECT COUNT(*) FROM Orders WHERE Status ILIKE 'S%' OR Note ILIKE '% 1_5' OR Email NOT ILIKE '%.com'"),
    Query('HASHBYTES of nvarchar', "SELECT COUNT(HASHBYTES('SHA2_256', Note)) FROM Orders", 'SELECT count(sha256(Note)) FROM Orders'),
    Query('numbers out of texts', 'SELECT SUM(CASE WHEN ISNUMERIC(SUBSTRING(Note, 6, 10)) = 1 THEN CAST(SUBSTRING(Note, 6, 10) AS int) ELSE 0 END % 7) FROM Orders', 'SELECT sum(coalesce(TRY_CAST(substring(Note, 6, 10) AS int), 0) % 7) FROM Orders'),
    Query('the Monday of the week', 'SELECT DATEADD(week, DATEDIFF(week, 0, OrderDate), 0), SUM(Total) FROM Orders GROUP BY DATEADD(week, DATEDIFF(week, 0, OrderDate), 0)', "SELECT date_trunc('week', OrderDate), SUM(Total) FROM Orders GROUP BY ALL"),
    Query('DATETRUNC', 'SELECT DATETRUNC(month, OrderDate), COUNT(*) FROM Orders GROUP BY DATETRUNC(month, OrderDate)', "SELECT date_trunc('month', OrderDate), COUNT(*) FROM Orders GROUP BY ALL"),
    Query('the hours of the day', "SELECT DATEPART(hour, OrderDate), COUNT(*) FROM Orders WHERE CAST(OrderDate AS time) BETWEEN '08:00' AND '18:00' GROUP BY DATEPART(hour, OrderDate)", "SELECT hour(OrderDate), COUNT(*) FROM Orders WHERE CAST(OrderDate AS time) BETWEEN '08:00' AND '18:00' GROUP BY ALL"),
    Query('dates in words', "SELECT MAX(DATENAME(month, OrderDate) + ' ' + CAST(YEAR(OrderDate) AS varchar(4))) FROM Orders", "SELECT max(monthname(OrderDate) || ' ' || year(OrderDate)::varchar) FROM Orders"),
    Query('a date, written in German', "SELECT MAX(FORMAT(OrderDate, 'dd.MM.yyyy')), MAX(CONVERT(varchar(10), OrderDate, 104)) FROM Orders", "SELECT max(strftime(OrderDate, '%d.%m.%Y')), max(strftime(OrderDate, '%d.%m.%Y')) FROM Orders"),
    Query('work days between', 'SELECT SUM(DATEDIFF(day, OrderDate, ShipDate) - 2 * DATEDIFF(week, OrderDate, ShipDate)) FROM Orders WHERE ShipDate IS NOT NULL', "SELECT sum(date_diff('day', OrderDate, ShipDate) - 2 * date_diff('week', OrderDate + INTERVAL 1 DAY, ShipDate + INTERVAL 1 DAY)) FROM Orders WHERE ShipDate IS NOT NULL"),
    Query('a date from texts', "SELECT MAX(CAST(CAST(YEAR(OrderDate) AS varchar(4)) + RIGHT('0' + CAST(MONTH(OrderDate) AS varchar(2)), 2) + '01' AS date)) FROM Orders", "SELECT max(strptime(strftime(OrderDate, '%Y%m') || '01', '%Y%m%d')::date) FROM Orders"),
    Query('a share that may divide by zero', 'SELECT SUM(ISNULL(Total / NULLIF(Price * Qty, 0), 0)), AVG(CAST(Qty AS float) / NULLIF(CustomerId, 0)) FROM Orders', 'SELECT sum(coalesce(Total / nullif(Price * Qty, 0), 0)), avg(Qty::double / nullif(CustomerId, 0)) FROM Orders'),
    Query('CAST to decimal(10,2)', 'SELECT SUM(CAST(Rate AS decimal(10,2))), SUM(CAST(Total AS decimal(10,1))) FROM Orders', 'SELECT sum(CAST(Rate AS decimal(10,2))), sum(CAST(Total AS decimal(10,1))) FROM Orders'),
    Query('pages of a list with its length', "SELECT OrderId, Note, COUNT(*) OVER () n FROM Orders WHERE Status = 'new' ORDER BY OrderDate DESC, OrderId OFFSET 100 ROWS FETCH NEXT 20 ROWS ONLY", "SELECT OrderId, Note, COUNT(*) OVER () n FROM Orders WHERE lower(rtrim(Status)) = 'new' ORDER BY OrderDate DESC, OrderId LIMIT 20 OFFSET 100"),
    Query('SELECT INTO #t', 'SELECT * INTO #x FROM Orders; DROP TABLE #x', 'CREATE OR REPLACE TEMP TABLE x AS SELECT * FROM Orders'),
    Query('aggregates to variables', "DECLARE @a int, @b money; SELECT @a = COUNT(*), @b = SUM(Total) FROM Orders WHERE Status <> 'new'; SELECT @a, @b", "SELECT count(*), sum(Total) FROM Orders WHERE lower(rtrim(Status)) <> 'new'"),
    Query('variables in WHERE', "DECLARE @s varchar(20) = 'open', @d datetime = '20200201'; SELECT COUNT(*) FROM Orders WHERE Status = @s AND OrderDate >= @d", "SELECT count(*) FROM Orders WHERE lower(rtrim(Status))='open' AND OrderDate>='2020-02-01'::timestamp"),
    Query('a variable that may be NULL', 'DECLARE @s varchar(20) = NULL; SELECT COUNT(*) FROM Orders WHERE (@s IS NULL OR Status = @s)', 'SELECT count(*) FROM Orders'),
    Query('texts joined in a variable', "DECLARE @s nvarchar(max) = N''; SELECT @s = @s + Name + N',' FROM Customers; SELECT LEN(@s)", "SELECT length(string_agg(Name,',')) FROM Customers"),
    Query('UPDATE with CASE', "UPDATE Orders SET Status = CASE WHEN Status = 'new' THEN 'New' ELSE Status END, Total = Total + 1", "UPDATE Orders SET Status = CASE WHEN Status = 'new' THEN 'New' ELSE Status END, Total = Total + 1"),
)  # fmt: skip
