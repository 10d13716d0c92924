-- An install script as tools generate it and people mend it: DROP what may exist, SET options, database options, tables with every
-- generated option, principals, then broker objects. A second run of its drops must work too.
USE master
GO
IF EXISTS (SELECT * FROM sys.databases WHERE name = N'Depot')
BEGIN
    ALTER DATABASE [Depot] SET SINGLE_USER WITH ROLLBACK IMMEDIATE
    DROP DATABASE [Depot]
END
GO
CREATE DATABASE [Depot] ON PRIMARY
( NAME = N'Depot', FILENAME = N'C:\Data\Depot.mdf', SIZE = 8192KB, MAXSIZE = UNLIMITED, FILEGROWTH = 1024KB )
 LOG ON
( NAME = N'Depot_log', FILENAME = N'C:\Data\Depot_log.ldf', SIZE = 1024KB, MAXSIZE = 2048GB, FILEGROWTH = 10%)
 COLLATE Latin1_General_CI_AS
GO
ALTER DATABASE [Depot] SET COMPATIBILITY_LEVEL = 100
GO
IF (1 = FULLTEXTSERVICEPROPERTY('IsFullTextInstalled'))
begin
EXEC [Depot].[dbo].[sp_fulltext_database] @action = 'disable'
end
GO
ALTER DATABASE [Depot] SET ANSI_NULL_DEFAULT OFF
GO
ALTER DATABASE [Depot] SET ANSI_NULLS OFF
ALTER DATABASE [Depot] SET ANSI_PADDING OFF
ALTER DATABASE [Depot] SET ANSI_WARNINGS OFF
ALTER DATABASE [Depot] SET ARITHABORT OFF
ALTER DATABASE [Depot] SET AUTO_CLOSE OFF
ALTER DATABASE [Depot] SET AUTO_CREATE_STATISTICS ON
ALTER DATABASE [Depot] SET AUTO_CREATE_STATISTICS ON(INCREMENTAL = OFF)
ALTER DATABASE [Depot] SET AUTO_SHRINK OFF
ALTER DATABASE [Depot] SET AUTO_UPDATE_STATISTICS ON
ALTER DATABASE [Depot] SET CURSOR_CLOSE_ON_COMMIT OFF
ALTER DATABASE [Depot] SET CURSOR_DEFAULT  GLOBAL
ALTER DATABASE [Depot] SET CONCAT_NULL_YIELDS_NULL OFF
ALTER DATABASE [Depot] SET NUMERIC_ROUNDABORT OFF
ALTER DATABASE [Depot] SET QUOTED_IDENTIFIER OFF
ALTER DATABASE [Depot] SET RECURSIVE_TRIGGERS OFF
ALTER DATABASE [Depot] SET  DISABLE_BROKER
ALTER DATABASE [Depot] SET AUTO_UPDATE_STATISTICS_ASYNC OFF
ALTER DATABASE [Depot] SET DATE_CORRELATION_OPTIMIZATION OFF
ALTER DATABASE [Depot] SET TRUSTWORTHY OFF
ALTER DATABASE [Depot] SET ALLOW_SNAPSHOT_ISOLATION OFF
ALTER DATABASE [Depot] SET PARAMETERIZATION SIMPLE
ALTER DATABASE [Depot] SET READ_COMMITTED_SNAPSHOT OFF
ALTER DATABASE [Depot] SET HONOR_BROKER_PRIORITY OFF
ALTER DATABASE [Depot] SET  READ_WRITE
ALTER DATABASE [Depot] SET RECOVERY FULL
ALTER DATABASE [Depot] SET  MULTI_USER
ALTER DATABASE [Depot] SET PAGE_VERIFY CHECKSUM
ALTER DATABASE [Depot] SET DB_CHAINING OFF
ALTER DATABASE [Depot] SET FILESTREAM( NON_TRANSACTED_ACCESS = OFF )
ALTER DATABASE [Depot] SET TARGET_RECOVERY_TIME = 60 SECONDS
ALTER DATABASE [Depot] SET DELAYED_DURABILITY = DISABLED
ALTER DATABASE [Depot] SET QUERY_STORE = OFF
GO
EXEC sys.sp_db_vardecimal_storage_format N'Depot', N'ON'
GO
ALTER DATABASE [Depot] SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE;
ALTER DATABASE Depot SET TRUSTWORTHY ON, HONOR_BROKER_PRIORITY ON WITH NO_WAIT
Go
select name, is_broker_enabled, is_trustworthy_on, is_honor_broker_priority_on, user_access_desc
from sys.databases where name = 'depot'
Go
--! rows
--! Depot | 1 | 1 | 1 | MULTI_USER
Use Depot
Go
SET ANSI_NULLS ON
SET QUOTED_IDENTIFIER ON
SET ANSI_PADDING ON
SET NUMERIC_ROUNDABORT OFF
SET ANSI_PADDING, ANSI_WARNINGS, CONCAT_NULL_YIELDS_NULL, ARITHABORT, QUOTED_IDENTIFIER, ANSI_NULLS ON
SET XACT_ABORT ON
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
GO
IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[dbo].[Item]') AND type in (N'U'))
BEGIN
CREATE TABLE [dbo].[Item](
	[ItemID] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Code] [nvarchar](20) COLLATE Latin1_General_CI_AS NOT NULL,
	[Status] [tinyint] NOT NULL CONSTRAINT [DF_Item_Status] DEFAULT ((0)),
	[Priority] [int] NULL,
	[Value] [decimal](10, 2) NULL,
	[Type] [char](1) NOT NULL,
	[Body] [xml] NULL,
	[Created] [datetime] NOT NULL,
 CONSTRAINT [PK_Item] PRIMARY KEY CLUSTERED 
