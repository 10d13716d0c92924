-- MERGE: the three WHENs, conditions on them, OUTPUT with $action, and a row matched twice.
CREATE TABLE dbo.Price (Code varchar(5) PRIMARY KEY, Amount int, Old bit NOT NULL DEFAULT 0);
INSERT dbo.Price (Code, Amount) VALUES ('A', 1), ('B', 2), ('C', 3);
GO
MERGE dbo.Price AS t
USING (VALUES ('a', 10), ('B', 2), ('D', 40)) AS s (Code, Amount) ON t.Code = s.Code
WHEN MATCHED AND t.Amount <> s.Amount THEN UPDATE SET Amount = s.Amount
WHEN NOT MATCHED BY TARGET THEN INSERT (Code, Amount) VALUES (s.Code, s.Amount)
WHEN NOT MATCHED BY SOURCE THEN UPDATE SET Old = 1
OUTPUT $action AS did, ISNULL(inserted.Code, deleted.Code) AS code, deleted.Amount AS old, inserted.Amount AS new, s.Amount AS given;
SELECT @@ROWCOUNT;
GO
--! rows unordered
--! columns did | code | old | new | given
--! UPDATE | A | 1 | 10 | 10
--! INSERT | D | NULL | 40 | 40
--! UPDATE | C | 3 | 3 | NULL
--! rows
--! 3
SELECT Code, Amount, Old FROM dbo.Price ORDER BY Code;
GO
--! rows
--! A | 10 | 0
--! B | 2 | 0
--! C | 3 | 1
--! D | 40 | 0
DECLARE @src TABLE (Code varchar(5), Amount int);
INSERT @src VALUES ('A', 0), ('B', 5);
MERGE dbo.Price t USING @src s ON s.Code = t.Code
WHEN MATCHED AND s.Amount = 0 THEN DELETE
WHEN MATCHED THEN UPDATE SET t.Amount = t.Amount + s.Amount;
SELECT Code, Amount FROM dbo.Price ORDER BY Code;
GO
--! rows
--! B | 7
--! C | 3
--! D | 40
MERGE dbo.Price t USING (VALUES ('B'), ('b')) AS s (Code) ON t.Code = s.Code
WHEN MATCHED THEN UPDATE SET Amount = 0;
GO
--! error 8672
MERGE dbo.Price t USING (VALUES ('X', 1), ('x', 2)) AS s (Code, Amount) ON t.Code = s.Code
WHEN NOT MATCHED THEN INSERT (Code, Amount) VALUES (s.Code, s.Amount);
GO
--! error 2627
SELECT COUNT(*) FROM dbo.Price WHERE Amount = 7;
GO
--! rows
--! 1
