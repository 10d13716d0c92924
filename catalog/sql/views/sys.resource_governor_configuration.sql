-- sys.resource_governor_configuration: the resource governor is off.
-- column: classifier_function_id int not null
-- column: is_enabled bit not null
-- column: max_outstanding_io_per_volume int
SELECT 0 AS classifier_function_id, false AS is_enabled, 0 AS max_outstanding_io_per_volume
