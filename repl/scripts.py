"""Scripts: reading them from files, and their batches with the places they come from.

It decides how files are found and decoded, what is said when they are not, and what `$(name)` stands for at the start. Where a batch ends, and what :setvar, :r
and $(name) do, is decided by `sbql.grammar.batches`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sbql.grammar.batches import BatchText, Break, Directive, ScriptVariables, split
from sbql.grammar.errors import SqlError
from sbql.repl.render import Place

if TYPE_CHECKING:
    from sbql.repl.options import Options

__all__ = [
    "Script",
    "ScriptBatch",
    "ScriptError",
    "not_supported",
    "read_script",
    "read_text",
    "starting_variables",
    "text_script",
]


class ScriptError(Exception):
    """A script that cannot be read or split. The text has its place."""


@dataclass(frozen=True, slots=True)
class ScriptBatch:
    """A batch, and where it stands: line 1 of its text is line `line` of `file`. `breaks`: as in BatchText."""

    text: str
    file: str
    line: int
    count: int = 1
    exits_on_error: bool = False
    breaks: tuple[Break, ...] = ()

    @property
    def place(self) -> Place:
        return Place(self.file, self.line, self.breaks)

    def without_lines(self, count: int) -> ScriptBatch:
        """The batch without its first lines."""
        file, line = self.place.at(count + 1)
        breaks = tuple((at - count, source, there) for at, source, there in self.breaks if at > count + 1)
        return replace(self, text="\n".join(self.text.split("\n")[count:]), file=file, line=line, breaks=breaks)


class Script:
    """A text with a name, which says where its includes are looked for. A ScriptVariables is changed by its :setvar
    lines; of another mapping, a copy."""

    def __init__(self, text: str, name: str, variables: Mapping[str, str] | None, substitutes: bool = True) -> None:
        self.text = text
        self.name = name
        self.variables = variables if isinstance(variables, ScriptVariables) else ScriptVariables(variables)
        self._substitutes = substitutes

    def batches(self) -> Iterator[ScriptBatch]:
        """The batches in order, for who has no use for other directives. Raises ScriptError for those too."""
        for step in self.steps():
            if isinstance(step, ScriptBatch):
                yield step
            elif step.name not in ("quit", "exit"):
                raise not_supported(step)

    def steps(self) -> Iterator[ScriptBatch | Directive]:
        """The batches and the directives for the runner in order, up to :quit and :exit; each is split off when it is
        asked for. Raises ScriptError."""
        exits_on_error = False
        included: list[str] = []

        def read(path: str) -> str:
            included.append(path)
            return read_text(path)

        try:
            for part in split(
                self.text, variables=self.variables, read_file=read, source=self.name, substitutes=self._substitutes
            ):
                if isinstance(part, BatchText):
                    yield ScriptBatch(part.text, part.source, part.first_line, part.count, exits_on_error, part.breaks)
                elif part.name == "on error":
                    exits_on_error = part.argument == "exit"
                else:
                    yield part
                    if part.name in ("quit", "exit"):
                        return
        except SqlError as error:
            place = (
                f"{self.name}:{error.line}"
                if not included
                else f"{self.name} or a file that it includes, line {error.line}"
            )
            raise ScriptError(f"{place}: {error.message}") from None


def starting_variables(options: Options, server: str) -> ScriptVariables:
    """What $(name) stands for at the start: the environment, sqlcmd's own variables, -v; the later ones win."""
    variables = ScriptVariables(os.environ if options.skips_programs is None else None)
    variables.update(
        {
            "SQLCMDSERVER": server,
            "SQLCMDDBNAME": options.database,
            "SQLCMDUSER": "",
            "SQLCMDHEADERS": str(options.headers),
            "SQLCMDCOLSEP": options.separator,
            "SQLCMDERRORLEVEL": str(options.shown_severity),
        }
    )
    variables.update(options.variables)
    return variables


def not_supported(directive: Directive) -> ScriptError:
    """The error for a directive that is not carried out here."""
    written = directive.name if directive.name == "!!" else f":{directive.name}"
    if directive.argument and directive.name != "list":
        written += f" {directive.argument}"
    return ScriptError(f"{directive.source}:{directive.line}: {written} is not supported")


def read_script(
    path: str | os.PathLike[str], variables: Mapping[str, str] | None = None, *, substitutes: bool = True
) -> Script:
    """The script in a file. Raises ScriptError when it cannot be read."""
    name = os.fspath(path)
    try:
        return Script(read_text(name), name, variables, substitutes)
    except OSError as error:
        raise ScriptError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None


def text_script(
    text: str, name: str, variables: Mapping[str, str] | None = None, *, substitutes: bool = True
) -> Script:
    """A script that is in no file; it includes files from the present folder."""
    return Script(text, name, variables, substitutes)


def read_text(path: str) -> str:
    """A file's text: UTF-16 with a byte order mark (as Management Studio saves it), else UTF-8, else Windows-1252.

    Raises OSError.
    """
    data = _path(path).read_bytes()
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _path(name: str) -> Path:
    """A name with Windows' separators also means the file where separators are slashes."""
    path = Path(name)
    return path if os.sep == "\\" or "\\" not in name or path.exists() else Path(name.replace("\\", "/"))
