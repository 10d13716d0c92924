-- An endpoint that is STARTED does not listen, as there is no network: whoever starts it is told, and so is the error log.
CREATE ENDPOINT Broker STATE = STOPPED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
PRINT 'stopped';
GO
--! print stopped
ALTER ENDPOINT Broker STATE = STARTED;
SELECT state_desc FROM sys.endpoints WHERE name = 'Broker';
GO
--! rows
--! STARTED
--! print nothing listens on port 4022
--! log 0 nothing listens on port 4022
DROP ENDPOINT Broker;
CREATE ENDPOINT Broker STATE = STARTED AS TCP (LISTENER_PORT = 4023) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! print nothing listens on port 4023
