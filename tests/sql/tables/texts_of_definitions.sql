-- The catalog writes DEFAULT, CHECK, computed columns and filters anew, as SQL Server does, which is what tools read.
CREATE FUNCTION dbo.Twice (@n int) RETURNS int AS BEGIN RETURN @n * 2 END
GO
CREATE SEQUENCE dbo.Numbers AS int START WITH 1;
CREATE TABLE t (
    d1 int DEFAULT 0, d2 int DEFAULT -1, d3 int DEFAULT (1 + 2), d4 datetime DEFAULT CURRENT_TIMESTAMP, d5 int DEFAULT NEXT VALUE FOR dbo.Numbers,
    d6 varchar(10) DEFAULT NULL, d7 int DEFAULT dbo.Twice(1), d8 decimal(9, 2) DEFAULT 1.50, d9 varbinary(4) DEFAULT 0x0a, d10 nvarchar(90) DEFAULT N'it''s',
    d11 nvarchar(128) DEFAULT USER, d12 uniqueidentifier DEFAULT NewId(), d13 datetime DEFAULT DATEADD(DAY, 1, GETDATE()),
    a int, b nvarchar(10));
ALTER TABLE t ADD CONSTRAINT c1 CHECK (a > 5 AND (b = 'x' OR b IS NULL)), CONSTRAINT c2 CHECK (a BETWEEN 1 AND 9), CONSTRAINT c3 CHECK (a IN (1, 2, 3)),
    CONSTRAINT c4 CHECK (b LIKE N'a%' AND a BETWEEN 1 AND 9 AND LEN(b) <> 3), CONSTRAINT c5 CHECK (NOT a = 1), CONSTRAINT c6 CHECK (a IN (1));
ALTER TABLE t ADD x1 AS a + 1, x2 AS CAST(a AS integer), x3 AS CONVERT(varchar(10), a, 112), x4 AS CAST(a AS numeric(10, 2)), x5 AS a - -1 - (a - 2) * 3,
    x6 AS CASE WHEN a = 1 THEN 'one' ELSE LEFT(b, 2) END, x7 AS CAST(a AS double precision), x8 AS - (-a), x9 AS ISNULL(a, 0) % 2;
CREATE INDEX i1 ON t (a) WHERE a >= 5 AND b IS NOT NULL;
CREATE INDEX i2 ON t (a) WHERE a IN (1, 2);
GO
SELECT c.name, d.definition FROM sys.default_constraints AS d JOIN sys.columns AS c ON c.object_id = d.parent_object_id AND c.default_object_id = d.object_id ORDER BY c.column_id;
SELECT name, definition FROM sys.check_constraints ORDER BY name;
SELECT name, definition FROM sys.computed_columns ORDER BY name;
SELECT name, filter_definition FROM sys.indexes WHERE has_filter = 1 ORDER BY name;
GO
--! rows
--! d1 | ((0))
--! d2 | ((-1))
--! d3 | ((1)+(2))
--! d4 | (getdate())
--! d5 | (NEXT VALUE FOR [dbo].[Numbers])
--! d6 | (NULL)
--! d7 | ([dbo].[Twice]((1)))
--! d8 | ((1.50))
--! d9 | (0x0A)
--! d10 | (N'it''s')
--! d11 | (user_name())
--! d12 | (newid())
--! d13 | (dateadd(day,(1),getdate()))
--! rows
--! c1 | ([a]>(5) AND ([b]='x' OR [b] IS NULL))
--! c2 | ([a]>=(1) AND [a]<=(9))
--! c3 | ([a]=(3) OR [a]=(2) OR [a]=(1))
--! c4 | ([b] like N'a%' AND [a]>=(1) AND [a]<=(9) AND len([b])<>(3))
--! c5 | (NOT [a]=(1))
--! c6 | ([a]=(1))
--! rows
--! x1 | ([a]+(1))
--! x2 | (CONVERT([int],[a]))
--! x3 | (CONVERT([varchar](10),[a],(112)))
--! x4 | (CONVERT([numeric](10,2),[a]))
--! x5 | ([a]-(-1)-([a]-(2))*(3))
--! x6 | (case when [a]=(1) then 'one' else left([b],(2)) end)
--! x7 | (CONVERT([float],[a]))
--! x8 | (- -[a])
--! x9 | (isnull([a],(0))%(2))
--! rows
--! i1 | ([a]>=(5) AND [b] IS NOT NULL)
--! i2 | ([a] IN ((1), (2)))
-- They are what they were: the texts are read again for every row.
ALTER TABLE t DROP CONSTRAINT c1, c2, c3, c4, c6;
INSERT t (a, b) VALUES (6, 'abc');
SELECT d2, d3, d5, d7, d8, d9, d10, d11, x1, x2, x3, x4, x5, x6, x7, x8, x9 FROM t;
GO
--! rows
--! -1 | 3 | 1 | 2 | 1.50 | 0x0A | it's | dbo | 7 | 6 | 6 | 6.00 | -5 | ab | 6.0 | 6 | 0
INSERT t (a) VALUES (1);
GO
--! error 547
