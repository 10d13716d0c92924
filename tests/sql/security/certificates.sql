-- Master keys, certificates, symmetric and asymmetric keys, signatures.
CREATE DATABASE Keys; CREATE DATABASE Copy; CREATE LOGIN Kim WITH PASSWORD = 'x';
GO
USE Keys;
CREATE USER Ann WITHOUT LOGIN;
CREATE CERTIFICATE Early WITH SUBJECT = 'no key yet';
GO
--! error 15581
--! spec CERT-2
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'one';
SELECT is_master_key_encrypted_by_server FROM sys.databases WHERE name = 'Keys';
SELECT s.name, e.crypt_type_desc FROM sys.key_encryptions e JOIN sys.symmetric_keys s ON s.symmetric_key_id = e.key_id ORDER BY 2;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'two';
GO
--! rows
--! 1
--! rows
--! ##MS_DatabaseMasterKey## | ENCRYPTION BY MASTER KEY
--! ##MS_DatabaseMasterKey## | ENCRYPTION BY PASSWORD
--! error 15578
--! spec KEY-1 KEY-2
CREATE CERTIFICATE C1 AUTHORIZATION Ann WITH SUBJECT = 'CN = partner, O = shop', START_DATE = '2026-01-01', EXPIRY_DATE = '2030-12-31' ACTIVE FOR BEGIN_DIALOG = OFF;
CREATE CERTIFICATE C2 WITH SUBJECT = 'second';
CREATE CERTIFICATE C3 ENCRYPTION BY PASSWORD = 'pw' WITH SUBJECT = 'third' ACTIVE FOR BEGIN_DIALOG = ON;
SELECT name, USER_NAME(principal_id), subject, issuer_name, pvt_key_encryption_type, pvt_key_encryption_type_desc, is_active_for_begin_dialog, start_date, expiry_date
FROM sys.certificates ORDER BY name;
SELECT COUNT(DISTINCT cert_serial_number), COUNT(DISTINCT thumbprint), MAX(LEN(thumbprint)) FROM sys.certificates;
GO
--! rows
--! C1 | Ann | CN = partner, O = shop | CN = partner, O = shop | MK | ENCRYPTED_BY_MASTER_KEY | 0 | 2026-01-01 00:00:00.000 | 2030-12-31 00:00:00.000
--! C2 | dbo | second | second | MK | ENCRYPTED_BY_MASTER_KEY | 1 | 2026-01-01 00:00:00.000 | 2027-01-01 00:00:00.000
--! C3 | dbo | third | third | PW | ENCRYPTED_BY_PASSWORD | 1 | 2026-01-01 00:00:00.000 | 2027-01-01 00:00:00.000
--! rows
--! 3 | 3 | 20
--! spec CERT-1 CERT-2 CERT-3 CERT-4 CERT-5 CERT-23
CREATE CERTIFICATE C1 WITH SUBJECT = 'again';
GO
--! error 15232
CREATE CERTIFICATE Late WITH SUBJECT = 'late', START_DATE = '2030-01-01', EXPIRY_DATE = '2029-01-01';
GO
--! error 15297
ALTER CERTIFICATE C1 WITH ACTIVE FOR BEGIN_DIALOG = ON;
SELECT is_active_for_begin_dialog FROM sys.certificates WHERE name = 'C1';
GO
--! rows
--! 1
--! spec CERT-15
-- Encryption and signatures with the two keys; what is encrypted is not the text.
DECLARE @c varbinary(8000) = ENCRYPTBYCERT(CERT_ID('C1'), N'secret'), @s varbinary(8000) = SIGNBYCERT(CERT_ID('C1'), 'signed');
SELECT LEN(@c), CAST(DECRYPTBYCERT(CERT_ID('C1'), @c) AS nvarchar(20)), DECRYPTBYCERT(CERT_ID('C2'), @c), VERIFYSIGNEDBYCERT(CERT_ID('C1'), 'signed', @s),
    VERIFYSIGNEDBYCERT(CERT_ID('C1'), 'changed', @s), VERIFYSIGNEDBYCERT(CERT_ID('C2'), 'signed', @s), CHARINDEX(CAST(N'secret' AS varbinary(20)), @c);
