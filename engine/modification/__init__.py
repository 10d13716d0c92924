"""Writes: INSERT, UPDATE, DELETE and MERGE as row images that one mechanism checks, locks and applies; and the shapes of
tables that they are checked against.

It decides which rows a write makes, what they must satisfy, and which locks it takes. It must not know how a query finds
its rows (`translate`) or which statement asked (`handlers`). Data flows from `sources` and `search` to `images`, through
`checks`, `keys` and `foreign_keys`, to `stored_rows` or `table_variables`, and from there to `triggers` and `output`.
"""
