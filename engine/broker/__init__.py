"""Service Broker's rules: dialogs, groups, queues, delivery, timers and activation decisions, over state in memory.

Decides what every broker statement does and when others see it. Inside, the direction is conversation_state,
catalog_index, ready_index <- state <- change_log <- holdings <- endpoint_changes <- acceptance <- targets <- delivery
<- outgoing <- begin_dialog, monolog_publisher, monolog_subscription <- transaction <- one module for each other
statement. Must not know T-SQL, DuckDB, threads or sockets; clock, chance and GUIDs come from the Host.

The middle of it:

| module | decides |
|---|---|
| `conversation_state`, `catalog_index`, `ready_index` | states as a table; what is looked up again and again |
| `state`, `mutex` | the memory of an instance, and how it is waited for |
| `memory_keys`, `group_members` | by which numbers it finds things; the conversations of a group |
| `ready_messages`, `queue_waiters` | what ready messages are kept in; who waits for them |
| `change_log`, `holdings` | what a transaction has changed, and what it has in its hands |
| `endpoint_changes`, `acceptance`, `targets` | one endpoint; what an arrival does to it; how one is opened |
| `arrival`, `many_messages`, `delivery`, `outgoing` | what is on its way, and when it goes |
| `out_of_step` | numbers that do not follow each other |
| `transaction` | commit and rollback |

Statements:

| module | decides |
|---|---|
| `begin_dialog`, `send`, `bulk_send`, `receive`, `get_conversation_group` | one statement each, and SEND in bulk |
| `end_conversation`, `move_conversation`, `conversation_timer` | the others |
| `ddl_effects`, `restoring` | what definitions and restored databases do to conversations |

Rules:

| module | decides |
|---|---|
| `routing`, `route_requests`, `route_dialogs`, `priority` | where messages go, and which go first |
| `queue_monitor`, `poison` | activation, and queues that are switched off |
| `deadlines` | timers, lifetimes, retries |
| `validation`, `system_messages` | bodies |
| `permissions`, `dialog_security` | what the broker asks about rights and keys |
| `event_notifications`, `query_notifications` | messages of the broker's own |
| `trace`, `counters` | what is told of it all |

Other instances, monologs, consumers:

| module | decides |
|---|---|
| `far_side`, `incoming`, `remote`, `held_arrivals` | dialogs with other instances |
| `held_errors` | what a database that takes no part is told later |
| `monolog`, `monolog_publisher`, `monolog_subscription`, `monolog_delivery` | monologs |
| `monolog_errors`, `monolog_retention`, `monolog_work`, `far_monologs` | more of them |
| `consumers`, `consumer_choice`, `consumer_delivery`, `delivery_log` | readers whose RECEIVE outlives crashes |
| `answered_requests` | requests that are run once |

Memory and the store:

| module | decides |
|---|---|
| `state_loading`, `folds` | what comes from the store, and what leaves the memory around a fold |
| `paging`, `row_paging`, `stored_run`, `transmission_rows` | messages that are only in the store |
| `resting`, `brake`, `unread_store` | conversations that are not in memory |
| `idle_store`, `idle_endpoint`, `packed_endpoint`, `slots`, `chains`, `agenda` | packed records |
"""
