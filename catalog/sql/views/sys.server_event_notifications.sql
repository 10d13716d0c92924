-- sys.server_event_notifications: event notifications on the server.
-- column: name sysname not null
-- column: object_id int not null
-- column: parent_class tinyint not null
-- column: parent_class_desc nvarchar(60)
-- column: parent_id int not null
-- column: create_date datetime not null
-- column: modify_date datetime not null
-- column: service_name nvarchar(256) collate Latin1_General_BIN
-- column: broker_instance nvarchar(128)
-- column: principal_id int
-- column: creator_sid varbinary(85)
SELECT name, id AS object_id, 100 AS parent_class, 'SERVER' AS parent_class_desc, 0 AS parent_id,
    sbql.at(create_date) AS create_date, sbql.at(create_date) AS modify_date, service_name, broker_instance, principal_id,
    creator_sid
FROM catalog_event_notifications WHERE scope = 'SERVER'
