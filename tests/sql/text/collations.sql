-- nvarchar compares by the Unicode rule of its collation, in every clause that compares.

CREATE TABLE words (id int IDENTITY PRIMARY KEY, n nvarchar(30), v varchar(30));
INSERT words (n, v) VALUES (N'Straße', 'Straße'), (N'STRASSE', 'STRASSE'), (N'co-op', 'co-op'), (N'con', 'con'), (N'O''Neil', 'O''Neil'),
  (N'OMalley', 'OMalley'), (N'ア', 'x'), (N'Ａ１', 'A1'), (N'Æon', 'Æon'), (N'café', 'café');
GO

SELECT id FROM words WHERE n = N'strasse';
SELECT id FROM words WHERE v = 'strasse';
SELECT id FROM words WHERE n = N'あ';
SELECT id FROM words WHERE n = N'a1';
SELECT id FROM words WHERE n = N'AEON';
SELECT id FROM words WHERE n = N'cafe';
SELECT id FROM words WHERE n IN (N'strasse', N'x', N'y') AND n BETWEEN N'stras' AND N'strat';
SELECT CASE n WHEN N'STRASSE' THEN 'yes' ELSE 'no' END FROM words WHERE id = 1;
GO
--! spec TEXT-1 TEXT-3 TEXT-9
--! rows
--! 1
--! 2
--! rows
--! 2
--! rows
--! 7
--! rows
--! 8
--! rows
--! 9
--! rows
--! rows
--! 1
--! 2
--! rows
--! yes

SELECT n FROM words ORDER BY n;
SELECT v FROM words WHERE id < 7 ORDER BY v;
SELECT COUNT(*) FROM words GROUP BY n HAVING COUNT(*) > 1;
SELECT COUNT(DISTINCT n), COUNT(DISTINCT v) FROM words;
SELECT a.id, b.id FROM words a JOIN words b ON a.n = b.n AND a.id < b.id;
SELECT COUNT(*) FROM (SELECT n FROM words WHERE id = 1 UNION SELECT n FROM words WHERE id = 2) AS u;
SELECT MIN(n), MAX(n) FROM words WHERE id IN (3, 4, 5, 6);
GO
--! spec TEXT-4 TEXT-9
--! rows
--! Ａ１
--! Æon
--! café
--! con
--! co-op
--! OMalley
--! O'Neil
--! Straße
--! STRASSE
--! ア
--! rows
--! co-op
--! con
--! O'Neil
--! OMalley
--! STRASSE
--! Straße
--! rows
--! 2
--! rows
--! 9 | 10
--! rows
--! 1 | 2
--! rows
--! 1
--! rows
--! con | O'Neil

-- Searching.
SELECT id FROM words WHERE n LIKE N'%ss%';
SELECT id FROM words WHERE n LIKE N'Stra_e';
SELECT id FROM words WHERE n LIKE N'[a-c]%';
SELECT CHARINDEX(N'SSE', n), PATINDEX(N'%sse%', n), REPLACE(n, N'ss', N'-') FROM words WHERE id <= 2;
SELECT value FROM STRING_SPLIT(N'1ß2SS3', N'ß');
SELECT CHARINDEX('É' COLLATE Latin1_General_CI_AI, 'cafe'), REPLACE('CAFÉ' COLLATE Latin1_General_CI_AI, 'e', '-'), REPLACE(N'CAFÉ', N'e', N'-');
DECLARE @n nvarchar(10) = N'Straße';
IF @n = N'STRASSE' AND @n LIKE N'%SS%' AND N'm²' = N'm2' PRINT 'equal';
GO
--! spec TEXT-10 TEXT-1
--! rows
--! 1
--! 2
--! rows
--! 1
--! rows
--! 3
--! 4
--! 8
--! 9
--! 10
--! rows
--! 5 | 5 | Stra-e
--! 5 | 5 | STRA-E
--! rows
--! 1
--! 2
--! 3
--! rows
--! 4 | CAF- | CAFÉ
--! print equal

-- What a collation's name says.
SELECT id FROM words WHERE n = N'CAFE' COLLATE Latin1_General_CI_AI;
SELECT id FROM words WHERE v = 'CAFE' COLLATE Latin1_General_CI_AI;
SELECT id FROM words WHERE n = N'cafe' COLLATE Latin1_General_CS_AI;
SELECT id FROM words WHERE n = N'CAFE' COLLATE Latin1_General_CS_AI;
SELECT id FROM words WHERE n = N'あ' COLLATE Latin1_General_CI_AS_KS;
SELECT id FROM words WHERE n = N'A1' COLLATE Latin1_General_CI_AS_WS;
SELECT id FROM words WHERE n = N'STRASSE' COLLATE Latin1_General_BIN2;
SELECT id FROM words WHERE v = 'strasse' COLLATE Latin1_General_CI_AS;
GO
--! spec TEXT-2 TEXT-3
--! rows
--! 10
--! rows
--! 10
--! rows
--! 10
--! rows
--! rows
--! rows
--! rows
--! 2
--! rows
--! 1
--! 2

-- Keys.
CREATE TABLE keyed (n nvarchar(30) PRIMARY KEY);
CREATE TABLE child (n nvarchar(30) REFERENCES keyed (n));
CREATE TABLE accentless (n nvarchar(30) COLLATE Latin1_General_CI_AI UNIQUE);
INSERT keyed VALUES (N'Straße');
INSERT accentless VALUES (N'café');
GO

INSERT keyed VALUES (N'STRASSE');
GO
--! spec TEXT-9
--! error 2627

INSERT child VALUES (N'strasse'), (N'STRAẞE');
INSERT accentless VALUES (N'CAFE');
GO
--! error 2627

SELECT COUNT(*) FROM child;
DELETE FROM keyed;
GO
--! rows
--! 2
--! error 547

-- Collations that do not meet, and names that are none.
CREATE TABLE two (a nvarchar(9) COLLATE Latin1_General_CI_AS, b nvarchar(9) COLLATE Latin1_General_CS_AS);
INSERT two VALUES (N'x', N'X');
SELECT COUNT(*) FROM two WHERE a = b COLLATE Latin1_General_CI_AS;
SELECT CHARINDEX(a, b COLLATE Latin1_General_CI_AS), CHARINDEX(a COLLATE Latin1_General_BIN2, b), REPLACE(b, N'x', N'-'), REPLACE(a, N'X', N'-') FROM two;
GO
--! rows
--! 1
--! rows
--! 1 | 0 | X | -
SELECT 1 FROM two WHERE a = b;
GO
--! spec TEXT-12
--! error 468
SELECT a + b FROM two;
GO
--! error 451
SELECT 1 FROM two WHERE a LIKE b;
GO
--! error 468
SELECT CHARINDEX(a, b) FROM two;
GO
--! error 468
SELECT REPLACE(a, b, N'') FROM two;
GO
--! error 468
SELECT PATINDEX(a, b) FROM two;
GO
--! error 468
SELECT id FROM words WHERE n COLLATE Latin1_General_CI_AS = n COLLATE Latin1_General_CS_AS;
GO
--! error 468

SELECT N'a' COLLATE No_Such_Name;
GO
--! error 448

SELECT id FROM words ORDER BY n COLLATE No_Such_Name;
GO
--! error 448
