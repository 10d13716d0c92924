-- The error log, each line of which belongs to a cycle: the highest one is the current log. Run at every opening: a store that was
-- made before its log was kept gets the table then.
CREATE TABLE IF NOT EXISTS sbql.error_log (cycle INTEGER, time DOUBLE, number INTEGER, text VARCHAR, source VARCHAR);
