"""Clauses for test_combinations: every place that takes an expression, as a batch around one.

In a batch `E` stands for the expression over the columns of `dbo.Vals AS t`, `V` over variables, `L` over literals,
`QE` over the columns of the queue `dbo.Q`; `T` is its type, and `@r` a variable that holds its value. The last row of a
batch is what counts: the value itself, or 'yes'.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["CLAUSES", "OPERANDS", "SETUP", "Clause"]

OPERANDS = {
    "@s": ("nvarchar(50)", "N'Abc def'", "CAST(message_body AS nvarchar(50))"),
    "@i": ("int", "3", "(priority - 2)"),
    "@n": ("decimal(9, 2)", "CAST(12.35 AS decimal(9, 2))", None),
    "@d": ("datetime", "CAST('20260101' AS datetime)", "message_enqueue_time"),
    "@b": ("varbinary(50)", "0x0A0B", None),
    "@f": ("float", "CAST(2.5 AS float)", "(CAST(priority AS float) / 2)"),
    "@m": ("money", "$7.5", None),
    "@g": ("uniqueidentifier", "CAST('6B29FC40-CA47-1067-B31D-00DD010662DA' AS uniqueidentifier)", None),
    "@x": ("xml", "CAST('<a k=\"1\"><b>u</b></a>' AS xml)", None),
    "@j": ("nvarchar(100)", 'N\'{"a": [1, 2], "b": "c"}\'', None),
    "@z": ("int", "CAST(NULL AS int)", None),
}
"""Name -> type, value, and an expression over the columns of the queue with that value."""

_COLUMNS = ", ".join(f"[{name[1:]}] {kind} NULL" for name, (kind, _, _) in OPERANDS.items())
_VALUES = ", ".join(value for _, value, _ in OPERANDS.values())

SETUP = f"""
CREATE DATABASE Combined;
GO
USE Combined;
CREATE TABLE dbo.Vals ({_COLUMNS});
INSERT dbo.Vals VALUES ({_VALUES});
CREATE QUEUE dbo.Q WITH POISON_MESSAGE_HANDLING (STATUS = OFF);
CREATE SERVICE S ON QUEUE dbo.Q ([DEFAULT]);
GO
CREATE FUNCTION dbo.Echo (@v nvarchar(4000)) RETURNS nvarchar(4000) AS BEGIN RETURN @v END;
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'Abc def');
"""


@dataclass(frozen=True)
class Clause:
    """`compares`: the type must have an order; `is_text`: the value is shown as text;
    `groups`: xml columns have no place."""

    name: str
    text: str
    compares: bool = False
    is_text: bool = False
    groups: bool = False


_ALL = ", ".join(f"t.[{name[1:]}]" for name in OPERANDS if name != "@x")
_SAME = "({0} = @r OR {0} IS NULL AND @r IS NULL)"
_AS_TEXT = "CONVERT(nvarchar(4000), {0})"
_FULL = ", ".join(f"[{name[1:]}] {kind}" for name, (kind, _, _) in OPERANDS.items())

CLAUSES = [
    Clause("select list", "SELECT E AS v FROM dbo.Vals AS t;"),
    Clause("derived table", "SELECT o.v FROM (SELECT E AS v FROM dbo.Vals AS t) AS o;"),
    Clause("where", f"SELECT 'yes' FROM dbo.Vals AS t WHERE {_SAME.format('E')};", compares=True),
    Clause("group by", "SELECT E AS v FROM dbo.Vals AS t GROUP BY E;", compares=True, groups=True),
    Clause("grouped columns", f"SELECT E AS v FROM dbo.Vals AS t GROUP BY {_ALL};", groups=True),
    Clause("having", f"SELECT 'yes' FROM dbo.Vals AS t GROUP BY {_ALL} HAVING {_SAME.format('E')};", compares=True, groups=True),
    Clause("order by", "SELECT 'yes' FROM dbo.Vals AS t ORDER BY E;", compares=True),
    Clause("partition by", "SELECT IIF(COUNT(*) OVER (PARTITION BY E) = 1, 'yes', 'no') FROM dbo.Vals AS t;", compares=True),
    Clause("over order by", "SELECT IIF(RANK() OVER (ORDER BY E) = 1, 'yes', 'no') FROM dbo.Vals AS t;", compares=True),
    Clause("on", f"SELECT 'yes' FROM dbo.Vals AS t JOIN (VALUES (1)) AS u (k) ON {_SAME.format('E')};", compares=True),
    Clause("aggregate", "SELECT IIF(COUNT(E) = COUNT(@r), 'yes', 'no') FROM dbo.Vals AS t;"),
    Clause("apply", "SELECT u.v FROM dbo.Vals AS t CROSS APPLY (VALUES (E)) AS u (v);"),
    Clause("subquery", "SELECT (SELECT E) AS v FROM dbo.Vals AS t;"),
    Clause("union", "SELECT E AS v FROM dbo.Vals AS t UNION ALL SELECT E FROM dbo.Vals AS t;"),
    Clause("receive list", "BEGIN TRANSACTION; RECEIVE TOP (1) QE AS v FROM dbo.Q; ROLLBACK;"),
    Clause("receive into variable", "BEGIN TRANSACTION; DECLARE @v T; RECEIVE TOP (1) @v = QE FROM dbo.Q; ROLLBACK; SELECT @v;"),
    Clause("values", "SELECT u.v FROM (VALUES (V)) AS u (v);"),
    Clause("insert values", "DECLARE @t TABLE (v T); INSERT @t VALUES (V); SELECT v FROM @t;"),
    Clause("insert select", "DECLARE @t TABLE (v T); INSERT @t SELECT E FROM dbo.Vals AS t; SELECT v FROM @t;"),
    Clause("update", "DECLARE @t TABLE (v T); INSERT @t VALUES (NULL); UPDATE o SET v = E FROM @t AS o CROSS JOIN dbo.Vals AS t; SELECT v FROM @t;"),
    Clause("set", "DECLARE @v T; SET @v = V; SELECT @v;"),
    Clause("declare", "DECLARE @v T = V; SELECT @v;"),
    Clause("select assignment", "DECLARE @v T; SELECT @v = E FROM dbo.Vals AS t; SELECT @v;"),
    Clause("assignment row by row", "DECLARE @v T, @k int = 0; SELECT @k = @k + 1, @v = IIF(@k = 1, E, @v) FROM dbo.Vals AS t; SELECT @v;"),
    Clause("send", "BEGIN TRANSACTION; DECLARE @h uniqueidentifier, @w nvarchar(4000); BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;"
           f" SEND ON CONVERSATION @h ({_AS_TEXT.format('V')}); SELECT TOP (1) CAST(message_body AS nvarchar(4000)) FROM dbo.Q ORDER BY queuing_order DESC; ROLLBACK;", is_text=True),
    Clause("check", f"CREATE TABLE #c ({_FULL}, CHECK (CASE WHEN E IS NULL THEN 0 ELSE 1 END >= 0));"
           " INSERT #c SELECT * FROM dbo.Vals; SELECT 'yes' FROM #c; DROP TABLE #c;"),
    Clause("default", "CREATE TABLE #d (k int, v T DEFAULT (L)); INSERT #d (k) VALUES (1); SELECT v FROM #d; DROP TABLE #d;"),
    Clause("computed column", f"CREATE TABLE #p ({_FULL}, v AS E); INSERT #p ({', '.join(f'[{n[1:]}]' for n in OPERANDS)}) SELECT * FROM dbo.Vals;"
           " SELECT v FROM #p; DROP TABLE #p;"),
    Clause("if", f"IF {_SAME.format('V')} SELECT 'yes';", compares=True),
    Clause("while", f"DECLARE @k int = 0; WHILE @k = 0 AND {_SAME.format('V')} SET @k = 1; SELECT IIF(@k = 1, 'yes', 'no');", compares=True),
    Clause("print", f"PRINT {_AS_TEXT.format('V')};", is_text=True),
    Clause("argument", f"SELECT dbo.Echo({_AS_TEXT.format('V')});", is_text=True),
    Clause("argument over columns", f"SELECT dbo.Echo({_AS_TEXT.format('E')}) FROM dbo.Vals AS t;", is_text=True),
]  # fmt: skip
