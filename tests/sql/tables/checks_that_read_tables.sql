-- A CHECK by a function that reads tables is asked when the statement's rows are there. (CREATE TABLE, "CHECK constraints";
-- Unique constraints and check constraints: CheckTbl.)
CREATE TABLE CheckTbl (col1 int, col2 int);
GO
CREATE FUNCTION CheckFnctn() RETURNS int AS
BEGIN
    DECLARE @retval int;
    SELECT @retval = COUNT(*) FROM CheckTbl;
    RETURN @retval;
END;
GO
-- No row is there, so that none fails.
ALTER TABLE CheckTbl ADD CONSTRAINT chkRowCount CHECK (dbo.CheckFnctn() >= 1);
GO
INSERT CheckTbl VALUES (10, 10);
GO
-- DELETE asks no CHECK.
DELETE CheckTbl WHERE col1 = 10;
SELECT COUNT(*) FROM CheckTbl;
GO
--! rows
--! 0

-- One open order for each customer.
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL, is_open bit NOT NULL, note varchar(20) NULL);
GO
CREATE FUNCTION dbo.OpenOrders(@customer int) RETURNS int AS
BEGIN
    RETURN (SELECT COUNT(*) FROM orders WHERE customer = @customer AND is_open = 1);
END;
GO
CREATE FUNCTION dbo.IsAlone(@customer int) RETURNS bit AS
BEGIN
    RETURN IIF(dbo.OpenOrders(@customer) <= 1, 1, 0);
END;
GO
INSERT orders VALUES (1, 1, 1, NULL), (2, 1, 0, NULL), (3, 2, 1, NULL);
ALTER TABLE orders ADD CONSTRAINT one_open CHECK (dbo.IsAlone(customer) = 1);
GO
INSERT orders VALUES (4, 1, 1, NULL);
GO
--! error 547 text one_open
-- Two of one statement see each other.
INSERT orders VALUES (4, 3, 1, NULL), (5, 3, 1, NULL);
GO
--! error 547 text one_open
INSERT orders VALUES (4, 3, 1, NULL), (5, 3, 0, NULL);
GO
-- What a statement takes away is gone: the two change places.
UPDATE orders SET customer = 3 - customer WHERE customer IN (1, 2);
SELECT id, customer FROM orders ORDER BY id;
GO
--! rows
--! 1 | 2
--! 2 | 2
--! 3 | 1
--! 4 | 3
--! 5 | 3
-- The CHECK names customer alone: nobody asks it when other columns change.
UPDATE orders SET is_open = 1 WHERE id = 2;
UPDATE orders SET note = 'x' WHERE customer = 2;
SELECT dbo.OpenOrders(2);
GO
--! rows
--! 2
UPDATE orders SET customer = customer WHERE id = 2;
GO
--! error 547 text one_open
UPDATE orders SET is_open = 0 WHERE id = 2;
-- A MERGE that takes one and brings one.
MERGE orders AS t USING (VALUES (1, 2), (10, 2)) AS s(id, customer) ON s.id = t.id
WHEN MATCHED THEN DELETE
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.customer, 1, NULL);
SELECT id FROM orders WHERE customer = 2 AND is_open = 1;
GO
--! rows
--! 10
MERGE orders AS t USING (VALUES (11, 2)) AS s(id, customer) ON s.id = t.id
WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.customer, 1, NULL);
GO
--! error 547 text MERGE
-- In TRY the statement alone is undone, with no trigger fired, and the transaction goes on.
CREATE TABLE told (n int);
GO
CREATE TRIGGER orders_told ON orders FOR INSERT AS INSERT told SELECT COUNT(*) FROM inserted;
GO
BEGIN TRAN;
INSERT orders VALUES (20, 20, 1, NULL);
BEGIN TRY
    INSERT orders SELECT id + 100, customer, 1, NULL FROM orders;
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), XACT_STATE();
END CATCH;
COMMIT;
SELECT COUNT(*), MAX(id) FROM orders;
SELECT n FROM told;
GO
--! rows
--! 547 | 1
--! rows
--! 6 | 20
--! rows
--! 1
-- A function that reads another table sees what a trigger, or the transaction, has written there.
CREATE TABLE limits (customer int, most int);
GO
CREATE FUNCTION dbo.MostOf(@customer int) RETURNS int AS
BEGIN
    RETURN (SELECT MAX(most) FROM limits WHERE customer = @customer);
