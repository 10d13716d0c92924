-- sys.monolog_subscriptions: the subscriptions of the current database's services (sbql's own view, see docs/monologs.md).
-- far_broker_instance is empty when any will do; joined counts the monolog endpoints that the subscription has.
-- column: subscription_handle uniqueidentifier not null
-- column: service_id int not null
-- column: service_contract_id int not null
-- column: far_service nvarchar(256) collate Latin1_General_BIN not null
-- column: far_broker_instance nvarchar(128)
-- column: start tinyint not null
-- column: start_desc nvarchar(60) not null
-- column: principal_id int not null
-- column: create_date datetime not null
-- column: joined bigint not null
SELECT s.handle AS subscription_handle, s.service_id, s.contract_id AS service_contract_id, s.far_service,
    s.broker_instance AS far_broker_instance, s.from_retained::UTINYINT AS start,
    CASE WHEN s.from_retained THEN 'RETAINED' ELSE 'NOW' END AS start_desc, s.principal_id,
    sbql.at(s.create_date) AS create_date, coalesce(m.endpoints, 0) AS joined
FROM catalog_monolog_subscriptions s
LEFT JOIN (
    SELECT subscription_handle AS handle, database_id, count(*) AS endpoints
    FROM broker_monolog_members WHERE role = 'S' GROUP BY ALL
) m USING (handle, database_id)
WHERE s.database_id = $database_id
