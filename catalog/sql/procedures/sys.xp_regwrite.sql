-- xp_regwrite: sets SSB\TransportEnabled, which starts and stops the Service Broker endpoint; other values cannot be written.
CREATE PROCEDURE sys.xp_regwrite @rootkey nvarchar(128), @key nvarchar(4000), @value_name nvarchar(4000), @type nvarchar(20), @value nvarchar(4000)
AS EXTERNAL NAME sbql.windows_registry.xp_regwrite
