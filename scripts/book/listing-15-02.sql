-- Listing 15-2: the two message types of the trading example, a trade entry and its acknowledgement.
-- Both carry XML, and the broker only makes sure that the XML is well-formed.
-- Corrected: the comment dashes, which the extraction had turned into long dashes; and the types are made in both
-- databases, as the text asks, because each side checks names in its own database.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO

USE Trader1;
GO
-- what the trader sends to the brokerage
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
    VALIDATION = WELL_FORMED_XML;
-- what the brokerage answers
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck]
    VALIDATION = WELL_FORMED_XML;
GO

USE DMBrokerage;
GO
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeEntry]
    VALIDATION = WELL_FORMED_XML;
CREATE MESSAGE TYPE [//www.develop.com/DMBrokerage/TradeAck]
    VALIDATION = WELL_FORMED_XML;
GO

SELECT N'Trader1' AS db, name, RTRIM(validation) AS validation
FROM Trader1.sys.service_message_types
WHERE name LIKE N'//www.develop.com/%'
UNION ALL
SELECT N'DMBrokerage', name, RTRIM(validation)
FROM DMBrokerage.sys.service_message_types
WHERE name LIKE N'//www.develop.com/%'
ORDER BY db, name;
GO
--! rows
--! DMBrokerage | //www.develop.com/DMBrokerage/TradeAck | X
--! DMBrokerage | //www.develop.com/DMBrokerage/TradeEntry | X
--! Trader1 | //www.develop.com/DMBrokerage/TradeAck | X
--! Trader1 | //www.develop.com/DMBrokerage/TradeEntry | X
