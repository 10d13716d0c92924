"""The catalogue procedures of ODBC: sp_tables, sp_columns, sp_databases, sp_pkeys, sp_fkeys, sp_statistics,
sp_stored_procedures."""

from __future__ import annotations

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
    CAST(o.name AS nvarchar(128)) AS TABLE_NAME, CASE o.type WHEN 'U' THEN 'TABLE' ELSE 'VIEW' END AS TABLE_TYPE,
    CAST(NULL AS varchar(254)) AS REMARKS
FROM sys.objects AS o
WHERE o.type IN ('U', 'V') AND (@name IS NULL OR o.name LIKE @name) AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner)
    AND (@kind IS NULL OR CHARINDEX(CASE o.type WHEN 'U' THEN '''TABLE''' ELSE '''VIEW''' END, UPPER(@kind)) > 0)
ORDER BY TABLE_TYPE, TABLE_OWNER, TABLE_NAME"""


@procedure("sp_tables")
def sp_tables(call: ProcedureCall) -> Work:
    """Tables and views by pattern; @table_type is a list such as "'TABLE','VIEW'"."""
    names = ("@table_name", "@table_owner", "@table_qualifier", "@table_type", "@fusepattern")
    name, owner, _, kind, _ = call.values(*names)
    return (yield from show(call, _TABLES, name=name, owner=owner, kind=kind))


_COLUMNS = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS TABLE_QUALIFIER, c.TABLE_SCHEMA AS TABLE_OWNER, c.TABLE_NAME, c.COLUMN_NAME,
    CAST(CASE c.DATA_TYPE WHEN 'char' THEN 1 WHEN 'numeric' THEN 2 WHEN 'decimal' THEN 3 WHEN 'int' THEN 4 WHEN 'smallint' THEN 5
        WHEN 'float' THEN 6 WHEN 'real' THEN 7 WHEN 'datetime' THEN 11 WHEN 'varchar' THEN 12 WHEN 'text' THEN -1 WHEN 'binary' THEN -2
        WHEN 'varbinary' THEN -3 WHEN 'image' THEN -4 WHEN 'bigint' THEN -5 WHEN 'tinyint' THEN -6 WHEN 'bit' THEN -7
        WHEN 'nchar' THEN -8 WHEN 'nvarchar' THEN -9 WHEN 'ntext' THEN -10 WHEN 'uniqueidentifier' THEN -11 WHEN 'xml' THEN -152
        WHEN 'money' THEN 3 WHEN 'smallmoney' THEN 3 ELSE -9 END AS smallint) AS DATA_TYPE,
    CAST(c.DATA_TYPE AS nvarchar(128)) AS TYPE_NAME,
    COALESCE(CAST(c.NUMERIC_PRECISION AS int), c.CHARACTER_MAXIMUM_LENGTH, IIF(c.DATA_TYPE = 'datetime', 23, NULL)) AS [PRECISION],
    COALESCE(c.CHARACTER_OCTET_LENGTH, IIF(c.DATA_TYPE = 'datetime', 16, NULL), c.NUMERIC_PRECISION + 2
        - CASE c.DATA_TYPE WHEN 'int' THEN 8 WHEN 'bigint' THEN 13 WHEN 'smallint' THEN 5 WHEN 'tinyint' THEN 4 ELSE 0 END) AS [LENGTH],
    CAST(COALESCE(c.NUMERIC_SCALE, IIF(c.DATA_TYPE = 'datetime', 3, NULL)) AS smallint) AS SCALE, CAST(c.NUMERIC_PRECISION_RADIX AS smallint) AS RADIX,
    CAST(CASE c.IS_NULLABLE WHEN 'YES' THEN 1 ELSE 0 END AS smallint) AS NULLABLE, CAST(NULL AS varchar(254)) AS REMARKS,
    c.COLUMN_DEFAULT AS COLUMN_DEF, c.ORDINAL_POSITION, CAST(c.IS_NULLABLE AS varchar(254)) AS IS_NULLABLE
FROM INFORMATION_SCHEMA.COLUMNS AS c
WHERE (@name IS NULL OR c.TABLE_NAME LIKE @name) AND (@owner IS NULL OR c.TABLE_SCHEMA LIKE @owner)
    AND (@column IS NULL OR c.COLUMN_NAME LIKE @column)
ORDER BY c.TABLE_SCHEMA, c.TABLE_NAME, c.ORDINAL_POSITION"""


@procedure("sp_columns")
def sp_columns(call: ProcedureCall) -> Work:
    """Columns by pattern."""
    names = ("@table_name", "@table_owner", "@table_qualifier", "@column_name", "@odbcver")
    name, owner, _, column, _ = call.values(*names, required=1)
    return (yield from show(call, _COLUMNS, name=name, owner=owner, column=column))


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
    name, owner, _ = call.values("@table_name", "@table_owner", "@table_qualifier", required=1)
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
LEFT JOIN sys.indexes AS i ON i.object_id = p.object_id AND i.is_primary_key = 1
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
    """A table's indexes, a column a row; no row of the table's own size."""
    name, owner, _, index, only, _ = call.values(
        "@table_name", "@table_owner", "@table_qualifier", "@index_name", "@is_unique", "@accuracy", required=1
    )
    return (yield from show(call, _STATISTICS, name=name, owner=owner, index=index, only=only))


_PROCEDURES = """
SELECT CAST(DB_NAME() AS nvarchar(128)) AS PROCEDURE_QUALIFIER, SCHEMA_NAME(o.schema_id) AS PROCEDURE_OWNER,
    CAST(o.name + CASE o.type WHEN 'P' THEN ';1' ELSE ';0' END AS nvarchar(134)) AS PROCEDURE_NAME, -1 AS NUM_INPUT_PARAMS, -1 AS NUM_OUTPUT_PARAMS,
    -1 AS NUM_RESULT_SETS, CAST(NULL AS varchar(254)) AS REMARKS, CAST(2 AS smallint) AS PROCEDURE_TYPE
FROM sys.objects AS o
WHERE o.type IN ('P', 'FN', 'TF', 'IF') AND (@name IS NULL OR o.name LIKE @name) AND (@owner IS NULL OR SCHEMA_NAME(o.schema_id) LIKE @owner)
ORDER BY PROCEDURE_OWNER, PROCEDURE_NAME"""


@procedure("sp_stored_procedures")
def sp_stored_procedures(call: ProcedureCall) -> Work:
    """Procedures and functions by pattern."""
    name, owner, _, _ = call.values("@sp_name", "@sp_owner", "@sp_qualifier", "@fusepattern")
    return (yield from show(call, _PROCEDURES, name=name, owner=owner))
