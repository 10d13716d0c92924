"""A table of values that look like those of applications: prices, amounts, keys, moments of some decades, names, codes,
addresses, numbers and dates written as text, JSON.

The ends of types, which the sweep of native forms has (`native_sweep`), are what no usual row has. These are not
random: each column is an expression of T-SQL over the number of the row, so that whoever adds one sees what is in it.
"""

from __future__ import annotations

from told import told

from sbql.engine.session import Session

__all__ = ["COLUMNS", "NUMBERS", "ROWS", "TABLE", "create"]

ROWS = 200
TABLE = "dbo.usual"

_AMOUNT = "(value * 7919 % 100003 - 50000)"
"""Of both signs, with digits that look like chance."""
_MOMENT = "DATEADD(ns, value * 791900, DATEADD(second, value * 79191, CAST('2001-01-01' AS datetime2)))"

NUMBERS: dict[str, tuple[str, str]] = {
    "i": ("int", "CAST(value * 7919 % 2000003 AS int) - 1000000"),
    "si": ("smallint", "CAST(value * 71 % 60000 - 30000 AS smallint)"),
    "ti": ("tinyint", "CAST(value % 256 AS tinyint)"),
    "k": ("bigint", "CAST(value AS bigint) * 1234567891 - 125000000000"),
    "b": ("bit", "CAST(value % 2 AS bit)"),
    "p": ("decimal(10,2)", f"CAST({_AMOUNT} / 7.0 AS decimal(10,2))"),
    "m": ("decimal(18,4)", f"CAST({_AMOUNT} / 7.0 AS decimal(18,4))"),
    "w": ("decimal(38,10)", f"CAST({_AMOUNT} / 7.0 AS decimal(38,10)) * 1000000"),
    "mo": ("money", f"CAST({_AMOUNT} / 7.0 AS money)"),
    "sm": ("smallmoney", f"CAST({_AMOUNT} / 7.0 AS smallmoney)"),
    "f": ("float", f"{_AMOUNT} / 7e0"),
    "f2": ("float", f"{_AMOUNT} / 4e1"),
    "r": ("real", f"CAST({_AMOUNT} / 7e0 AS real)"),
}
"""Columns to their types and values."""

COLUMNS: dict[str, tuple[str, str]] = {
    **NUMBERS,
    "d": ("datetime", "DATEADD(ms, value * 7919 * 37 % 86400000, DATEADD(day, value * 31 % 9000, CAST('1996-01-01' AS datetime)))"),
    "sd": ("smalldatetime", "CAST(DATEADD(minute, value * 7919, CAST('19960101' AS datetime)) AS smalldatetime)"),
    "e": ("datetime2(7)", _MOMENT),
    "e3": ("datetime2(3)", f"CAST({_MOMENT} AS datetime2(3))"),
    "e0": ("datetime2(0)", f"CAST({_MOMENT} AS datetime2(0))"),
    "o": ("datetimeoffset(7)", f"TODATETIMEOFFSET({_MOMENT}, (value % 5 - 2) * 60)"),
    "o3": ("datetimeoffset(3)", f"TODATETIMEOFFSET(CAST({_MOMENT} AS datetime2(3)), '+02:00')"),
    "g": ("date", "DATEADD(day, value * 31 % 9000, CAST('1996-01-01' AS date))"),
    "h": ("time(7)", f"CAST({_MOMENT} AS time)"),
    "h0": ("time(0)", f"CAST({_MOMENT} AS time(0))"),
    "s": ("varchar(60)", "CHOOSE(value % 8 + 1, 'O''Brien-Smith, Pat', 'J. von Berg & Sons (UK) Ltd.', CONCAT('item_', value), CONCAT('user', value, '@mail-example.com'), 'C:\\dir\\file_1.txt', '50% off! [new] <b>', 'Plain words', 'trailing  ')"),
    "n": ("nvarchar(60)", "CHOOSE(value % 8 + 1, N'O''Brien-Smith, Pat', N'Müller & Söhne – GmbH', CONCAT(N'item_', value), N'user@mail-example.com', N'Zażółć gęślą', CONCAT(N'Москва ', value), N'東京都', N'trailing  ')"),
    "x": ("varchar(max)", "CONCAT(REPLICATE(CAST('long text - line ' AS varchar(max)), 20), value)"),
    "c": ("char(20)", "CONCAT('AB-', value)"),
    "tn": ("varchar(30)", "CHOOSE(value % 4 + 1, CONCAT(value, ''), CONCAT('-', value, '.25'), CONCAT(value, '.5'), CONCAT('0', value))"),
    "td": ("varchar(40)", "CHOOSE(value % 4 + 1, '2024-03-05', '2024-03-05 13:14:15', '2024-03-05T13:14:15.123', '20240305')"),
    "z": ("uniqueidentifier", "CAST(HASHBYTES('MD5', CONCAT(value, '')) AS uniqueidentifier)"),
    "bi": ("varbinary(20)", "CAST(value * 7919 AS varbinary(20))"),
    "j": ("nvarchar(400)", "CONCAT(N'{\"id\": ', value, N', \"name\": \"Müller \\\"x\\\"\", \"price\": ', value % 100, N'.50, \"ok\": true, \"tags\": [\"a\", \"b\"], \"at\": {\"x\": ', value, N'}, \"none\": null}')"),
}  # fmt: skip
"""All columns to their types and values."""


def create(session: Session) -> None:
    """The table, filled."""
    declared = ", ".join(f"{name} {sql_type}" for name, (sql_type, _) in COLUMNS.items())
    values = ", ".join(value for _, value in COLUMNS.values())
    assert told(session, f"CREATE TABLE {TABLE} ({declared})") == []
    assert told(session, f"INSERT {TABLE} SELECT {values} FROM GENERATE_SERIES(1, {ROWS})") == []
