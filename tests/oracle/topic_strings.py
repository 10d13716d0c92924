"""String functions, LIKE and FORMATMESSAGE."""

from __future__ import annotations

_CHARINDEX = "t-sql/functions/charindex"
_PHRASE = "DECLARE @d varchar(64) = 'Reflectors are vital safety components of your bicycle.'; "
_SPLIT = "t-sql/functions/string-split"
_TAGS = "CREATE TABLE #p (id int, name varchar(40), tags varchar(80)); INSERT #p VALUES (1, 'Full-Finger Gloves', 'clothing,road,touring,bike'), (2, 'LL Headset', 'bike'), (3, 'HL Mountain Frame', 'bike,mountain'); "
SEARCHING = [
    (_CHARINDEX, _PHRASE + "SELECT CHARINDEX('vital', @d, 5), CHARINDEX('bike', @d)", "16 | 0"),
    (_CHARINDEX, "SELECT CHARINDEX('TEST', 'This is a Test' COLLATE Latin1_General_CS_AS)", "0"),
    (_CHARINDEX, "SELECT CHARINDEX('Test', 'This is a Test' COLLATE Latin1_General_CS_AS)", "11"),
    (_CHARINDEX, "SELECT CHARINDEX('TEST', 'This is a Test' COLLATE Latin1_General_CI_AS)", "11"),
    (_CHARINDEX, "SELECT CHARINDEX('is', 'This is a string'), CHARINDEX('at', 'This is a string')", "3 | 0"),
    ("t-sql/functions/patindex", "SELECT PATINDEX('%en_ure%', 'Please ensure the door is locked!')", "8"),
    ("t-sql/functions/patindex", "SELECT PATINDEX('a%', 'abc'), PATINDEX('%a', 'cba')", "1 | 3"),
    ("t-sql/functions/patindex", "SELECT PATINDEX('%[^ 0-9A-z]%', 'Please ensure the door is locked!')", "33"),
    ("t-sql/functions/patindex", "SELECT PATINDEX('%ein%', 'Das ist ein Test' COLLATE Latin1_General_BIN)", "9"),
    ("t-sql/functions/difference", "SELECT SOUNDEX('Green'), SOUNDEX('Greene'), DIFFERENCE('Green', 'Greene')", "G650 | G650 | 4"),
    ("t-sql/functions/difference", "SELECT SOUNDEX('Blotchet-Halls'), SOUNDEX('Greene'), DIFFERENCE('Blotchet-Halls', 'Greene')", "B432 | G650 | 0"),
    ("t-sql/functions/ascii", "SELECT ASCII('A'), ASCII('B'), ASCII('a'), ASCII('b'), ASCII(1), ASCII(2)", "65 | 66 | 97 | 98 | 49 | 50"),
    ("t-sql/functions/ascii", "SELECT NCHAR(80), NCHAR(195), UNICODE(N'æ'), NCHAR(230)", "P | Ã | 230 | æ"),
]  # fmt: skip

SPLITTING = [
    (_SPLIT, "SELECT value FROM STRING_SPLIT('Lorem ipsum dolor sit amet.', ' ')", "Lorem", "ipsum", "dolor", "sit", "amet."),
    (_SPLIT, "SELECT * FROM STRING_SPLIT('Lorem ipsum dolor sit amet.', ' ', 1)", "Lorem | 1", "ipsum | 2", "dolor | 3", "sit | 4", "amet. | 5"),
    (_SPLIT, "DECLARE @t nvarchar(400) = 'clothing,road,,touring,bike'; SELECT value FROM STRING_SPLIT(@t, ',') WHERE RTRIM(value) <> ''", "clothing", "road", "touring", "bike"),
    (_SPLIT, _TAGS + "SELECT id, name, s.value FROM #p CROSS APPLY STRING_SPLIT(tags, ',', 1) AS s ORDER BY id, s.ordinal",
     "1 | Full-Finger Gloves | clothing", "1 | Full-Finger Gloves | road", "1 | Full-Finger Gloves | touring", "1 | Full-Finger Gloves | bike",
     "2 | LL Headset | bike", "3 | HL Mountain Frame | bike", "3 | HL Mountain Frame | mountain"),
    (_SPLIT, _TAGS + "SELECT id FROM #p WHERE 'clothing' IN (SELECT value FROM STRING_SPLIT(tags, ','))", "1"),
    (_SPLIT, "SELECT * FROM STRING_SPLIT('Austin,Texas,Seattle,Washington,Denver,Colorado', ',', 1) WHERE ordinal % 2 = 0", "Texas | 2", "Washington | 4", "Colorado | 6"),
    (_SPLIT, "SELECT * FROM STRING_SPLIT('E-D-C-B-A', '-', 1) ORDER BY ordinal DESC", "A | 5", "B | 4", "C | 3", "D | 2", "E | 1"),
]  # fmt: skip

