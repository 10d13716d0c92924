"""How statements run: compiled closures for scalars and control flow, one DuckDB statement for a query, one mechanism
for writes.

It decides what a statement means. It must not know sockets, threads, the prompt, or who drives it.
"""
