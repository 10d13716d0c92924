"""What exists and what is stored: catalog records, the DuckDB store, system views.

The only room that imports duckdb. It must not know the engine, clocks, chance or how a statement runs: time and
identifiers arrive as arguments.

| module | decides |
|---|---|
| `records`, `snapshot` | what objects, endpoints and messages are; the catalog at one moment |
| `bootstrap`, `first_start` | what exists before anyone creates anything; it is written to a new store |
| `store` | one DuckDB file: open, recover, submit, load, close |
| `journal`, `fold` | order and durability of broker records; how they become readable tables |
| `store_session`, `unit_of_work`, `store_protocols` | a session's connection; the user-table side of a transaction |
| `overlay` | broker tables as a transaction that changed them sees them |
| `changes`, `duck_types`, `object_codec`, `duckdb_errors` | what passes through the door, its stored form, its errors |
| `views`, `relations`, `object_rows` | system views, and the relations that they read |
| `kinds` | one row for each kind of objects: what catalog, permissions, events and messages know of it |
| `type_facets`, `permission_codes`, `event_types` | tables of facts for the views |
"""
