"""Server: the one process that owns a store, the doors through which others reach it,
and the clients who come through them.

| the server | decides |
|---|---|
| `owner`, `loop_thread` | its life, and who drives a virtual clock |
| `doors`, `entry`, `token_file`, `certificates` | what a door is, and who is let in |
| `owned_session`, `served_session`, `served_listener`, `operation_calls` | what clients may ask |
| `flight_door` | the door of Arrow Flight |
| `tds_door`, `tds_setup`, `tds_login`, `tds_connection`, `tds_answer` | the door of TDS, SQL Server's protocol |
| `tds_calls`, `tds_tables`, `tds_bulk`, `tds_transactions` | its requests |

| the client | decides |
|---|---|
| `client`, `elsewhere`, `hearing` | how an owner is found, one connection a process |
| `remote_instance`, `remote_session`, `remote_listener`, `flight_client` | what runs there, over Arrow Flight |
| `tds_instance`, `tds_session`, `tds_listener`, `tds_client`, `tds_lookups` | the same over TDS |

| both, and the network | decides |
|---|---|
| `endpoint`, `messages`, `transport`, `tds_channel` | where an owner is, and how bytes get there |
| `silence`, `forks` | when the other side is taken for dead; processes that are forked |
| `broker_network`, `tcp_network`, `domain` | the network between instances on the system's clock |

It must not know how statements run, nor what a table is: it has sessions and their outcomes.

Data flows from a door to a session as requests, and back as outcomes in the order in which they arise. Only
the two Flight modules import pyarrow.
"""
