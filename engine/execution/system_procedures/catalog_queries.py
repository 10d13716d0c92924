"""The catalogue procedures of ODBC: sp_tables, sp_columns, sp_databases."""

from __future__ import annotations

from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, show
from sbql.engine.steps import Work

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
