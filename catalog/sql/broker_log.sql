-- Where the broker's log stands (catalog/broker_log.py): the first of its frames that is needed, and the LSN up to which everything in it is in the tables.
CREATE TABLE IF NOT EXISTS sbql.broker_log (epoch VARCHAR, frame BIGINT, place BIGINT, lsn BIGINT, is_open BOOLEAN);
