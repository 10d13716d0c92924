"""sp_help and its relatives: what an object, an index or a database is."""

from __future__ import annotations

from sbql.catalog.bootstrap import TEMPDB
from sbql.catalog.records import Database, Module, Schema, Table
from sbql.engine.execution.metadata.system_objects import find_system_object
from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, show
from sbql.engine.execution.writes.definitions import find_user_type
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.steps import Work
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import INT, nvarchar
from sbql.grammar.values.type_names import is_system_type

_USER_TYPES = """
SELECT t.name AS {name}, b.name AS Storage_type, t.max_length AS [Length], CAST(t.precision AS int) AS Prec, CAST(t.scale AS int) AS Scale,
    CASE t.is_nullable WHEN 1 THEN 'yes' ELSE 'no' END AS Nullable, 'none' AS Default_name, 'none' AS Rule_name, t.collation_name AS Collation
FROM sys.types AS t JOIN sys.types AS b ON b.user_type_id = t.system_type_id
WHERE {where} ORDER BY t.name"""

_KINDS = """CASE o.type WHEN 'P' THEN 'stored procedure' WHEN 'FN' THEN 'scalar function' WHEN 'IF' THEN 'inline function' WHEN 'TF' THEN 'table function'
    WHEN 'TR' THEN 'trigger' WHEN 'PK' THEN 'primary key cns' WHEN 'UQ' THEN 'unique cns' WHEN 'F' THEN 'foreign key cns' WHEN 'C' THEN 'check cns'
    WHEN 'D' THEN 'default (maybe cns)' WHEN 'SO' THEN 'sequence' WHEN 'SQ' THEN 'queue' WHEN 'X' THEN 'extended stored proc'
    ELSE LOWER(REPLACE(o.type_desc, '_', ' ')) END"""
"""The words of sp_help for the kinds of objects."""

_OBJECTS = f"""
SELECT o.name AS Name, SCHEMA_NAME(o.schema_id) AS Owner, {_KINDS} AS Object_type
FROM sys.objects AS o WHERE o.is_ms_shipped = 0 ORDER BY Owner, Object_type DESC, Name;
""" + _USER_TYPES.format(name="User_type", where="t.is_user_defined = 1 AND t.is_table_type = 0")

_OBJECT = f"""
SELECT o.name AS Name, SCHEMA_NAME(o.schema_id) AS Owner, {_KINDS} AS Type,
    o.create_date AS Created_datetime
FROM sys.all_objects AS o WHERE o.object_id = OBJECT_ID(@name)"""

_COLUMNS = """
SELECT c.name AS Column_name, TYPE_NAME(c.user_type_id) AS Type, CASE c.is_computed WHEN 1 THEN 'yes' ELSE 'no' END AS Computed,
    CAST(c.max_length AS int) AS Length,
    CASE WHEN t.name IN ('tinyint', 'smallint', 'decimal', 'int', 'bigint', 'real', 'money', 'float', 'numeric', 'smallmoney', 'date', 'time',
        'datetime2', 'datetimeoffset') THEN CAST(c.precision AS char(5)) ELSE '     ' END AS Prec,
    CASE WHEN t.name IN ('real', 'float') THEN NULL WHEN t.name IN ('tinyint', 'smallint', 'decimal', 'int', 'bigint', 'money', 'numeric',
        'smallmoney', 'date', 'time', 'datetime2', 'datetimeoffset') THEN CAST(c.scale AS char(5)) ELSE '     ' END AS Scale,
    CASE c.is_nullable WHEN 1 THEN 'yes' ELSE 'no' END AS Nullable,
    CASE WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary') THEN 'no' ELSE '(n/a)' END AS TrimTrailingBlanks,
    CASE WHEN t.name NOT IN ('char', 'varchar', 'binary', 'varbinary') THEN '(n/a)' WHEN c.is_nullable = 1 THEN 'yes' ELSE 'no' END
        AS FixedLenNullInSource,
    c.collation_name AS Collation
FROM sys.all_columns AS c LEFT JOIN sys.types AS t ON t.user_type_id = c.system_type_id
WHERE c.object_id = OBJECT_ID(@name) ORDER BY c.column_id;
IF EXISTS (SELECT * FROM sys.identity_columns WHERE object_id = OBJECT_ID(@name))
    SELECT c.name AS [Identity], c.seed_value AS Seed, c.increment_value AS Increment, 0 AS [Not For Replication]
    FROM sys.identity_columns AS c WHERE c.object_id = OBJECT_ID(@name);
ELSE
    SELECT 'No identity column defined.' AS [Identity], NULL AS Seed, NULL AS Increment, NULL AS [Not For Replication];
SELECT ISNULL((SELECT c.name FROM sys.columns AS c WHERE c.object_id = OBJECT_ID(@name) AND c.is_rowguidcol = 1),
    'No rowguidcol column defined.') AS [RowGuidCol]"""

