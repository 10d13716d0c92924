-- Of the procedures for drivers since SQL Server 2005: CLR types, which there are none of, and the XML schema collection x.
    CAST(NULL AS nvarchar(128)) AS SS_UDT_CATALOG_NAME, CAST(NULL AS nvarchar(128)) AS SS_UDT_SCHEMA_NAME,
    CAST(NULL AS nvarchar(4000)) AS SS_UDT_ASSEMBLY_TYPE_NAME, CAST(IIF(x.name IS NULL, NULL, DB_NAME()) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_CATALOG_NAME,
    CAST(SCHEMA_NAME(x.schema_id) AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_SCHEMA_NAME, CAST(x.name AS nvarchar(128)) AS SS_XML_SCHEMACOLLECTION_NAME,
