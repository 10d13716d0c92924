"""The query translator: T-SQL queries become one typed DuckDB statement with bound parameters.

`translate_query` for a query, `translate_target_query` for the search of UPDATE, DELETE and MERGE, `fetch` to run
either for a frame, `compile_subquery` for scalar closures that hold a query.
"""

import sbql.engine.execution.translate.closures  # noqa: F401  (registers the compiler of subqueries)
from sbql.engine.execution.translate.api import (
    TargetQuery,
    check_inline_function,
    check_view,
    fetch,
    translate_query,
    translate_target_query,
)
from sbql.engine.execution.translate.typed import TranslatedQuery

__all__ = [
    "TargetQuery",
    "TranslatedQuery",
    "check_inline_function",
    "check_view",
    "fetch",
    "translate_query",
    "translate_target_query",
]
