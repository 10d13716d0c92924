"""Aggregates: names, types and DuckDB templates; the query translator runs them.

A template computes the value from non-NULL-safe arguments already converted to the parameter types; where the T-SQL
type is narrower than DuckDB's result (SUM of int), the translator brings the result to `result_type` with its range
check (8115). MIN and MAX of strings need the order of the collation, so they have no template for text.
"""

from __future__ import annotations

from sbql.engine.scalars.function_registry import aggregate
from sbql.engine.scalars.type_rules import as_text
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, FLOAT, INT, MAX, NVARCHAR_MAX, SqlType
from sbql.grammar.values.kinds import is_national, kind, spelled

__all__: list[str] = []

Types = tuple[SqlType, ...]


def _summed(sql_type: SqlType, position: int, name: str) -> SqlType:
    """Numbers only; bit, strings and dates are 8117."""
    family = kind(sql_type)
    if sql_type.name in ("tinyint", "smallint"):
        return INT
    if sql_type.name == "smallmoney":
        return SqlType("money")
    if sql_type.name == "real":
        return FLOAT
    if family in ("int", "decimal", "money", "float"):
        return sql_type
    raise sql_error(8117, spelled(sql_type), name)


def _sum_type(types: Types) -> SqlType:
    first = types[0]
    return SqlType("decimal", precision=38, scale=first.scale) if first.name == "decimal" else first


def _avg_type(types: Types) -> SqlType:
    first = types[0]
    return SqlType("decimal", precision=38, scale=max(first.scale or 0, 6)) if first.name == "decimal" else first


def _ordered(sql_type: SqlType, position: int, name: str) -> SqlType:
    """MIN and MAX take everything that has an order, but no bit."""
    if sql_type.name in ("bit", "xml", "text", "ntext", "image"):
        raise sql_error(8117, spelled(sql_type), name)
    return sql_type


def _text_type(types: Types) -> SqlType:
    first = types[0]
    return SqlType(
        "nvarchar" if is_national(first) else "varchar",
        length=MAX if first.length == MAX else 4000 if is_national(first) else 8000,
    )


aggregate("COUNT", INT, [None], "count({0})", optional=1)
aggregate("COUNT_BIG", BIGINT, [None], "count({0})", optional=1)
aggregate("SUM", _sum_type, [_summed], "sum({0})")
aggregate("AVG", _avg_type, [_summed], None)
aggregate("MIN", lambda types: types[0], [_ordered], "min({0})")
aggregate("MAX", lambda types: types[0], [_ordered], "max({0})")
aggregate("STDEV", FLOAT, [FLOAT], "stddev_samp({0})")
aggregate("STDEVP", FLOAT, [FLOAT], "stddev_pop({0})")
aggregate("VAR", FLOAT, [FLOAT], "var_samp({0})")
aggregate("VARP", FLOAT, [FLOAT], "var_pop({0})")
aggregate("STRING_AGG", _text_type, [as_text, as_text], "string_agg({0}, {1})")
aggregate("APPROX_COUNT_DISTINCT", BIGINT, [None], "count(DISTINCT {0})")
aggregate("CHECKSUM_AGG", INT, [INT], "bit_xor({0})")
aggregate("GROUPING", SqlType("tinyint"), [None], "grouping({0})")
aggregate("GROUPING_ID", INT, [None], None)
aggregate("APPROX_PERCENTILE_CONT", FLOAT, [FLOAT], "quantile_cont")
aggregate("APPROX_PERCENTILE_DISC", FLOAT, [FLOAT], "quantile_disc")
aggregate("JSON_ARRAYAGG", NVARCHAR_MAX, [None], None)
aggregate("JSON_OBJECTAGG", NVARCHAR_MAX, [None, None], None)
