"""System views and table functions of SQL Server that are not here, so that an error can name the feature instead of
saying that there is no such object."""

from __future__ import annotations

from sbql.grammar.ast import ObjectName, Span
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["MISSING", "unknown_object"]

MISSING = frozenset(
    {
        "all_parameters", "all_sql_modules", "all_views", "allocation_units", "assembly_modules", "assembly_types",
        "configurations", "credentials", "data_spaces", "database_files", "database_mirroring",
        "database_recovery_status", "dm_db_index_physical_stats", "dm_db_index_usage_stats", "dm_db_missing_index_details",
        "dm_exec_cached_plans", "dm_exec_connections", "dm_exec_procedure_stats", "dm_exec_query_plan",
        "dm_exec_query_stats", "dm_io_virtual_file_stats", "dm_os_schedulers",
        "dm_os_sys_info", "dm_os_sys_memory", "dm_os_tasks", "dm_os_threads", "dm_os_workers",
        "dm_qn_subscriptions", "dm_sql_referenced_entities", "dm_sql_referencing_entities",
        "dm_tran_database_transactions", "dm_xe_sessions", "filegroups",
        "fn_dblog", "fn_get_audit_file", "fn_helpcollations", "fn_listextendedproperty", "fn_my_permissions", "fn_trace_gettable",
        "fn_virtualfilestats", "fulltext_catalogs", "fulltext_indexes", "linked_logins", "login_token",
        "module_assembly_usages", "numbered_procedures", "partition_functions", "partition_schemes",
        "plan_guides", "security_policies", "servers", "soap_endpoints", "sql_dependencies", "sql_expression_dependencies", "stats",
        "stats_columns", "syscomments", "sysconfigures", "sysconstraints", "sysdepends", "sysfiles",
        "sysforeignkeys", "sysindexes", "sysindexkeys", "syslockinfo", "syslogins", "sysmembers", "syspermissions", "sysreferences",
        "system_columns", "system_components_surface_area_configuration", "system_parameters", "system_sql_modules", "system_views",
        "systypes", "traces", "user_token", "via_endpoints", "xml_indexes",
        "xml_schema_attributes", "xml_schema_elements", "xml_schema_namespaces",
    }
)  # fmt: skip
"""Names in schema sys, in lower case. Those that begin with `sys` or `fn_` are also named without a schema."""


_ROWSETS = frozenset({"openquery", "openrowset", "opendatasource", "containstable", "freetexttable"})
"""Table functions that reserved words name."""


def unknown_object(name: ObjectName, span: Span) -> SqlError:
    """40517 for a system object that is missing here, 208 for any other name."""
    plain = name.name.lower()
    if plain in _ROWSETS and name.schema is None:
        return sql_error(40517, plain.upper(), span=span)
    is_system = (name.schema or "").lower() == "sys"
    if plain in MISSING and (is_system or plain.startswith(("sys", "fn_"))):
        return sql_error(40517, f"sys.{plain}", span=span)
    return sql_error(208, str(name), span=span)
