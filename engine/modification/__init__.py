"""Modification: INSERT, UPDATE, DELETE, MERGE, TRUNCATE and BULK INSERT, through one mechanism.

It decides which rows a write makes, what they must satisfy, which locks it takes, in which order checks, writes and
triggers come, and what OUTPUT shows. It must not know how a query finds its rows (`query`), nor how a trigger's body is
compiled.

Data flows from `sources` and `search` to row images, through `checks`, `keys` and `foreign_keys` in `row_changes`, to
`stored_rows` or a table variable, and from there to `triggers` and `output`.

| module | decides |
|---|---|
| `insert`, `update`, `delete`, `merge`, `merge_join`, `truncate` | a statement each; the join of MERGE |
| `bulk_insert`, `bulk_rows`, `insert_bulk`, `client_rows` | rows of a file, and rows that clients send |
| `statement`, `nested`, `private_writes` | a write as a statement, inside of another one, without a transaction |
| `target`, `insert_targets`, `writable`, `views` | what is written to |
| `sources`, `search`, `set_plan`, `large_values` | which rows, and what they become |
| `row_changes`, `stored_rows` | the one mechanism for writes, row by row |
| `checks`, `keys`, `key_memory`, `key_bits`, `foreign_keys`, `locking` | what rows must satisfy, and what is locked |
| `one_thread` | OPTION (MAXDOP 1) |
| `identity_values`, `identity_insert` | identity columns |
| `triggers`, `output`, `output_into` | what follows |
| `expectation`, `set_insert`, `set_changes`, `set_merge`, `set_joins` | writes as a set |
| `set_checks`, `set_columns`, `set_completion`, `set_sequences` | the rows of a set: checks and values |
| `set_rows`, `set_output` | what OUTPUT shows of a set |
"""
