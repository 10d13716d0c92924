"""System, metadata, security, session and configuration functions: examples of each page that no other topic has."""

from __future__ import annotations

_TABLE = "CREATE TABLE dbo.{0} (id int NOT NULL IDENTITY(5, 3) PRIMARY KEY, name varchar(40) NULL, price money NULL, total AS price * 2); "

METADATA = [
    (
        "t-sql/functions/col-length",
        "CREATE TABLE dbo.oracle_length (c1 varchar(40), c2 nvarchar(40)); SELECT COL_LENGTH('dbo.oracle_length', 'c1'), COL_LENGTH('dbo.oracle_length', 'c2'), COL_LENGTH('dbo.oracle_length', 'c3')",
        "40 | 80 | NULL",
    ),
    (
        "t-sql/functions/col-name",
        _TABLE.format("oracle_name")
        + "SELECT COL_NAME(OBJECT_ID('dbo.oracle_name'), 2), COL_NAME(OBJECT_ID('dbo.oracle_name'), 9)",
        "name | NULL",
    ),
    (
        "t-sql/functions/columnproperty",
        _TABLE.format("oracle_property")
        + "SELECT COLUMNPROPERTY(OBJECT_ID('dbo.oracle_property'), 'name', 'PRECISION'), COLUMNPROPERTY(OBJECT_ID('dbo.oracle_property'), 'id', 'IsIdentity'), "
        "COLUMNPROPERTY(OBJECT_ID('dbo.oracle_property'), 'id', 'AllowsNull'), COLUMNPROPERTY(OBJECT_ID('dbo.oracle_property'), 'total', 'IsComputed')",
        "40 | 1 | 0 | 1",
    ),
    (
        "t-sql/functions/databasepropertyex",
        "SELECT DATABASEPROPERTYEX('tempdb', 'IsAutoShrink'), DATABASEPROPERTYEX('tempdb', 'Status'), DATABASEPROPERTYEX('nowhere', 'Status')",
        "0 | ONLINE | NULL",
    ),
    (
        "t-sql/functions/databaseproperty",
        "SELECT DATABASEPROPERTY('master', 'IsReadOnly'), DATABASEPROPERTY('master', 'NoSuchProperty')",
        "0 | NULL",
    ),
    (
        "t-sql/functions/db-id",
        "SELECT DB_ID('master'), DB_ID('nowhere'), DB_NAME(DB_ID('tempdb'))",
        "1 | NULL | tempdb",
    ),
    (
        "t-sql/functions/ident-seed",
        _TABLE.format("oracle_identity")
        + "INSERT dbo.oracle_identity (name) VALUES ('a'), ('b'); SELECT IDENT_SEED('dbo.oracle_identity'), IDENT_INCR('dbo.oracle_identity'), IDENT_CURRENT('dbo.oracle_identity')",
        "5 | 3 | 8",
    ),
    (
        "t-sql/functions/index-col",
        "CREATE TABLE dbo.oracle_index (a int PRIMARY KEY, b int); SELECT INDEX_COL('dbo.oracle_index', 1, 1), INDEX_COL('dbo.oracle_index', 1, 2)",
        "a | NULL",
    ),
    (
        "t-sql/functions/object-id",
        _TABLE.format("oracle_object")
        + "SELECT OBJECT_NAME(OBJECT_ID(N'dbo.oracle_object', N'U')), OBJECT_SCHEMA_NAME(OBJECT_ID(N'dbo.oracle_object')), OBJECT_ID(N'dbo.oracle_object', N'P')",
        "oracle_object | dbo | NULL",
    ),
    (
        "t-sql/functions/objectproperty",
        _TABLE.format("oracle_table")
        + "SELECT OBJECTPROPERTY(OBJECT_ID(N'dbo.oracle_table'), N'ISTABLE'), OBJECTPROPERTY(OBJECT_ID(N'dbo.oracle_table'), 'OwnerId'), OBJECTPROPERTY(1, 'NoSuchProperty')",
        "1 | 1 | NULL",
    ),
    (
        "t-sql/functions/objectpropertyex",
        _TABLE.format("oracle_base") + "SELECT OBJECTPROPERTYEX(OBJECT_ID(N'dbo.oracle_base'), N'BaseType')",
        "U",
    ),
    ("t-sql/functions/original-db-name", "SELECT ORIGINAL_DB_NAME()", "master"),
    ("t-sql/functions/schema-name", "SELECT SCHEMA_NAME(1), SCHEMA_ID('dbo'), SCHEMA_NAME(4)", "dbo | 1 | sys"),
    (
        "t-sql/functions/scope-identity",
        "CREATE TABLE dbo.oracle_scope (id int IDENTITY(30, 1), name varchar(20)); INSERT dbo.oracle_scope VALUES ('Rosalie'); SELECT SCOPE_IDENTITY(), @@IDENTITY",
        "30 | 30",
    ),
    ("t-sql/functions/type-id", "SELECT TYPE_NAME(TYPE_ID('datetime')), TYPE_ID('nowhere')", "datetime | NULL"),
    ("t-sql/functions/type-name", "SELECT TYPE_NAME(36), TYPE_NAME(239)", "uniqueidentifier | nchar"),
    (
        "t-sql/functions/typeproperty",
        "SELECT TYPEPROPERTY('tinyint', 'PRECISION'), TYPEPROPERTY('nowhere', 'PRECISION')",
        "3 | NULL",
    ),
    (
        "t-sql/functions/assemblyproperty",
        "SELECT ASSEMBLYPROPERTY('HelloWorld', 'PublicKey')",
        "error 40517 ASSEMBLYPROPERTY",
    ),
    (
        "t-sql/functions/applock-mode",
        "EXEC sp_getapplock 'form', 'Exclusive', 'Session'; SELECT APPLOCK_MODE('public', 'form', 'Session')",
        "Exclusive",
    ),
    (
        "t-sql/functions/serverproperty",
        "SELECT SERVERPROPERTY('Collation'), SERVERPROPERTY('IsClustered'), SERVERPROPERTY('NoSuchProperty')",
        "SQL_Latin1_General_CP1_CI_AS | 0 | NULL",
    ),
]

