-- Listing 15-20: the certificate that stands for an instance when it talks to another one.
-- Corrected: WITH PRIVATE KEY (..., DECRYPTION BY PASSWORD = ...) instead of the underscored pre-release words; the
-- owner is a user of master, dbo, not the login sa.
-- One instance: there are no certificate files (the book makes them with makecert), so the statement of the listing
-- fails as it does on any server without the files; a certificate that the instance makes itself takes its place.

USE master;
GO
CREATE CERTIFICATE TraderCert
    AUTHORIZATION dbo
    FROM FILE = 'C:\Certs\Trader.cer'
    WITH PRIVATE KEY (FILE = 'C:\Certs\Trader.pvk', DECRYPTION BY PASSWORD = 'pass phrase of the key file, 1');
GO
--! error 15208

-- A private key is kept under the master key of the database.
CREATE MASTER KEY ENCRYPTION BY PASSWORD = N'master: a key for the examples, 3';
GO
CREATE CERTIFICATE TraderCert
    AUTHORIZATION dbo
    WITH SUBJECT = 'Trader',
    START_DATE = '20250101',
    EXPIRY_DATE = '20350101';
GO

SELECT name, USER_NAME(principal_id) AS owner, RTRIM(pvt_key_encryption_type) AS private_key,
       is_active_for_begin_dialog, DATEDIFF(year, start_date, expiry_date) AS years
FROM sys.certificates
WHERE name = N'TraderCert';
GO
--! rows
--! TraderCert | dbo | MK | 1 | 10
