"""Date and time functions."""

from __future__ import annotations

_ADD = "t-sql/functions/dateadd"
_AT = "DECLARE @t datetime2 = '2007-01-01 13:10:10.1111111'; SELECT DATEADD({}, 1, @t)"
_AT_ONE = "DECLARE @t datetime2 = '2007-01-01 01:01:01.1111111'; SELECT DATEADD({}, {}, @t)"


def _add_one() -> list[tuple[str, ...]]:
    results = {
        "year": "2008-01-01 13:10:10.1111111", "quarter": "2007-04-01 13:10:10.1111111", "month": "2007-02-01 13:10:10.1111111",
        "dayofyear": "2007-01-02 13:10:10.1111111", "day": "2007-01-02 13:10:10.1111111", "week": "2007-01-08 13:10:10.1111111",
        "weekday": "2007-01-02 13:10:10.1111111", "hour": "2007-01-01 14:10:10.1111111", "minute": "2007-01-01 13:11:10.1111111",
        "second": "2007-01-01 13:10:11.1111111", "millisecond": "2007-01-01 13:10:10.1121111", "microsecond": "2007-01-01 13:10:10.1111121",
        "nanosecond": "2007-01-01 13:10:10.1111111",
    }  # fmt: skip
    return [(_ADD, _AT.format(part), result) for part, result in results.items()]


def _add_many() -> list[tuple[str, ...]]:
    results = {
        ("quarter", 4): "2008-01-01 01:01:01.1111111", ("month", 13): "2008-02-01 01:01:01.1111111", ("dayofyear", 365): "2008-01-01 01:01:01.1111111",
        ("week", 5): "2007-02-05 01:01:01.1111111", ("weekday", 31): "2007-02-01 01:01:01.1111111", ("hour", 23): "2007-01-02 00:01:01.1111111",
        ("day", 365): "2008-01-01 01:01:01.1111111", ("minute", 59): "2007-01-01 02:00:01.1111111", ("second", 59): "2007-01-01 01:02:00.1111111",
        ("millisecond", 1): "2007-01-01 01:01:01.1121111",
    }  # fmt: skip
    return [(_ADD, _AT_ONE.format(part, number), result) for (part, number), result in results.items()]


_FRACTIONS = """
    DECLARE @t datetime2 = '2007-01-01 13:10:10.1111111';
    SELECT DATEADD(millisecond, 1, @t) UNION ALL SELECT DATEADD(millisecond, 2, @t) UNION ALL SELECT DATEADD(microsecond, 1, @t)
    UNION ALL SELECT DATEADD(microsecond, 2, @t) UNION ALL SELECT DATEADD(nanosecond, 49, @t) UNION ALL SELECT DATEADD(nanosecond, 50, @t)
    UNION ALL SELECT DATEADD(nanosecond, 150, @t)"""

ADDING = [
    *_add_one(),
    *_add_many(),
    (
        _ADD,
        _FRACTIONS,
        *(f"2007-01-01 13:10:10.{f}" for f in "1121111 1131111 1111121 1111131 1111111 1111112 1111113".split()),
    ),
    *[
        (_ADD, f"DECLARE @t {sql_type} = '2007-01-01'; SELECT DATEADD({part}, 1, @t)", "error 9810")
        for sql_type in ("smalldatetime", "date", "datetime")
        for part in ("microsecond", "nanosecond")
    ],
    (
        _ADD,
        "DECLARE @days int = 365, @t datetime = '2000-01-01 01:01:01.111'; SELECT DATEADD(day, @days, @t)",
        "2000-12-31 01:01:01.110",
    ),
    (_ADD, "SELECT DATEADD(year, 2147483648, '20060731')", "error 8115"),
    (_ADD, "SELECT DATEADD(year, -2147483649, '20060731')", "error 8115"),
    (_ADD, "SELECT DATEADD(year, 2147483647, '20060731')", "error 517"),
    (_ADD, "SELECT DATEADD(year, -2147483647, '20060731')", "error 517"),
    (
        _ADD,
        "DECLARE @s smalldatetime = '2007-01-01 13:10'; SELECT DATEADD(second, 29, @s), DATEADD(second, -30, @s)",
        "2007-01-01 13:10:00 | 2007-01-01 13:10:00",
    ),
]

