-- sys.time_zone_info: time zones. Differs: those of the system's time zone database.
-- column: name sysname not null
-- column: current_utc_offset nvarchar(6) not null
-- column: is_currently_dst bit not null
SELECT name, current_utc_offset, is_currently_dst FROM live_time_zones
