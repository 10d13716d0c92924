-- What looks like a digit and is none (², ٢) is no number anywhere: each place refuses it by its own error.
SELECT SWITCHOFFSET(SYSDATETIMEOFFSET(), N'+0²:00');
GO
--! error 9812
SELECT SWITCHOFFSET(SYSDATETIMEOFFSET(), N'+02:0²');
GO
--! error 9812
SELECT TODATETIMEOFFSET(SYSDATETIME(), N'+02:²0');
GO
--! error 9812
SELECT TODATETIMEOFFSET(SYSDATETIME(), N'+٠٢:٠٠');
GO
--! error 9812
DECLARE @offset nvarchar(6) = N'+0²:00';
SELECT SWITCHOFFSET(SYSDATETIMEOFFSET(), @offset);
GO
--! error 9812
CREATE ROUTE Raised WITH SERVICE_NAME = N'Far', ADDRESS = N'TCP://host:²';
GO
--! error 9744
CREATE ROUTE Raised WITH SERVICE_NAME = N'Far', ADDRESS = N'TCP://host:402²';
GO
--! error 9744
CREATE TABLE dbo.Numbered (n int PRIMARY KEY);
GO
SELECT n FROM dbo.Numbered WITH (INDEX(²));
GO
--! error 308
SELECT n FROM dbo.Numbered WITH (INDEX([²]));
GO
--! error 308
