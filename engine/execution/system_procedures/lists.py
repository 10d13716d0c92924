"""Lists of what the server and a database have: sp_helpfile, sp_helplanguage, sp_helpsort, sp_helpserver, sp_server_info,
sp_datatype_info, sp_helplogins, sp_helpsrvrole, sp_helprotect, sp_depends and their like.

Each is a query over the catalog views.
"""

from __future__ import annotations

from sbql.catalog.records import Principal, UserType
from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, show, whole_number
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.values.languages import language_named

_FILES = """
SELECT f.name, CAST(f.file_id AS smallint) AS fileid, CAST(f.physical_name AS nchar(260)) AS filename,
    CAST(CASE f.type WHEN 0 THEN 'PRIMARY' END AS nvarchar(128)) AS filegroup, CAST(CAST(f.size AS bigint) * 8 AS nvarchar(15)) + N' KB' AS size,
    CAST(CASE f.max_size WHEN -1 THEN N'Unlimited' ELSE CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB' END AS nvarchar(18)) AS maxsize,
    CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth,
    CAST(CASE f.type WHEN 0 THEN 'data only' ELSE 'log only' END AS varchar(9)) AS usage
FROM sys.database_files AS f WHERE @name IS NULL OR f.name = @name ORDER BY f.file_id"""


@procedure("sp_helpfile")
def sp_helpfile(call: ProcedureCall) -> Work:
    """The files of the database, or one. Raises 15325."""
    (name,) = call.values("@filename")
    check = "IF @name IS NOT NULL AND FILE_ID(@name) IS NULL BEGIN RAISERROR(15325, 16, 1, N'file', @name) RETURN END;"
    return (yield from show(call, check + _FILES, name=name))


_FILEGROUPS = """
SELECT g.name AS groupname, CAST(g.data_space_id AS smallint) AS groupid,
    (SELECT COUNT(*) FROM sys.database_files AS f WHERE f.data_space_id = g.data_space_id) AS filecount
FROM sys.filegroups AS g WHERE @name IS NULL OR g.name = @name ORDER BY g.data_space_id;
IF @name IS NOT NULL
    SELECT f.name AS file_in_group, CAST(f.file_id AS smallint) AS fileid, CAST(f.physical_name AS nchar(260)) AS filename,
        CAST(CAST(f.size AS bigint) * 8 AS nvarchar(15)) + N' KB' AS size,
        CAST(CASE f.max_size WHEN -1 THEN N'Unlimited' ELSE CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB' END AS nvarchar(18)) AS maxsize,
        CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth
    FROM sys.database_files AS f JOIN sys.filegroups AS g ON g.data_space_id = f.data_space_id WHERE g.name = @name"""


@procedure("sp_helpfilegroup")
def sp_helpfilegroup(call: ProcedureCall) -> Work:
    """The filegroups of the database, or one with its files."""
    (name,) = call.values("@filegroupname")
    return (yield from show(call, _FILEGROUPS, name=name))


_LANGUAGES = """
SELECT langid, dateformat, datefirst, upgrade, name, alias, months, shortmonths, days, lcid, msglangid FROM sys.syslanguages
WHERE @name IS NULL OR name = @name OR alias = @name ORDER BY langid"""


@procedure("sp_helplanguage")
def sp_helplanguage(call: ProcedureCall) -> Work:
    """The languages, or one by its name or alias. Raises 15033."""
    (name,) = call.values("@language")
    if name is not None and language_named(str(name)) is None:
        raise sql_error(15033, name)
    return (yield from show(call, _LANGUAGES, name=name))


@procedure("sp_helpsort")
def sp_helpsort(call: ProcedureCall) -> Work:
    """The collation of the server in words."""
    call.values()
    text = """Latin1-General, case-insensitive, accent-sensitive, kanatype-insensitive, width-insensitive for Unicode Data, SQL Server Sort Order
        52 on Code Page 1252 for non-Unicode Data"""
    return (
        yield from show(call, f"SELECT CAST('{' '.join(text.split())}' AS nvarchar(256)) AS [Server default collation]")
    )


_SERVERS = """
SELECT s.name, CAST(s.name AS char(30)) AS network_name, CAST('rpc,rpc out,use remote collation' AS varchar(70)) AS status,
    CAST(s.server_id AS char(4)) AS id, s.collation_name, s.connect_timeout, s.query_timeout
FROM sys.servers AS s WHERE @name IS NULL OR s.name = @name"""


