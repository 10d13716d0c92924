"""How results are to look: what -F, \\format, \\x and their like set.

It decides the names of the formats, and which of them are for programs: those get rows and nothing else.
It must not know how any is written.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

__all__ = ["FORMATS", "View", "format_named"]

FORMATS: Final = {
    "plain": "columns as sqlcmd prints them",
    "table": "fitted to the screen, with colours",
    "vertical": "a line a column",
    "csv": "comma separated values, quoted where they have to be; NULL is empty",
    "tsv": "values separated by tabs; NULL is empty",
    "json": "a JSON object a row",
    "markdown": "a table for a document",
    "html": "a table for a page or a mail",
    "parquet": "a Parquet file",
    "arrow": "an Arrow file (Feather)",
}
"""What each is, for people."""

_OTHER_NAMES: Final = {
    "vert": "vertical",
    "jsonl": "json",
    "jsonlines": "json",
    "md": "markdown",
    "htm": "html",
    "feather": "arrow",
}
_DEFAULT_NAMES: Final = frozenset({"horiz", "horizontal", "default", "auto"})
"""sqlcmd's words for what is usual."""


class View(Struct):
    """`format`: a name of FORMATS. `expanded`: whether tables turn into lines, "on", "off" or, when they are too wide,
    "auto". `limit`: how many rows of a result a screen shows, 0 for all."""

    format: str = "plain"
    expanded: str = "auto"
    decodes: bool = True
    """Binary values that hold text are shown as text, marked."""
    times: bool = False
    pages: bool = True
    limit: int = 1000
    path: str | None = None
    """The file that results go to, and nothing else does."""

    @property
    def is_for_programs(self) -> bool:
        """Whether the format is one in which messages and counts would be in the way."""
        return self.path is not None or self.format in ("csv", "tsv", "json", "markdown", "html", "parquet", "arrow")

    @property
    def is_file(self) -> bool:
        """Whether each result set is a file of its own."""
        return self.format in ("parquet", "arrow")


def format_named(name: str, *, usual: str) -> str:
    """The format that somebody calls `name`; `usual` is the one that sqlcmd's horizontal means. Raises
    ValueError, with a text for people."""
    found = name.strip().lower()
    if found in _DEFAULT_NAMES:
        return usual
    found = _OTHER_NAMES.get(found, found)
    if found not in FORMATS:
        raise ValueError(f"There is no format '{name}'. There are {', '.join(FORMATS)}, and sqlcmd's horizontal")
    return found
