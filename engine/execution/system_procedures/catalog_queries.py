"""The catalogue procedures of ODBC about tables and procedures: sp_tables, sp_columns, sp_pkeys, sp_statistics and their
like; those about types and the server are `server_info`."""

from __future__ import annotations

from typing import Any

from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, show
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error

_DATABASES = """
SELECT CAST(name AS nvarchar(128)) AS DATABASE_NAME, 1024 AS DATABASE_SIZE, CAST(NULL AS varchar(254)) AS REMARKS
FROM sys.databases ORDER BY name"""


@procedure("sp_databases")
def sp_databases(call: ProcedureCall) -> Work:
    call.values()
    return (yield from show(call, _DATABASES))


_TABLES = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS TABLE_OWNER,
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CAST(CASE o.type WHEN 'U' THEN 'TABLE' WHEN 'S' THEN 'SYSTEM TABLE' ELSE 'VIEW' END AS varchar(32))
        AS TABLE_TYPE, CAST(NULL AS varchar(254)) AS REMARKS
FROM sys.all_objects AS o
WHERE o.type IN ('U', 'V', 'S') AND (@name IS NULL OR o.name LIKE @name) AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner)
    AND (@kind IS NULL OR CHARINDEX(CASE o.type WHEN 'U' THEN '''TABLE''' WHEN 'S' THEN '''SYSTEM TABLE''' ELSE '''VIEW''' END, UPPER(@kind)) > 0)
