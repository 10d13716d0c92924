-- Of the procedures that do not run inside a transaction.
SET IMPLICIT_TRANSACTIONS OFF;
IF @@TRANCOUNT > 0
BEGIN
    DECLARE @itself sysname = N'sys.' + OBJECT_NAME(@@PROCID);
    RAISERROR (15002, -1, -1, @itself);
    RETURN (1);
END;
