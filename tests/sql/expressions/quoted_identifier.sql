-- QUOTED_IDENTIFIER OFF: double quotes hold strings, from the SET on; a module keeps the setting under which it was made.
SELECT 1 AS "a name";
SET QUOTED_IDENTIFIER OFF
SELECT "text" AS a, "it's", 'say "hi"', "two "" quotes", LEN("");
GO
--! rows
--! columns a name
--! 1
--! rows
--! text | it's | say "hi" | two " quotes | 0
PRINT "still off"
DECLARE @x nvarchar(20) = "abc", @sql varchar(100)
SELECT @x, [name] FROM (SELECT "y" AS name) t
SET @sql = "SELECT 'inner' + ""x"""
EXEC (@sql)
EXEC ("SELECT 'direct'")
GO
--! print still off
--! rows
--! abc | y
--! rows
--! innerx
--! rows
--! direct
CREATE DATABASE Quotes;
GO
USE Quotes
GO
CREATE PROCEDURE Old_ AS
    SET QUOTED_IDENTIFIER ON
    IF "a" = 'A' SELECT "old" AS made
    EXEC ("SELECT 'ran'")
GO
CREATE VIEW OldView AS SELECT "from the view" AS v
GO
SET ANSI_NULLS, QUOTED_IDENTIFIER ON
GO
CREATE PROCEDURE New_ AS SELECT "x" FROM (SELECT 1 AS x) t
GO
EXEC Old_; EXEC New_; SELECT v FROM OldView;
SELECT OBJECT_NAME(object_id), uses_quoted_identifier FROM sys.sql_modules ORDER BY 1;
EXEC sp_helptext 'OldView'
GO
--! rows
--! old
--! rows
--! ran
--! rows
--! 1
--! rows
--! from the view
--! rows
--! New_ | 1
--! Old_ | 0
--! OldView | 0
--! rows
--! CREATE VIEW OldView AS SELECT "from the view" AS v
SELECT "x"
GO
--! error 207