@procedure("sp_helpserver")
def sp_helpserver(call: ProcedureCall) -> Work:
    """This server. Raises 15015 for another name."""
    name, _, _ = call.values("@server", "@optname", "@show_topology")
    if name is not None and str(name).lower() != call.session.instance.name.lower():
        raise sql_error(15015, name)
    return (yield from show(call, _SERVERS, name=name))


_SERVER_INFO = """
SELECT attribute_id, CAST(attribute_name AS varchar(60)) AS attribute_name, CAST(attribute_value AS varchar(255)) AS attribute_value
FROM (VALUES (1, 'DBMS_NAME', 'Microsoft SQL Server'), (2, 'DBMS_VER', 'Microsoft SQL Server 2022 - ' + CAST(SERVERPROPERTY('ProductVersion') AS varchar(60))),
    (10, 'OWNER_TERM', 'owner'), (11, 'TABLE_TERM', 'table'), (12, 'MAX_OWNER_NAME_LENGTH', '128'), (13, 'TABLE_LENGTH', '128'),
    (14, 'MAX_QUAL_LENGTH', '128'), (15, 'COLUMN_LENGTH', '128'), (16, 'IDENTIFIER_CASE', 'MIXED'), (17, 'TX_ISOLATION', '2'),
    (18, 'COLLATION_SEQ', 'charset=iso_1 sort_order=nocase_iso charset_num=1 sort_order_num=52'), (19, 'SAVEPOINT_SUPPORT', 'Y'),
    (20, 'MULTI_RESULT_SETS', 'Y'), (22, 'ACCESSIBLE_TABLES', 'Y'), (100, 'USERID_LENGTH', '128'), (101, 'QUALIFIER_TERM', 'database'),
    (102, 'NAMED_TRANSACTIONS', 'Y'), (103, 'SPROC_AS_LANGUAGE', 'Y'), (104, 'ACCESSIBLE_SPROC', 'Y'), (105, 'MAX_INDEX_COLS', '16'),
    (106, 'RENAME_TABLE', 'Y'), (107, 'RENAME_COLUMN', 'Y'), (108, 'DROP_COLUMN', 'Y'), (109, 'INCREASE_COLUMN_LENGTH', 'Y'),
    (110, 'DDL_IN_TRANSACTION', 'Y'), (111, 'DESCENDING_INDEXES', 'Y'), (112, 'SP_RENAME', 'Y'), (113, 'REMOTE_SPROC', 'Y'),
    (500, 'SYS_SPROC_VERSION', CAST(SERVERPROPERTY('ProductVersion') AS varchar(60)))) AS a (attribute_id, attribute_name, attribute_value)
WHERE @number IS NULL OR attribute_id = @number ORDER BY attribute_id"""


@procedure("sp_server_info")
def sp_server_info(call: ProcedureCall) -> Work:
    """Attributes of the server, or one by its number."""
    (number,) = call.values("@attribute_id")
    return (yield from show(call, _SERVER_INFO, number=None if number is None else whole_number(number)))


