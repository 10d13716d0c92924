"""The language: spelling, syntax tree, printer, batch splitter, SQL types and values, message numbers.

This room knows text and values. It must not know the catalog, the engine, DuckDB, clocks or sockets.
"""
