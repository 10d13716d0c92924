"""Window functions: names, types and DuckDB templates; the query translator adds the OVER clause and runs them."""

from __future__ import annotations

from sbql.engine.scalars.function_registry import WINDOW, aggregate
from sbql.grammar.types import BIGINT, FLOAT, SqlType

__all__: list[str] = []

Types = tuple[SqlType, ...]


def _first(types: Types) -> SqlType:
    return types[0]


aggregate("ROW_NUMBER", BIGINT, [], "row_number()", kind=WINDOW)
aggregate("RANK", BIGINT, [], "rank()", kind=WINDOW)
aggregate("DENSE_RANK", BIGINT, [], "dense_rank()", kind=WINDOW)
aggregate("NTILE", BIGINT, [BIGINT], "ntile({0})", kind=WINDOW)
aggregate("PERCENT_RANK", FLOAT, [], "percent_rank()", kind=WINDOW)
aggregate("CUME_DIST", FLOAT, [], "cume_dist()", kind=WINDOW)
aggregate("LAG", _first, [None, BIGINT, None], "lag({0}, {1}, {2})", optional=2, kind=WINDOW)
aggregate("LEAD", _first, [None, BIGINT, None], "lead({0}, {1}, {2})", optional=2, kind=WINDOW)
aggregate("FIRST_VALUE", _first, [None], "first_value({0})", kind=WINDOW)
aggregate("LAST_VALUE", _first, [None], "last_value({0})", kind=WINDOW)
aggregate("PERCENTILE_CONT", FLOAT, [FLOAT], "quantile_cont", kind=WINDOW)
aggregate("PERCENTILE_DISC", FLOAT, [FLOAT], "quantile_disc", kind=WINDOW)