SYSTEM = [
    (
        "t-sql/functions/context-info",
        "SET CONTEXT_INFO 0x1256698456; SELECT SUBSTRING(CONTEXT_INFO(), 1, 6), DATALENGTH(CONTEXT_INFO())",
        "0x125669845600 | 128",
    ),
    (
        "t-sql/functions/session-context",
        "EXEC sp_set_session_context 'language', 'English'; SELECT SESSION_CONTEXT(N'language'), SESSION_CONTEXT(N'other')",
        "English | NULL",
    ),
    (
        "t-sql/functions/compress",
        "SELECT CAST(DECOMPRESS(COMPRESS(N'text of a message')) AS nvarchar(max)), DECOMPRESS(NULL)",
        "text of a message | NULL",
    ),
    (
        "t-sql/functions/hashbytes",
        "SELECT HASHBYTES('SHA2_256', 'abc'), HASHBYTES('SHA1', 'abc')",
        "0xBA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD | 0xA9993E364706816ABA3E25717850C26C9CD0D89D",
    ),
    ("t-sql/functions/getansinull", "SELECT GETANSINULL('master')", "1"),
    ("t-sql/functions/rowcount-big", "SELECT value FROM GENERATE_SERIES(1, 2); SELECT ROWCOUNT_BIG()", "1", "2", "2"),
    ("t-sql/functions/current-request-id", "SELECT CURRENT_REQUEST_ID()", "0"),
    (
        "t-sql/functions/checksum",
        "SELECT IIF(CHECKSUM('a', 1) = CHECKSUM('A', 1), 'same', 'other'), IIF(CHECKSUM('a', 1) = CHECKSUM(1, 'a'), 'same', 'other'), CHECKSUM(5)",
        "same | other | 5",
    ),
    (
        "t-sql/functions/binary-checksum",
        "SELECT IIF(BINARY_CHECKSUM('a') = BINARY_CHECKSUM('A'), 'same', 'other')",
        "other",
    ),
    ("t-sql/functions/newid", "SELECT LEN(NEWID()), IIF(NEWID() = NEWID(), 'same', 'other')", "36 | other"),
    (
        "t-sql/functions/error-message",
        "BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE(), ERROR_LINE(), ISNULL(ERROR_PROCEDURE(), 'no procedure') END CATCH",
        "8134 | 16 | 1 | 1 | no procedure",
    ),
    (
        "t-sql/functions/min-active-rowversion",
        "SELECT IIF(MIN_ACTIVE_ROWVERSION() = CONVERT(binary(8), CONVERT(bigint, @@DBTS) + 1), 'next', 'other')",
        "next",
    ),
    (
        "t-sql/functions/connectionproperty",
        "SELECT CONNECTIONPROPERTY('auth_scheme'), CONNECTIONPROPERTY('nowhere')",
        "* | NULL",
    ),
    ("t-sql/functions/xact-state", "SELECT XACT_STATE(); BEGIN TRAN; SELECT XACT_STATE(); ROLLBACK", "0", "1"),
    (
        "t-sql/functions/encryptbypassphrase",
        "SELECT CAST(DECRYPTBYPASSPHRASE('phrase', ENCRYPTBYPASSPHRASE('phrase', '4111', 1, CONVERT(varbinary, 5)), 1, CONVERT(varbinary, 5)) AS varchar(9))",
        "4111",
    ),
    (
        "t-sql/functions/get-filestream-transaction-context",
        "SELECT GET_FILESTREAM_TRANSACTION_CONTEXT()",
        "error 40517",
    ),
]

