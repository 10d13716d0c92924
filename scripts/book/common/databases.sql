-- The two databases of the stock-trading example, ready for dialogs between them.
-- Included by the listing scripts with :r; run it on an empty instance.

CREATE DATABASE Trader1;
GO
CREATE DATABASE DMBrokerage;
GO

-- Both databases live in one instance. The broker then hands a message over under the identity of the
-- sending database's owner, which the other database accepts only if the sending one is TRUSTWORTHY.
-- Replies travel the other way, so both databases need the setting.
ALTER DATABASE Trader1 SET TRUSTWORTHY ON;
ALTER DATABASE DMBrokerage SET TRUSTWORTHY ON;
GO

-- BEGIN DIALOG asks for encryption unless told otherwise. A message never leaves the instance here and is not
-- encrypted, but a dialog between two databases still keeps session keys, protected by the master key of each.
USE Trader1;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'Trader1: a key for the examples, 1';
GO
USE DMBrokerage;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'DMBrokerage: a key for the examples, 2';
GO
