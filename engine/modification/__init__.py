"""Modification: INSERT, UPDATE, DELETE, MERGE, TRUNCATE and BULK INSERT, through one mechanism.

It decides which rows a write makes, what they must satisfy, which locks it takes, in which order checks, writes and
triggers come, and what OUTPUT shows. It must not know how a query finds its rows (`query`), nor how a trigger's body is
compiled.

Data flows from `sources` and `search` to row images, through `checks`, `keys` and `foreign_keys` in `row_changes`, to
`stored_rows` or a table variable, and from there to `triggers` and `output`.
"""
