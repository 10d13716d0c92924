"""Data types, decimal arithmetic and rounding."""

from __future__ import annotations

_DATETIME = "t-sql/data-types/datetime"
_PRECISION = "t-sql/data-types/precision-scale-and-length"
_TEXT = "'2007-05-08 12:35:29.1234567 +12:15'"
_STORED = {
    "999": "1998-01-02 00:00:00.000", "995": "1998-01-01 23:59:59.997", "998": "1998-01-01 23:59:59.997", "992": "1998-01-01 23:59:59.993",
    "994": "1998-01-01 23:59:59.993", "990": "1998-01-01 23:59:59.990", "991": "1998-01-01 23:59:59.990",
}  # fmt: skip

DATES = [
    *[(_DATETIME, f"SELECT CAST('01/01/98 23:59:59.{digits}' AS datetime)", stored) for digits, stored in _STORED.items()],
    (_DATETIME, "DECLARE @d date = '12-21-16'; DECLARE @t datetime = @d; SELECT @t, @d", "2016-12-21 00:00:00.000 | 2016-12-21"),
    (_DATETIME, "DECLARE @d time(4) = '12:10:05.1237'; DECLARE @t datetime = @d; SELECT @t, @d", "1900-01-01 12:10:05.123 | 12:10:05.1237"),
    (_DATETIME, "DECLARE @d smalldatetime = '12-01-16 12:32'; DECLARE @t datetime = @d; SELECT @t, @d", "2016-12-01 12:32:00.000 | 2016-12-01 12:32:00"),
    (_DATETIME, "DECLARE @d datetime2(4) = '1968-10-23 12:45:37.1237'; DECLARE @t datetime = @d; SELECT @t, @d", "1968-10-23 12:45:37.123 | 1968-10-23 12:45:37.1237"),
    (_DATETIME, "DECLARE @d datetimeoffset(4) = '1968-10-23 12:45:37.1234 +10:0'; SELECT CAST(@d AS datetime)", "1968-10-23 12:45:37.123"),
    (_DATETIME, f"SELECT CAST({_TEXT} AS time(7)), CAST({_TEXT} AS date), CAST({_TEXT} AS datetime2(7)), CAST({_TEXT} AS datetimeoffset(7))",
     "12:35:29.1234567 | 2007-05-08 | 2007-05-08 12:35:29.1234567 | 2007-05-08 12:35:29.1234567 +12:15"),
    (_DATETIME, "SELECT CAST('2007-05-08 12:35:29.123' AS smalldatetime), CAST('2007-05-08 12:35:29.123' AS datetime)", "2007-05-08 12:35:00 | 2007-05-08 12:35:29.123"),
    *[(_DATETIME, f"SET DATEFORMAT {order}; SELECT CAST('{text}' AS datetime)", "1996-04-15 00:00:00.000") for order, text in [
        ("mdy", "4/15/96"), ("mdy", "04-15-1996"), ("mdy", "4.15.96"), ("myd", "04/1996/15"), ("myd", "4/96/15"), ("dmy", "15/04/1996"),
        ("dym", "15/1996/04"), ("dym", "15/96/04"), ("ydm", "1996/15/04"), ("ydm", "96/15/04"), ("ymd", "1996/04/15"), ("ymd", "96/4/15")]],
    *[(_DATETIME, f"SELECT CAST('{text}' AS datetime)", "1996-04-15 00:00:00.000") for text in [
        "Apr 15, 1996", "April 15 96", "Apr 1996 15", "15 April, 1996", "15 Apr,96", "15 96 apr", "15 1996 april", "1996 APRIL 15", "1996 15 APR"]],
    (_DATETIME, "SELECT CAST('Apr 1996' AS datetime), CAST('1996 APR' AS datetime)", "1996-04-01 00:00:00.000 | 1996-04-01 00:00:00.000"),
    (_DATETIME, "SELECT CAST('14:30' AS datetime), CAST('14:30:20:999' AS datetime), CAST('14:30:20.9' AS datetime), CAST('4am' AS datetime), CAST('4 PM' AS datetime)",
     "1900-01-01 14:30:00.000 | 1900-01-01 14:30:21.000 | 1900-01-01 14:30:20.900 | 1900-01-01 04:00:00.000 | 1900-01-01 16:00:00.000"),
    (_DATETIME, "SELECT CAST('2004-05-23T14:25:10' AS datetime), CAST('20040523 14:25:10.487' AS datetime)", "2004-05-23 14:25:10.000 | 2004-05-23 14:25:10.487"),
]  # fmt: skip

NUMBERS = [
    (_PRECISION, "SELECT CAST(0.0000009000 AS decimal(30, 20)) * CAST(1.0000000000 AS decimal(30, 20))", ".00000090000000000"),
    (_PRECISION, "SELECT CAST(0.0000009000 AS decimal(30, 10)) * CAST(1.0000000000 AS decimal(30, 10))", ".000001"),
    (_PRECISION, "SELECT CAST(SQL_VARIANT_PROPERTY(CAST(1 AS decimal(30, 20)) * CAST(1 AS decimal(30, 20)), 'Scale') AS int)", "17"),
    (_PRECISION, "SELECT CAST(SQL_VARIANT_PROPERTY(CAST(1 AS decimal(30, 10)) * CAST(1 AS decimal(30, 10)), 'Precision') AS int)", "38"),
    *[(_PRECISION, f"DECLARE @a decimal(7, 3) = 9, @b decimal(6, 2) = 4, @v sql_variant; SET @v = @a {sign} @b; SELECT SQL_VARIANT_PROPERTY(@v, 'Precision'), SQL_VARIANT_PROPERTY(@v, 'Scale')",
       f"{precision} | {scale}") for sign, precision, scale in [("+", 8, 3), ("-", 8, 3), ("*", 14, 5), ("/", 16, 10), ("%", 7, 3)]],
    ("t-sql/data-types/decimal-and-numeric", "CREATE TABLE #m (a decimal(5, 2), b numeric(10, 5)); INSERT #m VALUES (123, 12345.12); SELECT a, b FROM #m", "123.00 | 12345.12000"),
    ("t-sql/data-types/decimal-and-numeric", "SELECT SQL_VARIANT_PROPERTY(12.345, 'Precision'), SQL_VARIANT_PROPERTY(12.345, 'Scale')", "5 | 3"),
    ("t-sql/functions/round", "SELECT ROUND(748.58, -2)", "700.00"),
    ("t-sql/functions/round", "SELECT ROUND(748.58, -3)", "error 8115"),
    ("t-sql/functions/round", "SELECT ROUND(CAST(748.58 AS decimal(6, 2)), -3)", "1000.00"),
    ("t-sql/functions/round", "SELECT ROUND(123.4545, 2), ROUND(123.45, -2)", "123.4500 | 100.00"),
]  # fmt: skip

EXAMPLES = DATES + NUMBERS