END;
GO
CREATE TABLE sums (customer int, amount int, CONSTRAINT not_too_much CHECK (amount <= dbo.MostOf(customer)));
GO
INSERT sums VALUES (1, 5);
BEGIN TRAN;
INSERT limits VALUES (1, 6);
INSERT sums VALUES (1, 6);
INSERT sums VALUES (1, 7);
GO
--! error 547 text not_too_much
ROLLBACK;
SELECT COUNT(*) FROM sums;
GO
--! rows
--! 1
-- Rows that are there: WITH NOCHECK passes them over, until they are changed.
CREATE TABLE many (c int, n int);
INSERT many VALUES (1, 0), (1, 0), (1, 0);
GO
CREATE FUNCTION dbo.ManyOf(@c int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM many WHERE c = @c) END;
GO
ALTER TABLE many ADD CONSTRAINT two CHECK (dbo.ManyOf(c) <= 2);
GO
--! error 547 text two
ALTER TABLE many WITH NOCHECK ADD CONSTRAINT two CHECK (dbo.ManyOf(c) <= 2);
UPDATE many SET n = 1;
GO
UPDATE many SET c = 1;
GO
--! error 547 text two
ALTER TABLE many NOCHECK CONSTRAINT two;
INSERT many VALUES (1, 0);
GO
ALTER TABLE many WITH CHECK CHECK CONSTRAINT two;
GO
--! error 547 text two
DELETE TOP (2) FROM many;
ALTER TABLE many WITH CHECK CHECK CONSTRAINT two;
SELECT is_disabled, is_not_trusted FROM sys.check_constraints WHERE name = 'two';
GO
--! rows
--! 0 | 0
-- A cascade is a change like another one.
CREATE TABLE parents (id int PRIMARY KEY);
CREATE TABLE children (id int, parent int REFERENCES parents ON UPDATE CASCADE);
GO
CREATE FUNCTION dbo.Elders() RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM children WHERE parent >= 10) END;
GO
ALTER TABLE children ADD CONSTRAINT one_elder CHECK (dbo.Elders() <= IIF(parent > 0, 1, 1));
INSERT parents VALUES (1), (2);
INSERT children VALUES (1, 1), (2, 2);
UPDATE parents SET id = 11 WHERE id = 1;
GO
UPDATE parents SET id = 12 WHERE id = 2;
GO
--! error 547 text one_elder
SELECT id FROM parents ORDER BY id;
SELECT parent FROM children ORDER BY id;
GO
--! rows
--! 2
--! 11
--! rows
--! 11
--! 2
-- A DEFAULT sees the rows that were there before the statement, for each of its rows.
CREATE TABLE numbered (id int, what varchar(5));
GO
CREATE FUNCTION dbo.NextNumber() RETURNS int AS BEGIN RETURN (SELECT ISNULL(MAX(id), 0) + 1 FROM numbered) END;
GO
ALTER TABLE numbered ADD CONSTRAINT next_one DEFAULT dbo.NextNumber() FOR id;
INSERT numbered (what) VALUES ('a');
INSERT numbered (what) VALUES ('b');
INSERT numbered (what) SELECT 'c' FROM GENERATE_SERIES(1, 2);
SELECT id, what FROM numbered ORDER BY id, what;
GO
--! rows
--! 1 | a
--! 2 | b
--! 3 | c
--! 3 | c
-- A computed column reads its own table by a function, when it is read.
CREATE TABLE counted (id int, c int);
INSERT counted VALUES (1, 1), (2, 1), (3, 2);
GO
CREATE FUNCTION dbo.Alike(@c int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM counted WHERE c = @c) END;
GO
ALTER TABLE counted ADD n AS dbo.Alike(c), m AS c * 2;
GO
INSERT counted VALUES (4, 2), (5, 2);
SELECT id, n, m FROM counted ORDER BY id;
SELECT id FROM counted WHERE n = 2 ORDER BY n, id;
UPDATE counted SET c = 1 WHERE n = 3;
SELECT DISTINCT n FROM counted;
SELECT [1] FROM (SELECT c, n FROM counted) AS s PIVOT (MAX(n) FOR c IN ([1])) AS p;
GO
--! rows
--! 1 | 2 | 2
--! 2 | 2 | 2
--! 3 | 3 | 4
--! 4 | 3 | 4
--! 5 | 3 | 4
--! rows
--! 1
--! 2
--! rows
--! 5
--! rows
--! 5
