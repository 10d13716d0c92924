"""Server: the one process that owns a store, the doors through which others reach it,
and the clients who come through them.

`owner` is the life of a server, `doors` says what a door is, `served_session` what a client may ask,
`operations_of_doors` runs named operations; `flight_door` is the door of Arrow Flight. On the other side `client` finds
an owner and keeps one connection a process, `remote_session` is a session that runs there, `flight_client` the
transport. Both sides share `endpoint` (where an owner is), `messages` (requests and outcomes as bytes) and `addresses`.
It must not know how statements run, nor what a table is: it has sessions and their outcomes.

Data flows from a door to a session as requests, and back as outcomes in the order in which they arise. Only
the two Flight modules import pyarrow.
"""
