-- What tells one store from another for ever: an owner's endpoint file and the checkpoints of readers name it.
INSERT INTO sbql.meta SELECT 'store_id', upper(uuid()::VARCHAR) WHERE NOT EXISTS (SELECT 1 FROM sbql.meta WHERE key = 'store_id');
