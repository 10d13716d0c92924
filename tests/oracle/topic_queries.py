"""Window functions, PIVOT and UNPIVOT, recursive CTEs, set operators, grouping."""

from __future__ import annotations

_CUME = "t-sql/functions/cume-dist"
_RATES = """CREATE TABLE #r (d varchar(30), n varchar(20), rate money); INSERT #r VALUES ('Document Control', 'Arifin', 17.7885), ('Document Control', 'Norred', 16.8269),
    ('Document Control', 'Kharatishvili', 16.8269), ('Document Control', 'Chai', 10.25), ('Document Control', 'Berge', 10.25); """
_QUOTAS = "CREATE TABLE #q (n int, y int, quota money); INSERT #q VALUES (1, 2005, 367000), (2, 2005, 556000), (3, 2006, 502000), (4, 2006, 550000), (5, 2006, 1429000), (6, 2006, 1324000); "
_SALES = """CREATE TABLE #s (t varchar(20), id int, ytd money); INSERT #s VALUES ('Canada', 282, 2604540.7172), ('Canada', 278, 1453719.4653),
    ('Northwest', 284, 1576562.1966), ('Northwest', 283, 1573012.9383), ('Northwest', 280, 1352577.1325); """
_STOCK = """CREATE TABLE #i (p int, l int, q int); INSERT #i VALUES (494, 3, 49), (495, 3, 49), (493, 3, 41), (496, 3, 30), (492, 3, 17), (495, 4, 35), (496, 4, 25), (493, 4, 24), (492, 4, 14), (494, 4, 12); """
_YTD = """CREATE TABLE #y (n varchar(20), ytd money, code int); INSERT #y VALUES ('Mitchell', 4251368.5497, 98027), ('Pak', 4116871.2277, 98055), ('Blythe', 3763178.1787, 98027), ('Carson', 3189418.3662, 98027),
    ('Varkey Chudukatil', 3121616.3202, 98055), ('Saraiva', 2604540.7172, 98055), ('Ito', 2458535.6169, 98055), ('Reiter', 2315185.611, 98027), ('Valdez', 1827066.7118, 98055), ('Mensa-Annan', 1576562.1966, 98055),
    ('Campbell', 1573012.9383, 98055), ('Vargas', 1453719.4653, 98027), ('Tsoflias', 1421810.9242, 98055), ('Ansman-Wolfe', 1352577.1325, 98027); """
_OVER = "t-sql/queries/select-over-clause"
_PEOPLE = """CREATE TABLE #p (id int, t int, y int, ytd money); INSERT #p VALUES (274, NULL, 2005, 559697.5639), (287, NULL, 2006, 519905.932), (285, NULL, 2007, 172524.4512), (283, 1, 2005, 1573012.9383),
    (280, 1, 2005, 1352577.1325), (284, 1, 2006, 1576562.1966), (275, 2, 2005, 3763178.1787), (277, 3, 2005, 3189418.3662), (276, 4, 2005, 4251368.5497), (281, 4, 2005, 2458535.6169); """
_LINES = """CREATE TABLE #l (o int, p int, q smallint); INSERT #l VALUES (43664, 772, 1), (43664, 775, 4), (43664, 714, 1), (43664, 716, 1), (43664, 777, 2), (43664, 771, 3), (43664, 773, 1), (43664, 778, 1); """