SET @c = ENCRYPTBYCERT(CERT_ID('C3'), 'by password');
SELECT DECRYPTBYCERT(CERT_ID('C3'), @c), DECRYPTBYCERT(CERT_ID('C3'), @c, N'no'), CAST(DECRYPTBYCERT(CERT_ID('C3'), @c, N'pw') AS varchar(20));
SELECT CERTPROPERTY(CERT_ID('C1'), 'Subject'), CERTPROPERTY(CERT_ID('C1'), 'Expiry_Date'), CERT_ID('NoSuch');
GO
--! rows
--! 256 | secret | NULL | 1 | 0 | 0 | 0
--! rows
--! NULL | NULL | by password
--! rows
--! CN = partner, O = shop | 2030-12-31 00:00:00.000 | NULL
--! spec CERT-19 CERT-21
-- Files.
BACKUP CERTIFICATE C1 TO FILE = 'c1.cer' WITH PRIVATE KEY (FILE = 'c1.pvk', ENCRYPTION BY PASSWORD = 'file');
BACKUP CERTIFICATE C2 TO FILE = 'c2.cer';
SELECT name, pvt_key_last_backup_date FROM sys.certificates ORDER BY name;
BACKUP CERTIFICATE C1 TO FILE = 'c1.cer';
GO
--! rows
--! C1 | 2026-01-01 00:00:00.000
--! C2 | NULL
--! C3 | NULL
--! error 15240
--! spec CERT-16 CERT-17
CREATE TABLE Sent (c varbinary(8000), s varbinary(8000));
INSERT Sent SELECT ENCRYPTBYCERT(CERT_ID('C1'), 'for the copy'), SIGNBYCERT(CERT_ID('C1'), 'by the original');
USE Copy;
CREATE CERTIFICATE C1 FROM FILE = 'c1.cer' WITH PRIVATE KEY (FILE = 'c1.pvk', DECRYPTION BY PASSWORD = 'wrong', ENCRYPTION BY PASSWORD = 'copy');
GO
--! error 15208
CREATE CERTIFICATE C1 FROM FILE = 'c1.cer' WITH PRIVATE KEY (FILE = 'c1.pvk', DECRYPTION BY PASSWORD = 'file', ENCRYPTION BY PASSWORD = 'copy');
CREATE CERTIFICATE C2 FROM FILE = 'c2.cer';
SELECT name, subject, pvt_key_encryption_type FROM sys.certificates ORDER BY name;
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), c, N'copy') AS varchar(20)), VERIFYSIGNEDBYCERT(CERT_ID('C1'), 'by the original', s) FROM Keys.dbo.Sent;
SELECT DECRYPTBYCERT(CERT_ID('C2'), ENCRYPTBYCERT(CERT_ID('C2'), 'x'));
GO
--! rows
--! C1 | CN=partner,O=shop | PW
--! C2 | second | NA
--! rows
--! for the copy | 1
--! rows
--! NULL
--! spec CERT-7 CERT-12 CERT-20 CERT-21
CREATE CERTIFICATE Again FROM FILE = 'c2.cer';
GO
--! error 15232
--! spec CERT-6
CREATE CERTIFICATE NoFile FROM FILE = 'nowhere.cer';
GO
--! error 15208
CREATE CERTIFICATE NoFile FROM FILE = 'c1.pvk';
GO
--! error 15208
--! spec CERT-8
CREATE CERTIFICATE Other FROM FILE = 'c2.cer' WITH PRIVATE KEY (FILE = 'c1.pvk', DECRYPTION BY PASSWORD = 'file', ENCRYPTION BY PASSWORD = 'x');
GO
--! error 15297
--! spec CERT-10
DROP CERTIFICATE C1;
USE Keys;
DECLARE @sql nvarchar(max) = CONCAT('USE Copy; CREATE CERTIFICATE C1 FROM BINARY = ', CONVERT(varchar(max), CERTENCODED(CERT_ID('C1')), 1),
    ' WITH PRIVATE KEY (BINARY = ', CONVERT(varchar(max), CERTPRIVATEKEY(CERT_ID('C1'), N'out'), 1), ', DECRYPTION BY PASSWORD = ''out'', ENCRYPTION BY PASSWORD = ''in'')');