ORDER BY TABLE_TYPE, TABLE_OWNER, TABLE_NAME"""


@procedure("sp_tables")
def sp_tables(call: ProcedureCall) -> Work:
    """Tables and views by pattern; @table_type is a list such as "'TABLE','VIEW'"."""
    names = ("@table_name", "@table_owner", "@table_qualifier", "@table_type", "@fusepattern")
    name, owner, database, kind, _ = call.values(*names)
    check_qualifier(call, database)
    return (yield from show(call, _TABLES, name=name, owner=owner, kind=kind))


_TYPE_FACTS = """
    SELECT t.name, t.odbc, t.sql_type, t.sub, t.radix, t.ss FROM (VALUES
        ('char', 1, 1, NULL, NULL, 47), ('numeric', 2, 2, NULL, 10, 63), ('decimal', 3, 3, NULL, 10, 55), ('money', 3, 3, NULL, 10, 60),
        ('smallmoney', 3, 3, NULL, 10, 122), ('int', 4, 4, NULL, 10, 56), ('smallint', 5, 5, NULL, 10, 52), ('float', 6, 6, NULL, 10, 62),
        ('real', 7, 7, NULL, 10, 59), ('datetime', 11, 9, 3, NULL, 61), ('smalldatetime', 11, 9, 3, NULL, 58), ('varchar', 12, 12, NULL, NULL, 39),
        ('text', -1, -1, NULL, NULL, 35), ('binary', -2, -2, NULL, NULL, 45), ('timestamp', -2, -2, NULL, NULL, 45),
        ('varbinary', -3, -3, NULL, NULL, 37), ('image', -4, -4, NULL, NULL, 34), ('bigint', -5, -5, NULL, 10, 63), ('tinyint', -6, -6, NULL, 10, 48),
        ('bit', -7, -7, NULL, NULL, 50), ('nchar', -8, -8, NULL, NULL, 39), ('nvarchar', -9, -9, NULL, NULL, 39), ('sysname', -9, -9, NULL, NULL, 39),
        ('ntext', -10, -10, NULL, NULL, 35), ('uniqueidentifier', -11, -11, NULL, NULL, 37), ('sql_variant', -150, -150, NULL, 10, 39),
        ('xml', -152, -152, NULL, NULL, 0), ('date', -9, -9, NULL, NULL, 0), ('time', -9, -9, NULL, NULL, 0), ('datetime2', -9, -9, NULL, NULL, 0),
        ('datetimeoffset', -9, -9, NULL, NULL, 0)) AS t (name, odbc, sql_type, sub, radix, ss)"""
"""What ODBC 2 calls a type: DATA_TYPE, SQL_DATA_TYPE, SQL_DATETIME_SUB, RADIX; SS_DATA_TYPE of what cannot be NULL."""

_SIZES = """
    CASE WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary') THEN IIF(c.max_length = -1, 0, c.max_length)
        WHEN t.name IN ('nchar', 'nvarchar') THEN IIF(c.max_length = -1, 0, c.max_length / 2) WHEN t.name IN ('text', 'image') THEN 2147483647
        WHEN t.name = 'ntext' THEN 1073741823 WHEN t.name = 'uniqueidentifier' THEN 36 WHEN t.name = 'float' THEN 15 WHEN t.name = 'real' THEN 7
        WHEN t.name = 'timestamp' THEN 8 WHEN t.name = 'sql_variant' THEN 8000 ELSE CAST(c.precision AS int) END AS [PRECISION],
    CASE WHEN t.name IN ('decimal', 'numeric') THEN c.precision + 2 WHEN t.name = 'money' THEN 21 WHEN t.name = 'smallmoney' THEN 12
        WHEN t.name IN ('datetime', 'smalldatetime') THEN 16 WHEN t.name IN ('date', 'time', 'datetime2', 'datetimeoffset') THEN 2 * c.precision
        WHEN t.name IN ('text', 'image') THEN 2147483647 WHEN t.name = 'ntext' THEN 2147483646 WHEN t.name = 'sql_variant' THEN 8000
        WHEN c.max_length = -1 THEN 0 ELSE c.max_length END AS [LENGTH],
    CAST(CASE WHEN t.name IN ('int', 'smallint', 'tinyint', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'datetime', 'smalldatetime', 'time',
        'datetime2', 'datetimeoffset') THEN c.scale END AS smallint) AS SCALE,
    CAST(t.radix AS smallint) AS RADIX"""

_OCTETS = """
    CASE WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN IIF(c.max_length = -1, 0, c.max_length)
        WHEN t.name IN ('text', 'image') THEN 2147483647 WHEN t.name = 'ntext' THEN 2147483646 END"""

_NULLABLE_TYPE = """
    CASE WHEN c.is_nullable = 0 THEN t.ss WHEN t.name IN ('int', 'smallint', 'tinyint') THEN 38 WHEN t.name IN ('float', 'real') THEN 109
        WHEN t.name IN ('money', 'smallmoney') THEN 110 WHEN t.name IN ('datetime', 'smalldatetime') THEN 111 WHEN t.name IN ('decimal') THEN 106
        WHEN t.name IN ('numeric', 'bigint') THEN 108 WHEN t.name = 'char' THEN 39 WHEN t.name IN ('binary', 'timestamp') THEN 37 ELSE t.ss END"""

_COLUMNS = f"""
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS TABLE_OWNER,
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME, CAST(t.odbc AS smallint) AS DATA_TYPE,
    CAST(COALESCE(u.name, t.name) + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME, {_SIZES},
    CAST(c.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS,
    CAST(d.definition AS nvarchar(4000)) AS COLUMN_DEF, CAST(t.sql_type AS smallint) AS SQL_DATA_TYPE, CAST(t.sub AS smallint) AS SQL_DATETIME_SUB,
    {_OCTETS} AS CHAR_OCTET_LENGTH,
    CAST(c.ordinal AS int) AS ORDINAL_POSITION,
    CAST(IIF(c.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE, CAST({_NULLABLE_TYPE} AS tinyint) AS SS_DATA_TYPE
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY object_id ORDER BY column_id) AS ordinal FROM sys.all_columns) AS c
JOIN sys.all_objects AS o ON o.object_id = c.object_id AND o.type IN ('U', 'V', 'S', 'IF', 'TF')
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN ({_TYPE_FACTS}) AS t ON t.name = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = c.user_type_id AND u.user_type_id <> u.system_type_id
LEFT JOIN sys.default_constraints AS d ON d.object_id = c.default_object_id
WHERE o.name LIKE @name AND (@owner IS NOT NULL AND SCHEMA_NAME(o.schema_id) LIKE @owner OR @owner IS NULL)
    AND (@column IS NULL OR c.name LIKE @column)
ORDER BY TABLE_OWNER, TABLE_NAME, ORDINAL_POSITION"""


@procedure("sp_columns")
def sp_columns(call: ProcedureCall) -> Work:
    """Columns by pattern."""
    names = ("@table_name", "@table_owner", "@table_qualifier", "@column_name", "@odbcver")
    name, owner, database, column, _ = call.values(*names, required=1)
    check_qualifier(call, database)
    return (yield from show(call, _COLUMNS, name=name, owner=owner, column=column))


_PARAMETERS = f"""
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, CAST(SCHEMA_NAME(o.schema_id) AS nvarchar(128)) AS PROCEDURE_OWNER,
    CAST(o.name + IIF(o.type = 'P', ';1', ';0') AS nvarchar(134)) AS PROCEDURE_NAME, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME,
    CAST(CASE WHEN c.parameter_id = 0 THEN 5 WHEN c.is_output = 1 THEN 2 ELSE 1 END AS smallint) AS COLUMN_TYPE,
    CAST(t.odbc AS smallint) AS DATA_TYPE, CAST(COALESCE(u.name, t.name) AS nvarchar(128)) AS TYPE_NAME, {_SIZES},
    CAST(c.is_nullable AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS, CAST(NULL AS nvarchar(4000)) AS COLUMN_DEF,
    CAST(t.sql_type AS smallint) AS SQL_DATA_TYPE, CAST(t.sub AS smallint) AS SQL_DATETIME_SUB, {_OCTETS} AS CHAR_OCTET_LENGTH,
    c.parameter_id AS ORDINAL_POSITION, CAST(IIF(c.is_nullable = 1, 'YES', 'NO') AS varchar(254)) AS IS_NULLABLE, CAST({_NULLABLE_TYPE} AS tinyint) AS SS_DATA_TYPE
FROM (SELECT object_id, name, parameter_id, system_type_id, user_type_id, max_length, precision, scale, is_output, is_nullable FROM sys.parameters
    UNION ALL SELECT object_id, '@RETURN_VALUE', 0, 56, 56, 4, 10, 0, 1, 0 FROM sys.procedures) AS c
JOIN sys.objects AS o ON o.object_id = c.object_id
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN ({_TYPE_FACTS}) AS t ON t.name = b.name
LEFT JOIN sys.types AS u ON u.user_type_id = c.user_type_id AND u.user_type_id <> u.system_type_id
WHERE (@name IS NULL OR o.name LIKE @name) AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner) AND (@column IS NULL OR c.name LIKE @column)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME, ORDINAL_POSITION"""


@procedure("sp_sproc_columns")
def sp_sproc_columns(call: ProcedureCall) -> Work:
    """Parameters of procedures and functions by pattern."""
    names = ("@procedure_name", "@procedure_owner", "@procedure_qualifier", "@column_name", "@odbcver", "@fusepattern")
    name, owner, database, column, _, _ = call.values(*names)
    check_qualifier(call, database)
    return (yield from show(call, _PARAMETERS, name=name, owner=owner, column=column))


def check_qualifier(call: ProcedureCall, database: Any) -> None:
    """Raises 15250 for the name of another database."""
    if database is not None and str(database).lower() != call.session.database_name.lower():
        raise sql_error(15250)


_SPECIAL = f"""
SELECT CAST(1 AS smallint) AS SCOPE, CAST(c.name AS nvarchar(128)) AS COLUMN_NAME, CAST(t.odbc AS smallint) AS DATA_TYPE,
    CAST(t.name + IIF(c.is_identity = 1, N' identity', N'') AS nvarchar(128)) AS TYPE_NAME, {_SIZES.replace(" AS RADIX", " AS RADIX_")},
    CAST(1 AS smallint) AS PSEUDO_COLUMN
FROM sys.columns AS c JOIN sys.objects AS o ON o.object_id = c.object_id AND o.type = 'U'
JOIN sys.types AS b ON b.user_type_id = c.system_type_id JOIN ({_TYPE_FACTS}) AS t ON t.name = b.name
WHERE o.name = @name AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) = @owner)
    AND (@kind = 'V' AND t.name = 'timestamp' OR @kind = 'R' AND EXISTS (
        SELECT * FROM sys.index_columns AS k WHERE k.object_id = o.object_id AND k.column_id = c.column_id AND k.is_included_column = 0
            AND k.index_id = (SELECT TOP (1) i.index_id FROM sys.indexes AS i
                WHERE i.object_id = o.object_id AND i.is_unique = 1 AND i.has_filter = 0 AND (@nullable = 'U' OR NOT EXISTS (
                    SELECT * FROM sys.index_columns AS n JOIN sys.columns AS nc ON nc.object_id = n.object_id AND nc.column_id = n.column_id
                    WHERE n.object_id = i.object_id AND n.index_id = i.index_id AND nc.is_nullable = 1))
                ORDER BY i.is_primary_key DESC, i.index_id)))
