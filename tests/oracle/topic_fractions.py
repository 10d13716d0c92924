"""Fractions of a second: seven digits in every type that has them, and what a datetime's 300ths are worth to them."""

from __future__ import annotations

_TIME = "t-sql/data-types/time"
_DATETIME2 = "t-sql/data-types/datetime2"
_OFFSET = "t-sql/data-types/datetimeoffset"
_SMALL = "t-sql/data-types/smalldatetime"

LITERALS = [
    *[(_TIME, f"CREATE TABLE #t (t time(7)); INSERT #t VALUES ('{text}'); SELECT t FROM #t", stored) for text, stored in [
        ("01:01:01:123AM", "01:01:01.1230000"), ("01:01:01.1234567 AM", "01:01:01.1234567"), ("01:01:01.1234567 PM", "13:01:01.1234567"),
        ("01:01:01.1234567PM", "13:01:01.1234567"), ("01AM", "01:00:00.0000000"), ("01 AM", "01:00:00.0000000"), ("01:01:01", "01:01:01.0000000"),
        ("01:01:01.1234567", "01:01:01.1234567"), ("01:01:01.1234567 +01:01", "01:01:01.1234567")]],
    (_TIME, "SELECT CAST('01:01:01:1234AM' AS time)", "error 241"),
    (_TIME, "SELECT CAST('12:12:12.1234567' AS time(7)), CAST('12:12:12.1234567' AS datetime2(7)), CAST('12:12:12.1234567' AS datetimeoffset(7))",
     "12:12:12.1234567 | 1900-01-01 12:12:12.1234567 | 1900-01-01 12:12:12.1234567 +00:00"),
    (_TIME, "SELECT CAST('12:12:12.1234567' AS datetime)", "error 241"),
    (_OFFSET, "SELECT CAST('2007-05-08 12:35:29.1234567+12:15' AS datetime2(7)), CAST('2007-05-08 12:35:29.1234567+12:15' AS datetimeoffset(7))",
     "2007-05-08 12:35:29.1234567 | 2007-05-08 12:35:29.1234567 +12:15"),
    (_DATETIME2, "SELECT DATALENGTH(CAST('2007-05-08 12:35:29.1234567' AS datetime2)), DATALENGTH(CAST(CAST('2007-05-08 12:35:29.1234567' AS datetime2) AS varbinary(20)))",
     "8 | 9"),
]  # fmt: skip

CONVERSIONS = [
    (_DATETIME2, "DECLARE @d date = '12-21-16'; DECLARE @t datetime2 = @d; SELECT @t, @d", "2016-12-21 00:00:00.0000000 | 2016-12-21"),
    (_DATETIME2, "DECLARE @c time(7) = '12:10:16.1234567'; DECLARE @t datetime2 = @c; SELECT @t, @c", "1900-01-01 12:10:16.1234567 | 12:10:16.1234567"),
    (_DATETIME2, "DECLARE @s smalldatetime = '12-01-16 12:32'; DECLARE @t datetime2 = @s; SELECT @t, @s", "2016-12-01 12:32:00.0000000 | 2016-12-01 12:32:00"),
    (_DATETIME2, "DECLARE @o datetimeoffset(7) = '2016-10-23 12:45:37.1234567 +10:0'; DECLARE @t datetime2 = @o; SELECT @t, @o",
     "2016-10-23 12:45:37.1234567 | 2016-10-23 12:45:37.1234567 +10:00"),
    (_DATETIME2, "DECLARE @d datetime = '2016-10-23 12:45:37.333'; DECLARE @t datetime2 = @d; SELECT @t, @d", "2016-10-23 12:45:37.3333333 | 2016-10-23 12:45:37.333"),
    (_TIME, "DECLARE @f time(4) = '12:34:54.1237'; DECLARE @t time(3) = @f; SELECT @t, @f", "12:34:54.124 | 12:34:54.1237"),
    (_TIME, "DECLARE @f time(4) = '12:15:04.1237'; SELECT CAST(@f AS datetime), CAST(@f AS datetimeoffset(3)), CAST(@f AS datetime2(3))",
     "1900-01-01 12:15:04.123 | 1900-01-01 12:15:04.124 +00:00 | 1900-01-01 12:15:04.124"),
    (_TIME, "DECLARE @a time(4) = '12:15:59.9999', @b time(4) = '12:59:59.9999'; SELECT CAST(@a AS smalldatetime), CAST(@b AS smalldatetime)",
     "1900-01-01 12:16:00 | 1900-01-01 13:00:00"),
    (_OFFSET, "DECLARE @o datetimeoffset(4) = '12-10-25 12:32:10.1237 +01:0'; SELECT @o, CAST(@o AS time(3)), CAST(@o AS datetime)",
     "2025-12-10 12:32:10.1237 +01:00 | 12:32:10.124 | 2025-12-10 12:32:10.123"),
    (_OFFSET, "DECLARE @o datetimeoffset(3) = '1912-10-25 12:24:32 +10:0'; SELECT @o, CAST(@o AS smalldatetime)", "1912-10-25 12:24:32.000 +10:00 | 1912-10-25 12:25:00"),
    (_SMALL, "DECLARE @s smalldatetime = '1955-12-13 12:43:10'; SELECT CAST(@s AS time(4)), CAST(@s AS datetimeoffset(4)), CAST(@s AS datetime2(4))",
     "12:43:00.0000 | 1955-12-13 12:43:00.0000 +00:00 | 1955-12-13 12:43:00.0000"),
    ("t-sql/functions/todatetimeoffset", "DECLARE @t datetime2; SET @t = CAST('2019-04-22 16:23:51.767' AS datetime); SELECT TODATETIMEOFFSET(@t, '-07:00')",
     "2019-04-22 16:23:51.7666667 -07:00"),
]  # fmt: skip

