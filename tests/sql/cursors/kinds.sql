-- What a cursor sees of changes made after OPEN: STATIC nothing, KEYSET values and deletions, DYNAMIC everything.
CREATE TABLE dbo.T (Id int PRIMARY KEY, V varchar(10), N int);
INSERT dbo.T VALUES (30, 'c', 3), (10, 'a', 1), (20, 'b', 2);
GO
-- A plain cursor is dynamic: rows that the loop adds ahead of it come, rows that it deletes do not.
DECLARE @id int, @seen varchar(100) = '';
DECLARE c CURSOR FOR SELECT Id FROM dbo.T;
OPEN c;
SELECT @@CURSOR_ROWS;
FETCH NEXT FROM c INTO @id;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @seen += CONCAT(@id, ' ');
    IF @id = 10 BEGIN INSERT dbo.T VALUES (25, 'n', 9), (5, 'n', 9); DELETE dbo.T WHERE Id = 20; END
    FETCH NEXT FROM c INTO @id;
END
CLOSE c; DEALLOCATE c;
SELECT @seen;
DELETE dbo.T WHERE Id IN (5, 25); INSERT dbo.T VALUES (20, 'b', 2);
GO
--! rows
--! -1
--! rows
--! 10 25 30 
-- The classic: a row that no longer meets the condition when the cursor comes to it is not fetched.
DECLARE @id int, @seen varchar(100) = '';
DECLARE c CURSOR LOCAL FOR SELECT Id FROM dbo.T WHERE N < 100 ORDER BY Id;
OPEN c;
FETCH NEXT FROM c INTO @id;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @seen += CONCAT(@id, ' ');
    UPDATE dbo.T SET N = N + 100 WHERE Id <> @id;
    FETCH NEXT FROM c INTO @id;
