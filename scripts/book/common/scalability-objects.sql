-- Message type, contract, queue and service of the scalability paper in the current database. Sender and receiver
-- have the same; even the services have the same name, and only the broker instance tells them apart.
CREATE MESSAGE TYPE [//MySSB.com/Lab/M_Test] AUTHORIZATION dbo VALIDATION = NONE;
GO
CREATE CONTRACT [//MySSB.com/Lab/C_Test] AUTHORIZATION dbo ([//MySSB.com/Lab/M_Test] SENT BY ANY);
GO
CREATE QUEUE dbo.MySSBLabTestQueue WITH STATUS = ON, RETENTION = OFF ON [PRIMARY];
GO
CREATE SERVICE [//MySSB.com/Lab/S_Test] AUTHORIZATION dbo
    ON QUEUE dbo.MySSBLabTestQueue ([//MySSB.com/Lab/C_Test]);
GO
