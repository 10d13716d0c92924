-- An order for the numbers of a sequence is not supported, and the error names it.
CREATE SEQUENCE dbo.Numbers START WITH 1;
GO
SELECT NEXT VALUE FOR dbo.Numbers OVER (ORDER BY name) FROM sys.databases;
GO
--! error 40517 line 1 text NEXT VALUE FOR … OVER
