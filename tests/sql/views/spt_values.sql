-- master..spt_values: the numbers that scripts count with. Rows of type P: number, its byte (low, from 1) and its bit (high).
SELECT COUNT(*), COUNT(DISTINCT number), MIN(number), MAX(number), MAX(low), MIN(name) FROM master..spt_values WHERE type = 'P';
SELECT * FROM master.dbo.spt_values WHERE type = 'P' AND number IN (0, 7, 8, 2047) ORDER BY number;
SELECT COUNT(*) FROM spt_values WHERE type = 'P' AND (low - 1) * 8 + LOG(high, 2) = number;
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
-- the names of the other types: codes of sp_lock, bits of @@OPTIONS and of old system tables
USE master;
SELECT type, COUNT(*), MIN(number), MAX(number) FROM spt_values WHERE type <> 'P' GROUP BY type ORDER BY type;
SELECT name, number FROM spt_values WHERE type = 'L' AND number BETWEEN 4 AND 9 ORDER BY number;
SELECT name, number FROM spt_values WHERE type = 'LR' AND number BETWEEN 2 AND 6 ORDER BY number;
SELECT name, number FROM spt_values WHERE type = 'I' AND number IN (0, 2, 16, 2048, 4096, 16777216) ORDER BY number, name;
SELECT name, number FROM spt_values WHERE type = 'D' AND number IN (512, 4096, 32768, 4194304, 1073741824) ORDER BY number;
SELECT name, number FROM spt_values WHERE type = 'D2' AND number IN (1024, 8388608, 1073741824) ORDER BY number;
SELECT name, number FROM spt_values WHERE type = 'T' AND number IN (193, 205, 224) ORDER BY number;
SELECT RTRIM(SUBSTRING(name, 5, 31)) FROM spt_values WHERE type = 'O9T' AND LEFT(name, 2) = 'SQ';
SELECT name, number, low FROM spt_values WHERE type = 'SRV' AND number >= 1024 AND low = 0 ORDER BY number;
GO
--! rows
--! A   | 11 | 1 | 2048
--! B   | 4 | -1 | 2
--! D   | 18 | 0 | 1073741824
--! D2  | 17 | 0 | 1469283328
--! DBR | 9 | 16384 | 16393
--! DC  | 6 | 0 | 16
--! E   | 4 | 0 | 3
--! F   | 3 | -1 | 1
--! F_U | 3 | -1 | 16
--! G   | 2 | 0 | 0
--! I   | 12 | 0 | 16777216
--! J   | 19 | 0 | 7
--! K   | 4 | 0 | 3
--! L   | 23 | 0 | 22
--! LNG | 32 | 1025 | 3082
--! LO  | 7 | 0 | 6
--! LR  | 13 | 0 | 13
--! LS  | 6 | 0 | 5
--! O   | 9 | 0 | 12
--! O9T | 29 | -1 | 0
--! R   | 3 | -32768 | 0
--! SFL | 5 | 0 | 12
--! SOP | 16 | 0 | 16384
--! SRV | 16 | 16 | 4096
--! T   | 19 | 0 | 236
--! V   | 8 | 0 | 8192
--! rows
--! S | 4
--! U | 5
--! X | 6
--! IS | 7
--! IU | 8
--! IX | 9
--! rows
--! DB | 2
--! FIL | 3
--! TAB | 5
--! PAG | 6
--! rows
--! INDEX TYPES | 0
--! nonclustered | 0
--! unique | 2
--! clustered | 16
--! primary key | 2048
--! unique key | 4096
--! stats no recompute | 16777216
--! rows
--! offline | 512
--! single user | 4096
--! emergency mode | 32768
--! autoshrink | 4194304
--! cleanly shutdown | 1073741824
--! rows
--! db chaining | 1024
--! quoted identifier | 8388608
--! auto update statistics | 1073741824
--! rows
--! Select | 193
--! Grant | 205
--! Execute | 224
--! rows
--! queue
--! rows
--! dbcreator | 1024 | 0
--! bulkadmin | 4096 | 0
-- the page size (E), linked servers (A), devices (V), types that compare (J), languages, and what has a range
SELECT low FROM spt_values WHERE type = 'E' AND number = 1;
SELECT name FROM spt_values WHERE type = 'A' AND number IN (1, 64) ORDER BY number;
SELECT v.name FROM spt_values AS v WHERE v.type = 'V' AND v.number & 18 <> 0 ORDER BY v.number;
SELECT a.name, b.name FROM spt_values AS a JOIN spt_values AS b ON b.type = 'J' AND b.number = a.number AND b.name > a.name
WHERE a.type = 'J' AND a.number IN (1, 3) AND a.low > 0 ORDER BY a.number;
SELECT name FROM spt_values WHERE type = 'LNG' AND number IN (1031, 1033, 2052) ORDER BY number;
SELECT type, name, low, high FROM spt_values WHERE high IS NOT NULL AND type <> 'P' AND type <> 'O9T' ORDER BY type, number;
SELECT COUNT(*), COUNT(DISTINCT type) FROM spt_values;
GO
--! rows
--! 8192
--! rows
--! rpc
--! rpc out
--! rows
--! physical disk
--! backup device
--! rows
--! binary | varbinary
--! char | varchar
--! rows
--! German
--! English
--! Simplified Chinese
--! rows
--! D   | offline | 0 | 1
--! I   | primary key | 0 | 1
--! I   | unique key | 0 | 1
--! V   | read only | 0 | 1
--! V   | deferred | 0 | 1
--! rows
--! 2346 | 27
-- the options of this session, as scripts ask for them
SET NOCOUNT ON; SET XACT_ABORT ON;
SELECT name FROM spt_values WHERE type = 'SOP' AND number & @@OPTIONS <> 0 AND name IN ('nocount', 'xact_abort', 'implicit_transactions') ORDER BY number;
GO
--! rows
--! nocount
--! xact_abort
