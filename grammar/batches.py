"""Script text to batches: GO, and sqlcmd's directives and variables. The only splitter:
every door uses it, the prompt too.

It decides where a batch ends, what `$(name)` stands for and which lines are directives. It must not run anything, and
it does no I/O: `:r` goes through the function that the caller hands in. A line counts as GO or as a directive only
outside of strings, delimited names and comments, which may run over many lines; GO inside an included file ends the
batch there too, as in sqlcmd.

Errors of the script are SqlErrors with numbers of our own: 49921 undefined variable, 49922 wrong directive, 49923
directive that is not supported, 49924 `:r` without a reader or too deep.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, replace

from sbql.grammar.ast.base import Span
from sbql.grammar.digits import whole
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.script_lines import LineState, lines_of, word_of

__all__ = ["BatchText", "Directive", "Place", "ScriptReader", "ScriptVariables", "split"]

ReadFile = Callable[[str], str]
"""Gives the text of a file by its path. A relative path is relative to the process; `split` has already joined it to
the folder of the including file."""

Break = tuple[int, str, int]

MAX_INCLUDES = 16


@dataclass(frozen=True, slots=True)
class Place:
    """Where a batch stands: its file (as the user named it), the line of the file that is its line 1, and where it
    goes on elsewhere (see BatchText)."""

    file: str
    first_line: int = 1
    breaks: tuple[Break, ...] = ()

    def at(self, line: int) -> tuple[str, int]:
        """The file and its line of a line of the batch."""
        begin, file, first = next((b for b in reversed(self.breaks) if b[0] <= line), (1, self.file, self.first_line))
        return file, first + line - begin

    def of(self, error: SqlError) -> str:
        """`file:line` of an error; an error inside a procedure has the place of the batch that called it."""
        line = error.line if error.call_line is None else error.column_line
        if not error.is_in_batch or line < 1:
            return f"{self.file}, batch at line {self.first_line}"
        file, line = self.at(line)
        return f"{file}:{line}"


@dataclass(frozen=True, slots=True)
class BatchText:
    """One batch: its text with variables replaced, the line of `source` where it starts, and how often to run it.

    `breaks`: where a line of the text does not stand behind the one before it, because an included file
    or a directive lies between them: (line of the text, source, line there), in order.
    `exits_on_error`: `:on error exit` holds for it.
    """

    text: str
    first_line: int
    source: str
    count: int = 1
    breaks: tuple[Break, ...] = ()
    exits_on_error: bool = False

    @property
    def place(self) -> Place:
        return Place(self.source, self.first_line, self.breaks)

    def without_lines(self, count: int) -> BatchText:
        """The batch without its first lines."""
        source, line = self.place.at(count + 1)
        breaks = tuple((at - count, there, first) for at, there, first in self.breaks if at > count + 1)
        text = "\n".join(self.text.split("\n")[count:])
        return replace(self, text=text, first_line=line, source=source, breaks=breaks)


@dataclass(frozen=True, slots=True)
class Directive:
    """A directive that the runner of the script carries out.

    `name` is without the colon, in lower case; `argument` is '' when there is none. They are: `out` and `error` (a
    path, 'stdout' or 'stderr'), `list` (the text of the open batch), `listvar`, `help`, `xml`, `quit`, `exit`
    ('value' after the batch of `:exit(query)`), and `!!` and `ed`, which would run programs. At a prompt, also `\\`
    and a word, for the prompt's own commands.
    """

    name: str
    argument: str
    line: int
    source: str


class ScriptVariables(MutableMapping[str, str]):
    """What `$(name)` stands for; names ignore case. `split` writes the `:setvar`s of a script into it."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values: dict[str, tuple[str, str]] = {}
        self.update(values or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()][1]

    def __setitem__(self, name: str, value: str) -> None:
        self._values[name.lower()] = (name, value)

    def __delitem__(self, name: str) -> None:
        del self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._values.values())

    def __len__(self) -> int:
        return len(self._values)


_VARIABLE = re.compile(r"\$\((?P<name>[^\s()\"']+)\)")
_SETVAR = re.compile(r"(?P<name>\S+)(?:\s+(?P<value>\"(?:[^\"]|\"\")*\"|\S+))?\Z")
_FOR_THE_RUNNER = ("list", "listvar", "help", "xml", "ed", "!!")
_WORDS_BEHIND = {"quit": (), "reset": (), "listvar": (), "xml": ("on", "off")}
"""What may stand behind a directive, where not anything may."""
_REFUSED = {
    "connect": "there is one instance, and the script is connected to it",
    "perftrace": "no such measurements are made",
    "serverlist": "there are no other servers to find",
}