END
SELECT @seen;
UPDATE dbo.T SET N = N % 100;
GO
--! rows
--! 10 
-- A static cursor and one over a sort that no index gives keep their rows; only the static one keeps its values.
DECLARE @id int, @v varchar(10), @seen varchar(100) = '';
DECLARE s CURSOR LOCAL STATIC FOR SELECT Id, V FROM dbo.T;
DECLARE k CURSOR LOCAL FOR SELECT Id, V FROM dbo.T ORDER BY V DESC;
OPEN s; SELECT @@CURSOR_ROWS; OPEN k; SELECT @@CURSOR_ROWS;
INSERT dbo.T VALUES (40, 'd', 4); UPDATE dbo.T SET V = V + '!';
FETCH NEXT FROM s INTO @id, @v;
WHILE @@FETCH_STATUS = 0 BEGIN SET @seen += @v + ' '; FETCH NEXT FROM s INTO @id, @v; END
SET @seen += '/ ';
FETCH NEXT FROM k INTO @id, @v;
WHILE @@FETCH_STATUS = 0 BEGIN SET @seen += @v + ' '; FETCH NEXT FROM k INTO @id, @v; END
SELECT @seen;
DELETE dbo.T WHERE Id = 40; UPDATE dbo.T SET V = LEFT(V, 1);
GO
--! rows
--! 3
--! rows
--! 3
--! rows
--! c a b / c! b! a! 
-- KEYSET: -2 for a deleted row and for one whose key was changed from outside; values are those of now.
DECLARE k CURSOR KEYSET FOR SELECT Id, V FROM dbo.T;
OPEN k;
DELETE dbo.T WHERE Id = 10;
UPDATE dbo.T SET Id = 21 WHERE Id = 20;
UPDATE dbo.T SET V = 'z' WHERE Id = 30;
INSERT dbo.T VALUES (50, 'e', 5);
FETCH FIRST FROM k; SELECT @@FETCH_STATUS;
FETCH ABSOLUTE 2 FROM k; SELECT @@FETCH_STATUS;
FETCH LAST FROM k; SELECT @@FETCH_STATUS;
FETCH NEXT FROM k; SELECT @@FETCH_STATUS;
GO
--! rows
--! rows
--! -2
--! rows
--! rows
--! -2
--! rows
--! 30 | z
--! rows
--! 0
--! rows
--! rows
--! -1
-- Changes through the cursor itself: the key that it gives is its key from now on.
FETCH LAST FROM k;
UPDATE dbo.T SET Id = 31, V = 'y' WHERE CURRENT OF k;
FETCH RELATIVE 0 FROM k; SELECT @@FETCH_STATUS;
DELETE dbo.T WHERE CURRENT OF k;
FETCH RELATIVE 0 FROM k; SELECT @@FETCH_STATUS;
DELETE dbo.T WHERE CURRENT OF k;
GO
--! rows
--! 30 | z
--! rows
--! 31 | y
--! rows
--! 0
--! rows
--! rows
--! -2
--! error 16931
DEALLOCATE k;
DELETE dbo.T;
INSERT dbo.T VALUES (10, 'a', 1), (20, 'b', 2), (30, 'c', 3), (40, 'd', 4);
GO
-- DYNAMIC SCROLL goes all ways but ABSOLUTE, from where it stands.
DECLARE d CURSOR DYNAMIC FOR SELECT Id FROM dbo.T;
OPEN d;
FETCH LAST FROM d;
FETCH PRIOR FROM d;
INSERT dbo.T VALUES (25, 'x', 0), (35, 'x', 0);
FETCH PRIOR FROM d;
DELETE dbo.T WHERE Id = 25;
FETCH NEXT FROM d;
FETCH RELATIVE 2 FROM d;
FETCH RELATIVE -4 FROM d;
FETCH PRIOR FROM d;
FETCH PRIOR FROM d;
FETCH NEXT FROM d;
FETCH ABSOLUTE 1 FROM d;
GO
--! rows
--! 40
--! rows
--! 30
--! rows
--! 25
--! rows
--! 30
--! rows
--! 40
--! rows
--! 10
--! rows
--! rows
--! rows
--! 10
--! error 16925
-- A change that is rolled back is no change.
BEGIN TRAN;
INSERT dbo.T VALUES (15, 'r', 0);
FETCH NEXT FROM d;
ROLLBACK;
FETCH FIRST FROM d;
FETCH NEXT FROM d;
DEALLOCATE d;
DELETE dbo.T WHERE Id = 35;
GO
--! rows
--! 15
--! rows
--! 10
--! rows
--! 20
-- Other sessions' commits are seen, and seen when they commit.
DECLARE o CURSOR GLOBAL FORWARD_ONLY FOR SELECT Id, V FROM dbo.T;
OPEN o;
FETCH NEXT FROM o;
GO
--! rows
--! 10 | a
--! session other
BEGIN TRAN;
UPDATE dbo.T SET V = 'O' WHERE Id = 20;
INSERT dbo.T VALUES (22, 'o', 0);
GO
--! session main
FETCH NEXT FROM o;
GO
--! rows
--! 20 | b
--! session other
COMMIT;
GO
--! session main
FETCH NEXT FROM o;
FETCH NEXT FROM o;
DEALLOCATE o;
DELETE dbo.T WHERE Id = 22;
GO
--! rows
--! 22 | o
--! rows
--! 30 | c
-- A join is dynamic too.
CREATE TABLE dbo.U (Id int PRIMARY KEY, TId int, W varchar(10));
INSERT dbo.U VALUES (1, 10, 'u1'), (2, 20, 'u2');
DECLARE j CURSOR LOCAL FOR SELECT t.Id, u.W FROM dbo.T AS t LEFT JOIN dbo.U AS u ON u.TId = t.Id FOR UPDATE;
OPEN j;
FETCH NEXT FROM j;
UPDATE dbo.U SET W = 'new' WHERE Id = 2;
INSERT dbo.U VALUES (3, 30, 'u3');
FETCH NEXT FROM j;
UPDATE dbo.U SET W = 'mine' WHERE CURRENT OF j;
UPDATE dbo.T SET V = 'mine' WHERE CURRENT OF j;
FETCH NEXT FROM j;
FETCH NEXT FROM j;
UPDATE dbo.U SET W = 'nobody' WHERE CURRENT OF j;
SELECT Id, W FROM dbo.U ORDER BY Id;
SELECT Id, V FROM dbo.T ORDER BY Id;
GO
--! rows
--! 10 | u1
--! rows
--! 20 | new
--! rows
--! 30 | u3
--! rows
--! 40 | NULL
--! error 16931
--! rows
--! 1 | u1
--! 2 | mine
--! 3 | u3
--! rows
--! 10 | a
--! 20 | mine
--! 30 | c
--! 40 | d
-- Table variables and temp tables.
DECLARE @t TABLE (Id int PRIMARY KEY, V int);
INSERT @t VALUES (1, 1), (2, 2), (3, 3);
SELECT * INTO #t FROM @t;
DECLARE @id int, @v int, @seen varchar(100) = '';
DECLARE v CURSOR LOCAL FOR SELECT Id, V FROM @t;
OPEN v;
FETCH NEXT FROM v INTO @id, @v;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @seen += CONCAT(@id, '=', @v, ' ');
    UPDATE @t SET V *= 10 WHERE Id > @id;
    UPDATE @t SET V = -1 WHERE CURRENT OF v;
    FETCH NEXT FROM v INTO @id, @v;
END
SELECT @seen, SUM(V) FROM @t;
SET @seen = '';
DECLARE h CURSOR LOCAL FOR SELECT Id, V FROM #t;
OPEN h;
FETCH NEXT FROM h INTO @id, @v;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @seen += CONCAT(@id, '=', @v, ' ');
    UPDATE #t SET V *= 10 WHERE Id > @id;
    UPDATE #t SET V = -1 WHERE CURRENT OF h;
    FETCH NEXT FROM h INTO @id, @v;
