"""One expression, two evaluators: closures over variables, and a query over the columns of a one-row table with the
same values.

Decides what counts as the same: value, type and error number. It must not know how expressions are made.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from expression_texts import CLASSES, types_in

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.result_text import display

__all__ = ["ROWS", "Answer", "Evaluators", "VALUES", "name_of"]

ROWS = 14
"""So many rows of values there are: every type has a value in each."""

_WHOLE = ("0", "1", "2", "-1", "7", "-128")
_TEXTS = (
    "''", "'abc'", "'ABC'", "'abc  '", "'a%c_'", "'12'", "' -3 '", "'1.50'", "'2024-02-29'", "'é~Z'", "'[a]^-b'", "'true'", "'1e3'",
    "'ab c'", "'Ab-c'", "'$1,234.5'",
)  # fmt: skip
_DAYS = ("'20240229'", "'19000101'", "'17530101'", "'99991231'", "'20231231'", "'20790605'", "'20000101'")
_TIMES = (
    "'00:00:00'",
    "'23:59:59.999'",
    "'12:30:15.1234567'",
    "'01:02:03.997'",
    "'23:59:59.9999999'",
    "'00:00:00.0000001'",
)
_MOMENTS = ("'2024-02-29T23:59:59.997'", "'1900-01-01T00:00:00'", "'1999-12-31T12:30:15.123'", "'2000-06-15T08:00:30'")
_FINE = (
    "'2024-02-29T23:59:59.9999999'",
    "'2024-01-01T00:00:00.1234567'",
    "'1900-01-01T00:00:00.0000001'",
    "'1969-12-31T23:59:59.9999995'",
)
_INSTANTS = (
    "'2024-02-29T12:00:00+02:00'", "'2024-02-29T10:00:00+00:00'", "'2000-01-01T00:00:00.1234567-05:30'", "'2000-01-01T05:30:00.1234568+00:00'",
    "'2023-12-31T23:59:59.9999999+14:00'",
)  # fmt: skip

VALUES: dict[str, tuple[str, ...]] = {
    "bit": ("0", "1"), "tinyint": ("0", "1", "255", "7"), "smallint": (*_WHOLE, "32767", "-32768"),
    "int": (*_WHOLE, "2147483647", "-2147483648", "2024", "65"), "bigint": (*_WHOLE, "9223372036854775807", "-9223372036854775808", "3000000000"),
    "decimal(9,2)": (*_WHOLE, "1.25", "-0.01", "9999999.99", "12.50"), "decimal(18,0)": (*_WHOLE, "999999999999999999"),
    "decimal(38,10)": (*_WHOLE, "1234567890123456789012345678.0123456789", "0.0000000001", "-2.5"),
    "numeric(5,4)": ("0", "1", "-1", "9.9999", "0.1250", "-0.0001"), "smallmoney": (*_WHOLE, "214748.3647", "-214748.3648", "0.0001", "3.14"),
    "money": (*_WHOLE, "922337203685477.5807", "-922337203685477.5808", "0.0001", "19.99"),
    "real": (*_WHOLE, "0.1e0", "3.4e38", "-1.5e-10", "16777217e0"), "float": (*_WHOLE, "0.1e0", "1.7e308", "-2.5e-10", "1234567.891e0"),
    **dict.fromkeys(CLASSES["text"], _TEXTS),
    **dict.fromkeys(CLASSES["binary"], ("0x", "0x00", "0x01", "0x0100", "0x61626364", "0xFFFFFFFF", "0x41")),
    "date": (*_DAYS, "'00010101'"), "time(3)": _TIMES, "time(7)": _TIMES, "smalldatetime": ("'20240229 23:59'", "'19000101'", "'20790606 23:59'"),
    "datetime": (*_MOMENTS, "'17530101'", "'9999-12-31T23:59:59.997'"), "datetime2(3)": (*_MOMENTS, *_FINE, "'00010101'", "'9999-12-31T23:59:59.999'"),
    "datetime2(7)": (*_MOMENTS, *_FINE, "'00010101'", "'9999-12-31T23:59:59.9999999'"),
    "datetimeoffset(3)": _INSTANTS, "datetimeoffset(7)": _INSTANTS,
    "uniqueidentifier": (
        "'6F9619FF-8B86-D011-B42D-00C04FC964FF'", "'00000000-0000-0000-0000-000000000000'", "'FF000000-0000-0000-0000-000000000001'",
    ),
    "xml": ("'<a>1</a>'", "'<a k=\"2\"><b/>t</a>'", "''"),
    "sql_variant": ("1", "CAST(1 AS bigint)", "2.50", "1e0", "'abc'", "N'ABC'", "0x61", "CAST('20240229' AS date)", "CAST('20240229 12:00' AS datetime)",
                    "CAST('20240229 12:00:00.0000001' AS datetime2)", "CAST('12:00:00.1234567' AS time)"),
}  # fmt: skip
"""Types to the values that their leaves have, as literals that convert to them."""


_ERRORS_OF_VALUES = {
    220, 232, 234, 235, 237, 238, 241, 242, 244, 245, 248, 281, 289, 293, 295, 296, 506, 517, 535, 536, 537, 1031, 3623, 8114, 8115, 8134, 8152, 8169,
    8170, 9420, 9826, 9436, 9810, 9812, 9813, 13607, 13608, 13609,
}  # fmt: skip


def name_of(sql_type: str) -> str:
    """The variable or column that holds a value of the type."""
    return "v_" + sql_type.translate(str.maketrans("(,", "__", ")"))


@dataclass(frozen=True)
class Answer:
    """The value and type of an expression, or the number of its error. Values are compared as texts: 1.0 is not
    1.00."""

    value: str
    type: str
    error: int | None = None
    message: str = ""
    shown: str = ""

    def same(self, other: Answer) -> bool:
        return (self.value, self.type, self.error) == (other.value, other.type, other.error)

    @property
    def is_late(self) -> bool:
        """An error of a value, not of types or names: whether it happens depends on what is evaluated first."""
        return self.error in _ERRORS_OF_VALUES


class Evaluators:
    """An instance with tables row_0, row_1 …, each of one row with a column of every type."""

    def __init__(self) -> None:
        self.instance = Instance.open(None, clock="virtual", seed=0)
        self.session = self.instance.connect()
        chance = random.Random(20260101)
        self.rows: list[dict[str, str]] = []
        columns = ", ".join(f"{name_of(t)} {t} NULL" for t in VALUES)
        for number in range(ROWS):
            row = {t: "NULL" if chance.random() < 0.08 else chance.choice(values) for t, values in VALUES.items()}
            self.rows.append(row)
            self.run(f"CREATE TABLE dbo.row_{number} ({columns})")
            self.run(f"INSERT dbo.row_{number} VALUES ({', '.join(f'CAST({v} AS {t})' for t, v in row.items())})")

    def close(self) -> None:
        self.instance.close()

    def run(self, text: str) -> list[Any]:
        """The outcomes of a batch that has to succeed."""
        outcomes = self.session.run(text)
        failed = [o for o in outcomes if isinstance(o, ErrorOutcome)]
        assert not failed, f"{text}\n{failed[0].error}"
        return outcomes

    def answer(self, text: str) -> Answer:
        """The only cell of the batch's result set, or its first error."""
        answer = Answer("no result", "")
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                assert outcome.error.__cause__ is None or outcome.error.number > 0, outcome.error
                return Answer("", "", outcome.error.number, outcome.error.message)
            if isinstance(outcome, ResultSet):
                answer = _cell(outcome)
        return answer

    def declared(self, text: str, row: int) -> str:
        parts = [f"@{name_of(t)} {t} = {self.rows[row][t]}" for t in types_in(text)]
        return f"DECLARE {', '.join(parts)}; " if parts else ""

    def by_closures(self, text: str, row: int, form: str = "SELECT {}") -> Answer:
        return self.answer(self.declared(text, row) + form.format(_named(text, "@")))

    def by_query(self, text: str, row: int, form: str = "SELECT {}") -> Answer:
        return self.answer(f"{form.format(_named(text, ''))} FROM dbo.row_{row}")

    def by_where(self, condition: str, row: int) -> Answer:
        """1 where the row is found, else 0."""
        return self.answer(f"SELECT COUNT(*) FROM dbo.row_{row} WHERE {_named(condition, '')}")


def _cell(result: ResultSet) -> Answer:
    value, sql_type = result.rows[0][0], result.columns[0].type
    return Answer(repr(value), str(sql_type), shown=display(value, sql_type))


def _named(text: str, sign: str) -> str:
    for sql_type in types_in(text):
        text = text.replace(f"«{sql_type}»", sign + name_of(sql_type))
    return text
