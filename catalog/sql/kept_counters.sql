-- Where the counters of user tables were when the store was closed: of each table with an identity column, which `created` tells from a
-- later one of the same id, its last identity value; of table 0 the last row version. What is counted behind that is kept in blocks,
-- whose ends stand here; a row of table -1 says that somebody counted without. Run at every opening, as the error log's is.
CREATE TABLE IF NOT EXISTS sbql.kept_counters (table_id BIGINT, created DOUBLE, last HUGEINT);
