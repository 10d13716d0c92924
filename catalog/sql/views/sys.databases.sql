-- sys.databases: all databases of the instance. Differs: what has no meaning in DuckDB shows SQL Server's default.
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
-- column: is_auto_update_stats_on bit
-- column: is_ansi_null_default_on bit
-- column: is_ansi_nulls_on bit
-- column: is_ansi_padding_on bit
-- column: is_ansi_warnings_on bit
-- column: is_arithabort_on bit
-- column: is_concat_null_yields_null_on bit
-- column: is_quoted_identifier_on bit
-- column: is_recursive_triggers_on bit
-- column: is_fulltext_enabled bit
-- column: is_trustworthy_on bit
-- column: is_db_chaining_on bit
-- column: is_parameterization_forced bit
-- column: is_master_key_encrypted_by_server bit not null
-- column: is_published bit not null
-- column: is_subscribed bit not null
-- column: is_distributor bit not null
-- column: service_broker_guid uniqueidentifier not null
-- column: is_broker_enabled bit not null
-- column: log_reuse_wait tinyint
-- column: log_reuse_wait_desc nvarchar(60)
-- column: is_date_correlation_on bit not null
-- column: is_cdc_enabled bit not null
-- column: is_encrypted bit
-- column: is_honor_broker_priority_on bit
-- column: containment tinyint
-- column: containment_desc nvarchar(60)
-- column: target_recovery_time_in_seconds int
-- column: delayed_durability int
-- column: delayed_durability_desc nvarchar(60)
SELECT name, id AS database_id, NULL AS source_database_id, owner_sid, sbql.at(create_date) AS create_date,
    compatibility_level, collation_name,
    CASE user_access WHEN 'SINGLE_USER' THEN 1 WHEN 'RESTRICTED_USER' THEN 2 ELSE 0 END AS user_access,
    user_access AS user_access_desc, is_read_only, false AS is_auto_close_on, false AS is_auto_shrink_on, CASE state WHEN 'OFFLINE' THEN 6 WHEN 'RESTORING' THEN 1 ELSE 0 END AS state,
    state AS state_desc, false AS is_in_standby, false AS is_cleanly_shutdown, false AS is_supplemental_logging_enabled,
    is_snapshot_isolation_on::INTEGER AS snapshot_isolation_state,
    CASE WHEN is_snapshot_isolation_on THEN 'ON' ELSE 'OFF' END AS snapshot_isolation_state_desc,
    is_read_committed_snapshot_on,
    CASE recovery_model WHEN 'FULL' THEN 1 WHEN 'BULK_LOGGED' THEN 2 ELSE 3 END AS recovery_model,
    recovery_model AS recovery_model_desc, 2 AS page_verify_option, 'CHECKSUM' AS page_verify_option_desc,
    true AS is_auto_create_stats_on, true AS is_auto_update_stats_on, false AS is_ansi_null_default_on,
    false AS is_ansi_nulls_on, false AS is_ansi_padding_on, false AS is_ansi_warnings_on, false AS is_arithabort_on,
    false AS is_concat_null_yields_null_on, false AS is_quoted_identifier_on, false AS is_recursive_triggers_on,
    false AS is_fulltext_enabled, is_trustworthy_on, is_db_chaining_on, false AS is_parameterization_forced,
    is_master_key_encrypted_by_server, false AS is_published, false AS is_subscribed, false AS is_distributor,
    service_broker_guid, is_broker_enabled, 0 AS log_reuse_wait, 'NOTHING' AS log_reuse_wait_desc,
    false AS is_date_correlation_on, false AS is_cdc_enabled, false AS is_encrypted, is_honor_broker_priority_on,
    0 AS containment, 'NONE' AS containment_desc, 60 AS target_recovery_time_in_seconds,
    CASE delayed_durability WHEN 'ALLOWED' THEN 1 WHEN 'FORCED' THEN 2 ELSE 0 END AS delayed_durability,
    delayed_durability AS delayed_durability_desc
FROM catalog_databases ORDER BY id
