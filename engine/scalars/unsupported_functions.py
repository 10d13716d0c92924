"""Built-in functions of SQL Server that are not here, so that an error can name the feature instead of saying that
there is no such function. They belong to features that make no sense in one DuckDB file: assemblies, full-text,
FILESTREAM, audits, partitions."""

from __future__ import annotations

__all__ = ["MISSING_FUNCTIONS"]

MISSING_FUNCTIONS = frozenset(
    {
        "ASSEMBLYPROPERTY", "FILEPROPERTYEX", "GET_FILESTREAM_TRANSACTION_CONTEXT", "PUBLISHINGSERVERNAME", "TERTIARY_WEIGHTS",
        "TEXTPTR", "TEXTVALID", "VERSION",
    }
)  # fmt: skip
"""Names in upper case."""
