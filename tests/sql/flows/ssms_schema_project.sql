-- What the script generator of Management Studio writes for a small schema with broker objects: comments with dates, every SET
-- option, sp_executesql for modules, brackets and blanks everywhere, roles, permissions, extended properties.
USE [master]
GO
/****** Object:  Database [Orders]    Script Date: 3/14/2012 9:26:53 AM ******/
CREATE DATABASE [Orders]
 CONTAINMENT = NONE
 ON  PRIMARY 
( NAME = N'Orders', FILENAME = N'C:\Program Files\Microsoft SQL Server\MSSQL11.SQL2012\MSSQL\DATA\Orders.mdf' , SIZE = 4160KB , MAXSIZE = UNLIMITED, FILEGROWTH = 1024KB ), 
 FILEGROUP [Messages]  DEFAULT
( NAME = N'Orders_Messages', FILENAME = N'C:\Data\Orders_Messages.ndf' , SIZE = 1024KB , MAXSIZE = UNLIMITED, FILEGROWTH = 10%)
 LOG ON 
( NAME = N'Orders_log', FILENAME = N'C:\Program Files\Microsoft SQL Server\MSSQL11.SQL2012\MSSQL\DATA\Orders_log.ldf' , SIZE = 1040KB , MAXSIZE = 2048GB , FILEGROWTH = 10%)
GO
ALTER DATABASE [Orders] SET COMPATIBILITY_LEVEL = 110
GO
IF (1 = FULLTEXTSERVICEPROPERTY('IsFullTextInstalled'))
begin
EXEC [Orders].[dbo].[sp_fulltext_database] @action = 'enable'
end
GO
ALTER DATABASE [Orders] SET ANSI_NULL_DEFAULT OFF 
GO
ALTER DATABASE [Orders] SET AUTO_CLOSE OFF 
GO
ALTER DATABASE [Orders] SET CURSOR_DEFAULT  GLOBAL 
GO
ALTER DATABASE [Orders] SET RECURSIVE_TRIGGERS OFF 
GO
ALTER DATABASE [Orders] SET  ENABLE_BROKER 
GO
ALTER DATABASE [Orders] SET TRUSTWORTHY OFF 
GO
ALTER DATABASE [Orders] SET READ_COMMITTED_SNAPSHOT OFF 
GO
ALTER DATABASE [Orders] SET HONOR_BROKER_PRIORITY OFF 
GO
ALTER DATABASE [Orders] SET RECOVERY SIMPLE 
GO
ALTER DATABASE [Orders] SET  MULTI_USER 
GO
ALTER DATABASE [Orders] SET PAGE_VERIFY CHECKSUM  
GO
ALTER DATABASE [Orders] SET DB_CHAINING OFF 
GO
ALTER DATABASE [Orders] SET FILESTREAM( NON_TRANSACTED_ACCESS = OFF ) 
GO
ALTER DATABASE [Orders] SET TARGET_RECOVERY_TIME = 0 SECONDS 
GO
ALTER DATABASE [Orders] SET DELAYED_DURABILITY = DISABLED 
GO
ALTER DATABASE [Orders] SET ACCELERATED_DATABASE_RECOVERY = OFF  
GO
ALTER DATABASE [Orders] SET MIXED_PAGE_ALLOCATION OFF, TWO_DIGIT_YEAR_CUTOFF = 2049
GO
ALTER DATABASE [Orders] ADD FILEGROUP [Archive]
GO
ALTER DATABASE [Orders] ADD FILE ( NAME = N'Orders_Archive', FILENAME = N'C:\Data\Orders_Archive.ndf' , SIZE = 8192KB , FILEGROWTH = 65536KB ) TO FILEGROUP [Archive]
GO
ALTER DATABASE [Orders] MODIFY FILEGROUP [PRIMARY] DEFAULT
GO
ALTER DATABASE [Orders] SET QUERY_STORE (OPERATION_MODE = READ_WRITE, CLEANUP_POLICY = (STALE_QUERY_THRESHOLD_DAYS = 30), DATA_FLUSH_INTERVAL_SECONDS = 900, INTERVAL_LENGTH_MINUTES = 60, MAX_STORAGE_SIZE_MB = 1000, QUERY_CAPTURE_MODE = AUTO, SIZE_BASED_CLEANUP_MODE = AUTO, MAX_PLANS_PER_QUERY = 200, WAIT_STATS_CAPTURE_MODE = ON)
GO
USE [Orders]
GO
ALTER DATABASE SCOPED CONFIGURATION SET MAXDOP = 0;
GO
/****** Object:  User [broker_user]    Script Date: 3/14/2012 9:26:53 AM ******/
IF NOT EXISTS (SELECT * FROM sys.database_principals WHERE name = N'broker_user')
CREATE USER [broker_user] WITHOUT LOGIN WITH DEFAULT_SCHEMA=[dbo]
GO
IF NOT EXISTS (SELECT * FROM sys.database_principals WHERE name = N'order_readers' AND type = 'R')
CREATE ROLE [order_readers]
GO
EXEC dbo.sp_addrolemember @rolename=N'order_readers', @membername=N'broker_user'
GO
sys.sp_addrolemember @rolename = N'db_datareader', @membername = N'broker_user'
GO
/****** Object:  Schema [msg]    Script Date: 3/14/2012 9:26:53 AM ******/
IF NOT EXISTS (SELECT * FROM sys.schemas WHERE name = N'msg')
EXEC sys.sp_executesql N'CREATE SCHEMA [msg]'
GO
SET ANSI_NULLS ON
GO
SET QUOTED_IDENTIFIER ON
GO
SET ANSI_PADDING ON
GO
IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[msg].[Order]') AND type in (N'U'))
BEGIN
CREATE TABLE [msg].[Order](
	[OrderId] [int] IDENTITY(1,1) NOT NULL,
	[Customer] [varchar](50) NOT NULL,
	[State] [tinyint] NOT NULL,
	[Details] [xml] NULL,
	[RowGuid] [uniqueidentifier] ROWGUIDCOL  NOT NULL,
	[Modified] [datetime] NOT NULL,
 CONSTRAINT [PK_Order] PRIMARY KEY CLUSTERED 
(
	[OrderId] ASC
)WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON, OPTIMIZE_FOR_SEQUENTIAL_KEY = OFF) ON [PRIMARY]
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
END
GO
SET ANSI_PADDING OFF
GO
IF NOT EXISTS (SELECT * FROM sys.indexes WHERE object_id = OBJECT_ID(N'[msg].[Order]') AND name = N'IX_Order_Customer')
CREATE NONCLUSTERED INDEX [IX_Order_Customer] ON [msg].[Order]
(
	[Customer] ASC
)
INCLUDE ( 	[State]) WITH (PAD_INDEX = OFF, STATISTICS_NORECOMPUTE = OFF, SORT_IN_TEMPDB = OFF, DROP_EXISTING = OFF, ONLINE = OFF, ALLOW_ROW_LOCKS = ON, ALLOW_PAGE_LOCKS = ON) ON [PRIMARY]
GO
IF NOT EXISTS (SELECT * FROM dbo.sysobjects WHERE id = OBJECT_ID(N'[msg].[DF_Order_State]') AND type = 'D')
BEGIN
ALTER TABLE [msg].[Order] ADD  CONSTRAINT [DF_Order_State]  DEFAULT ((0)) FOR [State]
END

