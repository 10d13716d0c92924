-- Serves: Travel.dbo.tripQueue (samples/conversation-groups.sql).
-- Needs: table dbo.trips (conversation_group_id, flight, hotel, car, complete).
-- Collects the answers of three services. They come on three conversations of one group, in any order, and the group
-- id is the key of the trip. The lock on the group means that nobody else works on this trip meanwhile.
CREATE PROCEDURE dbo.tripProc
AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @group uniqueidentifier, @dh uniqueidentifier, @type sysname, @what sysname, @answer nvarchar(50);

    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        SET @group = NULL;
        WAITFOR (
            GET CONVERSATION GROUP @group FROM dbo.tripQueue
        ), TIMEOUT 2000;

        IF @group IS NULL
        BEGIN
            ROLLBACK TRANSACTION;
            BREAK;
        END;

        RECEIVE TOP (1)
            @dh = conversation_handle,
            @type = message_type_name,
            @answer = CAST(message_body AS nvarchar(50))
        FROM dbo.tripQueue
        WHERE conversation_group_id = @group;

        IF @type = N'DEFAULT'
        BEGIN
            SELECT @what = far_service FROM sys.conversation_endpoints WHERE conversation_handle = @dh;
            IF @what = N'flights'
                UPDATE dbo.trips SET flight = @answer WHERE conversation_group_id = @group;
            IF @what = N'hotels'
                UPDATE dbo.trips SET hotel = @answer WHERE conversation_group_id = @group;
            IF @what = N'cars'
                UPDATE dbo.trips SET car = @answer WHERE conversation_group_id = @group;

            UPDATE dbo.trips
            SET complete = 1
            WHERE conversation_group_id = @group
              AND flight IS NOT NULL AND hotel IS NOT NULL AND car IS NOT NULL;
        END
        ELSE
            END CONVERSATION @dh;

        COMMIT TRANSACTION;
    END;
END;
GO