WINDOWS = [
    (_CUME, _RATES + "SELECT n, rate, CUME_DIST() OVER (PARTITION BY d ORDER BY rate), PERCENT_RANK() OVER (PARTITION BY d ORDER BY rate) FROM #r ORDER BY rate DESC, n DESC",
     "Arifin | 17.7885 | 1.0 | 1.0", "Norred | 16.8269 | 0.80000000000000004 | 0.5", "Kharatishvili | 16.8269 | 0.80000000000000004 | 0.5", "Chai | 10.2500 | 0.40000000000000002 | 0.0", "Berge | 10.2500 | 0.40000000000000002 | 0.0"),
    ("t-sql/functions/lag", _QUOTAS + "SELECT y, quota, LAG(quota, 1, 0) OVER (ORDER BY y, n) FROM #q ORDER BY n",
     "2005 | 367000.0000 | .0000", "2005 | 556000.0000 | 367000.0000", "2006 | 502000.0000 | 556000.0000", "2006 | 550000.0000 | 502000.0000", "2006 | 1429000.0000 | 550000.0000", "2006 | 1324000.0000 | 1429000.0000"),
    ("t-sql/functions/lag", _SALES + "SELECT t, id, LAG(ytd, 1, 0) OVER (PARTITION BY t ORDER BY ytd DESC) FROM #s ORDER BY t, ytd DESC",
     "Canada | 282 | .0000", "Canada | 278 | 2604540.7172", "Northwest | 284 | .0000", "Northwest | 283 | 1576562.1966", "Northwest | 280 | 1573012.9383"),
    ("t-sql/functions/lag", ("CREATE TABLE #t (a int, b int, c int); INSERT #t VALUES (1, 1, -3), (2, 2, 4), (3, 1, NULL), (4, 3, 1), (5, 2, NULL), (6, 1, 5); "
     "SELECT b, c, LAG(2*c, b*(SELECT MIN(b) FROM #t), -c/2.0) OVER (ORDER BY a) FROM #t ORDER BY a"),
     "1 | -3 | 1", "2 | 4 | -2", "1 | NULL | 8", "3 | 1 | -6", "2 | NULL | NULL", "1 | 5 | NULL"),
    ("t-sql/functions/rank", _STOCK + "SELECT p, l, q, RANK() OVER (PARTITION BY l ORDER BY q DESC) FROM #i ORDER BY l, q DESC, p",
     "494 | 3 | 49 | 1", "495 | 3 | 49 | 1", "493 | 3 | 41 | 3", "496 | 3 | 30 | 4", "492 | 3 | 17 | 5", "495 | 4 | 35 | 1", "496 | 4 | 25 | 2", "493 | 4 | 24 | 3", "492 | 4 | 14 | 4", "494 | 4 | 12 | 5"),
    ("t-sql/functions/ntile", _YTD + "SELECT n, NTILE(4) OVER (ORDER BY ytd DESC), CONVERT(nvarchar(20), ytd, 1) FROM #y ORDER BY ytd DESC",
     "Mitchell | 1 | 4,251,368.55", "Pak | 1 | 4,116,871.23", "Blythe | 1 | 3,763,178.18", "Carson | 1 | 3,189,418.37", "Varkey Chudukatil | 2 | 3,121,616.32", "Saraiva | 2 | 2,604,540.72", "Ito | 2 | 2,458,535.62",
     "Reiter | 2 | 2,315,185.61", "Valdez | 3 | 1,827,066.71", "Mensa-Annan | 3 | 1,576,562.20", "Campbell | 3 | 1,573,012.94", "Vargas | 4 | 1,453,719.47", "Tsoflias | 4 | 1,421,810.92", "Ansman-Wolfe | 4 | 1,352,577.13"),
    ("t-sql/functions/ntile", _YTD + "DECLARE @n int = 4; SELECT n, q FROM (SELECT n, ytd, code, NTILE(@n) OVER (PARTITION BY code ORDER BY ytd DESC) AS q FROM #y) AS t WHERE code = 98027 ORDER BY ytd DESC",
     "Mitchell | 1", "Blythe | 1", "Carson | 2", "Reiter | 2", "Vargas | 3", "Ansman-Wolfe | 4"),
    (_OVER, _YTD + "SELECT ROW_NUMBER() OVER (PARTITION BY code ORDER BY ytd DESC) AS r, n, ytd FROM #y WHERE code = 98027 ORDER BY r",
     "1 | Mitchell | 4251368.5497", "2 | Blythe | 3763178.1787", "3 | Carson | 3189418.3662", "4 | Reiter | 2315185.6110", "5 | Vargas | 1453719.4653", "6 | Ansman-Wolfe | 1352577.1325"),
    (_OVER, _LINES + "SELECT DISTINCT o, SUM(q) OVER (PARTITION BY o), AVG(q) OVER (PARTITION BY o), COUNT(q) OVER (PARTITION BY o), MIN(q) OVER (PARTITION BY o), MAX(q) OVER (PARTITION BY o) FROM #l", "43664 | 14 | 1 | 8 | 1 | 4"),
    (_OVER, _LINES + "SELECT DISTINCT q, CAST(1. * q / SUM(q) OVER (PARTITION BY o) * 100 AS decimal(5, 2)) FROM #l WHERE q <> 3 OR p = 771 ORDER BY q", "1 | 7.14", "2 | 14.29", "3 | 21.43", "4 | 28.57"),
    (_OVER, _PEOPLE + "SELECT id, CONVERT(varchar(20), AVG(ytd) OVER (PARTITION BY t ORDER BY y), 1), CONVERT(varchar(20), SUM(ytd) OVER (PARTITION BY t ORDER BY y), 1) FROM #p WHERE t IS NULL OR t IN (1, 2) ORDER BY t, y, id DESC",
     "274 | 559,697.56 | 559,697.56", "287 | 539,801.75 | 1,079,603.50", "285 | 417,375.98 | 1,252,127.95", "283 | 1,462,795.04 | 2,925,590.07", "280 | 1,462,795.04 | 2,925,590.07", "284 | 1,500,717.42 | 4,502,152.27",
     "275 | 3,763,178.18 | 3,763,178.18"),
    (_OVER, _PEOPLE + "SELECT y, CONVERT(varchar(20), AVG(ytd) OVER (ORDER BY y), 1), CONVERT(varchar(20), SUM(ytd) OVER (ORDER BY y), 1) FROM #p WHERE id IN (SELECT id FROM #p) ORDER BY y, id",
     *["2005 | 2,449,684.05 | 17,147,788.35"] * 7, *["2006 | 2,138,250.72 | 19,244,256.47"] * 2, "2007 | 1,941,678.09 | 19,416,780.93"),
    (_OVER, _PEOPLE + "SELECT id, CONVERT(varchar(20), SUM(ytd) OVER (PARTITION BY t ORDER BY y ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING), 1) FROM #p WHERE t IS NULL ORDER BY y", "274 | 1,079,603.50", "287 | 692,430.38", "285 | 172,524.45"),
    (_OVER, _PEOPLE + "SELECT id, CONVERT(varchar(20), SUM(ytd) OVER (PARTITION BY t ORDER BY y ROWS UNBOUNDED PRECEDING), 1) FROM #p WHERE t IS NULL ORDER BY y", "274 | 559,697.56", "287 | 1,079,603.50", "285 | 1,252,127.95"),
]  # fmt: skip