_PARAMETERS = """
SELECT CASE p.parameter_id WHEN 0 THEN '' ELSE p.name END AS Parameter_name, TYPE_NAME(p.user_type_id) AS Type, CAST(p.max_length AS int) AS Length,
    CASE WHEN t.name IN ('nchar', 'nvarchar') AND p.max_length > 0 THEN p.max_length / 2
        WHEN t.name IN ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') THEN CAST(p.max_length AS int)
        WHEN t.name = 'uniqueidentifier' THEN 16 ELSE CAST(p.precision AS int) END AS Prec,
    CASE WHEN t.name IN ('tinyint', 'smallint', 'int', 'bigint', 'decimal', 'numeric', 'money', 'smallmoney', 'datetime', 'time', 'datetime2',
        'datetimeoffset') THEN CAST(p.scale AS int) END AS Scale, p.parameter_id AS Param_order,
    CASE WHEN t.name IN ('char', 'varchar', 'nchar', 'nvarchar', 'text', 'ntext')
        THEN CAST(DATABASEPROPERTYEX(DB_NAME(), 'Collation') AS nvarchar(128)) END AS Collation
FROM sys.parameters AS p LEFT JOIN sys.types AS t ON t.user_type_id = p.system_type_id
WHERE p.object_id = OBJECT_ID(@name) ORDER BY p.parameter_id"""

_INDEXES = """
SELECT i.name AS index_name, LOWER(i.type_desc) + CASE i.is_unique WHEN 1 THEN ', unique' ELSE '' END
        + CASE i.is_primary_key WHEN 1 THEN ', primary key' ELSE '' END
        + CASE i.is_unique_constraint WHEN 1 THEN ', unique key' ELSE '' END + ' located on PRIMARY' AS index_description,
    (SELECT STRING_AGG(c.name + CASE k.is_descending_key WHEN 1 THEN '(-)' ELSE '' END, ', ') WITHIN GROUP (ORDER BY k.key_ordinal)
        FROM sys.index_columns AS k JOIN sys.columns AS c ON c.object_id = k.object_id AND c.column_id = k.column_id
        WHERE k.object_id = i.object_id AND k.index_id = i.index_id AND k.is_included_column = 0) AS index_keys
FROM sys.indexes AS i WHERE i.object_id = OBJECT_ID(@name) AND i.index_id > 0 ORDER BY i.name"""

_INDEXES_OR_NONE = f"""
IF EXISTS (SELECT * FROM sys.indexes WHERE object_id = OBJECT_ID(@name) AND index_id > 0)
BEGIN {_INDEXES} END
ELSE PRINT 'The object ''' + @name + ''' does not have any indexes, or you do not have permissions.'"""

_TABLE = f"""
SELECT 'PRIMARY' AS Data_located_on_filegroup;
{_INDEXES_OR_NONE}"""


