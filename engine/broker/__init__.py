"""Service Broker's rules: dialogs, groups, queues, delivery, timers and activation decisions, over state in memory.

Decides what every broker statement does and when others see it. Inside, the direction is conversation_state,
catalog_index, ready_index <- state <- change_log <- holdings <- endpoint_changes <- acceptance <- targets <- delivery
<- outgoing <- begin_dialog, monolog_publisher, monolog_subscription <- transaction <- one module for each other
statement. Must not know T-SQL, DuckDB, threads or sockets; clock, chance and GUIDs come from the Host.
"""