ORDER BY c.column_id"""


@procedure("sp_special_columns")
def sp_special_columns(call: ProcedureCall) -> Work:
    """The columns that tell a row of a table (@col_type 'R'), or that change by themselves ('V')."""
    names = ("@table_name", "@table_owner", "@table_qualifier", "@col_type", "@scope", "@nullable", "@odbcver")
    name, owner, database, kind, _, nullable, _ = call.values(*names, required=1)
    check_qualifier(call, database)
    query = (
        "SELECT SCOPE, COLUMN_NAME, DATA_TYPE, TYPE_NAME, [PRECISION], [LENGTH], SCALE, PSEUDO_COLUMN FROM ("
        + _SPECIAL.replace("SELECT CAST(1 AS smallint) AS SCOPE", "SELECT TOP (1024) CAST(1 AS smallint) AS SCOPE", 1)
    )
    return (yield from show(call, query + ") AS x", name=name, owner=owner, kind=kind or "R", nullable=nullable or "U"))


_TABLE_PRIVILEGES = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS TABLE_OWNER, o.name AS TABLE_NAME, g.GRANTOR, g.GRANTEE,
    CAST(g.PRIVILEGE AS varchar(32)) AS PRIVILEGE, CAST(g.IS_GRANTABLE AS varchar(3)) AS IS_GRANTABLE
FROM sys.objects AS o CROSS APPLY (
    SELECT SCHEMA_NAME(o.schema_id), s.name, a.privilege, 'YES' FROM sys.schemas AS h JOIN sys.database_principals AS s ON s.principal_id = h.principal_id
    CROSS JOIN (VALUES ('DELETE'), ('INSERT'), ('REFERENCES'), ('SELECT'), ('UPDATE')) AS a (privilege) WHERE h.schema_id = o.schema_id
    UNION ALL
    SELECT USER_NAME(p.grantor_principal_id), USER_NAME(p.grantee_principal_id), p.permission_name, IIF(p.state = 'W', 'YES', 'NO')
    FROM sys.database_permissions AS p WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id = 0 AND p.state IN ('G', 'W')
        AND p.permission_name IN ('DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'UPDATE')) AS g (GRANTOR, GRANTEE, PRIVILEGE, IS_GRANTABLE)
WHERE o.type IN ('U', 'V') AND o.name LIKE @name AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner)
ORDER BY TABLE_OWNER, TABLE_NAME, PRIVILEGE, GRANTEE"""


