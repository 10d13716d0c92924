"""SESSION_CONTEXT gives each value back in the type that sp_set_session_context got it in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

VALUES = {
    "bit": "1", "tinyint": "200", "smallint": "-3", "int": "5", "bigint": "5000000000", "decimal(9,2)": "1.25", "money": "$1.25",
    "smallmoney": "$-2", "real": "1.5", "float": "2.5e10", "date": "'20260102'", "time(3)": "'10:11:12.123'",
    "smalldatetime": "'20260102 10:11'", "datetime": "'20260102 10:11:12.123'", "datetime2(5)": "'20260102 10:11:12.12345'",
    "datetimeoffset(2)": "'20260102 10:11:12.12 +02:00'", "uniqueidentifier": "'01234567-89ab-cdef-0123-456789abcdef'",
    "char(3)": "'abc'", "varchar(10)": "'abc'", "nchar(3)": "N'abc'", "nvarchar(10)": "N'añ'", "binary(2)": "0x0102",
    "varbinary(8)": "0x01", "sysname": "N'name'",
}  # fmt: skip
"""Every type that sql_variant holds, with a value of it."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def rows_of(session: Session, text: str) -> list[tuple[object, ...]]:
    outcomes = session.run(text)
    assert not [o for o in outcomes if isinstance(o, ErrorOutcome)], outcomes
    return [row for o in outcomes if isinstance(o, ResultSet) for row in o.rows]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("how", ["N'k', @v", "@value = @v, @key = N'K'"])
def test_a_value_keeps_its_type(session: Session, name: str, how: str) -> None:
    """What CAST and = make of it is what they make of the value itself."""
    base = "nvarchar" if name == "sysname" else name.partition("(")[0]
    text = f"""
        DECLARE @v {name} = {VALUES[name]};
        EXEC sp_set_session_context {how};
        SELECT CAST(SQL_VARIANT_PROPERTY(SESSION_CONTEXT(N'k'), 'BaseType') AS sysname),
               CASE WHEN CAST(SESSION_CONTEXT(N'k') AS {name}) = @v THEN 1 END,
               CASE WHEN SESSION_CONTEXT(N'k') = @v THEN 1 END,
               CASE WHEN CAST(SESSION_CONTEXT(N'k') AS nvarchar(60)) = CAST(@v AS nvarchar(60)) THEN 1 END;
        IF SESSION_CONTEXT(N'k') = @v SELECT 1, 1, 1, 1;
    """
    assert rows_of(session, text) == [(base, 1, 1, 1), (1, 1, 1, 1)]


@pytest.mark.parametrize("literal", ["5", "1.25", "'abc'", "N'abc'", "0x01", "$1"])
def test_literals_too(session: Session, literal: str) -> None:
    text = f"""
        EXEC sp_set_session_context N'k', {literal};
        SELECT CAST(SQL_VARIANT_PROPERTY(SESSION_CONTEXT(N'k'), 'BaseType') AS sysname),
               CAST(SQL_VARIANT_PROPERTY(CAST({literal} AS sql_variant), 'BaseType') AS sysname),
               CASE WHEN SESSION_CONTEXT(N'k') = {literal} THEN 1 END;
    """
    ((found, wanted, is_equal),) = rows_of(session, text)
    assert (found, is_equal) == (wanted, 1)


def test_null_and_a_variant(session: Session) -> None:
    """A sql_variant is passed on as it is; NULL takes a value away."""
    text = """
        DECLARE @v sql_variant = CAST(7 AS smallint);
        EXEC sp_set_session_context N'k', @v;
        SELECT CAST(SQL_VARIANT_PROPERTY(SESSION_CONTEXT(N'k'), 'BaseType') AS sysname), CAST(SESSION_CONTEXT(N'k') AS int) + 1;
        EXEC sp_set_session_context N'k', NULL;
        SELECT CAST(SESSION_CONTEXT(N'k') AS int), 0;
    """
    assert rows_of(session, text) == [("smallint", 8), (None, 0)]
