"""From the .lark texts to the parse table, and where a finished table is kept.

Decides how the parts are joined, how Lark's LALR(1) analysis is packed, and when a stored table is stale. It must not
know what any rule means: builders are names here. It imports nothing of sbql, so that setup.py can run it by path, and
it imports Lark only to compile: a process that finds a stored table never loads Lark.

Packed form: `actions[state]` maps a terminal to an int (>= 0 shift to that state, < 0 reduce by rule `~n`),
`gotos[state]` maps a rule name to a state. Rows that are equal are one object, which is made when it is asked for.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import os
import pickle
import re
import sys
import tempfile
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any, NamedTuple, cast

__all__ = [
    "GRAMMAR_PARTS",
    "START",
    "TYPE_START",
    "ParseTable",
    "Rows",
    "build_table",
    "grammar_text",
    "load_table",
    "save_table",
]

GRAMMAR_PARTS = (
    "common",
    "expressions",
    "queries",
    "bulk",
    "dml",
    "procedural",
    "modules",
    "broker",
    "ddl",
    "tables",
    "security",
    "backup",
    "administration",
)
START = "batch"
TYPE_START = "data_type"
_STARTS = (START, TYPE_START)
_FORMAT = 6
_HERE = Path(__file__).parent


class ReduceRule(NamedTuple):
    """What a reduction does.

    `keep` is None when all `size` children are handed on as they stand; otherwise one (index, inline, nones before)
    for each kept child, with `nones_after` closing the list. `kind` is 'pass' (the only child goes up unchanged),
    'list' (an inlined rule: its children go into the parent) or 'build' (call the builder `builder`); `single` says
    that a 'build' rule with one child left passes it up instead.
    """

    origin: str
    size: int
    kind: str
    builder: str
    keep: tuple[tuple[int, bool, int], ...] | None
    nones_after: int
    single: bool


class Conflict(NamedTuple):
    """A shift/reduce conflict, which Lark settles as shift: on `terminal`, instead of reducing to `rule`."""

    terminal: str
    rule: str


class Rows(dict[int, dict[str, int]]):
    """The row of each state. The rows of five thousand states take 25 ms to make, and a batch goes through some hundred
    of them: each is made when it is first asked for. `plain` is what is stored: the symbols, the bytes of each row that
    there is, and which of them a state has."""

    def __init__(self, plain: tuple[list[str], list[bytes], list[int]]) -> None:
        super().__init__()
        self.plain = plain
        self._made: dict[int, dict[str, int]] = {}

    @classmethod
    def of(cls, rows: Sequence[dict[str, int]]) -> Rows:
        """Those of the states 0, 1 and so on."""
        symbols = sorted({symbol for row in rows for symbol in row})
        numbers = {symbol: number for number, symbol in enumerate(symbols)}
        kinds: dict[bytes, int] = {}
        places = []
        for row in rows:
            pairs = array("i", [n for symbol in sorted(row) for n in (numbers[symbol], row[symbol])])
            places.append(kinds.setdefault(_portable(pairs).tobytes(), len(kinds)))
        return cls((symbols, list(kinds), places))

    def __missing__(self, state: int) -> dict[str, int]:
        symbols, kinds, places = self.plain
        place = places[state]
        row = self._made.get(place)
        if row is None:
            pairs = _portable(array("i", kinds[place]))
            row = self._made[place] = {
                symbols[number]: action for number, action in zip(pairs[::2], pairs[1::2], strict=True)
            }
        self[state] = row
        return row

    def every(self) -> list[dict[str, int]]:
        """The rows of all states, in their order."""
        return [self[state] for state in range(len(self.plain[2]))]


def _portable(numbers: array[int]) -> array[int]:
    """Numbers of this machine as they are stored, the lowest byte first; and back."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