_DIFF = "t-sql/functions/datediff"
DIFFERENCES = [
    *[(_DIFF, f"SELECT DATEDIFF({part}, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", "1")
      for part in ("quarter", "month", "dayofyear", "day", "hour", "minute", "millisecond")],
    (_DIFF, "SELECT DATEDIFF(microsecond, '2005-12-31 23:59:59.9999999', '2006-01-01 00:00:00.0000000')", "1"),
    (_DIFF, "SELECT DATEDIFF(day, '2036-03-01', '2036-02-28')", "-2"),
    (_DIFF, "CREATE TABLE #d (a datetime2, b datetime2); INSERT #d VALUES ('2007-05-06 12:10:09', '2007-05-07 12:10:09'); SELECT DATEDIFF(day, a, b) FROM #d", "1"),
    (_DIFF, "DECLARE @a time = '10:00', @b time = '23:00'; SELECT DATEDIFF(day, @a, @b)", "0"),
    (_DIFF, """
        DECLARE @a datetime = '1900-01-01', @b datetime = '2018-12-12 07:08:01.123', @y int, @m int, @d int, @h int, @n int, @s int;
        SET @y = DATEDIFF(yy, @a, @b); IF DATEADD(yy, -@y, @b) < @a SET @y -= 1; SET @b = DATEADD(yy, -@y, @b);
        SET @m = DATEDIFF(mm, @a, @b); IF DATEADD(mm, -@m, @b) < @a SET @m -= 1; SET @b = DATEADD(mm, -@m, @b);
        SET @d = DATEDIFF(dd, @a, @b); IF DATEADD(dd, -@d, @b) < @a SET @d -= 1; SET @b = DATEADD(dd, -@d, @b);
        SET @h = DATEDIFF(hh, @a, @b); IF DATEADD(hh, -@h, @b) < @a SET @h -= 1; SET @b = DATEADD(hh, -@h, @b);
        SET @n = DATEDIFF(mi, @a, @b); IF DATEADD(mi, -@n, @b) < @a SET @n -= 1; SET @b = DATEADD(mi, -@n, @b);
        SET @s = DATEDIFF(s, @a, @b); IF DATEADD(s, -@s, @b) < @a SET @s -= 1; SET @b = DATEADD(s, -@s, @b);
        SELECT @y, @m, @d, @h, @n, @s, DATEDIFF(ms, @a, @b)""", "118 | 11 | 11 | 7 | 8 | 1 | 123"),
]  # fmt: skip

_PART = "t-sql/functions/datepart"
_PARTS = {
    "year": 2007, "quarter": 4, "month": 10, "dayofyear": 303, "day": 30, "week": 44, "weekday": 3, "hour": 12, "minute": 15,
    "second": 32, "millisecond": 123, "microsecond": 123456, "nanosecond": 123456700, "tzoffset": 310, "iso_week": 44,
}  # fmt: skip
PARTS = [
    *[(_PART, f"SELECT DATEPART({part}, '2007-10-30 12:15:32.1234567 +05:10')", str(value)) for part, value in _PARTS.items()],
    *[(_PART, f"SET DATEFIRST {first}; SELECT DATEPART(week, '2007-04-21 '), DATEPART(weekday, '2007-04-21 ')", f"{week} | {day}")
      for first, week, day in [(1, 16, 6), (2, 17, 5), (3, 17, 4), (4, 17, 3), (5, 17, 2), (6, 17, 1), (7, 16, 7)]],
    (_PART, "SELECT DATEPART(tzoffset, '2007-05-10  00:00:01.1234567 +05:10')", "310"),
    (_PART, "SELECT DATEPART(year, '12:10:30.123'), DATEPART(month, '12:10:30.123'), DATEPART(day, '12:10:30.123'), DATEPART(dayofyear, '12:10:30.123'), DATEPART(weekday, '12:10:30.123')",
     "1900 | 1 | 1 | 1 | 2"),
    (_PART, "DECLARE @t time = '12:10:30.123'; SELECT DATEPART(year, @t)", "error 9810"),
    (_PART, "SELECT DATEPART(millisecond, '00:00:01.1234567'), DATEPART(microsecond, '00:00:01.1234567'), DATEPART(nanosecond, '00:00:01.1234567')",
     "123 | 123456 | 123456700"),
    (_PART, "SELECT DATEPART(year, 0), DATEPART(month, 0), DATEPART(day, 0)", "1900 | 1 | 1"),
    (_PART, "SELECT DATEPART(day, '12/20/1974'), DATEPART(year, '12/20/1974')", "20 | 1974"),
]  # fmt: skip