EXEC (@sql);
USE Copy;
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), c, N'in') AS varchar(20)) FROM Keys.dbo.Sent;
CREATE CERTIFICATE Bad FROM BINARY = 0x0102;
GO
--! rows
--! for the copy
--! error 15297
--! spec CERT-9 CERT-22
CREATE CERTIFICATE A FROM ASSEMBLY Shop;
GO
--! error 40517
CREATE CERTIFICATE A FROM EXECUTABLE FILE = 'x.dll';
GO
--! error 40517
--! spec CERT-11
USE Keys;
-- ALTER: the key away, back from its file, under a password and back under the master key.
ALTER CERTIFICATE C1 REMOVE PRIVATE KEY;
SELECT pvt_key_encryption_type, DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x')) FROM sys.certificates WHERE name = 'C1';
ALTER CERTIFICATE C1 WITH PRIVATE KEY (FILE = 'c1.pvk', DECRYPTION BY PASSWORD = 'file');
SELECT pvt_key_encryption_type, CAST(DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x')) AS varchar(5)) FROM sys.certificates WHERE name = 'C1';
ALTER CERTIFICATE C3 WITH PRIVATE KEY (DECRYPTION BY PASSWORD = 'pw', ENCRYPTION BY PASSWORD = 'pw2');
SELECT CAST(DECRYPTBYCERT(CERT_ID('C3'), ENCRYPTBYCERT(CERT_ID('C3'), 'y'), N'pw2') AS varchar(5));
ALTER CERTIFICATE C3 WITH PRIVATE KEY (DECRYPTION BY PASSWORD = 'pw2');
SELECT pvt_key_encryption_type FROM sys.certificates WHERE name = 'C3';
ALTER CERTIFICATE C2 WITH PRIVATE KEY (FILE = 'c1.pvk', DECRYPTION BY PASSWORD = 'file');
GO
--! rows
--! NA | NULL
--! rows
--! MK | x
--! rows
--! y
--! rows
--! MK
--! error 15466
--! spec CERT-13 CERT-14
-- Master keys: another password, without the service master key, opened by the session, made anew.
ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = 'two';
ALTER MASTER KEY DROP ENCRYPTION BY PASSWORD = 'one';
ALTER MASTER KEY DROP ENCRYPTION BY PASSWORD = 'two';
GO
--! error 15558
--! spec KEY-6
ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY;
SELECT is_master_key_encrypted_by_server, (SELECT DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x'))) FROM sys.databases WHERE name = 'Keys';
CREATE CERTIFICATE C4 WITH SUBJECT = 'closed';
GO
--! rows
--! 0 | NULL
--! error 15581
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'one';
GO
--! error 15313
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'two';
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x')) AS varchar(5));
CLOSE MASTER KEY;
SELECT DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x'));
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'two';
ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY;
CLOSE MASTER KEY;
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), ENCRYPTBYCERT(CERT_ID('C1'), 'x')) AS varchar(5));
GO
--! rows
--! x
--! rows
--! NULL
--! rows
--! x
--! spec KEY-3 KEY-4 KEY-5
BACKUP MASTER KEY TO FILE = 'keys.dmk' ENCRYPTION BY PASSWORD = 'kept';
ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'three';
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), c) AS varchar(20)) FROM Sent;
ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY;
ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'four';
GO
--! rows
--! for the copy
--! error 15581
--! spec KEY-7
RESTORE MASTER KEY FROM FILE = 'keys.dmk' DECRYPTION BY PASSWORD = 'wrong' ENCRYPTION BY PASSWORD = 'five';
GO
--! error 15329
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'three';
RESTORE MASTER KEY FROM FILE = 'keys.dmk' DECRYPTION BY PASSWORD = 'kept' ENCRYPTION BY PASSWORD = 'five';
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), c) AS varchar(20)) FROM Sent;
CLOSE MASTER KEY;
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'five';
SELECT CAST(DECRYPTBYCERT(CERT_ID('C1'), c) AS varchar(20)) FROM Sent;
CLOSE MASTER KEY;
GO
--! rows
--! for the copy
--! rows
--! for the copy
--! spec KEY-10
ALTER MASTER KEY FORCE REGENERATE WITH ENCRYPTION BY PASSWORD = 'six';
SELECT name, pvt_key_encryption_type FROM sys.certificates ORDER BY name;
OPEN MASTER KEY DECRYPTION BY PASSWORD = 'six';
ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY;
CLOSE MASTER KEY;
CREATE CERTIFICATE C5 WITH SUBJECT = 'new';
DROP MASTER KEY;
GO
--! rows
--! C1 | NA
--! C2 | NA
--! C3 | NA
--! error 15580
--! spec KEY-8
DROP CERTIFICATE C5; DROP MASTER KEY; SELECT COUNT(*) FROM sys.symmetric_keys;
DROP MASTER KEY;
GO
--! rows
--! 0
--! error 15151
--! spec KEY-9
