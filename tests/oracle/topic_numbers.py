"""Mathematical and logical functions, operators, names."""

from __future__ import annotations

_COMPOUND = "t-sql/language-elements/compound-operators"
_POWER = "t-sql/functions/power"

EXAMPLES = [
    ("t-sql/functions/ceiling", "SELECT CEILING($123.45), CEILING($-123.45), CEILING($0.0)", "124.0000 | -123.0000 | .0000"),
    (_POWER, "DECLARE @a float = 2, @b float = 2.5; SELECT POWER(@a, 3), POWER(@b, 3)", "8.0 | 15.625"),
    (_POWER, "SELECT POWER(2, -100.0), POWER(CAST(2.0 AS int), -100.0), POWER(2.0, -100.0), POWER(2.00, -100.0), POWER(CAST(2.0 AS decimal(5, 2)), -100.0)", "0 | 0 | .0 | .00 | .00"),
    (_POWER, "SELECT CONVERT(varchar(30), POWER(CAST(2.0 AS float), -100.0), 2)", "7.888609052210118e-031"),
    (_POWER, "DECLARE @v int = 2, @n int = 1; WHILE @n < 5 BEGIN SELECT POWER(@v, @n); SET @n += 1; END", "2", "4", "8", "16"),
    (_POWER, "SELECT POWER(2.0, 3)", "8.0"),
    ("t-sql/functions/log", "DECLARE @v float = 10; SELECT 'The LOG of the variable is: ' + CONVERT(varchar(30), LOG(@v))", "The LOG of the variable is: 2.30259"),
    ("t-sql/functions/log", "SELECT LOG(EXP(10))", "10.0"),
    ("t-sql/language-elements/bitwise-and", "CREATE TABLE #b (a int NOT NULL, b int NOT NULL); INSERT #b VALUES (170, 75); SELECT a & b FROM #b", "10"),
    *[(_COMPOUND, f"DECLARE @x int = {start}; SET @x {sign}= {operand}; SELECT @x", str(result)) for start, sign, operand, result in [
        (27, "+", 2, 29), (27, "-", 2, 25), (27, "*", 2, 54), (27, "/", 2, 13), (27, "%", 2, 1), (9, "&", 13, 9), (27, "^", 2, 25), (27, "|", 2, 27)]],
    ("t-sql/functions/parsename", "SELECT PARSENAME('AdventureWorksPDW2012.dbo.DimCustomer', 1), PARSENAME('AdventureWorksPDW2012.dbo.DimCustomer', 2), PARSENAME('AdventureWorksPDW2012.dbo.DimCustomer', 3), PARSENAME('AdventureWorksPDW2012.dbo.DimCustomer', 4)",
     "DimCustomer | dbo | AdventureWorksPDW2012 | NULL"),
]  # fmt: skip