_TYPES = """
SELECT TYPE_NAME, CAST(DATA_TYPE AS smallint) AS DATA_TYPE, [PRECISION], LITERAL_PREFIX, LITERAL_SUFFIX, CREATE_PARAMS,
    CAST(NULLABLE AS smallint) AS NULLABLE, CAST(CASE_SENSITIVE AS smallint) AS CASE_SENSITIVE, CAST(SEARCHABLE AS smallint) AS SEARCHABLE,
    CAST(UNSIGNED_ATTRIBUTE AS smallint) AS UNSIGNED_ATTRIBUTE, CAST(MONEY AS smallint) AS MONEY, CAST(AUTO_INCREMENT AS smallint) AS AUTO_INCREMENT,
    TYPE_NAME AS LOCAL_TYPE_NAME, CAST(MINIMUM_SCALE AS smallint) AS MINIMUM_SCALE, CAST(MAXIMUM_SCALE AS smallint) AS MAXIMUM_SCALE,
    CAST(IIF(DATA_TYPE = 11, 9, DATA_TYPE) AS smallint) AS SQL_DATA_TYPE, CAST(IIF(DATA_TYPE = 11, 3, NULL) AS smallint) AS SQL_DATETIME_SUB,
    NUM_PREC_RADIX, CAST(NULL AS smallint) AS INTERVAL_PRECISION, CAST(USERTYPE AS smallint) AS USERTYPE
FROM (VALUES
    (N'sql_variant', -150, 8000, NULL, NULL, NULL, 1, 0, 2, NULL, 0, NULL, 0, 0, 10, 0),
    (N'uniqueidentifier', -11, 36, N'''', N'''', NULL, 1, 0, 2, NULL, 0, NULL, NULL, NULL, NULL, 0),
    (N'ntext', -10, 1073741823, N'N''', N'''', NULL, 1, 0, 1, NULL, 0, NULL, NULL, NULL, NULL, 0),
    (N'xml', -10, 1073741823, N'N''', N'''', NULL, 1, 1, 0, NULL, 0, NULL, NULL, NULL, NULL, 0),
    (N'nvarchar', -9, 4000, N'N''', N'''', N'max length', 1, 0, 3, NULL, 0, NULL, NULL, NULL, NULL, 0),
    (N'sysname', -9, 128, N'N''', N'''', NULL, 0, 0, 3, NULL, 0, NULL, NULL, NULL, NULL, 18),
    (N'date', -9, 10, N'''', N'''', NULL, 1, 0, 3, NULL, 0, NULL, NULL, 0, NULL, 0),
    (N'time', -9, 16, N'''', N'''', N'scale', 1, 0, 3, NULL, 0, NULL, 0, 7, NULL, 0),
    (N'datetime2', -9, 27, N'''', N'''', N'scale', 1, 0, 3, NULL, 0, NULL, 0, 7, NULL, 0),
    (N'datetimeoffset', -9, 34, N'''', N'''', N'scale', 1, 0, 3, NULL, 0, NULL, 0, 7, NULL, 0),
    (N'nchar', -8, 4000, N'N''', N'''', N'length', 1, 0, 3, NULL, 0, NULL, NULL, NULL, NULL, 0),
    (N'bit', -7, 1, NULL, NULL, NULL, 1, 0, 2, NULL, 0, NULL, 0, 0, NULL, 16),
    (N'tinyint', -6, 3, NULL, NULL, NULL, 1, 0, 2, 1, 0, 0, 0, 0, 10, 5),
    (N'tinyint identity', -6, 3, NULL, NULL, NULL, 0, 0, 2, 1, 0, 1, 0, 0, 10, 5),
    (N'bigint', -5, 19, NULL, NULL, NULL, 1, 0, 2, 0, 0, 0, 0, 0, 10, 0),
    (N'bigint identity', -5, 19, NULL, NULL, NULL, 0, 0, 2, 0, 0, 1, 0, 0, 10, 0),
    (N'image', -4, 2147483647, N'0x', NULL, NULL, 1, 0, 0, NULL, 0, NULL, NULL, NULL, NULL, 20),
    (N'varbinary', -3, 8000, N'0x', NULL, N'max length', 1, 0, 2, NULL, 0, NULL, NULL, NULL, NULL, 4),
    (N'binary', -2, 8000, N'0x', NULL, N'length', 1, 0, 2, NULL, 0, NULL, NULL, NULL, NULL, 3),
    (N'timestamp', -2, 8, N'0x', NULL, NULL, 0, 0, 2, NULL, 0, NULL, NULL, NULL, NULL, 80),
    (N'text', -1, 2147483647, N'''', N'''', NULL, 1, 0, 1, NULL, 0, NULL, NULL, NULL, NULL, 19),
    (N'char', 1, 8000, N'''', N'''', N'length', 1, 0, 3, NULL, 0, NULL, NULL, NULL, NULL, 1),
    (N'numeric', 2, 38, NULL, NULL, N'precision,scale', 1, 0, 2, 0, 0, 0, 0, 38, 10, 10),
    (N'numeric() identity', 2, 38, NULL, NULL, N'precision', 0, 0, 2, 0, 0, 1, 0, 0, 10, 10),
    (N'decimal', 3, 38, NULL, NULL, N'precision,scale', 1, 0, 2, 0, 0, 0, 0, 38, 10, 24),
    (N'decimal() identity', 3, 38, NULL, NULL, N'precision', 0, 0, 2, 0, 0, 1, 0, 0, 10, 24),
    (N'money', 3, 19, N'$', NULL, NULL, 1, 0, 2, 0, 1, 0, 4, 4, 10, 11),
    (N'smallmoney', 3, 10, N'$', NULL, NULL, 1, 0, 2, 0, 1, 0, 4, 4, 10, 21),
    (N'int', 4, 10, NULL, NULL, NULL, 1, 0, 2, 0, 0, 0, 0, 0, 10, 7),
    (N'int identity', 4, 10, NULL, NULL, NULL, 0, 0, 2, 0, 0, 1, 0, 0, 10, 7),
    (N'smallint', 5, 5, NULL, NULL, NULL, 1, 0, 2, 0, 0, 0, 0, 0, 10, 6),
    (N'smallint identity', 5, 5, NULL, NULL, NULL, 0, 0, 2, 0, 0, 1, 0, 0, 10, 6),
    (N'float', 6, 53, NULL, NULL, NULL, 1, 0, 2, 0, 0, 0, NULL, NULL, 2, 8),
    (N'real', 7, 24, NULL, NULL, NULL, 1, 0, 2, 0, 0, 0, NULL, NULL, 2, 23),
    (N'datetime', 11, 23, N'''', N'''', NULL, 1, 0, 3, NULL, 0, NULL, 3, 3, NULL, 12),
    (N'smalldatetime', 11, 16, N'''', N'''', NULL, 1, 0, 3, NULL, 0, NULL, 0, 0, NULL, 22),
    (N'varchar', 12, 8000, N'''', N'''', N'max length', 1, 0, 3, NULL, 0, NULL, NULL, NULL, NULL, 2))
    AS t (TYPE_NAME, DATA_TYPE, [PRECISION], LITERAL_PREFIX, LITERAL_SUFFIX, CREATE_PARAMS, NULLABLE, CASE_SENSITIVE, SEARCHABLE, UNSIGNED_ATTRIBUTE,
        MONEY, AUTO_INCREMENT, MINIMUM_SCALE, MAXIMUM_SCALE, NUM_PREC_RADIX, USERTYPE)
WHERE @type IS NULL OR CAST(@type AS int) = 0 OR DATA_TYPE = CAST(@type AS int) ORDER BY DATA_TYPE, AUTO_INCREMENT, MONEY, USERTYPE"""


