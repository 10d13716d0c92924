-- What does not bind in a view or inline function: the cause in its own line of that text, then 4413 for each name on the way to it.
CREATE TABLE base (id int, gone int, kind varchar(10))
GO
CREATE VIEW shown AS
SELECT id,
    gone
FROM base
GO
CREATE VIEW outer_view AS SELECT id FROM
    shown
GO
CREATE FUNCTION rows_of (@least int) RETURNS TABLE AS RETURN
    SELECT gone FROM base WHERE id > @least
GO
CREATE VIEW summed AS SELECT SUM(id + kind) AS total FROM base
GO
CREATE PROCEDURE reads AS
    SELECT * FROM outer_view
GO
ALTER TABLE base DROP COLUMN gone
ALTER TABLE base ALTER COLUMN kind date
GO
-- A column that is missing refuses the whole batch.
PRINT 'never'
SELECT * FROM shown
GO
--! error 207 line 3
--! error 4413 line 3
SELECT * FROM dbo.outer_view AS o WHERE o.id = 1
GO
--! error 207 line 3
--! error 4413 line 2
--! error 4413 line 1
PRINT 'never'
SELECT * FROM rows_of(1)
GO
--! error 207 line 2
--! error 4413 line 2
SELECT * FROM summed
GO
--! error 206
--! error 4413
INSERT shown VALUES (1, 2)
GO
--! error 207 line 3
--! error 4413 line 1
UPDATE shown SET id = 1
GO
--! error 207 line 3
--! error 4413 line 1
DELETE outer_view
GO
--! error 207 line 3
--! error 4413 line 2
--! error 4413 line 1
MERGE shown AS s USING base AS b ON s.id = b.id WHEN MATCHED THEN DELETE;
GO
--! error 207 line 3
--! error 4413 line 1
-- A CATCH hears of the last.
CREATE TABLE told (number int, line int, name sysname NULL)
GO
BEGIN TRY
    EXEC reads
END TRY
BEGIN CATCH
    INSERT told VALUES (ERROR_NUMBER(), ERROR_LINE(), ERROR_PROCEDURE())
END CATCH
BEGIN TRY EXEC ('SELECT * FROM rows_of(1)') END TRY BEGIN CATCH INSERT told VALUES (ERROR_NUMBER(), ERROR_LINE(), ERROR_PROCEDURE()) END CATCH
SELECT * FROM told
GO
--! rows
--! 4413 | 2 | reads
--! 4413 | 1 | NULL
-- A table that is missing may be there by then: the statement fails, when it runs, past the CATCH of its own level.
DROP TABLE base
GO
PRINT 'before'
BEGIN TRY SELECT * FROM shown END TRY BEGIN CATCH PRINT 'never' END CATCH
PRINT 'never'
GO
--! print before
--! error 208 line 4
--! error 4413 line 2
UPDATE shown SET id = 1
GO
--! error 208 line 4
--! error 4413 line 1
-- What is wrong with the query that names the view is its own.
CREATE TABLE base (id int, gone int, kind int)
GO
SELECT nothing FROM shown
GO
--! error 207
UPDATE shown SET nothing = 1
GO
--! error 207
SELECT s.id FROM shown AS s, outer_view AS o ORDER BY s.id
GO
--! rows