def split(
    text: str,
    *,
    variables: Mapping[str, str] | None = None,
    read_file: ReadFile | None = None,
    source: str = "",
    substitutes: bool = True,
) -> Iterator[BatchText | Directive]:
    """The batches and directives of a script, in order.

    Args:
        variables: what `$(name)` stands for at the start; `:setvar` changes it if it is a ScriptVariables, else a copy.
        read_file: reads an included file; without it `:r` is an error.
        source: the script's path, for messages and for relative `:r` paths.
        substitutes: False leaves `$(name)` as it is.

    Raises SqlError, with the line in its file, when iteration comes to what is wrong.
    """
    scripting = variables if isinstance(variables, ScriptVariables) else ScriptVariables(variables)
    reader = ScriptReader(scripting, read_file, substitutes)
    yield from reader.read(text, source)
    yield from reader.close()


@dataclass(slots=True)
class ScriptReader:
    """Reads the parts of a script one after the other: `read`, as often as there are
    any, and `close` at the end of all.

    `takes_commands`: lines that begin with a backslash are commands of the prompt, and come as Directives; elsewhere
    they are left to the parser. The other parameters are those of `split`.
    """

    variables: ScriptVariables
    read_file: ReadFile | None
    substitutes: bool = True
    takes_commands: bool = False
    lines: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    """The same lines before their variables were replaced."""
    first_line: int = 0
    source: str = ""
    breaks: list[Break] = field(default_factory=list)
    expected: tuple[str, int] = ("", 0)
    """Where the next line stands if nothing lies between."""
    state: LineState = field(default_factory=LineState)
    exits_on_error: bool = False

    def read(self, text: str, source: str = "") -> Iterator[BatchText | Directive]:
        """The batches that end in `text`, and its directives. Raises as `split`."""
        return self.file(text, source, 0)

    def close(self) -> Iterator[BatchText]:
        """The batch that was still open."""
        return self.flush()

    def take_back(self) -> str:
        """The lines of the open batch as they were written, which are forgotten: somebody goes on typing them."""
        text = "\n".join(self.written)
        self.forget()
        return text

    def forget(self) -> None:
        self.lines.clear()
        self.written.clear()
        self.state = LineState()

    def file(self, text: str, source: str, depth: int) -> Iterator[BatchText | Directive]:
        """The lines of one file; the batch it leaves open goes on in the including file."""
        for number, line in enumerate(lines_of(text), 1):
            word = word_of(line, self.takes_commands and not depth) if self.state.is_plain else None
            if word is None:
                self.take(self.substitute(line, number), line, number, source)
            elif word[0] == "go":
                yield from self.flush(_count(word[1], number))
            else:
                yield from self.directive(*word, number, source, depth)

    def take(self, line: str, written: str, number: int, source: str) -> None:
        """A line of the open batch."""
        if not self.lines:
            self.first_line, self.source = number, source
            self.breaks.clear()
        elif (source, number) != self.expected:
            self.breaks.append((len(self.lines) + 1, source, number))
        self.expected = (source, number + 1)
        self.lines.append(line)
        self.written.append(written)

    def flush(self, count: int = 1) -> Iterator[BatchText]:
        """Close the batch. One of blanks only is none."""
        text = "\n".join(self.lines)
        self.forget()
        if text.strip():
            yield BatchText(text, self.first_line, self.source, count, tuple(self.breaks), self.exits_on_error)

    # --- directives ------------------------------------------------------------------------------------------

    def directive(self, name: str, text: str, line: int, source: str, depth: int) -> Iterator[BatchText | Directive]:
        rest = self.replaced(text, line)
        if name == "setvar":
            self.set_variable(rest, line)
        elif name == "r":
            yield from self.include(rest, line, source, depth)
        elif name == "on":
            self.exits_on_error = _exits(rest, line)
        elif name in ("out", "error"):
            if not rest:
                raise _error(49922, line, f":{name} needs a file name.")
            yield Directive(name, _unquoted(rest), line, source)
        elif name == "exit":
            yield from self.exit(rest, line, source)
        elif name in ("quit", "reset"):
            _refuse_more(name, rest, line)
            self.forget()
            if name == "quit":
                yield Directive(name, "", line, source)
        elif name in _REFUSED:
            raise _error(49923, line, f":{name}", _REFUSED[name])
        elif name not in _FOR_THE_RUNNER and not name.startswith("\\"):
            raise _error(49922, line, f"There is no :{name}; :help lists the directives.")
        else:
            _refuse_more(name, rest, line)
            yield Directive(name, "\n".join(self.lines) if name == "list" else rest, line, source)

    def exit(self, rest: str, line: int, source: str) -> Iterator[BatchText | Directive]:
        """`:exit` leaves the open batch; `:exit()` runs it first, `:exit(query)` with
        the query as its last statement. Anything else is refused: the rest of the script would be lost without a word.
        """
        rest = rest.removesuffix(";").rstrip()
        if rest and not (rest.startswith("(") and rest.endswith(")")):
            raise _error(49922, line, "Write :exit, :exit() or :exit(query), on one line and with nothing behind it.")
        query = rest[1:-1].strip()
        if not rest:
            self.forget()
        if query:
            self.take(query, query, line, source)
        yield from self.flush()
        yield Directive("exit", "value" if query else "", line, source)

    def set_variable(self, rest: str, line: int) -> None:
        """`:setvar name "value"`; without a value the variable is removed."""
        found = _SETVAR.match(rest)
        if found is None:
            raise _error(49922, line, 'Write :setvar name "value".')
        if found["value"] is None:
            self.variables.pop(found["name"], None)
        else:
            self.variables[found["name"]] = _unquoted(found["value"])

    def include(self, rest: str, line: int, source: str, depth: int) -> Iterator[BatchText | Directive]:
        path = _unquoted(rest)
        if not path:
            raise _error(49922, line, ":r needs a file name.")
        if self.read_file is None:
            raise _error(49924, line, path, "there is no file to read here")
        if depth >= MAX_INCLUDES:
            raise _error(49924, line, path, f"files include each other more than {MAX_INCLUDES} deep")
        text, found = self.included(path, source, line)
        yield from self.file(text, found, depth + 1)
        if not any(left.strip() for left in self.lines):
            self.forget()  # blank lines at a file's end are not where the next batch begins

    def included(self, path: str, source: str, line: int) -> tuple[str, str]:
        """Text and place of an included file: beside the file that names it, else where the process runs."""
        assert self.read_file is not None
        joined = _join(source, path)
        for candidate in dict.fromkeys((joined, path)):
            try:
                return self.read_file(candidate), candidate
            except FileNotFoundError as error:
                problem = error
            except OSError as error:
                raise _error(49924, line, candidate, error.strerror or str(error)) from error
        raise _error(49924, line, joined, problem.strerror or str(problem)) from problem

    # --- variables -------------------------------------------------------------------------------------------

    def substitute(self, line: str, number: int) -> str:
        """The line with its variables replaced, but not in comments; and the scan moved behind it."""
        parts: list[str] = []
        position = 0
        while position < len(line):
            in_comment = self.state.comments > 0
            end, comment_line = self.state.advance(line, position)
            piece = line[position:end]
            parts.append(piece if in_comment else self.replaced(piece, number))
            if comment_line:
                parts.append(line[end:])
                break
            position = end
        return "".join(parts)

    def replaced(self, text: str, line: int) -> str:
        def value(found: re.Match[str]) -> str:
            known = self.variables.get(found["name"])
            if known is None:
                raise _error(49921, line, found["name"])
            return known

        return _VARIABLE.sub(value, text) if self.substitutes and "$(" in text else text


