"""Cursors: a query that is read row by row, and written through.

It decides what kind of cursor a query can be, which row stands where after a FETCH, what WHERE CURRENT
OF means and what OPTIMISTIC refuses. It must not know the statements that open and fetch
(`batch.cursors`), nor how a row is changed.

Data flows from a translated query (`cursor_plan`) through `cursor_rows` and `dynamic_rows`, which read ahead, to the
row that a FETCH gives; `cursor_changes` tells what commits have changed meanwhile.
"""
