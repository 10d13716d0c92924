-- An endpoint on either machine, which lets in the instances of the domain.
--! instance Trader
CREATE ENDPOINT TradingEndpoint STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
--! instance DMBroker
CREATE ENDPOINT TradingEndpoint STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);
GO
