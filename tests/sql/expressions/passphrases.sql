-- ENCRYPTBYPASSPHRASE and DECRYPTBYPASSPHRASE: what was encrypted comes back with the same passphrase and authenticator, else NULL.
DECLARE @secret varbinary(8000) = ENCRYPTBYPASSPHRASE('A little learning', N'4111-1111'), @again varbinary(8000) = ENCRYPTBYPASSPHRASE(N'A little learning', N'4111-1111')
SELECT CAST(DECRYPTBYPASSPHRASE('A little learning', @secret) AS nvarchar(25)), DECRYPTBYPASSPHRASE('a little learning', @secret), DECRYPTBYPASSPHRASE('A little learning', 0x01),
       IIF(@secret = @again, 'same', 'other'), CAST(DECRYPTBYPASSPHRASE('A little learning', @again) AS nvarchar(25)), SUBSTRING(@secret, 1, 4)
DECLARE @card varbinary(8000) = ENCRYPTBYPASSPHRASE('pass', 'text', 1, CONVERT(varbinary, 3681))
SELECT CAST(DECRYPTBYPASSPHRASE('pass', @card, 1, CONVERT(varbinary, 3681)) AS varchar(25)), DECRYPTBYPASSPHRASE('pass', @card, 1, CONVERT(varbinary, 3682)), DECRYPTBYPASSPHRASE('pass', @card),
       ENCRYPTBYPASSPHRASE(NULL, 'text'), ENCRYPTBYPASSPHRASE('pass', CAST(NULL AS varchar(5)))
GO
--! rows
--! 4111-1111 | NULL | NULL | other | 4111-1111 | 0x02000000
--! rows
--! text | NULL | NULL | NULL | NULL
SELECT ENCRYPTBYKEY(NULL, 'text')
GO
--! rows
--! NULL