@procedure("sp_datatype_info")
def sp_datatype_info(call: ProcedureCall) -> Work:
    """The types as ODBC 2 knows them, or those of one number."""
    kind, _ = call.values("@data_type", "@odbcver")
    return (yield from show(call, _TYPES, type=kind))


# --- logins and roles --------------------------------------------------------------------------------------

_LOGINS = """
SELECT p.name AS LoginName, p.sid AS SID, p.default_database_name AS DefDBName, p.default_language_name AS DefLangName,
    CAST(IIF(EXISTS (SELECT * FROM #users AS u WHERE u.LoginName = p.name AND u.UserOrAlias = 'User'), 'yes', 'NO') AS char(5)) AS AUser,
    CAST(IIF(p.name LIKE '%\\%', 'yes', 'no') AS char(7)) AS ARemote
FROM sys.server_principals AS p WHERE p.type IN ('S', 'U', 'C') AND (@name IS NULL OR p.name = @name) ORDER BY p.name;
SELECT LoginName, DBName, UserName, CAST(UserOrAlias AS char(8)) AS UserOrAlias FROM #users ORDER BY LoginName, DBName, UserOrAlias, UserName"""

_USERS_OF = """
SELECT SUSER_SNAME(u.sid), {database}, {name}, {kind} FROM {db}.sys.database_principals AS u {join}
WHERE u.type <> 'R' AND u.sid IS NOT NULL AND SUSER_SNAME(u.sid) IS NOT NULL AND (@name IS NULL OR SUSER_SNAME(u.sid) = @name)"""


