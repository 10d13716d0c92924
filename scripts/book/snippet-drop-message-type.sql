-- Snippet after listing 15-4: DROP MESSAGE TYPE.
-- Corrected: the pre-release statement took a list; the released one takes a single name.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE MESSAGE TYPE [//www.develop.com/orders/OrderEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/orders/Wakeup] VALIDATION = EMPTY;
CREATE CONTRACT [//www.develop.com/orders/EnterOrder]
(
    [//www.develop.com/orders/OrderEntry] SENT BY INITIATOR
);
GO

DROP MESSAGE TYPE [//www.develop.com/orders/Wakeup];
GO
-- named by a contract
DROP MESSAGE TYPE [//www.develop.com/orders/OrderEntry];
GO
--! error 3716
-- belongs to the system
DROP MESSAGE TYPE [http://schemas.microsoft.com/SQL/ServiceBroker/Error];
GO
--! error 3708

SELECT name FROM sys.service_message_types WHERE name LIKE N'//www.develop.com/orders/%';
GO
--! rows
--! //www.develop.com/orders/OrderEntry

-- Once the contract is gone, the type may go.
DROP CONTRACT [//www.develop.com/orders/EnterOrder];
DROP MESSAGE TYPE [//www.develop.com/orders/OrderEntry];
SELECT name FROM sys.service_message_types WHERE name LIKE N'//www.develop.com/orders/%';
GO
--! rows