_PIVOT = "t-sql/queries/from-using-pivot-and-unpivot"
_VENDORS = "CREATE TABLE #v (VendorID int, Emp1 int, Emp2 int, Emp3 int, Emp4 int, Emp5 int); INSERT #v VALUES (1, 4, 3, 5, 4, 4), (2, 4, 1, 5, 5, 5), (3, 4, 3, 5, 4, 4), (4, 4, 2, 5, 5, 4), (5, 5, 1, 5, 5, 5); "
PIVOTS = [
    (_PIVOT, "CREATE TABLE #p (d int, c money); INSERT #p VALUES (0, 5.0885), (1, 223.88), (2, 359.1082), (4, 949.4105); SELECT 'AverageCost', [0], [1], [2], [3], [4] FROM (SELECT d, c FROM #p) AS s PIVOT (AVG(c) FOR d IN ([0], [1], [2], [3], [4])) AS t",
     "AverageCost | 5.0885 | 223.8800 | 359.1082 | NULL | 949.4105"),
    (_PIVOT, _VENDORS + "SELECT VendorID, Employee, Orders FROM (SELECT VendorID, Emp1, Emp2, Emp3, Emp4, Emp5 FROM #v) AS p UNPIVOT (Orders FOR Employee IN (Emp1, Emp2, Emp3, Emp4, Emp5)) AS u WHERE VendorID <= 2 ORDER BY VendorID, Employee",
     "1 | Emp1 | 4", "1 | Emp2 | 3", "1 | Emp3 | 5", "1 | Emp4 | 4", "1 | Emp5 | 4", "2 | Emp1 | 4", "2 | Emp2 | 1", "2 | Emp3 | 5", "2 | Emp4 | 5", "2 | Emp5 | 5"),
    (_PIVOT, "CREATE TABLE #o (po int, e int, v int); INSERT #o VALUES (1, 250, 1492), (2, 250, 1492), (3, 251, 1492), (4, 260, 1494); SELECT v, [250], [251], [260] FROM #o PIVOT (COUNT(po) FOR e IN ([250], [251], [260])) AS p ORDER BY v",
     "1492 | 2 | 1 | 0", "1494 | 0 | 0 | 1"),
]  # fmt: skip