_TRUNC = "t-sql/functions/datetrunc"
_TRUNCATED = {
    "year": "2021-01-01 00:00:00.0000000", "month": "2021-12-01 00:00:00.0000000", "week": "2021-12-05 00:00:00.0000000",
    "dayofyear": "2021-12-08 00:00:00.0000000", "day": "2021-12-08 00:00:00.0000000", "hour": "2021-12-08 11:00:00.0000000",
    "minute": "2021-12-08 11:30:00.0000000", "second": "2021-12-08 11:30:15.0000000", "millisecond": "2021-12-08 11:30:15.1230000",
    "microsecond": "2021-12-08 11:30:15.1234560",
}  # fmt: skip
TRUNCATING = [
    *[(_TRUNC, f"DECLARE @d datetime2 = '2021-12-08 11:30:15.1234567'; SELECT DATETRUNC({part}, @d)", value) for part, value in _TRUNCATED.items()],
    *[(_TRUNC, f"DECLARE @d datetime2 = '2021-11-11 11:11:11.1234567'; SET DATEFIRST {first}; SELECT DATETRUNC(week, @d)", value)
      for first, value in [(7, "2021-11-07 00:00:00.0000000"), (6, "2021-11-06 00:00:00.0000000"), (3, "2021-11-10 00:00:00.0000000")]],
    (_TRUNC, "SELECT DATETRUNC(month, '1998-03-04'), DATETRUNC(millisecond, '1998-03-04 10:10:05.1234567')", "1998-03-01 00:00:00.0000000 | 1998-03-04 10:10:05.1230000"),
    (_TRUNC, "DECLARE @a char(200) = '1998-03-04', @b nvarchar(max) = '1998-03-04 10:10:05'; SELECT DATETRUNC(millisecond, @a), DATETRUNC(minute, @b)",
     "1998-03-04 00:00:00.0000000 | 1998-03-04 10:10:00.0000000"),
    (_TRUNC, "DECLARE @d datetime = '2015-04-29 05:06:07.123'; SELECT DATETRUNC(millisecond, @d)", "2015-04-29 05:06:07.123"),
    (_TRUNC, "DECLARE @d smalldatetime = '2009-09-11 12:42:12'; SELECT @d, DATETRUNC(minute, @d), DATETRUNC(second, @d)", "2009-09-11 12:42:00 | 2009-09-11 12:42:00 | 2009-09-11 12:42:00"),
    (_TRUNC, "DECLARE @d datetime = '2020-02-02 02:02:02.002'; SELECT @d, DATETRUNC(millisecond, @d)", "2020-02-02 02:02:02.003 | 2020-02-02 02:02:02.003"),
    (_TRUNC, "DECLARE @d date = '0001-01-01'; SELECT DATETRUNC(week, @d)", "error 9837"),
    (_TRUNC, "DECLARE @d time = '12:12:12.1234567'; SELECT DATETRUNC(year, @d)", "error 9810"),
    (_TRUNC, "DECLARE @d datetime2(3) = '2021-12-12 12:12:12.12345'; SELECT DATETRUNC(microsecond, @d)", "error 9810"),
]  # fmt: skip

_BUCKET = "t-sql/functions/date-bucket"
BUCKETS = [
    *[(_BUCKET, f"DECLARE @d datetime2 = '2020-04-15 21:22:11'; SELECT DATE_BUCKET(week, {width}, @d)", value)
      for width, value in [(2, "2020-04-13 00:00:00.0000000"), (6, "2020-04-13 00:00:00.0000000"), (5, "2020-04-06 00:00:00.0000000")]],
    (_BUCKET, "DECLARE @d datetime2 = '2020-06-15 21:22:11', @o datetime2 = '2019-01-01'; SELECT DATE_BUCKET(week, 5, @d, @o)", "2020-06-09 00:00:00.0000000"),
    (_BUCKET, "DECLARE @d datetime2 = '2020-04-30 21:21:21'; SELECT DATE_BUCKET(week, 1, @d), DATE_BUCKET(day, 1, @d), DATE_BUCKET(hour, 1, @d), DATE_BUCKET(minute, 1, @d), DATE_BUCKET(second, 1, @d)",
     "2020-04-27 00:00:00.0000000 | 2020-04-30 00:00:00.0000000 | 2020-04-30 21:00:00.0000000 | 2020-04-30 21:21:00.0000000 | 2020-04-30 21:21:21.0000000"),
    (_BUCKET, "DECLARE @n int = 365, @d datetime2 = '2000-01-01 01:01:01.111'; SELECT DATE_BUCKET(day, @n, @d)", "1999-12-08 00:00:00.0000000"),
    (_BUCKET, "DECLARE @d datetime2 = '2020-04-30'; SELECT DATE_BUCKET(day, 2147483648, @d)", "error 8115"),
    (_BUCKET, "DECLARE @d datetime2 = '2020-04-30'; SELECT DATE_BUCKET(day, -1, @d)", "error 9834"),
]  # fmt: skip

