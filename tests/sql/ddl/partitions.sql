-- Partition functions and schemes: boundaries, $PARTITION, what lies on a scheme, and what cannot be.
CREATE DATABASE D; ALTER DATABASE D ADD FILEGROUP fg1; ALTER DATABASE D ADD FILEGROUP fg2
GO
USE D
GO
CREATE PARTITION FUNCTION on_left (int) AS RANGE LEFT FOR VALUES (1, 100, 1000);
CREATE PARTITION FUNCTION on_right (int) AS RANGE RIGHT FOR VALUES (1, 100, 1000);
CREATE PARTITION FUNCTION no_side (int) AS RANGE FOR VALUES (1, NULL);
CREATE PARTITION FUNCTION nulls_right (int) AS RANGE RIGHT FOR VALUES (NULL, 1);
DECLARE @first date = '20220401';
CREATE PARTITION FUNCTION months (date) AS RANGE RIGHT FOR VALUES (@first, '20220601', '20220501');
CREATE PARTITION FUNCTION words (nvarchar(20)) AS RANGE RIGHT FOR VALUES (N'g', 'n');
CREATE PARTITION FUNCTION whole (int) AS RANGE FOR VALUES ()
GO
--! print 'no_side' are not in order
--! print 'months' are not in order
--! spec PARTITION-1 PARTITION-2
SELECT v, $PARTITION.on_left(v), D.$PARTITION.on_right(v), $PARTITION.no_side(v), $PARTITION.nulls_right(v), $PARTITION.whole(v)
FROM (VALUES (NULL), (0), (1), (2), (100), (101), (1000), (1001)) AS t (v) ORDER BY v;
SELECT $PARTITION.months('20220401'), $PARTITION.months('20220331'), $PARTITION.months('20220501'), $PARTITION.words(N'GRAPE'), $PARTITION.words('fig');
DECLARE @n int = $PARTITION.on_left(10); SELECT @n
GO
--! rows
--! NULL | 1 | 1 | 1 | 2 | 1
--! 0 | 1 | 1 | 2 | 2 | 1
--! 1 | 1 | 2 | 2 | 3 | 1
--! 2 | 2 | 2 | 3 | 3 | 1
--! 100 | 2 | 3 | 3 | 3 | 1
--! 101 | 3 | 3 | 3 | 3 | 1
--! 1000 | 3 | 4 | 3 | 3 | 1
--! 1001 | 4 | 4 | 3 | 3 | 1
--! rows
--! 2 | 1 | 3 | 2 | 1
--! rows
--! 2
--! spec PARTITION-1 PARTITION-3
SELECT $PARTITION.nothing(1)
GO
--! error 208
SELECT $PARTITION.months(1)
GO
--! error 206
SELECT $PARTITION.on_left(1, 2)
GO
--! error 174
CREATE PARTITION FUNCTION on_left (int) AS RANGE FOR VALUES (1)
GO
--! error 2714
CREATE PARTITION FUNCTION f (int) AS RANGE FOR VALUES (1, 2, 1)
GO
--! error 7708
CREATE PARTITION FUNCTION f (date) AS RANGE FOR VALUES ('20200101', 5)
GO
--! error 7705
CREATE PARTITION FUNCTION f (nvarchar(max)) AS RANGE FOR VALUES (N'a')
GO
--! error 7704
CREATE PARTITION FUNCTION f (xml) AS RANGE FOR VALUES ()
GO
--! error 7704
--! spec PARTITION-4
CREATE PARTITION SCHEME by_number AS PARTITION on_left TO (fg1, fg2, [PRIMARY], fg1);
CREATE PARTITION SCHEME by_month AS PARTITION months ALL TO ([PRIMARY]);
CREATE PARTITION SCHEME by_word AS PARTITION words TO (fg1, fg1, fg2, fg2, fg1)
GO
--! print 1 filegroups
CREATE PARTITION SCHEME s AS PARTITION on_left TO (fg1, fg2)
GO
--! error 7707
CREATE PARTITION SCHEME s AS PARTITION on_left ALL TO (fg1, fg2)
GO
--! error 7723
CREATE PARTITION SCHEME s AS PARTITION on_left ALL TO (nowhere)
GO
--! error 1921
CREATE PARTITION SCHEME s AS PARTITION nothing ALL TO ([PRIMARY])
GO
--! error 208
--! spec PARTITION-5
SELECT name, type_desc, fanout, boundary_value_on_right FROM sys.partition_functions ORDER BY function_id;
SELECT f.name, r.boundary_id, r.value, SQL_VARIANT_PROPERTY(r.value, 'BaseType') FROM sys.partition_range_values AS r
JOIN sys.partition_functions AS f ON f.function_id = r.function_id WHERE f.name IN ('on_left', 'months', 'no_side') ORDER BY f.name, r.boundary_id;
SELECT TYPE_NAME(p.user_type_id), p.max_length FROM sys.partition_parameters AS p JOIN sys.partition_functions AS f ON f.function_id = p.function_id WHERE f.name = 'words';
SELECT s.name, d.destination_id, g.name FROM sys.partition_schemes AS s JOIN sys.destination_data_spaces AS d ON d.partition_scheme_id = s.data_space_id
JOIN sys.filegroups AS g ON g.data_space_id = d.data_space_id WHERE s.name IN ('by_number', 'by_word') ORDER BY s.name, d.destination_id;
SELECT name, type FROM sys.data_spaces ORDER BY data_space_id
GO
--! rows
--! on_left | RANGE | 4 | 0
--! on_right | RANGE | 4 | 1
--! no_side | RANGE | 3 | 0
--! nulls_right | RANGE | 3 | 1
--! months | RANGE | 4 | 1
--! words | RANGE | 3 | 1
--! whole | RANGE | 1 | 0
--! rows
--! months | 1 | 2022-04-01 | date
--! months | 2 | 2022-05-01 | date
--! months | 3 | 2022-06-01 | date
--! no_side | 1 | NULL | NULL
--! no_side | 2 | 1 | int
--! on_left | 1 | 1 | int
--! on_left | 2 | 100 | int
--! on_left | 3 | 1000 | int
--! rows
--! nvarchar | 40
--! rows
--! by_number | 1 | fg1
--! by_number | 2 | fg2
--! by_number | 3 | PRIMARY
--! by_number | 4 | fg1
--! by_word | 1 | fg1
--! by_word | 2 | fg1
--! by_word | 3 | fg2
--! by_word | 4 | fg2
--! rows
--! PRIMARY | FG
--! fg1 | FG
--! fg2 | FG
--! by_number | PS
--! by_month | PS
--! by_word | PS
--! spec PARTITION-6
CREATE TABLE heap (id int NOT NULL, d date NOT NULL) ON by_month (d);
CREATE TABLE keyed (id int NOT NULL, d date NOT NULL, CONSTRAINT pk_keyed PRIMARY KEY CLUSTERED (id, d)) ON by_month (d);
CREATE TABLE by_key (id int NOT NULL, CONSTRAINT pk_by_key PRIMARY KEY (id) ON by_number (id));
CREATE TABLE later (id int NOT NULL, d date NOT NULL);
CREATE CLUSTERED INDEX cl ON later (id) ON by_month (d);
CREATE INDEX aligned ON heap (id);
CREATE INDEX apart ON heap (id) ON by_number (id);
CREATE INDEX nowhere ON heap (d, id) ON [PRIMARY];
EXEC sp_rename 'later.d', 'day', 'COLUMN';
SELECT OBJECT_NAME(i.object_id), i.name, s.name, COL_NAME(c.object_id, c.column_id), c.key_ordinal, c.is_included_column
FROM sys.indexes AS i JOIN sys.data_spaces AS s ON s.data_space_id = i.data_space_id
LEFT JOIN sys.index_columns AS c ON c.object_id = i.object_id AND c.index_id = i.index_id AND c.partition_ordinal = 1
ORDER BY 1, i.index_id;
EXEC sp_helpindex 'heap'
GO
--! rows
--! by_key | pk_by_key | by_number | id | 1 | 0
--! heap | NULL | by_month | d | 0 | 0
--! heap | aligned | by_month | d | 0 | 0
--! heap | apart | by_number | id | 1 | 0
--! heap | nowhere | PRIMARY | NULL | NULL | NULL
--! keyed | pk_keyed | by_month | d | 2 | 0
--! later | cl | by_month | day | 0 | 0
--! rows
--! aligned | nonclustered located on by_month | id
--! apart | nonclustered located on by_number | id
--! nowhere | nonclustered located on PRIMARY | d, id
--! spec PARTITION-7
INSERT heap VALUES (1, '20220415'), (2, '20220601'), (3, '20000101'), (4, '20220630');
SELECT $PARTITION.months(d), COUNT(*), MIN(id) FROM heap GROUP BY $PARTITION.months(d) ORDER BY 1;
SELECT id FROM heap WHERE $PARTITION.months(d) = 4 ORDER BY id
GO
--! rows
--! 1 | 1 | 3
--! 2 | 1 | 1
--! 4 | 2 | 2
--! rows
--! 2
--! 4
CREATE TABLE x (id int NOT NULL PRIMARY KEY, d date NOT NULL) ON by_month (d)
GO
--! error 1908
CREATE UNIQUE INDEX u ON heap (id)
GO
--! error 1908
ALTER TABLE heap ADD CONSTRAINT pk_heap PRIMARY KEY (id)
GO
--! error 1908
CREATE TABLE x (id int, d datetime) ON by_month (d)
GO
--! error 7726
CREATE TABLE x (id int, d AS CAST(GETDATE() AS date)) ON by_month (d)
GO
--! error 7724
CREATE TABLE x (id int) ON by_month (d)
GO
--! error 1911
CREATE TABLE x (id int, d date) ON by_month (d, id)
GO
--! error 2726
CREATE TABLE x (id int) ON by_nothing (id)
GO
--! error 1921
CREATE TABLE #x (id int) ON by_number (id)
GO
--! error 1921
SELECT 1 AS id INTO x ON by_number (id)
GO
--! error 1921
ALTER TABLE heap DROP COLUMN d
GO
--! error 5074
--! error 5074
--! error 4922
SELECT OBJECT_ID('x')
GO
--! rows
--! NULL
--! spec PARTITION-8
CREATE UNIQUE INDEX u ON heap (id, d);
CREATE UNIQUE INDEX u2 ON heap (id) ON [PRIMARY];
ALTER TABLE keyed DROP CONSTRAINT pk_keyed WITH (MOVE TO [PRIMARY]);
ALTER TABLE keyed ADD CONSTRAINT pk_keyed PRIMARY KEY (id)
GO
ALTER PARTITION FUNCTION on_left () SPLIT RANGE (500)
GO
--! error 7707
ALTER PARTITION SCHEME by_number NEXT USED fg2;
ALTER PARTITION FUNCTION on_left () SPLIT RANGE (500);
ALTER PARTITION SCHEME by_number NEXT USED fg2;
ALTER PARTITION SCHEME by_number NEXT USED;
ALTER PARTITION SCHEME by_number NEXT USED;
SELECT $PARTITION.on_left(500), $PARTITION.on_left(501);
SELECT STRING_AGG(g.name, ' ') WITHIN GROUP (ORDER BY d.destination_id) FROM sys.destination_data_spaces AS d JOIN sys.filegroups AS g ON g.data_space_id = d.data_space_id
JOIN sys.partition_schemes AS s ON s.data_space_id = d.partition_scheme_id WHERE s.name = 'by_number';
ALTER PARTITION FUNCTION on_left () MERGE RANGE (100);
SELECT STRING_AGG(CAST(r.value AS varchar(9)), ' ') WITHIN GROUP (ORDER BY r.boundary_id) FROM sys.partition_range_values AS r
JOIN sys.partition_functions AS f ON f.function_id = r.function_id WHERE f.name = 'on_left';
SELECT STRING_AGG(g.name, ' ') WITHIN GROUP (ORDER BY d.destination_id) FROM sys.destination_data_spaces AS d JOIN sys.filegroups AS g ON g.data_space_id = d.data_space_id
JOIN sys.partition_schemes AS s ON s.data_space_id = d.partition_scheme_id WHERE s.name = 'by_number'
GO
--! print no filegroup that is used next
--! rows
--! 3 | 4
--! rows
--! fg1 fg2 fg2 PRIMARY fg1
--! rows
--! 1 500 1000
--! rows
--! fg1 fg2 PRIMARY fg1
--! spec PARTITION-9
ALTER PARTITION FUNCTION on_left () SPLIT RANGE (500)
GO
--! error 7721
ALTER PARTITION FUNCTION on_left () MERGE RANGE (7)
GO
--! error 7715
ALTER PARTITION FUNCTION on_left () SPLIT
GO
--! error 7714
ALTER PARTITION FUNCTION nothing () SPLIT RANGE (1)
GO
--! error 208
DROP PARTITION FUNCTION on_left
GO
--! error 7706
DROP PARTITION SCHEME by_number
GO
--! error 7717
DROP PARTITION SCHEME nothing
GO
--! error 3701
CREATE USER nobody WITHOUT LOGIN;
EXECUTE AS USER = 'nobody'
GO
CREATE PARTITION FUNCTION f (int) AS RANGE FOR VALUES (1)
GO
--! error 15247
DROP PARTITION FUNCTION whole
GO
--! error 3701
SELECT $PARTITION.on_left(2);
REVERT;
GRANT ALTER ANY DATASPACE TO nobody;
EXECUTE AS USER = 'nobody';
CREATE PARTITION FUNCTION f (int) AS RANGE FOR VALUES (1);
DROP PARTITION FUNCTION f;
REVERT;
DROP TABLE by_key; DROP INDEX apart ON heap; DROP PARTITION SCHEME by_number; DROP PARTITION FUNCTION on_left;
BEGIN TRAN; DROP TABLE later, heap; DROP PARTITION SCHEME by_month; DROP PARTITION FUNCTION months; ROLLBACK;
SELECT name FROM sys.partition_schemes ORDER BY name
GO
--! rows
--! 2
--! rows
--! by_month
--! by_word
--! spec PARTITION-10
--! restart
USE D
GO
SELECT $PARTITION.months(d), COUNT(*) FROM heap GROUP BY $PARTITION.months(d) ORDER BY 1;
SELECT s.name FROM sys.indexes AS i JOIN sys.data_spaces AS s ON s.data_space_id = i.data_space_id WHERE i.object_id = OBJECT_ID('heap') AND i.index_id = 0
GO
--! rows
--! 1 | 1
--! 2 | 1
--! 4 | 2
--! rows
--! by_month
