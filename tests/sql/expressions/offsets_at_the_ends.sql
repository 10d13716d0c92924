-- What has an offset needs an instant in the calendar, too: local time alone is not enough.
DECLARE @first datetimeoffset(3) = '0001-01-01T14:00:00+14:00', @last datetimeoffset(3) = '9999-12-31T09:59:59-14:00'
SELECT DATEADD(minute, 1, @first), DATEADD(minute, -1, @last)
GO
--! rows
--! 0001-01-01 14:01:00.000 +14:00 | 9999-12-31 09:58:59.000 -14:00
DECLARE @first datetimeoffset(3) = '0001-01-01T14:00:00+14:00'
SELECT DATEADD(minute, -1, @first)
GO
--! error 517
DECLARE @last datetimeoffset(3) = '9999-12-31T09:59:59-14:00'
SELECT DATEADD(hour, 1, @last)
GO
--! error 517
DECLARE @first datetimeoffset(3) = '0001-01-01T14:00:00+14:00'
SELECT DATETRUNC(day, @first)
GO
--! error 9837
DECLARE @first datetimeoffset(3) = '0001-01-01T14:00:00+14:00'
SELECT DATE_BUCKET(day, 1, @first)
GO
--! error 517
CREATE TABLE t (o datetimeoffset(3), p datetimeoffset(7), d date, v sql_variant)
INSERT t VALUES ('2024-02-29T23:30:00.5+02:00', '2024-02-29T21:30:00.5+00:00', '2024-02-29', 7), ('2024-03-01T00:30:00+02:00', '2024-02-29T22:30:00.0000001+00:00', '2024-02-29', N'7')
SELECT CASE WHEN o = p THEN 'same' WHEN o < p THEN 'before' END AS op, CAST(o AS date) AS day, CASE WHEN p > d THEN 1 ELSE 0 END AS pd, CASE WHEN v = 7 THEN 1 ELSE 0 END AS v7 FROM t ORDER BY o
GO
--! rows
--! same | 2024-02-29 | 1 | 1
--! before | 2024-03-01 | 1 | 0