@procedure("sp_help")
def sp_help(call: ProcedureCall) -> Work:
    """All objects and alias types of the database, or one object with its columns, indexes or parameters, or one type.
    Raises 15009. A temp table is found from tempdb, as on the server."""
    (name,) = call.values("@objname")
    if name is None:
        return (yield from show(call, _OBJECTS))
    session = call.session
    parsed = parse_object_name(str(name))
    found = session.resolve(parsed, missing_ok=True)
    if found is not None and found.name.startswith("#") and session.database_id != TEMPDB:
        found = None
    if found is None:
        return (yield from _help_otherwise(call, str(name), parsed))
    yield from show(call, _OBJECT, name=name)
    if isinstance(found, Module):
        if found.type == "V" or found.type in ("TF", "IF"):
            yield from show(call, _COLUMNS, name=name)
        if found.type in ("P", "FN", "TF", "IF"):
            yield from show(
                call,
                f"IF EXISTS (SELECT * FROM sys.parameters WHERE object_id = OBJECT_ID(@name)) BEGIN {_PARAMETERS} END",
                name=name,
            )
        return 0
    if isinstance(found, Table):
        yield from show(call, _COLUMNS, name=name)
        yield from show(call, _TABLE, name=name)
        yield from show(call, _CONSTRAINTS, name=name)
    return 0


def _help_otherwise(call: ProcedureCall, name: str, parsed: ObjectName) -> Work:
    """What is no object of a user: a type, a constraint, a system object. Raises 15009."""
    session = call.session
    if len(parsed.parts) < 3 and (is_system_type(parsed.name) or find_user_type(session, parsed) is not None):
        query = _USER_TYPES.format(name="Type_name", where="t.user_type_id = TYPE_ID(@name)")
        return (yield from show(call, query, name=name))
    system = find_system_object(parsed)
    if system is not None:
        yield from show(call, _OBJECT, name=name)
        return (yield from show(call, _COLUMNS, name=name)) if system.type in ("V", "S") else 0
    found = any(
        parsed.name.lower()
        in {c.name.lower() for c in table.constraints} | {(c.default_name or "").lower() for c in table.columns}
        for table in session.catalog.all(Table, session.database_id)
    )
    if not found:
        raise sql_error(15009, name, session.database_name)
    return (yield from show(call, _OBJECT, name=name))


@procedure("sp_helpindex")
def sp_helpindex(call: ProcedureCall) -> Work:
    """The indexes of a table. Raises 15009."""
    (name,) = call.values("@objname", required=1)
    if call.session.resolve(parse_object_name(str(name)), missing_ok=True) is None:
        raise sql_error(15009, name, call.session.database_name)
    return (yield from show(call, _INDEXES_OR_NONE, name=name))


_DATABASES = """
SELECT d.name, CAST('1.00 MB' AS nvarchar(13)) AS db_size, SUSER_SNAME(d.owner_sid) AS owner, d.database_id AS dbid,
    CONVERT(nvarchar(11), d.create_date, 100) AS created,
    N'Status=' + d.state_desc + N', Updateability=' + IIF(d.is_read_only = 1, N'READ_ONLY', N'READ_WRITE') + N', UserAccess=' + d.user_access_desc
        + N', Recovery=' + d.recovery_model_desc + N', Version=957, Collation=' + d.collation_name + N', SQLSortOrder=52'
        + IIF(d.is_auto_close_on = 1, N', IsAutoClose', N'') + IIF(d.is_auto_create_stats_on = 1, N', IsAutoCreateStatistics', N'')
        + IIF(d.is_auto_update_stats_on = 1, N', IsAutoUpdateStatistics', N'')
        + IIF(d.is_broker_enabled = 1, N', IsBrokerEnabled', N'') AS status, d.compatibility_level
FROM sys.databases AS d WHERE @name IS NULL OR d.name = @name ORDER BY d.name"""

_FILES = """
SELECT f.name, CAST(f.file_id AS smallint) AS fileid, f.physical_name AS filename,
    CASE f.type WHEN 0 THEN 'PRIMARY' END AS filegroup, CAST(f.size * 8 AS nvarchar(15)) + N' KB' AS size,
    CAST(IIF(f.max_size = -1, N'Unlimited', CAST(CAST(f.max_size AS bigint) * 8 AS nvarchar(15)) + N' KB') AS nvarchar(18)) AS maxsize,
    CAST(CAST(CAST(f.growth AS bigint) * 8 AS nvarchar(15)) + N' KB' AS nvarchar(18)) AS growth,
    CASE f.type WHEN 0 THEN 'data only' ELSE 'log only' END AS usage
FROM sys.master_files AS f WHERE f.database_id = DB_ID(@name) ORDER BY f.file_id"""