@procedure("sp_helplogins")
def sp_helplogins(call: ProcedureCall) -> Work:
    """The logins, and their users with roles in every database. Raises 15007."""
    from sbql.catalog.records import Database

    (name,) = call.values("@loginnamepattern")
    session = call.session
    if name is not None and session.catalog.find(Principal, 0, str(name)) is None:
        raise sql_error(15007, name)
    texts = []
    for database in session.catalog.all(Database):
        if database.state != "ONLINE":
            continue
        db, literal = "[" + database.name.replace("]", "]]") + "]", "N'" + database.name.replace("'", "''") + "'"
        roles = f"""JOIN {db}.sys.database_role_members AS m ON m.member_principal_id = u.principal_id
            JOIN {db}.sys.database_principals AS r ON r.principal_id = m.role_principal_id"""
        texts.append(_USERS_OF.format(database=literal, name="u.name", kind="'User'", db=db, join=""))
        texts.append(_USERS_OF.format(database=literal, name="r.name", kind="'MemberOf'", db=db, join=roles))
    make = "CREATE TABLE #users (LoginName sysname, DBName sysname, UserName sysname, UserOrAlias varchar(8)); SET NOCOUNT ON; INSERT #users "
    return (yield from show(call, make + " UNION ALL ".join(texts) + ";" + _LOGINS, name=name))


_SERVER_ROLES = (
    ("sysadmin", "System Administrators"), ("securityadmin", "Security Administrators"), ("serveradmin", "Server Administrators"),
    ("setupadmin", "Setup Administrators"), ("processadmin", "Process Administrators"), ("diskadmin", "Disk Administrators"),
    ("dbcreator", "Database Creators"), ("bulkadmin", "Bulk Insert Administrators"),
)  # fmt: skip
_DATABASE_ROLES = (
    ("db_owner", "DB Owners"), ("db_accessadmin", "DB Access Administrators"), ("db_securityadmin", "DB Security Administrators"),
    ("db_ddladmin", "DB DDL Administrators"), ("db_backupoperator", "DB Backup Operator"), ("db_datareader", "DB Data Reader"),
    ("db_datawriter", "DB Data Writer"), ("db_denydatareader", "DB Deny Data Reader"), ("db_denydatawriter", "DB Deny Data Writer"),
)  # fmt: skip


def _fixed_roles(names: tuple[str, str], roles: tuple[tuple[str, str], ...]) -> str:
    values = ", ".join(f"({i}, N'{name}', N'{text}')" for i, (name, text) in enumerate(roles))
    return f"""SELECT CAST(r.name AS nvarchar(35)) AS {names[0]}, CAST(r.text AS nvarchar(35)) AS {names[1]}
        FROM (VALUES {values}) AS r (n, name, text) WHERE @name IS NULL OR r.name = @name ORDER BY r.n"""


@procedure("sp_helpsrvrole", "sp_helpdbfixedrole")
def sp_helpsrvrole(call: ProcedureCall) -> Work:
    """The fixed roles of the server or of a database. Raises 15409."""
    is_server = call.name == "sp_helpsrvrole"
    (name,) = call.values("@srvrolename" if is_server else "@rolename")
    roles = _SERVER_ROLES if is_server else _DATABASE_ROLES
    if name is not None and str(name).lower() not in {role for role, _ in roles}:
        raise sql_error(15409, name)
    names = ("ServerRole", "Description") if is_server else ("DbFixedRole", "Description")
    return (yield from show(call, _fixed_roles(names, roles), name=name))


_SERVER_MEMBERS = """
SELECT r.name AS ServerRole, m.name AS MemberName, m.sid AS MemberSID
FROM (SELECT role_principal_id, member_principal_id FROM sys.server_role_members UNION SELECT SUSER_ID('sysadmin'), SUSER_ID('sa')) AS x
JOIN sys.server_principals AS r ON r.principal_id = x.role_principal_id OR r.name = 'sysadmin' AND x.role_principal_id IS NULL
JOIN sys.server_principals AS m ON m.principal_id = x.member_principal_id
WHERE @name IS NULL OR r.name = @name ORDER BY ServerRole, MemberName"""


@procedure("sp_helpsrvrolemember")
def sp_helpsrvrolemember(call: ProcedureCall) -> Work:
    """Who is in the server roles. Raises 15409."""
    (name,) = call.values("@srvrolename")
    found = None if name is None else call.session.catalog.find(Principal, 0, str(name))
    if name is not None and (found is None or found.type != "R"):
        raise sql_error(15409, name)
    return (yield from show(call, _SERVER_MEMBERS, name=name))


