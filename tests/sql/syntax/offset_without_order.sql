-- OFFSET without ORDER BY: 102 where it stands, and 153 where the FETCH behind it is read as that of a cursor.
SELECT name FROM sys.objects OFFSET 0 ROWS FETCH NEXT 5 ROWS ONLY
GO
--! error 102 line 2
--! error 153 line 2 state 2
SELECT name FROM sys.objects WHERE name = 'a'
OFFSET 0 ROWS
FETCH FIRST (5) ROWS ONLY
GO
--! error 102 line 2 text OFFSET
--! error 153 line 3 state 2 text FIRST
DECLARE @n int = 1
SELECT name FROM sys.objects AS o OFFSET @n ROWS FETCH NEXT @n ROWS ONLY; SELECT 1
GO
--! error 102 line 2 text OFFSET
--! error 153 line 2 state 2 text NEXT
CREATE PROCEDURE p AS
SELECT name FROM sys.objects GROUP BY name
OFFSET 10 ROWS FETCH NEXT 5 ROWS ONLY
GO
--! error 102 line 3 text OFFSET
--! error 153 line 3 state 2
BEGIN TRY
    EXEC ('SELECT name FROM sys.objects AS o OFFSET 1 ROW FETCH NEXT 1 ROW ONLY')
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER()
END CATCH
GO
--! rows
--! 153
-- Without FETCH, or with that of a cursor, it is the first alone; so it is where ORDER BY stands.
SELECT name FROM sys.objects AS o OFFSET 0 ROWS
GO
--! error 102
SELECT 1 AS a OFFSET 0 ROWS; FETCH NEXT FROM c
GO
--! error 102
SELECT 1 AS a OFFSET 0 ROWS FETCH NEXT FROM c
GO
--! error 102
SELECT name FROM sys.objects ORDER BY name OFFSET 10 ROWS FETCH NEXT ROWS ONLY
GO
--! error 102