@procedure("sp_helpdb")
def sp_helpdb(call: ProcedureCall) -> Work:
    """All databases, or one with its files. Raises 15010."""
    (name,) = call.values("@dbname")
    if name is not None and call.session.catalog.find(Database, 0, str(name)) is None:
        raise sql_error(15010, name)
    code = yield from show(call, _DATABASES, name=name)
    if name is not None:
        yield from show(call, _FILES, name=name)
    return code


_SPACE = """
SELECT CAST(OBJECT_NAME(OBJECT_ID(@name)) AS nvarchar(128)) AS name, CAST(COALESCE(SUM(p.rows), 0) AS char(20)) AS rows,
    '0 KB' AS reserved, '0 KB' AS data, '0 KB' AS index_size, '0 KB' AS unused
FROM sys.partitions AS p LEFT JOIN sys.internal_tables AS t ON t.object_id = p.object_id
WHERE p.index_id IN (0, 1) AND (p.object_id = OBJECT_ID(@name) OR t.parent_object_id = OBJECT_ID(@name))"""

_DATABASE_SPACE = """
SELECT DB_NAME() AS database_name, '1.00 MB' AS database_size, '0.00 MB' AS [unallocated space];
SELECT '0 KB' AS reserved, '0 KB' AS data, '0 KB' AS index_size, '0 KB' AS unused"""


@procedure("sp_spaceused")
def sp_spaceused(call: ProcedureCall) -> Work:
    """Rows of a table or a queue. Sizes are of the one store, not of a table, so they are 0. Raises 15009."""
    name, _ = call.values("@objname", "@updateusage")
    if name is None:
        return (yield from show(call, _DATABASE_SPACE))
    if call.session.resolve(parse_object_name(str(name)), missing_ok=True) is None:
        raise sql_error(15009, name, call.session.database_name)
    return (yield from show(call, _SPACE, name=name))


_TRIGGER_COLUMNS = (
    "trigger_name", "trigger_owner", "isupdate", "isdelete", "isinsert", "isafter", "isinsteadof", "trigger_schema",
)  # fmt: skip


@procedure("sp_helptrigger")
def sp_helptrigger(call: ProcedureCall) -> Work:
    """The DML triggers of a table, or those for one event. Raises 15009, 15305."""
    name, event = call.values("@tabname", "@triggertype", required=1)
    session = call.session
    table = session.resolve(parse_object_name(str(name)), Table, Module, missing_ok=True)
    if table is None:
        raise sql_error(15009, name, session.database_name)
    wanted = str(event).strip().upper() if event is not None else None
    if wanted not in (None, "INSERT", "UPDATE", "DELETE"):
        raise sql_error(15305)
    rows = []
    for trigger in session.catalog.all(Module, table.database_id):
        if trigger.type == "TR" and trigger.parent_id == table.id and (wanted is None or wanted in trigger.events):
            schema = session.catalog.get(Schema, trigger.database_id, trigger.schema_id)
            events = [int(e in trigger.events) for e in ("UPDATE", "DELETE", "INSERT")]
            timings = [int(trigger.timing == t) for t in ("AFTER", "INSTEAD OF")]
            rows.append((trigger.name, "dbo", *events, *timings, schema.name if schema is not None else "dbo"))
    columns = [ResultColumn(c, INT if c.startswith("is") else nvarchar(128)) for c in _TRIGGER_COLUMNS]
    session.emit(ResultSet(columns, sorted(rows)))
    return 0
    yield


