-- Snippet after listing 15-6: DROP CONTRACT.
-- Corrected: one name per statement, as for message types. A contract cannot be altered; it is dropped and made anew.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE MESSAGE TYPE [//www.develop.com/orders/OrderEntry] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//www.develop.com/orders/EnterOrder] ([//www.develop.com/orders/OrderEntry] SENT BY INITIATOR);
CREATE CONTRACT [//www.develop.com/orders/CancelOrder] ([//www.develop.com/orders/OrderEntry] SENT BY ANY);
CREATE QUEUE orderQueue;
CREATE SERVICE orderService ON QUEUE orderQueue ([//www.develop.com/orders/EnterOrder]);
GO

DROP CONTRACT [//www.develop.com/orders/CancelOrder];
GO
-- a service accepts conversations on this one
DROP CONTRACT [//www.develop.com/orders/EnterOrder];
GO
--! error 3716

ALTER SERVICE orderService (DROP CONTRACT [//www.develop.com/orders/EnterOrder]);
DROP CONTRACT [//www.develop.com/orders/EnterOrder];
SELECT name FROM sys.service_contracts WHERE name LIKE N'//www.develop.com/orders/%';
GO
--! rows
