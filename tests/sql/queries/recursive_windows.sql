-- Window functions in a recursive member see what comes of one row of the level before, not the whole level (page "WITH
-- common_table_expression": analytic functions in the recursive part work on the set of the current recursion level's row).
CREATE TABLE t (id int, parent int)
INSERT t VALUES (1, NULL), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3);
WITH tree AS (
    SELECT id, CAST(NULL AS bigint) AS n, NULL AS c FROM t WHERE parent IS NULL
    UNION ALL
    SELECT t.id, ROW_NUMBER() OVER (ORDER BY t.id DESC), COUNT(*) OVER ()
    FROM t JOIN tree ON t.parent = tree.id
)
SELECT id, n, c FROM tree ORDER BY id
GO
--! rows
--! 1 | NULL | NULL
--! 2 | 2 | 2
--! 3 | 1 | 2
--! 4 | 2 | 2
--! 5 | 1 | 2
--! 6 | 1 | 1
