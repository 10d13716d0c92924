-- Message types (listing 15-2) and contract (listing 15-6) of the stock-trading example, in both databases.
-- Each side looks names up in its own database, so both must know them, spelled alike to the letter.

USE Trader1;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry] VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck] VALIDATION = WELL_FORMED_XML;
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
CREATE CONTRACT [//www.develop.com/DMBrokerage/EnterTrade]
(
    [//www.develop.com/DMBrokerage/TradeEntry] SENT BY INITIATOR,
    [//www.develop.com/DMBrokerage/TradeAck] SENT BY TARGET
);
GO