END
SELECT @seen, SUM(V) FROM #t;
GO
--! rows
--! 1=1 2=20 3=300  | -3
--! rows
--! 1=1 2=20 3=300  | -3
-- OPTIMISTIC: a row that was changed after FETCH is not written; 16934 says why.
UPDATE dbo.T SET V = 'a' WHERE Id = 10;
DECLARE p CURSOR LOCAL FOR SELECT Id, V FROM dbo.T;
DECLARE @id int, @v varchar(10);
OPEN p;
FETCH NEXT FROM p INTO @id, @v;
UPDATE dbo.T SET V = 'other' WHERE Id = 10;
UPDATE dbo.T SET V = V + '+' WHERE CURRENT OF p;
SELECT @@ERROR;
FETCH NEXT FROM p INTO @id, @v;
UPDATE dbo.T SET V = 'one' WHERE CURRENT OF p;
UPDATE dbo.T SET V = V + ' two' WHERE CURRENT OF p;
FETCH NEXT FROM p INTO @id, @v;
DELETE dbo.T WHERE Id = 30;
UPDATE dbo.T SET V = 'gone' WHERE CURRENT OF p;
SELECT Id, V FROM dbo.T ORDER BY Id;
GO
--! print modified outside
--! print has been ended
--! error 16947
--! rows
--! 16947
--! print modified outside
--! print has been ended
--! error 16947
--! rows
--! 10 | other
--! 20 | one two
--! 40 | d
-- SCROLL_LOCKS: in a transaction, a fetched row is locked until its end.
BEGIN TRAN;
DECLARE l CURSOR GLOBAL SCROLL_LOCKS FOR SELECT Id FROM dbo.T;
OPEN l;
FETCH NEXT FROM l;
GO
--! rows
--! 10
--! session other
UPDATE dbo.T SET V = 'waited' WHERE Id = 10;
GO
--! blocked
--! session main
UPDATE dbo.T SET V = 'first' WHERE CURRENT OF l;
COMMIT;
DEALLOCATE l;
GO
--! session other
--! finishes other
--! session main
SELECT V FROM dbo.T WHERE Id = 10;
GO
--! rows
--! waited
-- ALTER TABLE under an open cursor.
DECLARE a CURSOR LOCAL FOR SELECT Id FROM dbo.T;
OPEN a;
FETCH NEXT FROM a;
ALTER TABLE dbo.T ADD X int;
FETCH NEXT FROM a;
GO
--! rows
--! 10
--! error 16943
-- The place in an order of text, of NULLs, downwards; of guids and datetimes.
CREATE TABLE dbo.Named (Name nvarchar(20) NOT NULL, Rank int NULL, At datetime NOT NULL, G uniqueidentifier NOT NULL,
    CONSTRAINT PK_Named PRIMARY KEY (Name), CONSTRAINT UQ_Rank UNIQUE (Rank DESC, Name), CONSTRAINT UQ_At UNIQUE (At), CONSTRAINT UQ_G UNIQUE (G));
INSERT dbo.Named VALUES (N'beta', 2, '2026-01-02', '00000000-0000-0000-0000-000000000002'), (N'Alpha', NULL, '2026-01-01', '00000000-0000-0000-0000-000000000001'),
    (N'délta', 2, '2026-01-04', '00000000-0000-0000-0000-000000000004'), (N'gamma', NULL, '2026-01-03 00:00:00.003', '00000000-0000-0000-0000-000000000003');
GO
CREATE PROCEDURE dbo.Walk @order nvarchar(100) AS
DECLARE @n nvarchar(20), @way nvarchar(200) = N'';
EXEC (N'DECLARE w CURSOR GLOBAL DYNAMIC FOR SELECT Name FROM dbo.Named ' + @order);
OPEN w;
FETCH NEXT FROM w INTO @n;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @way += @n + N' ';
    INSERT dbo.Named VALUES (N'!', -100, DATEADD(DAY, -ABS(CHECKSUM(NEWID())) % 10000, '2000-01-01'), NEWID());
    DELETE dbo.Named WHERE Rank = -100;
    FETCH NEXT FROM w INTO @n;
END
SET @way += N'/ ';
FETCH PRIOR FROM w INTO @n;
WHILE @@FETCH_STATUS = 0
BEGIN
    SET @way += @n + N' ';
    INSERT dbo.Named VALUES (N'~', -100, '1999-01-01', NEWID());
    DELETE dbo.Named WHERE Rank = -100;
    FETCH PRIOR FROM w INTO @n;
END
SELECT @@CURSOR_ROWS, @way;
CLOSE w; DEALLOCATE w;
GO
SET NOCOUNT ON;
EXEC dbo.Walk N'ORDER BY Name';
EXEC dbo.Walk N'ORDER BY Rank DESC, Name';
EXEC dbo.Walk N'ORDER BY Rank, Name DESC';
EXEC dbo.Walk N'ORDER BY At DESC';
EXEC dbo.Walk N'ORDER BY G';
EXEC dbo.Walk N'';
GO
--! rows
--! -1 | Alpha beta délta gamma / gamma délta beta Alpha 
--! rows
--! -1 | beta délta Alpha gamma / gamma Alpha délta beta 
--! rows
--! -1 | gamma Alpha délta beta / beta délta Alpha gamma 
--! rows
--! -1 | délta gamma beta Alpha / Alpha beta gamma délta 
--! rows
--! -1 | Alpha beta gamma délta / délta gamma beta Alpha 
--! rows
--! -1 | Alpha beta délta gamma / gamma délta beta Alpha 
