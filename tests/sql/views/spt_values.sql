-- master..spt_values: the numbers that scripts count with. Rows of type P: number, its byte (low, from 1) and its bit (high).
SELECT COUNT(*), COUNT(DISTINCT number), MIN(number), MAX(number), MAX(low), MIN(name) FROM master..spt_values WHERE type = 'P';
SELECT * FROM master.dbo.spt_values WHERE type = 'P' AND number IN (0, 7, 8, 2047) ORDER BY number;
SELECT COUNT(*) FROM spt_values WHERE (low - 1) * 8 + LOG(high, 2) = number;
GO
--! rows
--! 2048 | 2048 | 0 | 2047 | 256 | NULL
--! rows
--! NULL | 0 | P   | 1 | 1 | 0
--! NULL | 7 | P   | 1 | 128 | 0
--! NULL | 8 | P   | 2 | 1 | 0
--! NULL | 2047 | P   | 256 | 128 | 0
--! rows
--! 2048
CREATE DATABASE Counting;
GO
USE Counting;
DECLARE @list nvarchar(20) = N'a,bc,d';
SELECT SUBSTRING(@list, n.number, CHARINDEX(N',', @list + N',', n.number) - n.number) FROM master..spt_values AS n
WHERE n.type = 'P' AND n.number BETWEEN 1 AND LEN(@list) AND SUBSTRING(N',' + @list, n.number, 1) = N',' ORDER BY n.number;
GO
--! rows
--! a
--! bc
--! d
SELECT number FROM spt_values;
GO
--! error 208
SELECT number FROM Counting..spt_values;
GO
--! error 208