_CTE = "t-sql/queries/with-common-table-expression"
_STAFF = """CREATE TABLE #e (id smallint PRIMARY KEY, name nvarchar(40), title nvarchar(50), mgr int NULL); INSERT #e VALUES (1, N'Ken Sánchez', N'Chief Executive Officer', NULL), (273, N'Brian Welcker', N'Vice President of Sales', 1),
    (274, N'Stephen Jiang', N'North American Sales Manager', 273), (275, N'Michael Blythe', N'Sales Representative', 274), (276, N'Linda Mitchell', N'Sales Representative', 274), (285, N'Syed Abbas', N'Pacific Sales Manager', 273),
    (286, N'Lynn Tsoflias', N'Sales Representative', 285), (16, N'David Bradley', N'Marketing Manager', 273), (23, N'Mary Gibson', N'Marketing Specialist', 16); """
_REPORTS = "WITH r (mgr, id, lvl) AS (SELECT mgr, id, 0 FROM #e WHERE mgr IS NULL UNION ALL SELECT e.mgr, e.id, lvl + 1 FROM #e AS e JOIN r ON e.mgr = r.id) "
CTES = [
    (_CTE, _STAFF + _REPORTS + "SELECT mgr, id, lvl FROM r ORDER BY lvl, id",
     "NULL | 1 | 0", "1 | 273 | 1", "273 | 16 | 2", "273 | 274 | 2", "273 | 285 | 2", "16 | 23 | 3", "274 | 275 | 3", "274 | 276 | 3", "285 | 286 | 3"),
    (_CTE, _STAFF + _REPORTS + "SELECT id FROM r WHERE lvl <= 2 ORDER BY id", "1", "16", "273", "274", "285"),
    (_CTE, _STAFF + "WITH r (n, id, lvl, s) AS (SELECT CONVERT(varchar(255), name), id, 1, CONVERT(varchar(255), name) FROM #e WHERE mgr IS NULL UNION ALL SELECT CONVERT(varchar(255), REPLICATE('>   ', lvl) + e.name), e.id, lvl + 1, "
     "CONVERT(varchar(255), RTRIM(s) + '>   ' + e.name) FROM #e AS e JOIN r ON e.mgr = r.id) SELECT id, n, lvl FROM r ORDER BY s",
     "1 | Ken Sánchez | 1", "273 | >   Brian Welcker | 2", "16 | >   >   David Bradley | 3", "23 | >   >   >   Mary Gibson | 4", "274 | >   >   Stephen Jiang | 3", "276 | >   >   >   Linda Mitchell | 4",
     "275 | >   >   >   Michael Blythe | 4", "285 | >   >   Syed Abbas | 3", "286 | >   >   >   Lynn Tsoflias | 4"),
    (_CTE, _STAFF + "WITH c (id, mgr) AS (SELECT id, mgr FROM #e WHERE mgr IS NOT NULL UNION ALL SELECT c.id, c.mgr FROM c JOIN #e AS e ON c.mgr = e.id) SELECT COUNT(*) FROM c OPTION (MAXRECURSION 2)", "error 530"),
    (_CTE, """CREATE TABLE #p (ID int, Name varchar(30), Mother int, Father int); INSERT #p VALUES (1, 'Sue', NULL, NULL), (2, 'Ed', NULL, NULL), (3, 'Emma', 1, 2), (4, 'Jack', 1, 2), (5, 'Jane', NULL, NULL), (6, 'Bonnie', 5, 4), (7, 'Bill', 5, 4);
     WITH g (ID) AS (SELECT Mother FROM #p WHERE Name = 'Bonnie' UNION SELECT Father FROM #p WHERE Name = 'Bonnie' UNION ALL SELECT p.Father FROM g, #p AS p WHERE g.ID = p.ID UNION ALL SELECT p.Mother FROM g, #p AS p WHERE g.ID = p.ID)
     SELECT p.ID, p.Name, p.Mother, p.Father FROM g, #p AS p WHERE g.ID = p.ID ORDER BY p.ID""", "1 | Sue | NULL | NULL", "2 | Ed | NULL | NULL", "4 | Jack | 1 | 2", "5 | Jane | NULL | NULL"),
    (_CTE, "SELECT FORMAT(a, 'C', 'en-us'), FORMAT(q, 'C', 'en-us'), FORMAT(a - q, 'C', 'en-us') FROM (VALUES (CAST(32567.9155 AS money), CAST(35000 AS money)), (281123.55, 271000)) AS t(a, q)",
     "$32,567.92 | $35,000.00 | ($2,432.08)", "$281,123.55 | $271,000.00 | $10,123.55"),
]  # fmt: skip

