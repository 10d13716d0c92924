"""Meaning comes from the tree: regular expressions look at values, documents and
lines, never at T-SQL or generated SQL.

A new `import re` needs a line here that says what it reads. For T-SQL there are the lexer and the tree
(`grammar.tree`), for names in generated SQL marks (`catalog.marked_sql`), for DuckDB's errors `catalog.duckdb_errors`.
"""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")

TEXT_OF_T_SQL = {
    "grammar/lexer.py": "the lexer itself: the one place that reads T-SQL by patterns",
    "grammar/classifier.py": "the lexer's other half: which word stands where",
    "grammar/batches.py": "the splitter: $(variables) and arguments of directives",
    "grammar/script_lines.py": "GO and the directives of sqlcmd are lines, not T-SQL",
    "grammar/tables.py": "the version in lark's own source, and lark's report on conflicts",
    "repl/highlight.py": "colours for a text that is being typed",
}
OTHERS = {
    "catalog/duckdb_errors.py": "DuckDB's error texts",
    "catalog/function_errors.py": "the number by which a registered function left its error, in DuckDB's text",
    "catalog/write_ahead_log.py": "the byte of a damaged log, in DuckDB's text",
    "catalog/duck_types.py": "names of types in view headers; digits of a stored time",
    "catalog/views.py": "the headers and bodies of our own view files, when they are loaded",
    "repl/options.py": "assignments on the command line",
    "repl/testing/directives.py": "directives of scripts with expectations, which are comments",
    "repl/testing/expectations.py": "cells of expected rows",
}
VALUES = {
    "engine/broker/routing.py": "addresses of routes",
    "engine/modification/bulk_rows.py": "lines and fields of data files",
    "engine/documents/for_json.py": "characters that JSON escapes",
    "engine/functions/formatting.py": "formats of FORMAT",
    "engine/native/formats.py": "formats of FORMAT, for DuckDB",
    "engine/functions/parsing.py": "numbers and dates of PARSE",
    "engine/functions/strings.py": "patterns of LIKE and PATINDEX; parts of a name that is a value (PARSENAME, OBJECT_ID)",
    "engine/batch/control_flow.py": "the time of WAITFOR DELAY",
    "engine/scalars/conversion.py": "names of months in a text that becomes a date",
    "engine/system/extended.py": "formats of xp_sprintf and xp_sscanf",
    "engine/system/operations.py": "times of sp_purge_… procedures",
    "catalog/stored_text.py": "halves of surrogate pairs in values",
    "grammar/values/collation.py": "characters that DuckDB folds as T-SQL does, in values",
    "grammar/values/date_text.py": "dates in texts",
    "grammar/values/like.py": "LIKE patterns become regular expressions",
    "grammar/values/like_regex.py": "places of LIKE patterns are tried on single characters",
    "grammar/values/numbers.py": "numbers in texts",
    "grammar/values/printf.py": "formats of RAISERROR and FORMATMESSAGE",
    "grammar/values/text_conversions.py": "GUIDs, numbers and dates in texts",
    "grammar/values/utf16.py": "supplementary characters in values",
}
XML_AND_JSON = {
    "engine/documents/for_xml_checks.py", "engine/documents/for_xml_explicit.py", "engine/documents/for_xml_names.py",
    "engine/documents/for_xml_parts.py", "engine/documents/open_xml.py",
    "engine/documents/xsd_patterns.py", "engine/documents/xml_canonical.py", "engine/documents/xml_schema_documents.py", "engine/documents/xml_schemas.py",
    "engine/documents/xquery/moments.py", "engine/documents/xquery/reader.py", "engine/documents/xquery/shortcuts.py",
    "grammar/values/json_light.py", "grammar/values/json_places.py", "grammar/values/json_text.py", "grammar/values/xml_encoding.py", "grammar/values/xml_plain.py", "grammar/values/xml_text.py",
}  # fmt: skip
"""Documents, schemas and XQuery: languages of their own, with readers of their own."""


def imports_re(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import) and any(alias.name in ("re", "regex") for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module in ("re", "regex"):
            return True
    return False


def test_regular_expressions_read_no_sql() -> None:
    """Both ways: no other module uses them, and no line here is stale."""
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    found = {str(path.relative_to(ROOT)) for path in files if imports_re(path)}
    assert found == {*TEXT_OF_T_SQL, *OTHERS, *VALUES, *XML_AND_JSON}