@dataclass(frozen=True, slots=True)
class ParseTable:
    actions: Rows
    gotos: Rows
    rules: list[ReduceRule]
    literals: dict[str, str]
    """The spelling of each word and sign of the grammar, to its terminal."""
    starts: dict[str, int]
    """The state in which each text begins that is parsed by itself: a batch, a data type."""
    ends: frozenset[int]
    """The states in which one is over."""
    conflicts: tuple[tuple[Conflict, int], ...]
    """Each conflict with the number of states that have it."""

    def shifted(self, states: Sequence[int], terminal: str) -> list[int] | None:
        """The stack after the terminal was read on top of `states`; None if it really does not go on from there: the
        row of a merged state also lists terminals that fail after a reduction."""
        stack = self.reduced(states, terminal)
        if stack is not None and not (terminal == "$END" and stack[-1] in self.ends):
            stack.append(self.actions[stack[-1]][terminal])
        return stack

    def reduced(self, states: Sequence[int], terminal: str) -> list[int] | None:
        """The stack on which the terminal is shifted, after all reductions that it asks for; None if it cannot be."""
        stack = list(states)
        while True:
            action = self.actions[stack[-1]].get(terminal)
            if action is None:
                return None
            if action >= 0:
                return stack
            rule = self.rules[~action]
            if rule.size:
                del stack[-rule.size :]
            target = self.gotos[stack[-1]].get(rule.origin)
            if target is None:
                return None
            stack.append(target)
            if terminal == "$END" and target in self.ends:
                return stack


def grammar_text(folder: Path = _HERE / "lark") -> str:
    """All parts of the grammar as one text."""
    return "\n".join((folder / f"{part}.lark").read_text(encoding="utf-8") for part in GRAMMAR_PARTS)


def _lark_version() -> str:
    """Lark's version without importing it (that takes longer than loading the table)."""
    spec = util.find_spec("lark")
    if spec is None or spec.origin is None:
        return "none"
    found = re.search(r'__version__[^=]*=\s*"([^"]+)"', Path(spec.origin).read_text(encoding="utf-8"))
    return found.group(1) if found else "unknown"


def table_key(text: str) -> str:
    """Identifies the table of this grammar text; another text, Lark version or packing makes another key."""
    return hashlib.sha256(f"{_FORMAT}\n{_lark_version()}\n{text}".encode()).hexdigest()


# --- compiling ---------------------------------------------------------------------------------------------


def build_table(text: str) -> ParseTable:
    """Run Lark on the grammar (some seconds) and pack the result."""
    import logging

    from lark import Lark
    from lark.utils import logger

    caught = _ConflictLog()
    level, handlers = logger.level, logger.handlers[:]
    logger.handlers[:] = [cast("logging.Handler", caught)]
    logger.setLevel(logging.DEBUG)
    try:
        lark = Lark(text, parser="lalr", lexer=_no_lexer(), start=list(_STARTS), maybe_placeholders=True)
    finally:
        logger.handlers[:] = handlers
        logger.setLevel(level)
    return _pack(lark, caught.counted())


def _no_lexer() -> type[Any]:
    """A lexer class for Lark, which wants one: sbql drives the table by itself (parser.py)."""
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        __future_interface__ = 2

        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Any:
            raise AssertionError("sbql does not lex through Lark")

    return NoLexer


class _ConflictLog:
    """Collects Lark's debug lines about shift/reduce conflicts: its only account of them."""

    level = 0

    def __init__(self) -> None:
        self._found: dict[Conflict, int] = {}
        self._terminal: str | None = None

    def handle(self, record: Any) -> None:
        line = record.getMessage()
        if started := re.search(r"Shift/Reduce conflict for terminal (\w+)", line):
            self._terminal = started.group(1)
        elif self._terminal and (ended := re.search(r"\* <(\w+) ?:", line)):
            conflict = Conflict(self._terminal, ended.group(1))
            self._found[conflict] = self._found.get(conflict, 0) + 1
            self._terminal = None

    def counted(self) -> tuple[tuple[Conflict, int], ...]:
        return tuple(sorted(self._found.items(), key=lambda item: (item[0].terminal, item[0].rule)))


