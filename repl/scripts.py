"""Scripts: reading them from files, and their batches with the places they come from.

It decides how files are found and decoded and what is said when they are not. Where a batch ends, and what :setvar, :r
and $(name) do, is decided by `sbql.grammar.batches`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sbql.grammar.batches import BatchText, split
from sbql.grammar.errors import SqlError
from sbql.repl.render import Place

__all__ = ["Script", "ScriptBatch", "ScriptError", "read_script", "read_text", "text_script"]


_SETVAR = re.compile(r"\s*:setvar\s+(?P<name>[^\s\"]+)", re.I)


class ScriptError(Exception):
    """A script that cannot be read or split. The text has its place."""


@dataclass(frozen=True, slots=True)
class ScriptBatch:
    """A batch, and where it stands: line 1 of its text is line `line` of `file`."""

    text: str
    file: str
    line: int
    count: int = 1
    exits_on_error: bool = False

    @property
    def place(self) -> Place:
        return Place(self.file, self.line)

    def without_lines(self, count: int) -> ScriptBatch:
        """The batch without its first lines."""
        return replace(self, text="\n".join(self.text.split("\n")[count:]), line=self.line + count)


class Script:
    """A text with a name, which says where its includes are looked for."""

    def __init__(self, text: str, name: str, variables: Mapping[str, str] | None) -> None:
        self.text = text
        self.name = name
        self.variables = dict(variables or {})

    def batches(self) -> Iterator[ScriptBatch]:
        """The batches in order; each is split off when it is asked for. Raises ScriptError."""
        exits_on_error = False
        included: list[str] = []

        def read(path: str) -> str:
            included.append(path)
            return read_text(path)

        try:
            for part in split(self.text, variables=self.variables, read_file=read, source=self.name):
                if isinstance(part, BatchText):
                    yield ScriptBatch(part.text, part.source, part.first_line, part.count, exits_on_error)
                elif part.name == "on error":
                    exits_on_error = part.argument == "exit"
                elif part.name in ("quit", "exit") and not part.argument:
                    return
                else:
                    written = f":{part.name} {part.argument}".rstrip()
                    raise ScriptError(f"{part.source}:{part.line}: {written} is not supported")
        except SqlError as error:
            place = (
                f"{self.name}:{error.line}"
                if not included
                else f"{self.name} or a file that it includes, line {error.line}"
            )
            raise ScriptError(f"{place}: {error.message}") from None

    def variables_after(self) -> dict[str, str]:
        """The variables as its :setvar lines leave them, those of included files aside."""
        lines = [line for line in self.text.splitlines() if _SETVAR.match(line)]
        result = {**self.variables, **{found["name"]: "" for line in lines if (found := _SETVAR.match(line))}}
        for name in list(result):
            probe = "\n".join([*lines, f"$({name})", "GO"])
            try:
                (value,) = (part.text for part in split(probe, variables=self.variables) if isinstance(part, BatchText))
            except (SqlError, ValueError):
                del result[name]  # unset, or empty
            else:
                result[name] = value
        return result


def read_script(path: str | os.PathLike[str], variables: Mapping[str, str] | None = None) -> Script:
    """The script in a file. Raises ScriptError when it cannot be read."""
    name = os.fspath(path)
    try:
        return Script(read_text(name), name, variables)
    except OSError as error:
        raise ScriptError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None


def text_script(text: str, name: str, variables: Mapping[str, str] | None = None) -> Script:
    """A script that is in no file; it includes files from the present folder."""
    return Script(text, name, variables)


def read_text(path: str) -> str:
    """A file's text: UTF-16 with a byte order mark (as Management Studio saves it), else UTF-8, else Windows-1252.

    Raises OSError.
    """
    data = Path(path).read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")
