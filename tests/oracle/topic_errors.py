"""Errors, TRY … CATCH, THROW, RAISERROR, transactions."""

from __future__ import annotations

_TRY = "t-sql/language-elements/try-catch"
_RAISE = "t-sql/language-elements/raiserror"
_THROW = "t-sql/language-elements/throw"
_COUNT = "t-sql/functions/trancount"
_FAMILY = "CREATE TABLE parent (id int PRIMARY KEY); CREATE TABLE child (id int REFERENCES parent(id)); INSERT parent VALUES (980); INSERT child VALUES (980);\nGO\n"
_GONE = "\nGO\nDROP TABLE child; DROP TABLE parent;"

EXAMPLES = [
    (_TRY, "BEGIN TRY SELECT 1/0; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_PROCEDURE(), ERROR_LINE(); END CATCH", "8134 | 16 | 1 | NULL | 1"),
    (_TRY, "CREATE PROCEDURE oracle_info AS SELECT ERROR_NUMBER(), ERROR_SEVERITY();\nGO\nBEGIN TRY SELECT 1/0; END TRY BEGIN CATCH EXEC oracle_info; END CATCH; DROP PROCEDURE oracle_info", "8134 | 16"),
    (_TRY, "BEGIN TRY SELECT * FROM NonexistentTable; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH", "error 208"),
    (_TRY, "CREATE PROCEDURE oracle_gone AS SELECT * FROM NonexistentTable;\nGO\nBEGIN TRY EXEC oracle_gone; END TRY BEGIN CATCH SELECT ERROR_NUMBER(); END CATCH; DROP PROCEDURE oracle_gone", "208"),
    (_TRY, "SELECT ERROR_NUMBER(), ERROR_MESSAGE(), ERROR_LINE()", "NULL | NULL | NULL"),
    (_TRY, _FAMILY + "BEGIN TRAN; BEGIN TRY DELETE parent WHERE id = 980; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(); IF @@TRANCOUNT > 0 ROLLBACK; END CATCH; IF @@TRANCOUNT > 0 COMMIT; SELECT @@TRANCOUNT" + _GONE,
     "547 | 1", "0"),
    (_TRY, _FAMILY + "SET XACT_ABORT ON; BEGIN TRY BEGIN TRAN; DELETE parent WHERE id = 980; COMMIT; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), XACT_STATE(); IF XACT_STATE() = -1 BEGIN PRINT 'rolling back'; ROLLBACK; END; "
     "IF XACT_STATE() = 1 BEGIN PRINT 'committing'; COMMIT; END; END CATCH; SELECT @@TRANCOUNT" + _GONE, "547 | -1", "0", "print rolling back"),
    ("t-sql/functions/xact-state", "SELECT XACT_STATE(); BEGIN TRAN; SELECT XACT_STATE(); ROLLBACK", "0", "1"),
    ("t-sql/functions/xact-state", "SET XACT_ABORT ON; BEGIN TRY BEGIN TRAN; SELECT 1/0; END TRY BEGIN CATCH COMMIT; END CATCH", "error 3930"),
    (_RAISE, "RAISERROR(N'This is message %s %d.', 10, 1, N'number', 5)", "print This is message number 5."),
    (_RAISE, "RAISERROR(N'<<%*.*s>>', 10, 1, 7, 3, N'abcde')", "print <<    abc>>"),
    (_RAISE, "RAISERROR(N'<<%7.3s>>', 10, 1, N'abcde')", "print <<    abc>>"),
    (_RAISE, "RAISERROR(15600, -1, -1, 'mysp_CreateCustomer')", "error 15600 mysp_CreateCustomer"),
    (_RAISE, "BEGIN TRY RAISERROR('Error raised in TRY block.', 16, 1); END TRY BEGIN CATCH DECLARE @m nvarchar(4000) = ERROR_MESSAGE(), @s int = ERROR_SEVERITY(), @t int = ERROR_STATE(); RAISERROR(@m, @s, @t); END CATCH",
     "error 50000 Error raised in TRY block."),
    (_RAISE, "BEGIN TRY RAISERROR('only a message', 10, 1); SELECT 'goes on'; END TRY BEGIN CATCH SELECT 'caught'; END CATCH", "goes on", "print only a message"),
    (_RAISE, "RAISERROR('low', 9, 1); SELECT @@ERROR; RAISERROR('low', 9, 1) WITH SETERROR; SELECT @@ERROR", "0", "50000"),
    (_RAISE, "DECLARE @text nvarchar(100) = N'The current database ID is:%d, the name is: %s.'; RAISERROR(@text, 10, 1, 1, 'master')", "print The current database ID is:1, the name is: master."),
    (_THROW, "THROW 51000, 'The record does not exist.', 1", "error 51000 The record does not exist."),
    (_THROW, "CREATE TABLE #r (id int PRIMARY KEY); BEGIN TRY INSERT #r VALUES (1); INSERT #r VALUES (1); END TRY BEGIN CATCH PRINT 'In catch block.'; THROW; END CATCH", "error 2627", "print In catch block."),
    (_THROW, ("EXEC sys.sp_addmessage @msgnum = 60000, @severity = 16, @msgtext = N'one (%d), two (%s), three (%s).', @lang = 'us_english';\nGO\n"
     "DECLARE @m nvarchar(2048) = FORMATMESSAGE(60000, 500, N'First string', N'second string'); THROW 60000, @m, 1"), "error 60000 one (500), two (First string), three (second string)."),
    (_THROW, "BEGIN TRY THROW 50001, 'x', 7; END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(); END CATCH", "50001 | 16 | 7"),
    (_COUNT, "PRINT @@TRANCOUNT; BEGIN TRAN; PRINT @@TRANCOUNT; BEGIN TRAN; PRINT @@TRANCOUNT; COMMIT; PRINT @@TRANCOUNT; COMMIT; PRINT @@TRANCOUNT", "print 0", "print 1", "print 2", "print 1", "print 0"),
    (_COUNT, "PRINT @@TRANCOUNT; BEGIN TRAN; PRINT @@TRANCOUNT; BEGIN TRAN; PRINT @@TRANCOUNT; ROLLBACK; PRINT @@TRANCOUNT", "print 0", "print 1", "print 2", "print 0"),
    (_COUNT, "BEGIN TRAN; SAVE TRAN s; ROLLBACK TRAN s; SELECT @@TRANCOUNT; ROLLBACK", "1"),
    ("t-sql/language-elements/case", "WITH Data (value) AS (SELECT 0 UNION ALL SELECT 1) SELECT CASE WHEN MIN(value) <= 0 THEN 0 WHEN MAX(1/value) >= 100 THEN 1 END FROM Data", "error 8134"),
]  # fmt: skip
