"""Definition: CREATE, ALTER and DROP of everything, permissions, keys, backups, and SELECT INTO.

It decides which names may be made, who may make them, and what becomes of rows, dependants and conversations when a
definition changes. Every statement is one transaction over the catalog (`ddl`), which tells DDL triggers and event
notifications what it did (`ddl_events`). It must not know how a body runs or how a query is translated.

Data flows from a statement's tree to a new record in the transaction's snapshot, and
to DuckDB's DDL in its unit of work.
"""