_AGG = "t-sql/functions/string-agg"
_MAILS = "CREATE TABLE #e (n int, town varchar(20), email varchar(40)); INSERT #e VALUES (1, 'Seattle', 'syed0@adventure-works.com'), (2, 'Seattle', 'catherine0@adventure-works.com'), (3, 'Seattle', 'kim2@adventure-works.com'), (4, 'LA', 'sam1@adventure-works.com'), (5, 'LA', 'hazem0@adventure-works.com'); "
BUILDING = [
    (_AGG, "SELECT STRING_AGG(ISNULL(f, 'N/A'), ',') WITHIN GROUP (ORDER BY n) FROM (VALUES (1, 'John'), (2, NULL), (3, 'Mike'), (4, 'Peter'), (5, NULL), (6, NULL), (7, 'Alice'), (8, 'Bob')) AS people(n, f)",
     "John,N/A,Mike,Peter,N/A,N/A,Alice,Bob"),
    (_AGG, "SELECT CONCAT('Ken', ' ', 'Sánchez', ' (', CAST('2003-02-08' AS datetime), ')')", "Ken Sánchez (Feb  8 2003 12:00AM)"),
    (_AGG, "SELECT a.id, STRING_AGG(t.tag, ',') FROM (VALUES (172), (176)) AS a(id) LEFT JOIN (VALUES (172, 'politics'), (172, 'politics')) AS t(id, tag) ON t.id = a.id GROUP BY a.id ORDER BY a.id",
     "172 | politics,politics", "176 | NULL"),
    (_AGG, _MAILS + "SELECT town, STRING_AGG(email, ';') WITHIN GROUP (ORDER BY email ASC) FROM #e GROUP BY town ORDER BY town DESC",
     "Seattle | catherine0@adventure-works.com;kim2@adventure-works.com;syed0@adventure-works.com", "LA | hazem0@adventure-works.com;sam1@adventure-works.com"),
    ("t-sql/functions/str", "SELECT STR(FLOOR(123.45), 8, 3)", "123.000"),
    ("t-sql/functions/str", "SELECT STR(12, 10), STR(1223, 2)", "12 | **"),
    ("t-sql/functions/trim", "SELECT TRIM(TRAILING '.,! ' FROM '     .#     test    .')", ".#     test"),
    ("t-sql/functions/trim", "SELECT TRIM(LEADING '.,! ' FROM '     .#     test    .')", "#     test    ."),
    ("t-sql/functions/trim", "SELECT TRIM(BOTH '123' FROM '123abc123')", "abc"),
    ("t-sql/functions/concat-ws", "SELECT CONCAT_WS(',', '1 Microsoft Way', NULL, NULL, 'Redmond', 'WA', 98052)", "1 Microsoft Way,Redmond,WA,98052"),
    ("t-sql/functions/substring", "SELECT name, SUBSTRING(name, 1, 1), SUBSTRING(name, 3, 2) FROM sys.databases WHERE database_id < 5 ORDER BY database_id",
     "master | m | st", "tempdb | t | mp", "model | m | de", "msdb | m | db"),
    ("t-sql/functions/translate", "SELECT REPLACE(REPLACE(REPLACE(REPLACE('2*[3+4]/{7-2}', '[', '('), ']', ')'), '{', '('), '}', ')')", "2*(3+4)/(7-2)"),
    ("t-sql/functions/translate", "SELECT TRANSLATE('(137.4 72.3)', '( )', '[,]')", "[137.4,72.3]"),
    ("t-sql/functions/string-escape", "SELECT STRING_ESCAPE(CONCAT(CHAR(9), '\"', CHAR(1), CHAR(31), CHAR(8), CHAR(12)), 'json')", r'\\t\"\u0001\u001f\b\f'),
]  # fmt: skip