SECURITY = [
    (
        "t-sql/functions/user-name",
        "SELECT USER_NAME(), USER, CURRENT_USER, SESSION_USER, USER_NAME(1), USER_NAME(999)",
        "dbo | dbo | dbo | dbo | dbo | NULL",
    ),
    (
        "t-sql/functions/suser-sname",
        "SELECT SUSER_SNAME(0x01), SUSER_NAME(1), SYSTEM_USER, ORIGINAL_LOGIN(), SUSER_ID('nobody')",
        "sa | sa | sa | sa | NULL",
    ),
    (
        "t-sql/functions/database-principal-id",
        "SELECT DATABASE_PRINCIPAL_ID('dbo'), DATABASE_PRINCIPAL_ID('nobody')",
        "1 | NULL",
    ),
    ("t-sql/functions/has-dbaccess", "SELECT HAS_DBACCESS('master'), HAS_DBACCESS('nowhere')", "1 | NULL"),
    (
        "t-sql/functions/has-perms-by-name",
        "SELECT HAS_PERMS_BY_NAME(NULL, NULL, 'VIEW SERVER STATE'), HAS_PERMS_BY_NAME('nowhere', 'OBJECT', 'SELECT')",
        "1 | NULL",
    ),
    (
        "t-sql/functions/is-srvrolemember",
        "SELECT IS_SRVROLEMEMBER('sysadmin'), IS_SRVROLEMEMBER('nobody'), IS_MEMBER('db_owner'), IS_ROLEMEMBER('nobody')",
        "1 | NULL | 1 | NULL",
    ),
    (
        "t-sql/functions/loginproperty",
        "SELECT LOGINPROPERTY('sa', 'IsLocked'), LOGINPROPERTY('sa', 'DefaultDatabase'), LOGINPROPERTY('nobody', 'IsLocked')",
        "0 | master | NULL",
    ),
    (
        "t-sql/functions/pwdcompare",
        "SELECT PWDCOMPARE('secret', PWDENCRYPT('secret')), PWDCOMPARE('', PWDENCRYPT('secret'))",
        "1 | 0",
    ),
    (
        "t-sql/functions/sessionproperty",
        "SET ANSI_NULLS ON; SELECT SESSIONPROPERTY('ANSI_NULLS'), SESSIONPROPERTY('ANSI_FOO'); SET NUMERIC_ROUNDABORT OFF; SELECT SESSIONPROPERTY('NUMERIC_ROUNDABORT')",
        "1 | NULL",
        "0",
    ),
]

CONFIGURATION = [
    (
        "t-sql/functions/datefirst",
        "SET LANGUAGE Italian; SELECT @@DATEFIRST; SET LANGUAGE us_english; SELECT @@DATEFIRST",
        "1",
        "7",
    ),
    (
        "t-sql/functions/langid",
        "SET LANGUAGE 'Italian'; SELECT @@LANGID; SET LANGUAGE us_english; SELECT @@LANGID, @@LANGUAGE",
        "6",
        "0 | us_english",
    ),
    (
        "t-sql/functions/lock-timeout",
        "SELECT @@LOCK_TIMEOUT; SET LOCK_TIMEOUT 1800; SELECT @@LOCK_TIMEOUT",
        "-1",
        "1800",
    ),
    (
        "t-sql/functions/max-precision",
        "SELECT @@MAX_PRECISION, @@MAX_CONNECTIONS, @@SERVICENAME",
        "38 | 32767 | MSSQLSERVER",
    ),
    (
        "t-sql/functions/nestlevel",
        "SELECT @@NESTLEVEL; EXEC ('SELECT @@NESTLEVEL'); EXEC sp_executesql N'SELECT @@NESTLEVEL'",
        "0",
        "1",
        "2",
    ),
    (
        "t-sql/functions/options",
        "SET NOCOUNT ON; SELECT IIF(@@OPTIONS & 512 > 0, 'on', 'off'); SET NOCOUNT OFF; SELECT IIF(@@OPTIONS & 512 > 0, 'on', 'off')",
        "on",
        "off",
    ),
    ("t-sql/functions/textsize", "SET TEXTSIZE 2048; SELECT @@TEXTSIZE", "2048"),
    (
        "t-sql/functions/trancount",
        "BEGIN TRAN; BEGIN TRAN; SELECT @@TRANCOUNT; COMMIT; SELECT @@TRANCOUNT; ROLLBACK; SELECT @@TRANCOUNT",
        "2",
        "1",
        "0",
    ),
    ("t-sql/functions/procid", "SELECT @@PROCID, OBJECT_NAME(@@PROCID)", "0 | NULL"),
    (
        "t-sql/functions/remserver",
        "SELECT @@REMSERVER, @@PACKET_ERRORS, @@TOTAL_ERRORS, @@TIMETICKS",
        "NULL | 0 | 0 | 31250",
    ),
]

EXAMPLES: list[tuple[str, ...]] = [*METADATA, *SYSTEM, *SECURITY, *CONFIGURATION]