(
	[ItemID] ASC
)WITH (PAD_INDEX  = OFF, STATISTICS_NORECOMPUTE  = OFF, IGNORE_DUP_KEY = OFF, ALLOW_ROW_LOCKS  = ON, ALLOW_PAGE_LOCKS  = ON) ON [PRIMARY],
 CONSTRAINT [UQ_Item_Code] UNIQUE NONCLUSTERED ([Code] ASC) WITH (PAD_INDEX = OFF, FILLFACTOR = 90) ON [PRIMARY],
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
END
GO
ALTER TABLE [dbo].[Item] ADD  CONSTRAINT [DF_Item_Created]  DEFAULT (getutcdate()) FOR [Created]
GO
ALTER TABLE [dbo].[Item]  WITH CHECK ADD  CONSTRAINT [CK_Item_Type] CHECK  (([Type]='A' OR [Type]='B'))
GO
ALTER TABLE [dbo].[Item] CHECK CONSTRAINT [CK_Item_Type]
GO
CREATE NONCLUSTERED INDEX [IX_Item_Priority] ON [dbo].[Item]([Priority] DESC, [Status]) INCLUDE ([Value])
WITH (PAD_INDEX = OFF, SORT_IN_TEMPDB = OFF, DROP_EXISTING = OFF, ONLINE = OFF) ON [PRIMARY]
GO
CREATE TABLE dbo.[Order] (
    OrderID uniqueidentifier ROWGUIDCOL NOT NULL DEFAULT NEWID() PRIMARY KEY,
    ItemID int NOT NULL FOREIGN KEY REFERENCES dbo.Item (ItemID) ON DELETE CASCADE,
    Quantity smallint NOT NULL CHECK (Quantity > 0),
    Doubled AS (Quantity * 2) PERSISTED,
    Stamp rowversion,
)
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'what is on the shelves' , @level0type=N'SCHEMA',@level0name=N'dbo',
    @level1type=N'TABLE',@level1name=N'Item'
