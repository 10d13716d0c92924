-- On $(me): $(dialogs) dialogs, of which each $(used)th sends $(messages) messages in one transaction, with full dialog
-- security. Corrected: the variable for the broker instance is nvarchar(128), the documented type.
USE SSBSender;
GO
DECLARE @service_broker_guid nvarchar(128), @dh uniqueidentifier, @i int = 0, @k int;
SELECT @service_broker_guid = REPLACE(subject, N'CN=', N'') FROM sys.certificates WHERE name = N'MYTARGETSERVER_Dialogs';
WHILE @i < $(dialogs)
BEGIN
    SET @i = @i + 1;
    BEGIN TRANSACTION;
    BEGIN DIALOG @dh FROM SERVICE [//MySSB.com/Lab/S_Test]
        TO SERVICE '//MySSB.com/Lab/S_Test', @service_broker_guid
        ON CONTRACT [//MySSB.com/Lab/C_Test]
        WITH ENCRYPTION = ON;
    SET @k = 0;
    WHILE @i % $(used) = 0 AND @k < $(messages)
    BEGIN
        SEND ON CONVERSATION @dh MESSAGE TYPE [//MySSB.com/Lab/M_Test] (REPLICATE('x', 100));
        SET @k = @k + 1;
    END;
    COMMIT TRANSACTION;
END;
GO
