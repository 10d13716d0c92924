-- The binding of an initiating server: full dialog security.
CREATE REMOTE SERVICE BINDING Test_MYTARGETSERVER_INST2_1
    AUTHORIZATION dbo
    TO SERVICE N'//MySSB.com/Lab/S_Test'
    WITH USER = [Proxy:User_MYTARGETSERVER],
    ANONYMOUS = OFF;
GO
