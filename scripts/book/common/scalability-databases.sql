-- The sending and the receiving database of the scalability paper, on one instance instead of two servers.

CREATE DATABASE SSBSender;
GO
CREATE DATABASE SSBReceiver;
GO
-- Dialogs between databases of one instance: see common/databases.sql.
ALTER DATABASE SSBSender SET TRUSTWORTHY ON;
ALTER DATABASE SSBReceiver SET TRUSTWORTHY ON;
GO
USE SSBSender;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'SSBSender: a key for the examples, 1';
GO
USE SSBReceiver;
GO
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'SSBReceiver: a key for the examples, 2';
GO