_LIKE = "t-sql/language-elements/like"
_KING = "CREATE TABLE #t (c {} (30)); INSERT #t VALUES ('Robert King'); SELECT COUNT(*) FROM #t WHERE {} LIKE '% King'"
MATCHING = [
    (_LIKE, _KING.format("char", "c"), "1"),
    (_LIKE, _KING.format("nchar", "c"), "0"),
    (_LIKE, _KING.format("nchar", "RTRIM(c)"), "1"),
    (_LIKE, "SELECT v FROM (VALUES ('5%'), ('5x')) AS t(v) WHERE v LIKE '5[%]'", "5%"),
    (_LIKE, "SELECT v FROM (VALUES ('_n'), ('an')) AS t(v) WHERE v LIKE '[_]n'", "_n"),
    (_LIKE, "SELECT v FROM (VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f'), ('-')) AS t(v) WHERE v LIKE '[a-cdf]'", "a", "b", "c", "d", "f"),
    (_LIKE, "SELECT v FROM (VALUES ('-'), ('a'), ('b'), ('c'), ('d'), ('f')) AS t(v) WHERE v LIKE '[-acdf]'", "-", "a", "c", "d", "f"),
    (_LIKE, "SELECT v FROM (VALUES ('abc_d'), ('abc_de'), ('abcxd')) AS t(v) WHERE v LIKE 'abc[_]d%'", "abc_d", "abc_de"),
    (_LIKE, "SELECT v FROM (VALUES ('abcd'), ('abce'), ('abcf'), ('abcg')) AS t(v) WHERE v LIKE 'abc[def]'", "abcd", "abce", "abcf"),
    (_LIKE, "SELECT v FROM (VALUES (']'), ('[')) AS t(v) WHERE v LIKE ']'", "]"),
    (_LIKE, "SELECT v FROM (VALUES ('Discount is 10-15% off'), ('Discount is .10-.15 off')) AS t(v) WHERE v LIKE '%10-15!% off%' ESCAPE '!'", "Discount is 10-15% off"),
]  # fmt: skip

_MESSAGE = "t-sql/functions/formatmessage"
MESSAGES = [
    (_MESSAGE, "SELECT FORMATMESSAGE('This is the %s and this is the %s.', 'first variable', 'second variable')", "This is the first variable and this is the second variable."),
    (_MESSAGE, "SELECT FORMATMESSAGE('Signed int %i, %d %i, %d, %+i, %+d, %+i, %+d', 5, -5, 50, -50, -11, -11, 11, 11)", "Signed int 5, -5 50, -50, -11, -11, +11, +11"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Signed int with up to 3 leading zeros %03i', 5)", "Signed int with up to 3 leading zeros 005"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Signed int with leading zero 0 %020i', -55)", "Signed int with leading zero 0 -0000000000000000055"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Bigint %I64d', 3000000000)", "Bigint 3000000000"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Unsigned int %u, %u', 50, -50)", "Unsigned int 50, 4294967246"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Unsigned octal %o, %o', 50, -50)", "Unsigned octal 62, 37777777716"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Unsigned hexadecimal %x, %X, %X, %X, %x', 11, 11, -11, 50, -50)", "Unsigned hexadecimal b, B, FFFFFFF5, 32, ffffffce"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Unsigned octal with prefix: %#o, %#o', 50, -50)", "Unsigned octal with prefix: 062, 037777777716"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Unsigned hexadecimal with prefix: %#x, %#X, %#X, %X, %x', 11, 11, -11, 50, -50)", "Unsigned hexadecimal with prefix: 0xb, 0XB, 0XFFFFFFF5, 32, ffffffce"),
    (_MESSAGE, "SELECT FORMATMESSAGE('Hello %20s!', 'TEST') + '|' + FORMATMESSAGE('Hello %-20s!', 'TEST')", r"Hello                 TEST!\|Hello TEST                !"),
]  # fmt: skip

EXAMPLES = SEARCHING + SPLITTING + BUILDING + MATCHING + MESSAGES
