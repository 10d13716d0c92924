"""Cursors in notebooks: what a cell shows that ends with one.

It decides what is said when there is no result set; how tables look is `engine.result_html`'s.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.result_html import html_note, html_table

__all__ = ["cursor_html"]


def cursor_html(cursor: Any) -> str:
    """The current result set of a `dbapi.Cursor`, which can be fetched all the same."""
    if cursor._closed:
        return html_note("a closed cursor")
    if not cursor._results:
        return html_note(f"{cursor.rowcount} rows affected" if cursor.rowcount >= 0 else "no result set")
    return html_table(cursor._results[0].columns, cursor._results[0].rows)
