-- Listing 15-9: the syntax of CREATE SERVICE, with an owner and with none, one and several contracts.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE USER clerk WITHOUT LOGIN;
CREATE MESSAGE TYPE [//www.develop.com/orders/OrderEntry] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//www.develop.com/orders/EnterOrder]
(
    [//www.develop.com/orders/OrderEntry] SENT BY INITIATOR
);
CREATE CONTRACT [//www.develop.com/orders/CancelOrder]
(
    [//www.develop.com/orders/OrderEntry] SENT BY ANY
);
CREATE QUEUE orderQueue;
CREATE QUEUE cancelQueue;
GO

-- No contract: the service can begin conversations, but accepts none.
CREATE SERVICE [//www.develop.com/orders/Customer] ON QUEUE orderQueue;

-- Accepts conversations on one contract.
CREATE SERVICE [//www.develop.com/orders/Entry]
    ON QUEUE dbo.orderQueue ([//www.develop.com/orders/EnterOrder]);

-- On several, the built-in DEFAULT among them, and owned by somebody else.
CREATE SERVICE [//www.develop.com/orders/Desk]
    AUTHORIZATION clerk
    ON QUEUE cancelQueue
    ([//www.develop.com/orders/EnterOrder], [//www.develop.com/orders/CancelOrder], [DEFAULT]);
GO

SELECT s.name, USER_NAME(s.principal_id) AS owner, q.name AS queue_name, c.name AS contract
FROM sys.services AS s
JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
LEFT JOIN sys.service_contract_usages AS u ON u.service_id = s.service_id
LEFT JOIN sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
WHERE s.name LIKE N'//www.develop.com/orders/%'
ORDER BY s.name, c.name;
GO
--! rows
--! columns name | owner | queue_name | contract
--! //www.develop.com/orders/Customer | dbo | orderQueue | NULL
--! //www.develop.com/orders/Desk | clerk | cancelQueue | //www.develop.com/orders/CancelOrder
--! //www.develop.com/orders/Desk | clerk | cancelQueue | //www.develop.com/orders/EnterOrder
--! //www.develop.com/orders/Desk | clerk | cancelQueue | DEFAULT
--! //www.develop.com/orders/Entry | dbo | orderQueue | //www.develop.com/orders/EnterOrder

-- The same contract twice on one service is refused.
CREATE SERVICE [//www.develop.com/orders/Double]
    ON QUEUE orderQueue ([//www.develop.com/orders/EnterOrder], [//www.develop.com/orders/EnterOrder]);
GO
--! error 8404
