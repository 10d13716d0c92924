-- sys.service_queue_usages: the queue of every service.
-- column: service_id int not null
-- column: service_queue_id int not null
SELECT id AS service_id, queue_id AS service_queue_id FROM catalog_services WHERE database_id = $database_id
