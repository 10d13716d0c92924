-- TOP takes a query in parentheses, as any expression.
CREATE TABLE numbers (n int);
INSERT numbers VALUES (1), (2), (3), (4);
SELECT TOP (SELECT COUNT(*) / 2 FROM numbers) n FROM numbers ORDER BY n;
SELECT TOP (SELECT 50.0) PERCENT n FROM numbers ORDER BY n DESC;
DELETE TOP (SELECT 3) FROM numbers;
SELECT COUNT(*) FROM numbers;
GO
--! rows
--! 1
--! 2
--! rows
--! 4
--! 3
--! rows
--! 1
