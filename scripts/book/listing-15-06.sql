-- Listing 15-6: the contract of the trading example. The trader opens with a TradeEntry, the brokerage answers with
-- a TradeAck. The book shows Trader1 and asks for the same in DMBrokerage; here it stands for both.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO

USE Trader1;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] VALIDATION = WELL_FORMED_XML;
GO
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO

USE DMBrokerage;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] VALIDATION = WELL_FORMED_XML;
GO
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO

SELECT c.name, t.name AS message_type, u.is_sent_by_initiator, u.is_sent_by_target
FROM Trader1.sys.service_contracts AS c
JOIN Trader1.sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
JOIN Trader1.sys.service_message_types AS t ON t.message_type_id = u.message_type_id
WHERE c.name = N'//www.develop.com/DMBrokerage/EnterTrade'
ORDER BY t.name;

SELECT c.name, t.name AS message_type, u.is_sent_by_initiator, u.is_sent_by_target
FROM DMBrokerage.sys.service_contracts AS c
JOIN DMBrokerage.sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
JOIN DMBrokerage.sys.service_message_types AS t ON t.message_type_id = u.message_type_id
WHERE c.name = N'//www.develop.com/DMBrokerage/EnterTrade'
ORDER BY t.name;
GO
--! rows
--! //www.develop.com/DMBrokerage/EnterTrade | //www.develop.com/DMBrokerage/TradeAck | 0 | 1
--! //www.develop.com/DMBrokerage/EnterTrade | //www.develop.com/DMBrokerage/TradeEntry | 1 | 0
--! rows
--! //www.develop.com/DMBrokerage/EnterTrade | //www.develop.com/DMBrokerage/TradeAck | 0 | 1
--! //www.develop.com/DMBrokerage/EnterTrade | //www.develop.com/DMBrokerage/TradeEntry | 1 | 0