@procedure("sp_table_privileges")
def sp_table_privileges(call: ProcedureCall) -> Work:
    """Who may do what with tables, by pattern; an owner everything."""
    name, owner, database, _ = call.values(
        "@table_name", "@table_owner", "@table_qualifier", "@fusepattern", required=1
    )
    check_qualifier(call, database)
    return (yield from show(call, _TABLE_PRIVILEGES, name=name, owner=owner))


_COLUMN_PRIVILEGES = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS TABLE_OWNER, o.name AS TABLE_NAME, c.name AS COLUMN_NAME,
    g.GRANTOR, g.GRANTEE, CAST(g.PRIVILEGE AS varchar(32)) AS PRIVILEGE, CAST(g.IS_GRANTABLE AS varchar(3)) AS IS_GRANTABLE
FROM sys.objects AS o JOIN sys.columns AS c ON c.object_id = o.object_id CROSS APPLY (
    SELECT SCHEMA_NAME(o.schema_id), s.name, a.privilege, 'YES' FROM sys.schemas AS h JOIN sys.database_principals AS s ON s.principal_id = h.principal_id
    CROSS JOIN (VALUES ('INSERT'), ('REFERENCES'), ('SELECT'), ('UPDATE')) AS a (privilege) WHERE h.schema_id = o.schema_id
    UNION ALL
    SELECT USER_NAME(p.grantor_principal_id), USER_NAME(p.grantee_principal_id), p.permission_name, IIF(p.state = 'W', 'YES', 'NO')
    FROM sys.database_permissions AS p WHERE p.class = 1 AND p.major_id = o.object_id AND p.minor_id IN (0, c.column_id) AND p.state IN ('G', 'W')
        AND p.permission_name IN ('INSERT', 'REFERENCES', 'SELECT', 'UPDATE')) AS g (GRANTOR, GRANTEE, PRIVILEGE, IS_GRANTABLE)
