-- A transaction has one id from its beginning to its end, the next one another.
DECLARE @first bigint, @again bigint, @second bigint;
BEGIN TRAN;
SET @first = CURRENT_TRANSACTION_ID();
SET @again = CURRENT_TRANSACTION_ID();
COMMIT;
BEGIN TRAN;
SET @second = CURRENT_TRANSACTION_ID();
ROLLBACK;
SELECT IIF(@first > 0 AND @first = @again AND @second > @first, 'good', 'bad');
GO
--! rows
--! good