def _count(text: str, line: int) -> int:
    count = whole(text)
    if count > 2**31 - 1:
        raise _error(49922, line, "GO takes a count from 0 to 2147483647.")
    return count


def _refuse_more(name: str, rest: str, line: int) -> None:
    words: tuple[str, ...] | None = _WORDS_BEHIND.get(name)
    word = rest.removesuffix(";").rstrip()
    if words is not None and word and word.lower() not in words:
        behind = " or ".join((f":{name}", *(f":{name} {known}" for known in words)))
        raise _error(49922, line, f"Write {behind}, with nothing behind it.")


def _exits(rest: str, line: int) -> bool:
    """What `:on error exit` and `:on error ignore` say of the batches that end below it."""
    words = rest.lower().split()
    if len(words) != 2 or words[0] != "error" or words[1] not in ("exit", "ignore"):
        raise _error(49922, line, "Write :on error exit or :on error ignore.")
    return words[1] == "exit"


def _unquoted(text: str) -> str:
    if len(text) >= 2 and text[0] == text[-1] == '"':
        return text[1:-1].replace('""', '"')
    return text


def _join(source: str, path: str) -> str:
    """A relative path stands beside the including file. Both kinds of slash separate folders."""
    if re.match(r"[\\/]|[A-Za-z]:", path):
        return path
    cut = max(source.rfind("/"), source.rfind("\\"))
    return source[: cut + 1] + path


def _error(number: int, line: int, *arguments: object) -> SqlError:
    return sql_error(number, *arguments, span=Span(line, 1, line, 1, 0, 0))
