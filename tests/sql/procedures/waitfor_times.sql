-- WAITFOR takes its time from text, datetime and smalldatetime; variables of other types are 9815.
DECLARE @d datetime = '00:00:01', @s smalldatetime = '00:01', @v varchar(20) = '00:00:01', @n nvarchar(max) = N'00:00:01', @c char(20) = '00:00:01', @nc nchar(20) = N'00:00:01';
WAITFOR DELAY @d; WAITFOR DELAY @s; WAITFOR DELAY @v; WAITFOR DELAY @n; WAITFOR DELAY @c; WAITFOR DELAY @nc;
SELECT GETDATE();
WAITFOR TIME @s;
GO
--! rows
--! 2026-01-01 00:01:05.000
DECLARE @t time = '00:00:01';
WAITFOR DELAY @t;
SELECT @@ERROR;
GO
--! error 9815 severity 16 state 0 line 2
--! rows
--! 9815
DECLARE @t datetime2 = '00:00:01'; WAITFOR TIME @t;
GO
--! error 9815
DECLARE @t datetimeoffset = '00:00:01'; WAITFOR DELAY @t;
GO
--! error 9815
DECLARE @t date = '2026-01-01'; WAITFOR TIME @t;
GO
--! error 9815
DECLARE @t int = 1; WAITFOR DELAY @t;
GO
--! error 9815
