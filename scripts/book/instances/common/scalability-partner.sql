-- $(me) comes to know $(you): who may connect, who speaks for its services, and the way to them. All services have the
-- same name, so the route says which database is meant.
-- Corrected: a stray blank in the network address.
USE master;
GO
CREATE LOGIN [$(you)] WITH PASSWORD = 'A long pass phrase, 4 servers';
CREATE USER [$(you)] FOR LOGIN [$(you)];
CREATE CERTIFICATE [$(you)_EP] AUTHORIZATION [$(you)] FROM FILE = '$(you)_EP.cer';
GRANT CONNECT ON ENDPOINT::Endpoint_SRPerf_1 TO [$(you)];
GO
USE $(database);
GO
CREATE USER [Proxy:User_$(you)] WITHOUT LOGIN;
CREATE CERTIFICATE [$(you)_Dialogs] AUTHORIZATION [Proxy:User_$(you)] FROM FILE = '$(you)_Dialogs.cer';
GRANT SEND ON SERVICE::[//MySSB.com/Lab/S_Test] TO [Proxy:User_$(you)];
DECLARE @statement nvarchar(max);
SELECT @statement = N'CREATE ROUTE [Test_$(you)]
    WITH SERVICE_NAME = N''//MySSB.com/Lab/S_Test'',
    BROKER_INSTANCE = N''' + REPLACE(subject, N'CN=', N'') + N''',
    ADDRESS = N''TCP://$(you):5114'''
FROM sys.certificates
WHERE name = N'$(you)_Dialogs';
EXEC sp_executesql @statement;
GO
