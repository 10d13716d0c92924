-- The stock-trading application of the book chapter on one instance: a trader's database that sends orders and a
-- brokerage's database that takes them. Run it on an empty instance; submit.sql sends one order, report.sql tells what
-- became of all.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO

-- A message between two databases of one instance is delivered under the identity of the sending database's owner. The
-- other database lets him in only if the sending database is marked TRUSTWORTHY. Orders go one way and
-- acknowledgements the other, so both are.
ALTER DATABASE Trader1 SET TRUSTWORTHY ON;
ALTER DATABASE DMBrokerage SET TRUSTWORTHY ON;
GO
-- Dialogs are secured by default (ENCRYPTION = ON). Inside one instance nothing is encrypted, but each side still keeps
-- the session keys of the dialog under its database's master key. Without one the orders would wait in
-- sys.transmission_queue for ever.
USE Trader1;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'Trader1: a key for the demo, 1';
GO
USE DMBrokerage;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'DMBrokerage: a key for the demo, 2';
GO

:r ../common/messages.sql

-- The brokerage: what can be traded, what was traded, and who reads the queue.
USE DMBrokerage;
GO
CREATE TABLE dbo.instruments (RICCODE nvarchar(20) PRIMARY KEY, company nvarchar(60) NOT NULL);
INSERT INTO dbo.instruments (RICCODE, company) VALUES
    (N'AA.N', N'Alcoa'), (N'AIG.N', N'American International Group'), (N'AXP.N', N'American Express'),
    (N'BA.N', N'Boeing'), (N'C.N', N'Citigroup'), (N'CAT.N', N'Caterpillar'), (N'CSCO.O', N'Cisco Systems'),
    (N'DD.N', N'DuPont'), (N'DELL.O', N'Dell'), (N'DIS.N', N'Walt Disney'), (N'GE.N', N'General Electric'),
    (N'GM.N', N'General Motors'), (N'HD.N', N'Home Depot'), (N'HPQ.N', N'Hewlett-Packard'),
    (N'IBM.N', N'International Business Machines'), (N'INTC.O', N'Intel'), (N'JNJ.N', N'Johnson & Johnson'),
    (N'JPM.N', N'JPMorgan Chase'), (N'KO.N', N'Coca-Cola'), (N'MCD.N', N'McDonald''s'), (N'MMM.N', N'3M'),
    (N'MRK.N', N'Merck'), (N'MSFT.O', N'Microsoft'), (N'ORCL.O', N'Oracle'), (N'PFE.N', N'Pfizer'),
    (N'PG.N', N'Procter & Gamble'), (N'SUNW.O', N'Sun Microsystems'), (N'UTX.N', N'United Technologies'),
    (N'WMT.N', N'Wal-Mart Stores'), (N'XOM.N', N'Exxon Mobil');
-- The key is what refuses an order number that comes a second time.
CREATE TABLE dbo.trades
(
    ack_id int IDENTITY(1, 1) NOT NULL,
    order_id int NOT NULL CONSTRAINT one_trade_per_order PRIMARY KEY,
    customer nvarchar(20) NOT NULL,
    RICCODE nvarchar(20) NOT NULL,
    side nchar(1) NOT NULL,
    volume int NOT NULL,
    price decimal(12, 2) NOT NULL,
    entered_at datetime NOT NULL DEFAULT GETUTCDATE()
);
GO
:r ../../activated/trading_tradeEntryProc.sql

CREATE QUEUE dbo.tradeEntryQueue
    WITH STATUS = ON,
    ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.tradeEntryProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
CREATE SERVICE [//www.develop.com/DMBrokerage/TradeEntryService]
    ON QUEUE dbo.tradeEntryQueue ([//www.develop.com/DMBrokerage/EnterTrade]);
GO

-- The trader: what was sent, and what became of it. Order numbers are the trader's own business, so the table lets one
-- be sent twice; the conversation handle tells the answers apart.
USE Trader1;
GO
CREATE TABLE dbo.orders
(
    submission int IDENTITY(1, 1) NOT NULL PRIMARY KEY,
    order_number int NOT NULL,
    account nvarchar(20) NOT NULL,
    symbol nvarchar(20) NOT NULL,
    side nchar(1) NOT NULL,
    quantity int NOT NULL,
    price decimal(12, 2) NOT NULL,
    handle uniqueidentifier NOT NULL UNIQUE,
    status nvarchar(20) NOT NULL DEFAULT N'sent',
    ack_id int NULL,
    refusal_code int NULL,
    refusal_reason nvarchar(3000) NULL,
    sent_at datetime NOT NULL DEFAULT GETUTCDATE(),
    ended_at datetime NULL
);
GO
:r ../../activated/trading_tradeAckProc.sql

CREATE QUEUE dbo.tradeAckQueue
    WITH STATUS = ON,
    ACTIVATION (
        STATUS = ON,
        PROCEDURE_NAME = dbo.tradeAckProc,
        MAX_QUEUE_READERS = 5,
        EXECUTE AS SELF);
-- This service only begins conversations, so it lists no contract.
CREATE SERVICE enterTrade ON QUEUE dbo.tradeAckQueue;
GO
:r submitOrder.sql