def _pack(lark: Any, conflicts: tuple[tuple[Conflict, int], ...]) -> ParseTable:
    from lark.parsers.lalr_analysis import Shift

    source = lark.parser.parser._parse_table
    rules: list[ReduceRule] = []
    rule_numbers: dict[Any, int] = {}
    actions: list[dict[str, int]] = []
    gotos: list[dict[str, int]] = []
    for state in range(len(source.states)):
        row: dict[str, int] = {}
        targets: dict[str, int] = {}
        for symbol, (action, argument) in source.states[state].items():
            if action is Shift:
                (row if symbol.isupper() else targets)[str(symbol)] = argument
            else:
                number = rule_numbers.get(argument)
                if number is None:
                    number = rule_numbers[argument] = len(rules)
                    rules.append(_reduce_rule(argument))
                row[str(symbol)] = ~number
        actions.append(row)
        gotos.append(targets)
    spelled = [t for t in lark.terminals if t.pattern is not None and t.pattern.type == "str"]
    literals = {str(t.pattern.value): str(t.name) for t in spelled}
    starts = {start: source.start_states[start] for start in _STARTS}
    ends = frozenset(source.end_states[start] for start in _STARTS)
    return ParseTable(Rows.of(actions), Rows.of(gotos), rules, literals, starts, ends, conflicts)


def _reduce_rule(rule: Any) -> ReduceRule:
    """Lark's own shaping of a rule (filtered tokens, inlined and single-child rules, placeholders), as data."""
    options = rule.options
    gaps = [0] * (len(rule.expansion) + 1)
    if options.empty_indices:
        gaps = [len(ones) for ones in "".join("1" if empty else "0" for empty in options.empty_indices).split("0")]
    keep: list[tuple[int, bool, int]] = []
    nones = 0
    for index, symbol in enumerate(rule.expansion):
        nones += gaps[index]
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            keep.append((index, not symbol.is_term and symbol.name.startswith("_"), nones))
            nones = 0
    nones += gaps[-1]
    size = len(rule.expansion)
    untouched = nones == 0 and keep == [(index, False, 0) for index in range(size)]
    origin = str(rule.origin.name)
    if origin.startswith("_") and not rule.alias:
        kind = "list"
    elif untouched and size == 1 and options.expand1 and not rule.alias:
        kind = "pass"
    else:
        kind = "build"
    return ReduceRule(
        origin,
        size,
        kind,
        str(rule.alias or origin),
        None if untouched else tuple(keep),
        nones,
        options.expand1 and not rule.alias,
    )


# --- keeping -----------------------------------------------------------------------------------------------


def save_table(table: ParseTable, key: str, path: Path) -> None:
    """Write the table so that another process sees all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key.encode() + b"\n")
            pickle.dump(_plain(table), file, protocol=pickle.HIGHEST_PROTOCOL)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _plain(table: ParseTable) -> tuple[Any, ...]:
    """The table in built-in types only: unpickling it needs no class lookups, and setup.py can write it by path."""
    rules = [tuple(rule) for rule in table.rules]
    conflicts = [(c.terminal, c.rule, count) for c, count in table.conflicts]
    return (table.actions.plain, table.gotos.plain, rules, table.literals, table.starts, sorted(table.ends), conflicts)


def _read(path: Path, key: str) -> ParseTable | None:
    """The table at `path`, or None when there is none of this key."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = key.encode() + b"\n"
    if not data.startswith(head):
        return None
    collecting = gc.isenabled()
    gc.disable()
    try:
        actions, gotos, rules, literals, starts, ends, conflicts = pickle.loads(memoryview(data)[len(head) :])
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError):
        return None
    finally:
        if collecting:
            gc.enable()
    counted = tuple((Conflict(terminal, rule), count) for terminal, rule, count in conflicts)
    made = [ReduceRule._make(rule) for rule in rules]
    return ParseTable(Rows(actions), Rows(gotos), made, literals, starts, frozenset(ends), counted)


def _cache_path() -> Path:
    """Where a user keeps the table when the package's own folder cannot be written."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "sbql" / "tables.bin"


def load_table(folder: Path = _HERE, cache: Path | None = None) -> ParseTable:
    """The parse table of the grammar in `folder`/lark: stored if there is one of this text, else built and stored."""
    text = grammar_text(folder / "lark")
    key = table_key(text)
    places = (folder / "tables.bin", cache or _cache_path())
    for place in places:
        table = _read(place, key)
        if table is not None:
            return table
    table = build_table(text)
    for place in places:
        try:
            save_table(table, key, place)
        except OSError:
            continue
        break
    return table