_SETS = "t-sql/language-elements/set-operators-except-and-intersect"
_GROUPING = "t-sql/functions/grouping-id"
SETS = [
    (_SETS, "SELECT NULL INTERSECT SELECT NULL", "NULL"),
    (_SETS, "SELECT v FROM (VALUES (1), (1), (2), (3)) AS a(v) EXCEPT SELECT v FROM (VALUES (2)) AS b(v) ORDER BY v", "1", "3"),
    (_SETS, "SELECT 1 UNION SELECT 2 EXCEPT SELECT 2 INTERSECT SELECT 3 ORDER BY 1", "1", "2"),
    (_GROUPING, "SELECT DISTINCT GROUPING_ID(a, b, c) AS g FROM (VALUES (1, 2, 3)) AS t(a, b, c) GROUP BY CUBE(a, b, c) ORDER BY g", "0", "1", "2", "3", "4", "5", "6", "7"),
    (_GROUPING, "SELECT GROUPING(a), GROUPING(b), GROUPING(c), GROUPING_ID(a, b, c) AS g FROM (VALUES (1, 2, 3)) AS t(a, b, c) GROUP BY GROUPING SETS ((b, c), (a, c), (a, b), (c)) ORDER BY g",
     "0 | 0 | 1 | 1", "0 | 1 | 0 | 2", "1 | 0 | 0 | 4", "1 | 1 | 0 | 6"),
    (_GROUPING, ("CREATE TABLE #e (d varchar(30), t varchar(40)); INSERT #e VALUES ('Document Control', 'Control Specialist'), ('Document Control', 'Control Specialist'), ('Document Control', 'Document Control Assistant'), "
     "('Document Control', 'Document Control Assistant'), ('Document Control', 'Document Control Manager'); SELECT d, t, GROUPING_ID(d, t) AS g, COUNT(*) FROM #e GROUP BY ROLLUP(d, t) ORDER BY g, t"),
     "Document Control | Control Specialist | 0 | 2", "Document Control | Document Control Assistant | 0 | 2", "Document Control | Document Control Manager | 0 | 1", "Document Control | NULL | 1 | 5", "NULL | NULL | 3 | 5"),
]  # fmt: skip

EXAMPLES = WINDOWS + PIVOTS + CTES + SETS
