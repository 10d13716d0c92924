"""System views and table functions of SQL Server that are not here, so that an error can name the feature instead of
saying that there is no such object."""

from __future__ import annotations

from sbql.grammar.ast import ObjectName, Span
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["MISSING", "unknown_object"]

MISSING = frozenset(
    {
        "column_encryption_key_values", "column_encryption_keys", "column_master_keys", "column_store_dictionaries",
        "column_store_row_groups", "column_store_segments", "cryptographic_providers", "database_audit_specification_details",
        "database_audit_specifications", "database_automatic_tuning_options", "database_credentials",
        "database_event_session_actions", "database_event_session_events", "database_event_session_fields",
        "database_event_session_targets", "database_event_sessions", "database_filestream_options", "database_ledger_blocks",
        "database_ledger_transactions", "database_query_store_options", "database_scoped_configurations", "dm_audit_actions",
        "dm_audit_class_type_map", "dm_cdc_errors", "dm_cdc_log_scan_sessions", "dm_clr_appdomains", "dm_clr_loaded_assemblies",
        "dm_clr_properties", "dm_clr_tasks", "dm_cryptographic_provider_algorithms", "dm_cryptographic_provider_properties",
        "dm_database_encryption_keys", "dm_db_column_store_row_group_physical_stats", "dm_db_file_space_usage",
        "dm_db_fts_index_physical_stats", "dm_db_incremental_stats_properties", "dm_db_index_operational_stats",
        "dm_db_index_physical_stats", "dm_db_index_usage_stats", "dm_db_log_info", "dm_db_log_space_usage", "dm_db_log_stats",
        "dm_db_mirroring_auto_page_repair", "dm_db_mirroring_connections", "dm_db_missing_index_columns",
        "dm_db_missing_index_details", "dm_db_missing_index_group_stats", "dm_db_missing_index_group_stats_query",
        "dm_db_missing_index_groups", "dm_db_objects_disabled_on_compatibility_level_change", "dm_db_page_info",
        "dm_db_persisted_sku_features", "dm_db_session_space_usage", "dm_db_stats_histogram", "dm_db_stats_properties",
        "dm_db_task_space_usage", "dm_db_tuning_recommendations", "dm_db_uncontained_entities", "dm_db_xtp_checkpoint_files",
        "dm_db_xtp_table_memory_stats", "dm_exec_background_job_queue", "dm_exec_background_job_queue_stats",
        "dm_exec_cached_plan_dependent_objects", "dm_exec_cached_plans", "dm_exec_cursors", "dm_exec_function_stats",
        "dm_exec_plan_attributes", "dm_exec_procedure_stats", "dm_exec_query_memory_grants", "dm_exec_query_optimizer_info",
        "dm_exec_query_optimizer_memory_gateways", "dm_exec_query_parallel_workers", "dm_exec_query_plan",
        "dm_exec_query_plan_stats", "dm_exec_query_profiles", "dm_exec_query_resource_semaphores",
        "dm_exec_query_statistics_xml", "dm_exec_query_stats", "dm_exec_query_transformation_stats",
        "dm_exec_session_wait_stats", "dm_exec_text_query_plan", "dm_exec_trigger_stats", "dm_exec_valid_use_hints",
        "dm_exec_xml_handles", "dm_filestream_file_io_handles", "dm_filestream_file_io_requests",
        "dm_filestream_non_transacted_handles", "dm_fts_active_catalogs", "dm_fts_index_keywords", "dm_fts_index_population",
        "dm_fts_memory_buffers", "dm_fts_parser", "dm_io_backup_tapes", "dm_io_cluster_shared_drives", "dm_io_cluster_valid_path_names",
        "dm_io_pending_io_requests", "dm_io_virtual_file_stats", "dm_os_buffer_descriptors",
        "dm_os_buffer_pool_extension_configuration", "dm_os_child_instances", "dm_os_cluster_nodes", "dm_os_cluster_properties",
        "dm_os_dispatcher_pools", "dm_os_enumerate_fixed_drives", "dm_os_file_exists", "dm_os_hosts", "dm_os_latch_stats",
        "dm_os_loaded_modules", "dm_os_memory_brokers", "dm_os_memory_cache_clock_hands", "dm_os_memory_cache_counters",
        "dm_os_memory_cache_entries", "dm_os_memory_cache_hash_tables", "dm_os_memory_clerks", "dm_os_memory_nodes",
        "dm_os_memory_objects", "dm_os_memory_pools", "dm_os_nodes", "dm_os_process_memory", "dm_os_ring_buffers",
        "dm_os_schedulers", "dm_os_server_diagnostics_log_configurations", "dm_os_spinlock_stats", "dm_os_stacks",
        "dm_os_sys_memory", "dm_os_tasks", "dm_os_threads", "dm_os_virtual_address_dump",
        "dm_os_volume_stats", "dm_os_windows_info", "dm_os_worker_local_storage", "dm_os_workers",
        "dm_repl_articles", "dm_repl_schemas", "dm_repl_tranhash", "dm_repl_traninfo", "dm_resource_governor_configuration",
        "dm_resource_governor_resource_pool_volumes", "dm_resource_governor_resource_pools",
        "dm_resource_governor_workload_groups", "dm_server_audit_status", "dm_server_memory_dumps", "dm_server_registry",
        "dm_tcp_listener_states", "dm_tran_active_snapshot_database_transactions", "dm_tran_commit_table",
        "dm_tran_current_snapshot", "dm_tran_global_transactions", "dm_tran_persistent_version_store",
        "dm_tran_persistent_version_store_stats", "dm_tran_top_version_generators", "dm_tran_transactions_snapshot",
        "dm_tran_version_store", "dm_tran_version_store_space_usage", "dm_xe_map_values", "dm_xe_object_columns",
        "dm_xe_objects", "dm_xe_packages", "dm_xe_session_event_actions", "dm_xe_session_events",
        "dm_xe_session_object_columns", "dm_xe_session_targets", "dm_xe_sessions", "dm_xtp_gc_queue_stats", "dm_xtp_gc_stats",
        "dm_xtp_system_memory_consumers", "dm_xtp_transaction_stats", "edge_constraint_clauses", "edge_constraints",
        "external_data_sources", "external_file_formats", "external_language_files", "external_languages", "external_libraries",
        "external_library_files", "external_tables", "filetable_system_defined_objects", "filetables",
        "fn_cdc_get_column_ordinal", "fn_check_object_signatures", "fn_dblog", "fn_dump_dblog", "fn_get_audit_file",
        "fn_get_rowset_binding_token", "fn_get_sql", "fn_hadr_backup_is_preferred_replica",
        "fn_helpdatatypemap", "fn_msxe_read_event_stream", "fn_physloccracker", "fn_physlocformatter", "fn_replformatdatetime",
        "fn_rowdumpcracker", "fn_servershareddrives", "fn_stmt_sql_handle_from_sql_stmt", "fn_trace_geteventinfo",
        "fn_trace_getfilterinfo", "fn_trace_getinfo", "fn_trace_gettable", "fn_translate_permissions", "fn_validate_plan_guide",
        "fn_virtualfilestats", "fn_virtualservernodes", "fn_xe_file_target_read_file", "fn_xe_telemetry_blob_target_read_file",
        "fulltext_document_types", "fulltext_index_catalog_usages", "fulltext_index_columns", "fulltext_index_fragments",
        "fulltext_languages", "fulltext_stoplists", "fulltext_stopwords", "fulltext_system_stopwords", "function_order_columns",
        "internal_partitions", "ledger_column_history", "ledger_table_history", "memory_optimized_tables_internal_attributes",
        "query_context_settings", "query_store_plan", "query_store_plan_feedback", "query_store_plan_forcing_locations",
        "query_store_query", "query_store_query_hints", "query_store_query_text", "query_store_query_variant",
        "query_store_replicas", "query_store_runtime_stats", "query_store_runtime_stats_interval", "query_store_wait_stats",
        "registered_search_properties", "registered_search_property_lists", "remote_data_archive_databases",
        "remote_data_archive_tables", "resource_governor_external_resource_pool_affinity",
        "resource_governor_external_resource_pools", "resource_governor_resource_pool_affinity",
        "resource_governor_resource_pools", "resource_governor_workload_groups", "selective_xml_index_namespaces",
        "selective_xml_index_paths", "sensitivity_classifications", "server_assembly_modules",
        "server_audit_specification_details", "server_audit_specifications", "server_event_session_actions",
        "server_event_session_events", "server_event_session_fields", "server_event_session_targets", "server_event_sessions",
        "server_file_audits", "server_memory_optimized_hybrid_buffer_pool_configuration", "spatial_index_tessellations",
        "spatial_reference_systems", "syscacheobjects", "syspermissions", "system_components_surface_area_configuration",
        "system_internals_allocation_units", "system_internals_partition_columns", "system_internals_partitions",
        "trace_categories", "trace_columns", "trace_event_bindings", "trace_xe_action_map",
        "trace_xe_event_map", "trusted_assemblies", "xml_schema_attributes", "xml_schema_component_placements",
        "xml_schema_components", "xml_schema_elements", "xml_schema_facets", "xml_schema_model_groups", "xml_schema_types",
        "xml_schema_wildcard_namespaces", "xml_schema_wildcards",
    }
)  # fmt: skip
"""Names in schema sys, in lower case. Those that begin with `sys` or `fn_` are also named without a schema."""


_ROWSETS = frozenset({"openquery", "openrowset", "opendatasource", "containstable", "freetexttable", "changetable"})
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
