-- A database of its own for one side of the stock-trading example, $(database), with message types (listing 15-2) and
-- contract (listing 15-6). The master key is for the session keys of secure dialogs.
CREATE DATABASE $(database);
GO
USE $(database);
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'$(database): a key for the examples, 1';
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] VALIDATION = WELL_FORMED_XML;
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO
