"""Built-in functions: one registry for both evaluators.

Each function is registered once with its arguments, its result type and its Python implementation; a DuckDB template is
given only where DuckDB means exactly the same. `lookup` loads all topics on first use.
"""