_PROTECTIONS = """
SET NOCOUNT ON;
SELECT ISNULL(SCHEMA_NAME(o.schema_id), '.') AS Owner, ISNULL(o.name, '.') AS Object, USER_NAME(p.grantee_principal_id) AS Grantee,
    USER_NAME(p.grantor_principal_id) AS Grantor,
    CAST(CASE p.state WHEN 'D' THEN 'Deny' WHEN 'W' THEN 'Grant_WGO' ELSE 'Grant' END AS char(10)) AS ProtectType,
    CAST(UPPER(LEFT(p.permission_name, 1)) + LOWER(SUBSTRING(p.permission_name, 2, 60)) AS nvarchar(60)) AS [Action],
    CASE WHEN p.class = 0 OR o.type NOT IN ('U', 'V') OR p.permission_name NOT IN ('SELECT', 'UPDATE', 'REFERENCES') THEN '.'
        WHEN p.minor_id = 0 THEN '(All+New)' ELSE COL_NAME(p.major_id, p.minor_id) END AS [Column]
INTO #found FROM sys.database_permissions AS p LEFT JOIN sys.objects AS o ON p.class = 1 AND o.object_id = p.major_id
WHERE p.class IN (0, 1) AND (p.class = 0 OR o.object_id IS NOT NULL)
    AND (@name IS NULL OR o.object_id = OBJECT_ID(@name) OR p.class = 0 AND p.permission_name = @name)
    AND (@user IS NULL OR USER_NAME(p.grantee_principal_id) = @user) AND (@grantor IS NULL OR USER_NAME(p.grantor_principal_id) = @grantor)
    AND (CHARINDEX('o', @area) > 0 AND p.class = 1 OR CHARINDEX('s', @area) > 0 AND p.class = 0)
;
IF NOT EXISTS (SELECT * FROM #found) RAISERROR(15330, 11, 1);
ELSE SELECT * FROM #found ORDER BY Owner, Object, Grantee, Grantor, ProtectType, [Action], [Column]"""


@procedure("sp_helprotect")
def sp_helprotect(call: ProcedureCall) -> Work:
    """Permissions on objects and for statements, by object, grantee, grantor. Raises 15330 when there are none, 15300."""
    name, user, grantor, area = call.values("@name", "@username", "@grantorname", "@permissionarea")
    letters = str(area or "o s").lower()
    if not set(letters) & {"o", "s"}:
        raise sql_error(15300, area)
    return (yield from show(call, _PROTECTIONS, name=name, user=user, grantor=grantor, area=letters))


# --- dependencies and statistics ---------------------------------------------------------------------------

_KINDS = """
    CASE o.type WHEN 'U' THEN 'user table' WHEN 'V' THEN 'view' WHEN 'P' THEN 'stored procedure' WHEN 'TR' THEN 'trigger' WHEN 'FN' THEN 'scalar function'
        WHEN 'IF' THEN 'inline function' WHEN 'TF' THEN 'table function' WHEN 'C' THEN 'check cns' WHEN 'D' THEN 'default (maybe cns)' ELSE LOWER(REPLACE(o.type_desc, '_', ' ')) END"""

_DEPENDS = f"""
SET NOCOUNT ON;
SELECT DISTINCT SCHEMA_NAME(o.schema_id) + N'.' + o.name AS name, CAST({_KINDS} AS nvarchar(16)) AS type,
    CAST(IIF(d.is_updated = 1, 'yes', 'no') AS varchar(7)) AS updated, CAST(IIF(d.is_select_all = 1 OR d.is_selected = 1, 'yes', 'no') AS varchar(8)) AS selected,
    COL_NAME(d.referenced_major_id, d.referenced_minor_id) AS [column]
INTO #uses FROM sys.sql_dependencies AS d JOIN sys.objects AS o ON o.object_id = d.referenced_major_id WHERE d.object_id = OBJECT_ID(@name) AND d.class < 2
    AND (d.referenced_minor_id > 0 OR NOT EXISTS (SELECT * FROM sys.sql_dependencies AS c WHERE c.object_id = d.object_id
        AND c.referenced_major_id = d.referenced_major_id AND c.referenced_minor_id > 0));
SELECT DISTINCT SCHEMA_NAME(o.schema_id) + N'.' + o.name AS name, CAST({_KINDS} AS nvarchar(16)) AS type
INTO #used FROM sys.sql_dependencies AS d JOIN sys.objects AS o ON o.object_id = d.object_id
WHERE d.referenced_major_id = OBJECT_ID(@name) AND d.object_id <> OBJECT_ID(@name) AND d.class < 2;
IF EXISTS (SELECT * FROM #uses) BEGIN
    PRINT 'In the current database, the specified object references the following:';
    SELECT name, type, updated, selected, [column] FROM #uses ORDER BY name, [column] END
IF EXISTS (SELECT * FROM #used) BEGIN
    PRINT 'In the current database, the specified object is referenced by the following:';
    SELECT name, type FROM #used ORDER BY name END
IF NOT EXISTS (SELECT * FROM #uses) AND NOT EXISTS (SELECT * FROM #used)
    PRINT 'Object does not reference any object, and no objects reference it.'"""


