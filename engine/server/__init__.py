"""Server: the one process that owns a store, the doors through which others reach it,
and the clients who come through them.

- The server: `owner` is its life, `doors` says what a door is, `served_session` what a client may ask.
  `operation_calls` runs named operations. `flight_door` is the door of Arrow Flight, `tds_door` that of TDS.
- The client: `client` finds an owner and keeps one connection a process. `remote_session` is a session that runs there,
  `flight_client` the transport. `tds_client`, `tds_session` and `tds_instance` are the same over TDS.
- Both share `endpoint` (where an owner is) and `messages` (requests and outcomes as bytes).

It must not know how statements run, nor what a table is: it has sessions and their outcomes.

Data flows from a door to a session as requests, and back as outcomes in the order in which they arise. Only
the two Flight modules import pyarrow.
"""
