"""All tables of examples by topic."""

from __future__ import annotations

from oracle import (
    topic_changes,
    topic_conversion,
    topic_dates,
    topic_errors,
    topic_fractions,
    topic_functions,
    topic_json,
    topic_numbers,
    topic_queries,
    topic_scalars,
    topic_server,
    topic_strings,
    topic_types,
    topic_xml,
    topic_xquery,
)

TOPICS: dict[str, list[tuple[str, ...]]] = {
    "changes": topic_changes.EXAMPLES,
    "conversion": topic_conversion.EXAMPLES,
    "dates": topic_dates.EXAMPLES,
    "errors": topic_errors.EXAMPLES,
    "functions": topic_functions.EXAMPLES,
    "fractions": topic_fractions.EXAMPLES,
    "json": topic_json.EXAMPLES,
    "numbers": topic_numbers.EXAMPLES,
    "queries": topic_queries.EXAMPLES,
    "scalars": topic_scalars.EXAMPLES,
    "server": topic_server.EXAMPLES,
    "strings": topic_strings.EXAMPLES,
    "types": topic_types.EXAMPLES,
    "xml": topic_xml.EXAMPLES,
    "xquery": topic_xquery.EXAMPLES,
}