@procedure("sp_depends")
def sp_depends(call: ProcedureCall) -> Work:
    """What an object refers to, and what refers to it. Raises 15009."""
    (name,) = call.values("@objname", required=1)
    session = call.session
    if session.resolve(parse_object_name(str(name)), missing_ok=True) is None:
        raise sql_error(15009, name, session.database_name)
    return (yield from show(call, _DEPENDS, name=name))


_STATISTICS = """
IF NOT EXISTS (SELECT * FROM sys.stats WHERE object_id = OBJECT_ID(@name) AND (@all = 'ALL' OR user_created = 1 OR auto_created = 1))
    PRINT 'This object does not have any statistics' + IIF(@all = 'ALL', ' or indexes.', '.');
ELSE SELECT s.name AS statistics_name, (SELECT STRING_AGG(COL_NAME(c.object_id, c.column_id), ', ') WITHIN GROUP (ORDER BY c.stats_column_id)
    FROM sys.stats_columns AS c WHERE c.object_id = s.object_id AND c.stats_id = s.stats_id) AS statistics_keys
FROM sys.stats AS s WHERE s.object_id = OBJECT_ID(@name) AND (@all = 'ALL' OR s.user_created = 1 OR s.auto_created = 1) ORDER BY s.name"""


@procedure("sp_helpstats")
def sp_helpstats(call: ProcedureCall) -> Work:
    """Statistics of a table, those of its indexes too with 'ALL'. Raises 15009."""
    name, which = call.values("@objname", "@results", required=1)
    session = call.session
    if session.resolve(parse_object_name(str(name)), missing_ok=True) is None:
        raise sql_error(15009, name, session.database_name)
    return (yield from show(call, _STATISTICS, name=name, all=str(which or "STATS").upper()))


# --- alias types -------------------------------------------------------------------------------------------


@procedure("sp_addtype")
def sp_addtype(call: ProcedureCall) -> Work:
    """@typename, @phystype [, @nulltype [, @owner]]: CREATE TYPE … FROM. Raises 15036."""
    from sbql.engine.execution.handlers.execute import run_text

    name, base, null, owner = call.values("@typename", "@phystype", "@nulltype", "@owner", required=2)
    place = "" if owner is None else "[" + str(owner).replace("]", "]]") + "]."
    word = str(null or "NULL").strip().strip("'\"").upper()
    if word not in ("NULL", "NOT NULL", "NONULL"):
        raise sql_error(15600, call.name)
    text = f"CREATE TYPE {place}[{str(name).replace(']', ']]')}] FROM {base} {'NULL' if word == 'NULL' else 'NOT NULL'}"
    code, _, _ = yield from run_text(call.session, text)
    return code


@procedure("sp_droptype")
def sp_droptype(call: ProcedureCall) -> Work:
    """DROP TYPE. Raises 15036."""
    from sbql.engine.execution.handlers.execute import run_text

    (name,) = call.values("@typename", required=1)
    parsed = parse_object_name(str(name))
    if not any(
        t.name.lower() == parsed.name.lower() for t in call.session.catalog.all(UserType, call.session.database_id)
    ):
        raise sql_error(15036, name)
    code, _, _ = yield from run_text(call.session, f"DROP TYPE {name}")
    return code


@procedure("sp_validname")
def sp_validname(call: ProcedureCall) -> Work:
    """Whether a text can be a name: 0, or 1 and error 15004 or 15005."""
    name, raises = call.values("@name", "@raise_error")
    number = 15004 if name is None or not str(name) else 15006 if "\\0" in str(name) else None
    if number is not None and (raises is None or raises):
        raise sql_error(number, *([name] if number == 15006 else []))
    return int(number is not None)
    yield