WHERE o.type IN ('U', 'V') AND o.name = @name AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) = @owner) AND (@column IS NULL OR c.name LIKE @column)
ORDER BY TABLE_OWNER, TABLE_NAME, COLUMN_NAME, PRIVILEGE, GRANTEE"""


@procedure("sp_column_privileges")
def sp_column_privileges(call: ProcedureCall) -> Work:
    """Who may do what with the columns of a table."""
    name, owner, database, column = call.values(
        "@table_name", "@table_owner", "@table_qualifier", "@column_name", required=1
    )
    check_qualifier(call, database)
    return (yield from show(call, _COLUMN_PRIVILEGES, name=name, owner=owner, column=column))


_PRIMARY_KEYS = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    c.name AS COLUMN_NAME, CAST(k.key_ordinal AS smallint) AS KEY_SEQ, i.name AS PK_NAME
FROM sys.tables AS t
JOIN sys.indexes AS i ON i.object_id = t.object_id AND i.is_primary_key = 1
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE t.name = @name AND (@owner IS NULL OR SCHEMA_NAME(t.schema_id) = @owner)
ORDER BY TABLE_OWNER, k.key_ordinal"""


@procedure("sp_pkeys")
def sp_pkeys(call: ProcedureCall) -> Work:
    """The columns of a table's primary key."""
    name, owner, database = call.values("@table_name", "@table_owner", "@table_qualifier", required=1)
    check_qualifier(call, database)
    return (yield from show(call, _PRIMARY_KEYS, name=name, owner=owner))


_FOREIGN_KEYS = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PKTABLE_QUALIFIER, SCHEMA_NAME(p.schema_id) AS PKTABLE_OWNER, p.name AS PKTABLE_NAME,
    pc.name AS PKCOLUMN_NAME, CAST(DB_NAME() AS nvarchar(128)) AS FKTABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS FKTABLE_OWNER,
    t.name AS FKTABLE_NAME, fc.name AS FKCOLUMN_NAME, CAST(k.constraint_column_id AS smallint) AS KEY_SEQ,
    CAST(CASE f.update_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.update_referential_action END AS smallint) AS UPDATE_RULE,
    CAST(CASE f.delete_referential_action WHEN 0 THEN 1 WHEN 1 THEN 0 ELSE f.delete_referential_action END AS smallint) AS DELETE_RULE,
    f.name AS FK_NAME, i.name AS PK_NAME, CAST(7 AS smallint) AS DEFERRABILITY
FROM sys.foreign_keys AS f
JOIN sys.foreign_key_columns AS k ON k.constraint_object_id = f.object_id
JOIN sys.tables AS t ON t.object_id = f.parent_object_id
JOIN sys.tables AS p ON p.object_id = f.referenced_object_id
JOIN sys.columns AS fc ON fc.object_id = t.object_id AND fc.column_id = k.parent_column_id
JOIN sys.columns AS pc ON pc.object_id = p.object_id AND pc.column_id = k.referenced_column_id
LEFT JOIN sys.indexes AS i ON i.object_id = p.object_id AND i.index_id = f.key_index_id
WHERE (@parent IS NULL OR p.name = @parent) AND (@powner IS NULL OR SCHEMA_NAME(p.schema_id) = @powner)
    AND (@child IS NULL OR t.name = @child) AND (@cowner IS NULL OR SCHEMA_NAME(t.schema_id) = @cowner)
