"""What exists and what is stored: catalog records, the DuckDB store, system views.

The only room that imports duckdb. It must not know the engine, clocks, chance or how a statement runs: time and
identifiers arrive as arguments.
"""
