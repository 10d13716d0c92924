"""The query translator: T-SQL queries become one typed DuckDB statement with bound parameters.

`translate_query` for a query, `translate_target_query` for the search of UPDATE, DELETE and MERGE, `fetch` to run
either for a frame, `compile_subquery` for scalar closures that hold a query.
"""