_CONSTRAINTS = """
IF NOT EXISTS (SELECT * FROM sys.objects WHERE parent_object_id = OBJECT_ID(@name) AND type IN ('PK', 'UQ', 'C', 'D', 'F'))
    PRINT 'No constraints are defined on object ''' + @name + ''', or you do not have permissions.';
ELSE SELECT c.constraint_type, c.constraint_name, c.delete_action, c.update_action, c.status_enabled, c.status_for_replication, c.constraint_keys
FROM (
    SELECT CASE k.type WHEN 'PK' THEN 'PRIMARY KEY' ELSE 'UNIQUE' END + CASE i.type WHEN 1 THEN ' (clustered)' ELSE ' (non-clustered)' END,
        k.name, '(n/a)', '(n/a)', '(n/a)', '(n/a)',
        (SELECT STRING_AGG(c.name, ', ') WITHIN GROUP (ORDER BY x.key_ordinal) FROM sys.index_columns AS x
            JOIN sys.columns AS c ON c.object_id = x.object_id AND c.column_id = x.column_id
            WHERE x.object_id = i.object_id AND x.index_id = i.index_id)
    FROM sys.key_constraints AS k JOIN sys.indexes AS i ON i.object_id = k.parent_object_id AND i.name = k.name
    WHERE k.parent_object_id = OBJECT_ID(@name)
    UNION ALL
    SELECT 'DEFAULT on column ' + COL_NAME(d.parent_object_id, d.parent_column_id), d.name, '(n/a)', '(n/a)', '(n/a)', '(n/a)', d.definition
    FROM sys.default_constraints AS d WHERE d.parent_object_id = OBJECT_ID(@name)
    UNION ALL
    SELECT 'CHECK', k.name, '(n/a)', '(n/a)', CASE k.is_disabled WHEN 1 THEN 'Disabled' ELSE 'Enabled' END, 'Is_For_Replication', k.definition
    FROM sys.check_constraints AS k WHERE k.parent_object_id = OBJECT_ID(@name)
    UNION ALL
    SELECT 'FOREIGN KEY', f.name, REPLACE(f.delete_referential_action_desc, '_', ' '), REPLACE(f.update_referential_action_desc, '_', ' '),
        CASE f.is_disabled WHEN 1 THEN 'Disabled' ELSE 'Enabled' END, 'Is_For_Replication',
        (SELECT STRING_AGG(COL_NAME(x.parent_object_id, x.parent_column_id), ', ') WITHIN GROUP (ORDER BY x.constraint_column_id)
            FROM sys.foreign_key_columns AS x WHERE x.constraint_object_id = f.object_id)
        + ' REFERENCES ' + OBJECT_SCHEMA_NAME(f.referenced_object_id) + '.' + OBJECT_NAME(f.referenced_object_id)
    FROM sys.foreign_keys AS f WHERE f.parent_object_id = OBJECT_ID(@name)
) AS c (constraint_type, constraint_name, delete_action, update_action, status_enabled, status_for_replication, constraint_keys)
ORDER BY c.constraint_type, c.constraint_name;
IF NOT EXISTS (SELECT * FROM sys.foreign_keys WHERE referenced_object_id = OBJECT_ID(@name))
    PRINT 'No foreign keys reference table ''' + @name + ''', or you do not have permissions on referencing tables.';
ELSE SELECT OBJECT_SCHEMA_NAME(f.parent_object_id) + '.' + OBJECT_NAME(f.parent_object_id) + ': ' + f.name AS [Table is referenced by foreign key]
FROM sys.foreign_keys AS f WHERE f.referenced_object_id = OBJECT_ID(@name) ORDER BY 1"""


@procedure("sp_helpconstraint")
def sp_helpconstraint(call: ProcedureCall) -> Work:
    """The constraints of a table, and the foreign keys that refer to it. Raises 15009."""
    name, nomsg = call.values("@objname", "@nomsg", required=1)
    session = call.session
    if session.resolve(parse_object_name(str(name)), Table, missing_ok=True) is None:
        raise sql_error(15009, name, session.database_name)
    if str(nomsg).lower() != "nomsg":
        yield from show(call, "SELECT @name AS [Object Name]", name=name)
    return (yield from show(call, _CONSTRAINTS, name=name))
