-- Listing 15-5: the syntax of CREATE CONTRACT, with an owner and all three senders.

CREATE DATABASE Trader1;
GO
USE Trader1;
GO
CREATE USER clerk WITHOUT LOGIN;
CREATE MESSAGE TYPE [//www.develop.com/orders/Fulfill] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/orders/Status] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/orders/Done] VALIDATION = EMPTY;
GO

-- The built-in type DEFAULT takes part like any other; as a name it needs its brackets.
CREATE CONTRACT [//www.develop.com/orders/Fulfillment]
    AUTHORIZATION clerk
(
    [//www.develop.com/orders/Fulfill] SENT BY INITIATOR,
    [//www.develop.com/orders/Done] SENT BY TARGET,
    [//www.develop.com/orders/Status] SENT BY ANY,
    [DEFAULT] SENT BY ANY
);
GO

SELECT c.name AS contract, USER_NAME(c.principal_id) AS owner, t.name AS message_type,
       u.is_sent_by_initiator, u.is_sent_by_target
FROM sys.service_contracts AS c
JOIN sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
JOIN sys.service_message_types AS t ON t.message_type_id = u.message_type_id
WHERE c.name = N'//www.develop.com/orders/Fulfillment'
ORDER BY t.name;
GO
--! rows
--! columns contract | owner | message_type | is_sent_by_initiator | is_sent_by_target
--! //www.develop.com/orders/Fulfillment | clerk | //www.develop.com/orders/Done | 0 | 1
--! //www.develop.com/orders/Fulfillment | clerk | //www.develop.com/orders/Fulfill | 1 | 0
--! //www.develop.com/orders/Fulfillment | clerk | //www.develop.com/orders/Status | 1 | 1
--! //www.develop.com/orders/Fulfillment | clerk | DEFAULT | 1 | 1

-- Nobody could say the first word on this one: the initiator has nothing to send.
CREATE CONTRACT [//www.develop.com/orders/Mute]
(
    [//www.develop.com/orders/Done] SENT BY TARGET
);
GO
--! error 8492

-- A message type stands in a contract once; ANY is the way to say "both".
CREATE CONTRACT [//www.develop.com/orders/Twice]
(
    [//www.develop.com/orders/Status] SENT BY INITIATOR,
    [//www.develop.com/orders/Status] SENT BY TARGET
);
GO
--! error 8403