ORDER BY FKTABLE_OWNER, FKTABLE_NAME, FK_NAME, KEY_SEQ"""


@procedure("sp_fkeys")
def sp_fkeys(call: ProcedureCall) -> Work:
    """Foreign keys that refer to a table, or of a table. Raises 15252 without either."""
    parent, powner, _, child, cowner, _ = call.values(
        "@pktable_name", "@pktable_owner", "@pktable_qualifier", "@fktable_name", "@fktable_owner", "@fktable_qualifier"
    )
    if parent is None and child is None:
        raise sql_error(15252)
    return (yield from show(call, _FOREIGN_KEYS, parent=parent, powner=powner, child=child, cowner=cowner))


_STATISTICS = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    CAST(NULL AS smallint) AS NON_UNIQUE, CAST(NULL AS sysname) AS INDEX_QUALIFIER, CAST(NULL AS sysname) AS INDEX_NAME, CAST(0 AS smallint) AS TYPE,
    CAST(NULL AS smallint) AS SEQ_IN_INDEX, CAST(NULL AS sysname) AS COLUMN_NAME, CAST(NULL AS char(1)) AS COLLATION,
    CAST((SELECT SUM(p.rows) FROM sys.partitions AS p WHERE p.object_id = t.object_id AND p.index_id < 2) AS int) AS CARDINALITY,
    CAST(0 AS int) AS PAGES, CAST(NULL AS varchar(128)) AS FILTER_CONDITION
FROM sys.tables AS t WHERE t.name = @name AND (@owner IS NULL OR SCHEMA_NAME(t.schema_id) = @owner)
UNION ALL
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, SCHEMA_NAME(t.schema_id) AS TABLE_OWNER, t.name AS TABLE_NAME,
    CAST(CASE i.is_unique WHEN 1 THEN 0 ELSE 1 END AS smallint) AS NON_UNIQUE, t.name AS INDEX_QUALIFIER, i.name AS INDEX_NAME,
    CAST(CASE i.type WHEN 1 THEN 1 ELSE 3 END AS smallint) AS TYPE, CAST(k.key_ordinal AS smallint) AS SEQ_IN_INDEX, c.name AS COLUMN_NAME,
    CAST(CASE k.is_descending_key WHEN 1 THEN 'D' ELSE 'A' END AS char(1)) AS COLLATION, CAST(NULL AS int) AS CARDINALITY,
    CAST(NULL AS int) AS PAGES, CAST(i.filter_definition AS varchar(128)) AS FILTER_CONDITION
FROM sys.tables AS t
JOIN sys.indexes AS i ON i.object_id = t.object_id AND i.index_id > 0
JOIN sys.index_columns AS k ON k.object_id = i.object_id AND k.index_id = i.index_id AND k.is_included_column = 0
JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
WHERE t.name = @name AND (@owner IS NULL OR SCHEMA_NAME(t.schema_id) = @owner) AND (@only IS NULL OR @only <> 'Y' OR i.is_unique = 1)
    AND (@index IS NULL OR i.name LIKE @index)
ORDER BY NON_UNIQUE, TYPE, INDEX_NAME, SEQ_IN_INDEX"""


@procedure("sp_statistics")
def sp_statistics(call: ProcedureCall) -> Work:
    """A table's number of rows, and its indexes, a column a row."""
    name, owner, _, index, only, _ = call.values(
        "@table_name", "@table_owner", "@table_qualifier", "@index_name", "@is_unique", "@accuracy", required=1
    )
    return (yield from show(call, _STATISTICS, name=name, owner=owner, index=index, only=only))


_PROCEDURES = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS PROCEDURE_OWNER,
    CAST(o.name + CASE WHEN o.type IN ('P', 'X') THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME, -1 AS NUM_INPUT_PARAMS, -1 AS NUM_OUTPUT_PARAMS,
    -1 AS NUM_RESULT_SETS, CAST(NULL AS varchar(254)) AS REMARKS, CAST(2 AS smallint) AS PROCEDURE_TYPE
FROM sys.all_objects AS o
WHERE o.type IN ('P', 'X', 'FN', 'TF', 'IF') AND (@name IS NULL OR o.name LIKE @name) AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME"""


@procedure("sp_stored_procedures")
def sp_stored_procedures(call: ProcedureCall) -> Work:
    """Procedures and functions by pattern."""
    name, owner, database, _ = call.values("@sp_name", "@sp_owner", "@sp_qualifier", "@fusepattern")
    check_qualifier(call, database)
    return (yield from show(call, _PROCEDURES, name=name, owner=owner))
