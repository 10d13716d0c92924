-- A view with an INSTEAD OF trigger is no target of UPDATE and DELETE that join it with other tables (UPDATE, "Remarks"; errors 414 and 415).
CREATE TABLE a (id int PRIMARY KEY, n int);
INSERT a VALUES (1, 1), (2, 2);
GO
CREATE VIEW v AS SELECT id, n FROM a;
GO
UPDATE v SET n = v.n + 1 FROM v JOIN a ON v.id = a.id;
GO
CREATE TRIGGER InsteadOfDelete ON v INSTEAD OF DELETE AS PRINT 'deleted';
GO
UPDATE x SET n = 5 FROM v AS x JOIN a ON a.id = x.id WHERE x.id = 1;
DELETE FROM v WHERE id IN (SELECT id FROM a);
DELETE x FROM v AS x;
GO
--! print deleted
--! print deleted
DELETE x FROM v AS x JOIN a ON a.id = x.id;
GO
--! error 415 line 1
CREATE TRIGGER InsteadOfUpdate ON v INSTEAD OF UPDATE AS UPDATE v SET n = inserted.n + 100 FROM v JOIN inserted ON v.id = inserted.id;
GO
UPDATE v SET n = 7 WHERE id = 1;
UPDATE x SET n = 8 FROM v AS x WHERE x.id = 2;
SELECT * FROM a;
GO
--! rows
--! 1 | 107
--! 2 | 108
UPDATE x SET n = 0 FROM v AS x JOIN a ON a.id = x.id;
GO
--! error 414 line 1
UPDATE v SET n = 0 FROM a WHERE a.id = v.id;
GO
--! error 414 line 1
-- As a source it may be joined, and without the trigger as a target.
UPDATE a SET n = v.id FROM a JOIN v ON v.id = a.id;
DISABLE TRIGGER InsteadOfUpdate ON v;
GO
UPDATE x SET n = x.n * 10 FROM v AS x JOIN a ON a.id = x.id;
SELECT * FROM a;
GO
--! rows
--! 1 | 10
--! 2 | 20
