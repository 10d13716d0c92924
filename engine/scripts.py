"""Scripts: reading them from files, and running their batches one after the other.

It decides how files are found and decoded, what is said when they are not, and when a run ends early. Where a batch
ends, where its lines come from, and what :setvar, :r and $(name) do, is decided by `sbql.grammar.batches`. It must not
know who runs a batch, nor where outcomes go.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.running_lines import came_from
from sbql.grammar.batches import BatchText, Directive, ScriptReader, ScriptVariables
from sbql.grammar.errors import SqlError

__all__ = [
    "Failure",
    "Script",
    "ScriptError",
    "TypedScript",
    "not_supported",
    "read_script",
    "read_text",
    "run_batches",
    "text_script",
]


_STORE = b"DUCK"
"""What a file of DuckDB has behind its first eight bytes."""


class ScriptError(Exception):
    """A script that cannot be read or split. The text has its place."""


class Failure(Struct, frozen=True):
    """An error, and the batch that raised it."""

    error: SqlError
    batch: BatchText


class Script:
    """A text with a name, which says where its includes are looked for. A ScriptVariables is changed by its :setvar
    lines; of another mapping, a copy."""

    def __init__(
        self,
        text: str,
        name: str,
        variables: Mapping[str, str] | None,
        substitutes: bool = True,
        encoding: str | None = None,
    ) -> None:
        """`encoding`: of the files that it includes, see `read_text`."""
        self.text = text
        self.name = name
        self.variables = variables if isinstance(variables, ScriptVariables) else ScriptVariables(variables)
        self._substitutes = substitutes
        self._encoding = encoding

    def batches(self) -> Iterator[BatchText]:
        """The batches in order, for who has no use for other directives. Raises ScriptError for those too."""
        for step in self.steps():
            if isinstance(step, BatchText):
                yield step
            elif step.name not in ("quit", "exit"):
                raise not_supported(step)

    def steps(self) -> Iterator[BatchText | Directive]:
        """The batches and the directives for the runner in order, up to :quit and :exit; each is split off when it is
        asked for. Raises ScriptError."""
        included: list[str] = []
        reader = _reader(self.variables, included, self._substitutes, self._encoding)

        def parts() -> Iterator[BatchText | Directive]:
            yield from reader.read(self.text, self.name)
            yield from reader.close()

        return _up_to_the_end(parts(), self.name, included)


class TypedScript:
    """What somebody types: input after input, with the rules of a script. `variables` is changed as by a Script."""

    def __init__(self, variables: ScriptVariables, substitutes: bool = True, encoding: str | None = None) -> None:
        self._included: list[str] = []
        self._reader = _reader(variables, self._included, substitutes, encoding, takes_commands=True)

    def steps(self, text: str) -> Iterator[BatchText | Directive]:
        """What the input asks for, as `Script.steps`. A batch that it leaves open comes back from
        `take_back`. Raises ScriptError."""
        self._included.clear()
        return _up_to_the_end(self._reader.read(text), "line", self._included)

    def close(self) -> Iterator[BatchText]:
        """The open batch: it is to run without a GO."""
        return self._reader.close()

    def take_back(self) -> str:
        """The lines that belong to no batch yet, for whoever types to go on with; '' for none."""
        return self._reader.take_back().rstrip()


def _reader(
    variables: ScriptVariables,
    included: list[str],
    substitutes: bool,
    encoding: str | None,
    takes_commands: bool = False,
) -> ScriptReader:
    def read(path: str) -> str:
        included.append(path)
        return read_text(path, encoding)

    return ScriptReader(variables, read, substitutes, takes_commands)


def _up_to_the_end(
    parts: Iterator[BatchText | Directive], name: str, included: list[str]
) -> Iterator[BatchText | Directive]:
    """Up to :quit and :exit. Raises ScriptError for what the reader finds wrong."""
    try:
        for part in parts:
            yield part
            if isinstance(part, Directive) and part.name in ("quit", "exit"):
                return
    except SqlError as error:
        place = f"{name}:{error.line}" if not included else f"{name} or a file that it includes, line {error.line}"
        raise ScriptError(f"{place}: {error.message}") from None


def run_batches(
    batches: Iterable[BatchText],
    run: Callable[[BatchText], Sequence[Outcome]],
    *,
    stops_on_error: bool = False,
    has_ended: Callable[[], bool] = lambda: False,
) -> tuple[list[Outcome], list[Failure]]:
    """Run batches as often as they ask, and return what they produced and which errors they raised.

    An error ends the run after its batch with `stops_on_error` or `:on error exit`; so does
    `has_ended`, asked after each batch.
    """
    outcomes: list[Outcome] = []
    failures: list[Failure] = []
    for batch in batches:
        came_from(batch)
        for _ in range(batch.count):
            produced = run(batch)
            outcomes += produced
            failures += [Failure(outcome.error, batch) for outcome in produced if isinstance(outcome, ErrorOutcome)]
            if has_ended() or (failures and (stops_on_error or batch.exits_on_error)):
                return outcomes, failures
    return outcomes, failures


def not_supported(directive: Directive) -> ScriptError:
    """The error for a directive that is not carried out here."""
    written = directive.name if directive.name == "!!" else f":{directive.name}"
    if directive.argument and directive.name != "list":
        written += f" {directive.argument}"
    return ScriptError(f"{directive.source}:{directive.line}: {written} is not supported")


def read_script(
    path: str | os.PathLike[str],
    variables: Mapping[str, str] | None = None,
    *,
    substitutes: bool = True,
    encoding: str | None = None,
) -> Script:
    """The script in a file. Raises ScriptError when it cannot be read."""
    name = os.fspath(path)
    try:
        return Script(read_text(name, encoding), name, variables, substitutes, encoding)
    except OSError as error:
        raise ScriptError(f"cannot read {name}: {(error.strerror or str(error)).lower()}") from None


def text_script(
    text: str,
    name: str,
    variables: Mapping[str, str] | None = None,
    *,
    substitutes: bool = True,
    encoding: str | None = None,
) -> Script:
    """A script that is in no file; it includes files from the present folder."""
    return Script(text, name, variables, substitutes, encoding)


def read_text(path: str, encoding: str | None = None) -> str:
    """A file's text in an encoding; without one, and with a byte order mark: UTF-16 with a byte order mark (as
    Management Studio saves it), else UTF-8, else Windows-1252.

    Raises OSError, for a store too.
    """
    data = _path(path).read_bytes()
    if data[8:12] == _STORE:
        raise OSError(errno.EINVAL, "it is a store, not a script; --store opens it")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if encoding is not None:
        return data.decode(encoding, "replace").removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _path(name: str) -> Path:
    """A name with Windows' separators also means the file where separators are slashes."""
    path = Path(name)
    return path if os.sep == "\\" or "\\" not in name or path.exists() else Path(name.replace("\\", "/"))