_LEVEL_130 = "support/sql/database-engine/general/sql-server-azure-sql-database-improvements"
"""The changes of compatibility level 130: what a datetime is worth is no longer cut to milliseconds."""
DATETIMES = [
    (_LEVEL_130, "DECLARE @d datetime = '1900-01-01 00:00:00.003'; SELECT CAST(@d AS time(7))", "00:00:00.0033333"),
    (_LEVEL_130, "DECLARE @t time(4) = '00:00:00.0045'; SELECT CAST(@t AS datetime)", "1900-01-01 00:00:00.003"),
    (_LEVEL_130, "DECLARE @d datetime = '01-01-1900 00:00:00.003'; SELECT DATEPART(microsecond, @d)", "3333"),
    (_LEVEL_130, "DECLARE @a datetime = '1900-01-01 00:00:00.003', @b datetime = '1900-01-01 00:00:00.007'; SELECT DATEDIFF(microsecond, @a, @b)", "3333"),
    (_LEVEL_130, """
        DECLARE @a datetime = '1900-01-01 00:00:00.003'; DECLARE @b datetime2(3) = @a;
        SELECT CAST(@a AS datetime2(7)), @b, CASE WHEN @a = @b THEN 'equal' ELSE 'unequal' END""",
     "1900-01-01 00:00:00.0033333 | 1900-01-01 00:00:00.003 | unequal"),
    (_LEVEL_130, "DECLARE @d datetime = '1899-12-31 23:58:00.470'; SELECT CONVERT(float, @d), CAST(CONVERT(float, @d) AS varbinary(8))",
     "-0.0013834490740740741 | 0xBF56AA9B21D8583B"),
    (_LEVEL_130, "DECLARE @d datetime = -0.5; SELECT CAST(@d AS int)", "-1"),
]  # fmt: skip

_NAME = "t-sql/functions/datename"
_NAMES = {
    "year": "2007", "quarter": "4", "month": "October", "dayofyear": "303", "day": "30", "week": "44", "weekday": "Tuesday", "hour": "12",
    "minute": "15", "second": "32", "millisecond": "123", "microsecond": "123456", "nanosecond": "123456700", "iso_week": "44",
}  # fmt: skip
_FROM = (
    "t-sql/functions/datetime2fromparts",
    "t-sql/functions/timefromparts",
    "t-sql/functions/datetimeoffsetfromparts",
)
PARTS = [
    *[(_NAME, f"SELECT DATENAME({part}, '2007-10-30 12:15:32.1234567 +05:10')", name) for part, name in _NAMES.items()],
    (_FROM[0], "SELECT DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 1234567, 7), DATETIME2FROMPARTS(2010, 12, 31, 23, 59, 59, 0, 7)",
     "2011-08-15 14:23:44.1234567 | 2010-12-31 23:59:59.0000000"),
    (_FROM[0], "SELECT DATETIME2FROMPARTS(2010, 12, 31, 23, 59, 59, 1, 0)", "error 289"),
    (_FROM[0], "SELECT DATETIME2FROMPARTS(2010, 12, 31, 23, 59, 59, 0, NULL)", "error 10760"),
    (_FROM[1], "SELECT TIMEFROMPARTS(14, 23, 44, 1234567, 7), TIMEFROMPARTS(NULL, 23, 44, 5, 1)", "14:23:44.1234567 | NULL"),
    (_FROM[1], "SELECT TIMEFROMPARTS(14, 23, 44, 5, NULL)", "error 10760"),
    (_FROM[2], "SELECT DATETIMEOFFSETFROMPARTS(2011, 8, 15, 14, 30, 0, 1234567, 12, 30, 7)", "2011-08-15 14:30:00.1234567 +12:30"),
    (_FROM[2], "SELECT DATETIMEOFFSETFROMPARTS(2011, 8, 15, 14, 30, 0, 5, 12, 30, NULL)", "error 10760"),
]  # fmt: skip

EXAMPLES: list[tuple[str, ...]] = [*LITERALS, *CONVERSIONS, *DATETIMES, *PARTS]
