-- The functions of schema sys are called by two names or more; the built-in functions are in no schema.
SELECT sys.fn_varbintohexstr(0x01FF), master.dbo.fn_varbintohexstr(0xAB), master.sys.fn_varbintohexstr(NULL), SUBSTRING(master..fn_varbintohexstr(0x0A), 3, 2),
       sys.fn_varbintohexsubstring(0, 0x010203, 2, 1), sys.fn_sqlvarbasetostr('it''s'), sys.fn_sqlvarbasetostr(0x0a), sys.fn_sqlvarbasetostr(5);
SELECT sys.fn_varbintohexstr(HASHBYTES('MD5', v)) FROM (VALUES ('a')) AS t (v);
GO
--! rows
--! 0x01ff | 0xab | NULL | 0a | 02 | 'it''s' | 0x0a | 5
--! rows
--! 0x0cc175b9c0f1b6a831c399e269772661
SELECT fn_varbintohexstr(0x01);
GO
--! error 195
SELECT sys.LEN('a');
GO
--! error 4121
SELECT $PARTITION.ranges(5);
GO
--! error 208
