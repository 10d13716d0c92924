-- Three-valued logic, collation and LIKE.
DECLARE @t TABLE (n int, what varchar(30));
IF 'abc' = 'ABC  ' INSERT @t VALUES (1, 'case and blanks do not count');
IF 'a' = 'á' INSERT @t VALUES (2, 'never');
IF NULL = NULL INSERT @t VALUES (3, 'never'); ELSE INSERT @t VALUES (3, 'unknown is not true');
IF NOT (NULL = 1) INSERT @t VALUES (4, 'never');
IF 1 IN (2, NULL) INSERT @t VALUES (5, 'never');
IF 1 NOT IN (2, NULL) INSERT @t VALUES (6, 'never');
IF 'Karson' LIKE '[ck]ars[eo]n' INSERT @t VALUES (7, 'sets');
IF '50%' LIKE '50!%' ESCAPE '!' INSERT @t VALUES (8, 'escape');
IF 'abc' = 'ABC' COLLATE Latin1_General_BIN INSERT @t VALUES (9, 'never');
IF 0x01 = 0x0100 INSERT @t VALUES (10, 'zeros at the end do not count');
IF 5 BETWEEN 1 AND 5 AND NOT 6 BETWEEN 1 AND 5 INSERT @t VALUES (11, 'between');
IF '10' > 9 INSERT @t VALUES (12, 'numbers win over text');
SELECT n, what FROM @t ORDER BY n;
GO
--! rows
--! 1 | case and blanks do not count
--! 3 | unknown is not true
--! 7 | sets
--! 8 | escape
--! 10 | zeros at the end do not count
--! 11 | between
--! 12 | numbers win over text
IF 'a' = 1 PRINT 'x';
GO
--! error 245
SELECT CASE WHEN CAST('<a/>' AS xml) = CAST('<a/>' AS xml) THEN 1 END;
GO
--! error 305
