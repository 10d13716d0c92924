-- What makecert is for in the text: a third machine makes a certificate with its private key for each of the two, and
-- leaves them as files, Trader.cer, Trader.pvk, DMBroker.cer and DMBroker.pvk.
--! instance Maker
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
CREATE CERTIFICATE Trader WITH SUBJECT = 'Trader', START_DATE = '20250101', EXPIRY_DATE = '20350101';
CREATE CERTIFICATE DMBroker WITH SUBJECT = 'DMBroker', START_DATE = '20250101', EXPIRY_DATE = '20350101';
BACKUP CERTIFICATE Trader TO FILE = 'C:\Certs\Trader.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\Trader.pvk', ENCRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
BACKUP CERTIFICATE DMBroker TO FILE = 'C:\Certs\DMBroker.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\DMBroker.pvk', ENCRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
GO