GO
INSERT Item (Code, [Type], Priority) VALUES (N'nut', 'A', 1), (N'bolt', 'B', NULL)
INSERT INTO [Order] (ItemID, Quantity) VALUES (1, 4)
SELECT i.Code AS 'The code', Status = i.[Status], o.Doubled dbl FROM Item i JOIN [Order] o ON o.ItemID = i.ItemID
INSERT Item (Code, [Type]) VALUES (N'NUT', 'A')
GO
--! rows
--! columns The code | Status | dbl
--! nut | 0 | 8
--! error 2627 line 4
INSERT Item (Code, [Type]) VALUES (N'nail', 'C')
GO
--! error 547
INSERT INTO [Order] (ItemID, Quantity) VALUES (99, 1)
GO
--! error 547
SET XACT_ABORT OFF
GO
IF  EXISTS (SELECT * FROM sys.services WHERE name = N'//depot.example/Stock/Service')
    DROP SERVICE [//depot.example/Stock/Service]
IF  EXISTS (SELECT * FROM sys.service_queues WHERE name = N'StockQueue')
    DROP QUEUE [dbo].[StockQueue]
IF  EXISTS (SELECT * FROM sys.service_contracts WHERE name = N'//depot.example/Stock/Contract')
    DROP CONTRACT [//depot.example/Stock/Contract]
IF  EXISTS (SELECT * FROM sys.service_message_types WHERE name = N'//depot.example/Stock/Request')
    DROP MESSAGE TYPE [//depot.example/Stock/Request]
GO
CREATE MESSAGE TYPE [//depot.example/Stock/Request]
    AUTHORIZATION [dbo]
    validation = well_formed_xml
create message type [//depot.example/Stock/Reply] VALIDATION=NONE
CREATE CONTRACT [//depot.example/Stock/Contract] AUTHORIZATION dbo
( [//depot.example/Stock/Request] sent by initiator
, [//depot.example/Stock/Reply] SENT BY TARGET
, [http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer] SENT BY ANY
)
CREATE QUEUE [dbo].[StockQueue] WITH STATUS = ON , RETENTION = OFF , ACTIVATION (  STATUS = OFF , PROCEDURE_NAME = [dbo].[Nothing] , MAX_QUEUE_READERS = 3 , EXECUTE AS SELF  ), POISON_MESSAGE_HANDLING (STATUS = ON)  ON [PRIMARY]
CREATE SERVICE [//depot.example/Stock/Service]  AUTHORIZATION [dbo]  ON QUEUE [dbo].[StockQueue] ([//depot.example/Stock/Contract])
GRANT SEND ON SERVICE::[//depot.example/Stock/Service] TO public
GRANT RECEIVE ON dbo.StockQueue TO public
GO
SELECT s.name, q.name, c.name, m.name, u.is_sent_by_initiator, u.is_sent_by_target
FROM sys.services s
INNER JOIN sys.service_queue_usages qu ON qu.service_id = s.service_id
INNER JOIN sys.service_queues q ON q.object_id = qu.service_queue_id
INNER JOIN sys.service_contract_usages cu ON cu.service_id = s.service_id
INNER JOIN sys.service_contracts c ON c.service_contract_id = cu.service_contract_id
INNER JOIN sys.service_contract_message_usages u ON u.service_contract_id = c.service_contract_id
INNER JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id
WHERE s.name LIKE '//depot%' ORDER BY m.name
GO
--! rows
--! //depot.example/Stock/Service | StockQueue | //depot.example/Stock/Contract | //depot.example/Stock/Reply | 0 | 1
--! //depot.example/Stock/Service | StockQueue | //depot.example/Stock/Contract | //depot.example/Stock/Request | 1 | 0
--! //depot.example/Stock/Service | StockQueue | //depot.example/Stock/Contract | http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer | 1 | 1
-- A drop of what does not exist fails its batch only; the script goes on.
DROP SERVICE [//depot.example/Gone]
GO
--! error 15151
DROP PROCEDURE IF EXISTS dbo.NoSuch; DROP TABLE IF EXISTS dbo.NoTable, dbo.[Order];
IF OBJECT_ID('dbo.NoSuch', 'P') IS NOT NULL DROP PROCEDURE dbo.NoSuch
IF EXISTS (SELECT * FROM sysobjects WHERE id = object_id(N'[dbo].[Item]') and OBJECTPROPERTY(id, N'IsUserTable') = 1)
    PRINT 'item is there'
GO
--! print item is there
USE master
GO
ALTER DATABASE [Depot] SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP DATABASE Depot
IF DB_ID('Depot') IS NULL PRINT 'gone'
GO
--! print gone
