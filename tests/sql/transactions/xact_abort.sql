-- XACT_ABORT ON: an error of a statement ends the batch and the transaction; in TRY it dooms it.
CREATE TABLE dbo.T (Id int PRIMARY KEY);
INSERT dbo.T VALUES (1);
GO
SET XACT_ABORT ON;
BEGIN TRAN;
INSERT dbo.T VALUES (2);
INSERT dbo.T VALUES (1);
SELECT 'not reached';
GO
--! error 2627
SELECT @@TRANCOUNT, COUNT(*) FROM dbo.T;
GO
--! rows
--! 0 | 1
BEGIN TRAN;
BEGIN TRY
    INSERT dbo.T VALUES (2);
    INSERT dbo.T VALUES (1);
END TRY
BEGIN CATCH
    SELECT ERROR_NUMBER(), XACT_STATE();
    BEGIN TRY
        INSERT dbo.T VALUES (3);
    END TRY
    BEGIN CATCH
        SELECT ERROR_NUMBER();
    END CATCH
    ROLLBACK;
END CATCH
SELECT COUNT(*) FROM dbo.T;
GO
--! rows
--! 2627 | -1
--! rows
--! 3930
--! rows
--! 1
