"""System procedures that are written in T-SQL: the files of sql/procedures.

Decides how such a file is found and read: `sys.<name>.sql` holds one CREATE PROCEDURE, after comments that say what it
is for. The engine compiles and runs it as it does a user's procedure, in the database of its caller. A line
`-- part: name` stands for the lines of `parts/<name>.sql`, which several procedures have; its first is a comment.

It must not know what the text means: that is the engine's.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["procedure_names", "procedure_text"]


_FOLDER = Path(__file__).parent / "sql" / "procedures"
_PART = "-- part: "


@cache
def procedure_names() -> frozenset[str]:
    """The lower-case names of all of them, without the schema sys."""
    return frozenset(
        entry.name[len("sys.") : -len(".sql")] for entry in _FOLDER.iterdir() if entry.name.endswith(".sql")
    )


@cache
def procedure_text(name: str) -> str:
    """The text of the file of a procedure, named as in `procedure_names`, with its parts."""
    lines = _FOLDER.joinpath(f"sys.{name}.sql").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(_part(line.removeprefix(_PART).strip()) if line.startswith(_PART) else line for line in lines)


@cache
def _part(name: str) -> str:
    _, lines = _FOLDER.joinpath("parts", f"{name}.sql").read_text(encoding="utf-8").split("\n", 1)
    return lines
