-- sys.databases: databases of the instance.
-- column: name sysname not null
-- column: database_id int not null
-- column: source_database_id int
-- column: owner_sid varbinary(85)
-- column: create_date datetime not null
-- column: compatibility_level tinyint not null
-- column: collation_name sysname
-- column: user_access tinyint
-- column: user_access_desc nvarchar(60)
-- column: is_read_only bit
-- column: is_auto_close_on bit not null
-- column: is_auto_shrink_on bit
-- column: state tinyint
-- column: state_desc nvarchar(60)
-- column: is_in_standby bit
-- column: is_cleanly_shutdown bit
-- column: is_supplemental_logging_enabled bit
-- column: snapshot_isolation_state tinyint
-- column: snapshot_isolation_state_desc nvarchar(60)
-- column: is_read_committed_snapshot_on bit
-- column: recovery_model tinyint
-- column: recovery_model_desc nvarchar(60)
-- column: page_verify_option tinyint
-- column: page_verify_option_desc nvarchar(60)
-- column: is_auto_create_stats_on bit
-- column: is_auto_create_stats_incremental_on bit
-- column: is_auto_update_stats_on bit
-- column: is_auto_update_stats_async_on bit
-- column: is_ansi_null_default_on bit
-- column: is_ansi_nulls_on bit
-- column: is_ansi_padding_on bit
-- column: is_ansi_warnings_on bit
-- column: is_arithabort_on bit
-- column: is_concat_null_yields_null_on bit
-- column: is_numeric_roundabort_on bit
-- column: is_quoted_identifier_on bit
-- column: is_recursive_triggers_on bit
-- column: is_cursor_close_on_commit_on bit
-- column: is_local_cursor_default bit
-- column: is_fulltext_enabled bit
-- column: is_trustworthy_on bit
-- column: is_db_chaining_on bit
-- column: is_parameterization_forced bit
-- column: is_master_key_encrypted_by_server bit not null
-- column: is_query_store_on bit
-- column: is_published bit not null
-- column: is_subscribed bit not null
-- column: is_merge_published bit not null
-- column: is_distributor bit not null
-- column: is_sync_with_backup bit not null
-- column: service_broker_guid uniqueidentifier not null
-- column: is_broker_enabled bit not null
-- column: log_reuse_wait tinyint
-- column: log_reuse_wait_desc nvarchar(60)
-- column: is_date_correlation_on bit not null
-- column: is_cdc_enabled bit not null
-- column: is_encrypted bit
-- column: is_honor_broker_priority_on bit
-- column: replica_id uniqueidentifier
-- column: group_database_id uniqueidentifier
-- column: resource_pool_id int
-- column: default_language_lcid smallint
-- column: default_language_name nvarchar(128)
-- column: default_fulltext_language_lcid int
-- column: default_fulltext_language_name nvarchar(128)
-- column: is_nested_triggers_on bit
-- column: is_transform_noise_words_on bit
-- column: two_digit_year_cutoff smallint
-- column: containment tinyint
-- column: containment_desc nvarchar(60)
-- column: target_recovery_time_in_seconds int
-- column: delayed_durability int
-- column: delayed_durability_desc nvarchar(60)
-- column: is_memory_optimized_elevate_to_snapshot_on bit
-- column: is_federation_member bit
-- column: is_remote_data_archive_enabled bit
-- column: is_mixed_page_allocation_on bit
-- column: is_temporal_history_retention_enabled bit
-- column: catalog_collation_type int not null
-- column: catalog_collation_type_desc nvarchar(60)
-- column: physical_database_name nvarchar(128)
-- column: is_result_set_caching_on bit
-- column: is_accelerated_database_recovery_on bit
-- column: is_tempdb_spill_to_remote_store bit
-- column: is_stale_page_detection_on bit
-- column: is_memory_optimized_enabled bit
-- column: is_data_retention_enabled bit
-- column: is_ledger_on bit
-- column: is_change_feed_enabled bit
SELECT name, id AS database_id, NULL AS source_database_id, owner_sid, sbql.at(CASE WHEN id = 2 THEN (SELECT start_time FROM live_server) ELSE create_date END) AS create_date,
    compatibility_level, collation_name,
    CASE user_access WHEN 'SINGLE_USER' THEN 1 WHEN 'RESTRICTED_USER' THEN 2 ELSE 0 END AS user_access,
    user_access AS user_access_desc, is_read_only, contains(options, ',AUTO_CLOSE=ON,') AS is_auto_close_on,
    contains(options, ',AUTO_SHRINK=ON,') AS is_auto_shrink_on,
    CASE state WHEN 'OFFLINE' THEN 6 WHEN 'RESTORING' THEN 1 ELSE 0 END AS state,
    state AS state_desc, false AS is_in_standby, false AS is_cleanly_shutdown, false AS is_supplemental_logging_enabled,
    is_snapshot_isolation_on::INTEGER AS snapshot_isolation_state,
    CASE WHEN is_snapshot_isolation_on THEN 'ON' ELSE 'OFF' END AS snapshot_isolation_state_desc,
    is_read_committed_snapshot_on,
    CASE recovery_model WHEN 'FULL' THEN 1 WHEN 'BULK_LOGGED' THEN 2 ELSE 3 END AS recovery_model,
    recovery_model AS recovery_model_desc,
    CASE WHEN contains(options, ',PAGE_VERIFY=NONE,') THEN 0 WHEN contains(options, ',PAGE_VERIFY=TORN_PAGE_DETECTION,') THEN 1 ELSE 2 END
        AS page_verify_option,
    CASE WHEN contains(options, ',PAGE_VERIFY=NONE,') THEN 'NONE' WHEN contains(options, ',PAGE_VERIFY=TORN_PAGE_DETECTION,')
        THEN 'TORN_PAGE_DETECTION' ELSE 'CHECKSUM' END AS page_verify_option_desc,
    NOT contains(options, ',AUTO_CREATE_STATISTICS=OFF,') AS is_auto_create_stats_on, false AS is_auto_create_stats_incremental_on,
    NOT contains(options, ',AUTO_UPDATE_STATISTICS=OFF,') AS is_auto_update_stats_on,
    contains(options, ',AUTO_UPDATE_STATISTICS_ASYNC=ON,') AS is_auto_update_stats_async_on,
    contains(options, ',ANSI_NULL_DEFAULT=ON,') AS is_ansi_null_default_on, contains(options, ',ANSI_NULLS=ON,') AS is_ansi_nulls_on,
    contains(options, ',ANSI_PADDING=ON,') AS is_ansi_padding_on, contains(options, ',ANSI_WARNINGS=ON,') AS is_ansi_warnings_on,
    contains(options, ',ARITHABORT=ON,') AS is_arithabort_on,
    contains(options, ',CONCAT_NULL_YIELDS_NULL=ON,') AS is_concat_null_yields_null_on,
    contains(options, ',NUMERIC_ROUNDABORT=ON,') AS is_numeric_roundabort_on,
    contains(options, ',QUOTED_IDENTIFIER=ON,') AS is_quoted_identifier_on,
    contains(options, ',RECURSIVE_TRIGGERS=ON,') AS is_recursive_triggers_on,
    contains(options, ',CURSOR_CLOSE_ON_COMMIT=ON,') AS is_cursor_close_on_commit_on,
    contains(options, ',CURSOR_DEFAULT=LOCAL,') AS is_local_cursor_default, false AS is_fulltext_enabled, is_trustworthy_on,
    is_db_chaining_on, contains(options, ',PARAMETERIZATION=FORCED,') AS is_parameterization_forced,
    is_master_key_encrypted_by_server, contains(options, ',QUERY_STORE=ON,') AS is_query_store_on, false AS is_published,
    false AS is_subscribed, false AS is_merge_published, false AS is_distributor, false AS is_sync_with_backup,
    service_broker_guid, is_broker_enabled, 0 AS log_reuse_wait, 'NOTHING' AS log_reuse_wait_desc,
    contains(options, ',DATE_CORRELATION_OPTIMIZATION=ON,') AS is_date_correlation_on, false AS is_cdc_enabled, false AS is_encrypted,
    is_honor_broker_priority_on, NULL AS replica_id, NULL AS group_database_id, NULL AS resource_pool_id, NULL AS default_language_lcid,
    NULL AS default_language_name, NULL AS default_fulltext_language_lcid, NULL AS default_fulltext_language_name,
    NULL AS is_nested_triggers_on, NULL AS is_transform_noise_words_on, NULL AS two_digit_year_cutoff, 0 AS containment,
    'NONE' AS containment_desc, 60 AS target_recovery_time_in_seconds,
    CASE delayed_durability WHEN 'ALLOWED' THEN 1 WHEN 'FORCED' THEN 2 ELSE 0 END AS delayed_durability,
    delayed_durability AS delayed_durability_desc, false AS is_memory_optimized_elevate_to_snapshot_on, false AS is_federation_member,
    false AS is_remote_data_archive_enabled, id IN (1, 3, 4) AS is_mixed_page_allocation_on, true AS is_temporal_history_retention_enabled,
    0 AS catalog_collation_type, 'DATABASE_DEFAULT' AS catalog_collation_type_desc, name AS physical_database_name,
    false AS is_result_set_caching_on, false AS is_accelerated_database_recovery_on, false AS is_tempdb_spill_to_remote_store,
    false AS is_stale_page_detection_on, false AS is_memory_optimized_enabled, false AS is_data_retention_enabled, false AS is_ledger_on,
    false AS is_change_feed_enabled
FROM catalog_databases ORDER BY id
