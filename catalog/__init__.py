"""What exists and what is stored: catalog records, the DuckDB store, system views.

The only room that imports duckdb. It must not know the engine, clocks, chance or how a statement runs: time and
identifiers arrive as arguments.

What exists:

| module | decides |
|---|---|
| `records`, `snapshot` | what objects, endpoints and messages are; the catalog at one moment |
| `kinds` | one row for each kind of objects: what catalog, permissions, events and messages know of it |
| `bootstrap`, `first_start` | what exists before anyone creates anything; it is written to a new store |
| `type_facets`, `permission_codes`, `event_types`, `trace_event_types` | tables of facts for the views |

What views and procedures of the system show:

| module | decides |
|---|---|
| `views`, `procedures` | the files of `sql/views` and `sql/procedures` |
| `relations`, `object_rows`, `partition_rows`, `security_rows` | the tables `catalog_…`, made from a snapshot |
| `live_relations` | the tables `live_…`, which the engine fills |
| `live_counts` | those of them that tell numbers: rows of tables, values of sequences and identities |

The store as a whole:

| module | decides |
|---|---|
| `store` | one DuckDB file: open, recover, submit, load, close |
| `store_file`, `new_store`, `file_header`, `write_ahead_log` | the file, how it comes to be, what may be torn |
| `open_stores`, `kept_folders`, `synced_file` | whose files are whose, and when they are on disk |
| `store_port`, `checkpoint_room`, `duckdb_client`, `memory_limit` | the one way to DuckDB and the file system |
| `store_image`, `backup_file`, `salvage` | copies: for tests, for BACKUP, of a damaged store |
| `losses`, `duckdb_errors` | what an error of the disk means, and what an error of DuckDB is called |
| `stored_log` | the error log |
| `kept_counters` | counters of user tables as they were at closing, and the ends of their blocks since |

Records of the broker and of the catalog, from a commit to the tables:

| module | decides |
|---|---|
| `journal`, `record_writer`, `interrupts` | order and durability of commits |
| `broker_log`, `log_frames`, `log_ring`, `newer_log` | the file of commits that change the broker alone |
| `fold`, `fold_deliveries`, `journal_rows`, `net_effect`, `row_columns`, `unfolded` | how they become rows of tables |
| `broker_tables`, `object_table`, `object_codec` | which record is a row of which table, and its stored form |
| `stored_state`, `stored_messages`, `message_counts` | reading it all back |
| `unread_endpoints`, `unread_messages` | what stays in its table when a store is opened |
| `staging`, `staged_batch`, `bulk_append`, `bulk_messages` | messages in bulk |

A session and its transaction over user tables:

| module | decides |
|---|---|
| `store_session`, `store_protocols`, `inner_connections` | a session's connections |
| `unit_of_work`, `pending_rows`, `own_rows` | what a transaction has done to tables, and who sees it |
| `changes`, `applied_changes`, `redo_runs`, `in_place`, `row_statements`, `found_rows` | a change on its way there |
| `overlay`, `marked_sql` | what a name in a query stands for |
| `stamps`, `change_feed` | who learns of a commit |
| `duck_types`, `stored_text` | values on their way in and out |
| `functions`, `function_errors` | Python functions that DuckDB calls |
| `statements`, `parallelism` | texts that are parsed once, and how many threads one has |
| `row_cache`, `row_pages`, `row_groups`, `row_numbers`, `key_places` | rows, and the places of rows, kept in memory |
| `first_row`, `in_turn` | small helps: one row of a query; steps that are all done, whatever fails |
"""
