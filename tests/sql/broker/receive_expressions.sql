-- Expressions of RECEIVE: every part of one is over the columns of the queue, and words (date parts) are none.
CREATE DATABASE Parts;
GO
USE Parts;
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
GO
CREATE PROCEDURE Fill AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
    SEND ON CONVERSATION @h (N'{"a": [1]}');
END;
GO
EXEC Fill;
GO
--! advance 1500ms
DECLARE @x int, @later datetime;
RECEIVE TOP (1) @x = DATEDIFF(ms, message_enqueue_time, SYSUTCDATETIME()),
    @later = DATEADD(/* a part */ day, DATEPART(dayofyear, message_enqueue_time), message_enqueue_time) FROM Q;
SELECT @x, @later;
GO
--! rows
--! 1500 | 2026-01-02 00:00:00.000
EXEC Fill;
WAITFOR (RECEIVE DATENAME(month, message_enqueue_time) AS m, DATETRUNC(year, message_enqueue_time) AS y,
    ISJSON(CAST(message_body AS nvarchar(max)), OBJECT) AS o, CASE WHEN DATEPART(year, message_enqueue_time) = 2026 THEN 'yes' END AS c,
    IIF(DATEDIFF_BIG(hour, '20260101', message_enqueue_time) = 0, priority, 0) AS i FROM Q), TIMEOUT 10;
GO
--! rows
--! January | 2026-01-01 00:00:00.000 | 1 | yes | 5
-- A date part is a name: nothing else may stand there (1023), and it must be one (155).
RECEIVE DATEPART(message_enqueue_time.day, message_enqueue_time) FROM Q;
GO
--! error 1023 line 2
RECEIVE DATEPART(fortnight, message_enqueue_time) FROM Q;
GO
--! error 155 line 1
