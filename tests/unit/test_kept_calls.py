"""What EXEC sp_executesql keeps of one call for the next gives what a call of its own gives: the same EXEC runs in a
loop over values and lists of parameters, and once for each of them, where nothing can be kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

TYPES = (
    "int",
    "tinyint",
    "bigint",
    "varchar(3)",
    "nvarchar(10)",
    "char(4)",
    "decimal(5, 2)",
    "float",
    "datetime",
    "bit",
    "sql_variant",
    "varbinary(4)",
)
"""Of the variable that is given, and of the parameter that it is given to."""
VALUES = (
    "NULL",
    "0",
    "1",
    "-7",
    "255",
    "256",
    "'12'",
    "''",
    "'abcdef'",
    "'2020-02-03'",
    "3.456",
    "1e30",
    "0x0102030405",
    "9999999999",
)
TEXTS = (
    "NULL", "N''", "N'SELECT @a AS a, SQL_VARIANT_PROPERTY(@a, ''BaseType'') AS t'", "N'SELECT @a AS a; SET @a = @b'", "N'SELECT @b AS b; SELECT 1 / 0'",
    "N'not T-SQL'",
)  # fmt: skip
LISTS = (
    "NULL", "N''", "N'@a int'", "N'@a varchar(3)'", "N'@a int, @b int'", "N'@b int, @a int'", "N'@a int OUTPUT, @b nvarchar(4) = N''xyz'''",
    "N'@a int = 5, @b int = 6'", "N'@a int, @a int'", "N'@a dbo.Numbers READONLY, @b int = 3'", "N'@a nosuch'", "N'@c CURSOR OUTPUT'",
)  # fmt: skip
CALLS = (
    "", "@p", "@p, @q", "@p, @q, 3", "@a = @p", "@b = @p, @a = @q", "@A = @p, @b = @q", "@a = @p OUTPUT", "@p OUTPUT, @q OUTPUT", "@a = DEFAULT, @b = @q",
    "@a = 1, @b = N'twelve'", "@a = @p, @a = @q", "@nosuch = @p", "@a = @rows, @b = @q", "@p, DEFAULT", "@c = @cursor OUTPUT", "@cursor OUTPUT", "@a = NULL",
)  # fmt: skip
NAMES = "DECLARE @text nvarchar(200), @list nvarchar(200), @short varchar(20), @p {}, @q int, @i int, @r int, @rows dbo.Numbers, @cursor CURSOR;"
TOLD = "SELECT @p AS p, @q AS q, @r AS r, @@ERROR AS e, @@ROWCOUNT AS n, @@NESTLEVEL AS l"
CAUGHT = "SELECT ERROR_NUMBER(), ERROR_STATE(), ERROR_SEVERITY(), ERROR_LINE(), ERROR_PROCEDURE(), ERROR_MESSAGE(), @p, @q, @r"
DIRECT = "sp_executesql"
THROUGH_VARIABLE = "@name"
"""A procedure that only its variable names: nothing is kept for its calls."""


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open()
    session = instance.connect()
    session.run("CREATE TYPE dbo.Numbers AS TABLE (n int)")
    yield session
    instance.close()


def said(session: Session, text: str) -> list[object]:
    """All that a batch tells, but for carets and places."""
    found: list[object] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            error = outcome.error
            found.append((error.number, error.state, error.severity, error.procedure, error.line, str(error)))
        elif isinstance(outcome, ResultSet):
            found.append(([column.name for column in outcome.columns], [tuple(map(repr, row)) for row in outcome.rows]))
        else:
            found.append(type(outcome).__name__)
    return found


def looped(steps: list[str], call: str, names: str) -> str:
    """One EXEC, which each turn of a loop comes to with other values."""
    turns = " ".join(f"IF @i = {number} BEGIN {step} END" for number, step in enumerate(steps))
    tried = f"BEGIN TRY {call}; {TOLD} END TRY BEGIN CATCH {CAUGHT} END CATCH"
    return f"{names} SET @i = 0; WHILE @i < {len(steps)} BEGIN {turns} {tried}; SET @i += 1 END"


def compared(session: Session, steps: list[str], arguments: str, names: str) -> int:
    """Returns how many things were told."""
    name = "DECLARE @name sysname = N'sp_executesql';"
    kept = said(session, looped(steps, f"EXEC @r = {DIRECT} {arguments}", names + name))
    fresh = said(session, looped(steps, f"EXEC @r = {THROUGH_VARIABLE} {arguments}", names + name))
    assert kept == fresh, arguments
    return len(kept)


@pytest.mark.parametrize("given", TYPES)
def test_values_of_all_types(session: Session, given: str) -> None:
    """Each value of a variable to a parameter of each type, one after the other at one EXEC."""
    values = [value for value in VALUES if not said(session, f"DECLARE @p {given}; SET @p = {value}")]
    steps = [f"SET @p = {value}; SET @list = N'@a {wanted}'" for wanted in TYPES for value in values]
    assert len(values) > 4
    arguments = "N'SELECT @a AS a, SQL_VARIANT_PROPERTY(@a, ''BaseType'') AS t', @list, @p"
    assert compared(session, steps, arguments, NAMES.format(given)) >= len(steps)


@pytest.mark.parametrize("call", CALLS)
def test_all_shapes(session: Session, call: str) -> None:
    """Each text with each list of parameters, in an order in which one list follows another, and each twice."""
    steps = [
        f"SET @p = {turn}; SET @q = 30 + {turn}; SET @text = {text}; SET @list = {declared}"
        for text in TEXTS for declared in LISTS for turn in (1, 2)
    ]  # fmt: skip
    arguments = f"@text, @list, {call}" if call else "@text, @list"
    assert compared(session, steps, arguments, NAMES.format("int")) >= len(steps)


def test_a_list_that_is_no_unicode(session: Session) -> None:
    """NULL of another type is no list; anything else of it is an error, also after a call that was right."""
    steps = ["SET @short = NULL", "SET @short = '@a int'", "SET @short = NULL", "SET @short = ''"]
    compared(session, steps, "N'SELECT 1 AS one', @short", NAMES.format("int"))
    told = said(session, looped(steps, "EXEC sp_executesql N'SELECT 1 AS one', @short", NAMES.format("int")))
    caught = [item[1][0][0] for item in told if isinstance(item, tuple) and len(item[0]) == 9]
    assert caught == ["214", "214"]


def test_a_name_that_means_another_procedure(session: Session) -> None:
    """A synonym leads elsewhere from one call to the next of the same EXEC; so does the variable of a procedure."""
    session.run("CREATE PROCEDURE dbo.own @text nvarchar(60), @list nvarchar(60), @a int, @b int AS SELECT @b AS b")
    made = "EXEC (N'DROP SYNONYM IF EXISTS dbo.doer'); EXEC (N'CREATE SYNONYM dbo.doer FOR {}'); SET @name = N'{}'"
    for call in ("dbo.doer", "@name"):
        text = "DECLARE @i int = 0, @name sysname, @p int = 1, @q int = 20; WHILE @i < 6 BEGIN "
        text += f"IF @i % 3 = 2 BEGIN {made.format('dbo.own', 'dbo.own')} END "
        text += f"ELSE BEGIN {made.format('sys.sp_executesql', 'sp_executesql')} END; "
        text += f"EXEC {call} N'SELECT @a AS a', N'@a int, @b int', @b = @p, @a = @q; SET @q += 1; SET @i += 1 END"
        told = said(session, text)
        rows = [item[1] for item in told if isinstance(item, tuple) and isinstance(item[1], list)]
        assert rows == [[("20",)], [("21",)], [("1",)], [("23",)], [("24",)], [("1",)]], (call, told)


def test_a_name_that_means_sp_execute(session: Session) -> None:
    """The arguments of the same EXEC stand at other places for sp_execute than for sp_executesql."""
    text = """
    DECLARE @i int = 0, @h int, @text nvarchar(80), @p int = 7, @list nvarchar(80) = N'@a nvarchar(80) = N''-'', @b int = 0';
    EXEC sp_prepare @h OUTPUT, @list, N'SELECT @a AS a, @b AS b';
    WHILE @i < 4 BEGIN
      EXEC (N'DROP SYNONYM IF EXISTS dbo.doer');
      IF @i % 2 = 0 EXEC (N'CREATE SYNONYM dbo.doer FOR sys.sp_executesql') ELSE EXEC (N'CREATE SYNONYM dbo.doer FOR sys.sp_execute');
      SET @text = CASE @i % 2 WHEN 0 THEN N'SELECT @a AS a, @b AS b' ELSE CONVERT(nvarchar(9), @h) END;
      EXEC dbo.doer @text, @list, @p;
      SET @i += 1
    END
    """
    told = said(session, text)
    rows = [item[1] for item in told if isinstance(item, tuple) and isinstance(item[1], list)]
    first, second = [("'7'", "0")], [("\"@a nvarchar(80) = N'-', @b int = 0\"", "7")]
    assert rows == [first, second, first, second], told


def test_sp_execute_of_several_handles(session: Session) -> None:
    """One EXEC sp_execute comes to statements with other lists of parameters, and back."""
    text = """
    DECLARE @one int, @two int, @h int, @i int = 0, @p int = 7;
    EXEC sp_prepare @one OUTPUT, N'@a int', N'SELECT @a AS a';
    EXEC sp_prepare @two OUTPUT, N'@a varchar(1)', N'SELECT @a AS a';
    WHILE @i < 4 BEGIN SET @h = CASE @i % 2 WHEN 0 THEN @one ELSE @two END; EXEC sp_execute @h, @p; SET @i += 1 END
    """
    rows = [item[1] for item in said(session, text) if isinstance(item, tuple) and isinstance(item[1], list)]
    assert rows == [[("7",)], [("'7'",)], [("7",)], [("'7'",)]]


def test_a_type_that_changes(session: Session) -> None:
    """The list names a type of the user, which is another one at the second call of the same EXEC."""
    text = """
    DECLARE @i int = 0, @v varchar(9) = '12345';
    WHILE @i < 2 BEGIN
      EXEC (N'DROP TYPE IF EXISTS dbo.short');
      IF @i = 0 EXEC (N'CREATE TYPE dbo.short FROM varchar(2)') ELSE EXEC (N'CREATE TYPE dbo.short FROM varchar(4)');
      EXEC sp_executesql N'SELECT @a AS a', N'@a dbo.short', @v;
      SET @i += 1
    END
    """
    rows = [item[1] for item in said(session, text) if isinstance(item, tuple) and isinstance(item[1], list)]
    assert rows == [[("'12'",)], [("'1234'",)]]