GO
IF NOT EXISTS (SELECT * FROM dbo.sysobjects WHERE id = OBJECT_ID(N'[msg].[DF_Order_RowGuid]') AND type = 'D')
BEGIN
ALTER TABLE [msg].[Order] ADD  CONSTRAINT [DF_Order_RowGuid]  DEFAULT (newid()) FOR [RowGuid]
END

GO
ALTER TABLE [msg].[Order] ADD  CONSTRAINT [DF_Order_Modified]  DEFAULT (getdate()) FOR [Modified]
GO
IF NOT EXISTS (SELECT * FROM sys.check_constraints WHERE object_id = OBJECT_ID(N'[msg].[CK_Order_State]') AND parent_object_id = OBJECT_ID(N'[msg].[Order]'))
ALTER TABLE [msg].[Order]  WITH CHECK ADD  CONSTRAINT [CK_Order_State] CHECK  (([State]>=(0) AND [State]<=(9)))
GO
IF  EXISTS (SELECT * FROM sys.check_constraints WHERE object_id = OBJECT_ID(N'[msg].[CK_Order_State]') AND parent_object_id = OBJECT_ID(N'[msg].[Order]'))
ALTER TABLE [msg].[Order] CHECK CONSTRAINT [CK_Order_State]
GO
/****** Object:  MessageType [http://orders.example.org/v1/Placed]    Script Date: 3/14/2012 9:26:53 AM ******/
IF NOT EXISTS (SELECT * FROM sys.service_message_types WHERE name = N'http://orders.example.org/v1/Placed')
CREATE MESSAGE TYPE [http://orders.example.org/v1/Placed] AUTHORIZATION [dbo] VALIDATION = WELL_FORMED_XML
GO
IF NOT EXISTS (SELECT * FROM sys.service_contracts WHERE name = N'http://orders.example.org/v1/Contract')
CREATE CONTRACT [http://orders.example.org/v1/Contract] AUTHORIZATION [dbo] ([http://orders.example.org/v1/Placed] SENT BY INITIATOR)
GO
IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[msg].[usp_OrderReader]') AND type in (N'P', N'PC'))
BEGIN
EXEC dbo.sp_executesql @statement = N'CREATE PROCEDURE [msg].[usp_OrderReader] AS' 
END
GO
ALTER PROCEDURE [msg].[usp_OrderReader]
AS
BEGIN
	SET NOCOUNT ON;
	DECLARE @handle UNIQUEIDENTIFIER, @type SYSNAME, @body XML
	WHILE (1 = 1)
	BEGIN
		BEGIN TRANSACTION
		WAITFOR (
			RECEIVE TOP (1) @handle = [conversation_handle], @type = [message_type_name], @body = [message_body]
			FROM [msg].[OrderQueue]
		), TIMEOUT 5000
		IF (@@ROWCOUNT = 0)
		BEGIN
			ROLLBACK TRANSACTION
			BREAK
		END
		IF @type = N'http://orders.example.org/v1/Placed'
			INSERT [msg].[Order] ([Customer], [Details])
			VALUES (@body.value(N'(/order/@customer)[1]', N'varchar(50)'), @body)
		ELSE IF @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog' OR @type = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error'
			END CONVERSATION @handle
		COMMIT TRANSACTION
	END
END
GO
/****** Object:  ServiceQueue [msg].[OrderQueue]    Script Date: 3/14/2012 9:26:53 AM ******/
IF NOT EXISTS (SELECT * FROM sys.service_queues WHERE name = N'OrderQueue')
CREATE QUEUE [msg].[OrderQueue] WITH STATUS = ON , RETENTION = OFF , ACTIVATION (  STATUS = ON , PROCEDURE_NAME = [msg].[usp_OrderReader] , MAX_QUEUE_READERS = 1 , EXECUTE AS OWNER  ), POISON_MESSAGE_HANDLING (STATUS = ON)  ON [PRIMARY] 
GO
IF NOT EXISTS (SELECT * FROM sys.services WHERE name = N'http://orders.example.org/v1/Service')
CREATE SERVICE [http://orders.example.org/v1/Service]  AUTHORIZATION [dbo]  ON QUEUE [msg].[OrderQueue] ([http://orders.example.org/v1/Contract])
GO
SET ANSI_NULLS ON
GO
SET QUOTED_IDENTIFIER ON
GO
IF NOT EXISTS (SELECT * FROM sys.views WHERE object_id = OBJECT_ID(N'[msg].[vw_OpenOrders]'))
EXEC dbo.sp_executesql @statement = N'
CREATE VIEW [msg].[vw_OpenOrders]
AS
SELECT     OrderId, Customer, Details.value(''(/order/line/@sku)[1]'', ''varchar(20)'') AS FirstSku
FROM         msg.[Order]
WHERE     (State = 0)
' 
GO
IF NOT EXISTS (SELECT * FROM sys.triggers WHERE object_id = OBJECT_ID(N'[msg].[trg_Order_Touch]'))
EXEC dbo.sp_executesql @statement = N'CREATE TRIGGER [msg].[trg_Order_Touch] ON [msg].[Order] AFTER UPDATE AS
UPDATE o SET Modified = getdate() FROM msg.[Order] o INNER JOIN inserted i ON i.OrderId = o.OrderId' 
GO
IF NOT EXISTS (SELECT * FROM ::fn_listextendedproperty(N'MS_Description' , N'SCHEMA',N'msg', N'TABLE',N'Order', NULL,NULL))
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'Orders that came as messages' , @level0type=N'SCHEMA',@level0name=N'msg', @level1type=N'TABLE',@level1name=N'Order'
GO
IF NOT EXISTS (SELECT * FROM sys.fn_listextendedproperty(N'MS_Description' , N'SCHEMA',N'msg', N'TABLE',N'Order', N'COLUMN',N'State'))
	EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'0 open, 9 closed' , @level0type=N'SCHEMA',@level0name=N'msg', @level1type=N'TABLE',@level1name=N'Order', @level2type=N'COLUMN',@level2name=N'State'
ELSE
BEGIN
	EXEC sys.sp_updateextendedproperty @name=N'MS_Description', @value=N'0 open, 9 closed' , @level0type=N'SCHEMA',@level0name=N'msg', @level1type=N'TABLE',@level1name=N'Order', @level2type=N'COLUMN',@level2name=N'State'
END
GO
SELECT objtype, objname, value FROM ::fn_listextendedproperty(NULL, N'SCHEMA', N'msg', N'TABLE', N'Order', N'COLUMN', default)
GO
--! rows
--! COLUMN | State | 0 open, 9 closed
GRANT SEND ON SERVICE::[http://orders.example.org/v1/Service] TO [broker_user] AS [dbo]
GO
GRANT SELECT ON [msg].[vw_OpenOrders] TO [order_readers]
GO
USE [master]
GO
ALTER DATABASE [Orders] SET  READ_WRITE 
GO
USE [Orders]
GO
DECLARE @h UNIQUEIDENTIFIER
BEGIN DIALOG CONVERSATION @h
	FROM SERVICE [http://orders.example.org/v1/Service] TO SERVICE N'http://orders.example.org/v1/Service'
	ON CONTRACT [http://orders.example.org/v1/Contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [http://orders.example.org/v1/Placed] (N'<order customer="Bo"><line sku="A-1"/><line sku="B-2"/></order>');
GO
--! settle
SELECT * FROM msg.vw_OpenOrders
SELECT OBJECTPROPERTY(OBJECT_ID('msg.Order'), 'TableHasIdentity') AS has_identity, is_poison_message_handling_enabled, USER_NAME(execute_as_principal_id) AS runs_as
FROM sys.service_queues WHERE name = 'OrderQueue'
SELECT dp.permission_name, dp.class_desc, USER_NAME(dp.grantee_principal_id) FROM sys.database_permissions dp
WHERE dp.class_desc IN ('SERVICE') ORDER BY 1
GO
--! rows
--! columns OrderId | Customer | FirstSku
--! 1 | Bo | A-1
--! rows
--! 1 | 1 | NULL
--! rows
--! SEND | SERVICE | broker_user