_ISDATE = "t-sql/functions/isdate"
_ZONE = "t-sql/queries/at-time-zone"
OTHERS = [
    ("t-sql/functions/eomonth", "DECLARE @d datetime = '12/1/2011'; SELECT EOMONTH(@d), EOMONTH(@d, 1), EOMONTH(@d, -1)", "2011-12-31 | 2012-01-31 | 2011-11-30"),
    ("t-sql/functions/eomonth", "DECLARE @d varchar(255) = '12/1/2011'; SELECT EOMONTH(@d)", "2011-12-31"),
    (_ISDATE, "SELECT ISDATE('04/15/2008'), ISDATE('04-15-2008'), ISDATE('04.15.2008'), ISDATE('04/2008/15')", "1 | 1 | 1 | 1"),
    (_ISDATE, "SET DATEFORMAT mdy; SELECT ISDATE('15/04/2008'), ISDATE('15/2008/04'), ISDATE('2008/15/04'), ISDATE('2008/04/15')", "0 | 0 | 0 | 1"),
    (_ISDATE, "SET DATEFORMAT dmy; SELECT ISDATE('15/04/2008')", "1"),
    (_ISDATE, "SET DATEFORMAT dym; SELECT ISDATE('15/2008/04')", "1"),
    (_ISDATE, "SET DATEFORMAT ydm; SELECT ISDATE('2008/15/04')", "1"),
    (_ISDATE, "SET DATEFORMAT ymd; SELECT ISDATE('2008/04/15')", "1"),
    (_ISDATE, "IF ISDATE('2009-05-12 10:19:41.177') = 1 PRINT 'VALID' ELSE PRINT 'INVALID'", "print VALID"),
    (_ISDATE, "SELECT ISDATE(NULL), ISDATE('1995-10-1a'), ISDATE('2009-05-12 10:19:41.1234')", "0 | 0 | 0"),
    ("t-sql/functions/datetime2fromparts", "SELECT DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 5, 1), DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 50, 2), DATETIME2FROMPARTS(2011, 8, 15, 14, 23, 44, 500, 3)",
     "2011-08-15 14:23:44.5 | 2011-08-15 14:23:44.50 | 2011-08-15 14:23:44.500"),
    ("t-sql/functions/todatetimeoffset", "DECLARE @d datetime2(3) = '2019-04-22 16:23:51.766'; SELECT TODATETIMEOFFSET(@d, '-07:00'), TODATETIMEOFFSET(@d, -120), TODATETIMEOFFSET(@d, '+13:00')",
     "2019-04-22 16:23:51.766 -07:00 | 2019-04-22 16:23:51.766 -02:00 | 2019-04-22 16:23:51.766 +13:00"),
    *[(_ZONE, f"SELECT CONVERT(datetime2(0), '{local}', 126) AT TIME ZONE 'Central European Standard Time'", value) for local, value in [
        ("2015-03-29T01:01:00", "2015-03-29 01:01:00 +01:00"), ("2015-03-29T02:01:00", "2015-03-29 03:01:00 +02:00"), ("2015-03-29T03:01:00", "2015-03-29 03:01:00 +02:00"),
        ("2015-10-25T01:01:00", "2015-10-25 01:01:00 +02:00"), ("2015-10-25T02:00:00", "2015-10-25 02:00:00 +02:00"), ("2015-10-25T03:01:00", "2015-10-25 03:01:00 +01:00")]],
]  # fmt: skip

EXAMPLES = ADDING + DIFFERENCES + PARTS + TRUNCATING + BUCKETS + OTHERS
