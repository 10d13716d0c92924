"""What may stand at the cursor: a pure function of the text, the place and the names that there are.

It decides what is offered, in which order and how it is written. The grammar says which words may follow, `places` of
which kind a name is, and `Known` which names there are; it must not know where those come from, nor a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, field

from sbql.catalog.views import queue_contents, system_view, system_views
from sbql.engine.functions.globals import GLOBALS
from sbql.grammar.expectations import Expectation, expectation
from sbql.grammar.keywords import RESERVED, SOFT_STARTS, STATEMENT_STARTS
from sbql.grammar.lexer import Source, Token, scan, unquote
from sbql.grammar.names import bracketed, string_literal
from sbql.repl.places import kinds_of
from sbql.repl.unfinished import Cut, cut

__all__ = ["Known", "suggest"]


class Known(Struct, frozen=True):
    """The names that there are. Names of kinds are as they are, columns and parameters by
    the name of theirs in lower case."""

    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By kind: database, service, contract, message type, queue, route, procedure, function, table, schema."""
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parameters: Mapping[str, Sequence[str]] = field(default_factory=dict)
    message_types: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Of contracts, by their very names."""


class Offer(Struct, frozen=True):
    """`text` takes the place of the `length` characters before the cursor; `kind` says what it is."""

    text: str
    length: int
    kind: str


_STARTS: Final = STATEMENT_STARTS | SOFT_STARTS
_SHOWN_KINDS: Final = {"service text": "service", "message type of the dialog": "message type"}


def suggest(text: str, cursor: int, known: Known) -> list[Offer]:
    """What may stand at `cursor` in `text`: names that fit first, then words; those that begin with what is
    typed, or else those that hold it."""
    place = cut(text[:cursor])
    if place is None:
        return []
    expected = expectation(place.before)
    everything = [*expected.tokens, *scan(Source(text[cursor:]), [])[:-1]]
    found = _Finder(expected, everything, known, place)
    return [Offer(written, place.length, _SHOWN_KINDS.get(kind, kind)) for written, kind in found.all()]


class _Finder(Struct):
    expected: Expectation
    tokens: Sequence[Token]
    known: Known
    place: Cut

    def all(self) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        if self.place.stem.startswith("@@"):
            pairs = [(name, "global variable") for name in self._matching(GLOBALS)]
        if not self.place.stem.startswith("@"):
            kinds = kinds_of(self.expected) if not self.place.path else self._of_path()
            pairs += [(self._written(name, kind), kind) for kind in kinds for name in self._matching(self._names(kind))]
        if not self.place.path and not self.place.mark:
            pairs += self._variables()
            pairs += [(self._cased(word), "word") for word in self._matching(self.expected.words, contains=False)]
        return list(dict.fromkeys(pairs))

    def _matching(self, names: Iterable[str], *, contains: bool = True) -> list[str]:
        stem = self.place.stem.lower()
        unique = sorted(set(names), key=str.lower)
        unique.sort(
            key=lambda name: name.partition(" ")[0] in _STARTS
        )  # what goes on with the statement, before what begins another
        first = [name for name in unique if name.lower().startswith(stem)]
        return first or ([name for name in unique if stem in name.lower()] if contains and len(stem) > 1 else [])

    # --- names ---------------------------------------------------------------------------------------------

    def _names(self, kind: str) -> Iterable[str]:
        names = self.known.names
        match kind:
            case "service text":
                return names.get("service", ())
            case "message type of the dialog":
                return self._types_of_dialog()
            case "table":
                return [*names.get("table", ()), *names.get("queue", ()), *self._ctes(), "sys", "INFORMATION_SCHEMA"]
            case "column":
                return self._columns()
            case "alias":
                return self._aliases()
            case "system view":
                return [view.name for view in system_views() if view.schema.lower() == self.place.path[-1].lower()]
            case _:
                return names.get(kind, ())

    def _of_path(self) -> tuple[str, ...]:
        """What follows a name and a point: columns behind a table or its alias,
        objects behind a schema or a database."""
        last = self.place.path[-1].lower()
        if last in ("sys", "information_schema"):
            kinds = kinds_of(self.expected)
            return ("procedure",) if "procedure" in kinds else ("system view",)
        if last in {alias.lower() for alias in self._sources()}:
            return ("column",)
        kinds = tuple(kind for kind in kinds_of(self.expected) if kind not in ("column", "alias"))
        return kinds or ("table", "function")

    def _sources(self) -> dict[str, str]:
        """The tables of the text by what they are called there: the alias, or the name."""
        found: dict[str, str] = {}
        tokens = self.tokens
        index = 0
        while index < len(tokens):
            if tokens[index].key in ("FROM", "JOIN", "UPDATE", "INTO", "MERGE", "USING") or (
                found and tokens[index].text == ","
            ):
                index, name, alias = _named(tokens, index + 1)
                if name:
                    found[alias or name] = name
            else:
                index += 1
        return found

    def _ctes(self) -> Iterable[str]:
        """Names in front of AS ( that a WITH has made."""
        for index, token in enumerate(self.tokens[:-2]):
            if (
                token.kind in ("word", "quoted")
                and self.tokens[index + 1].key == "AS"
                and self.tokens[index + 2].text == "("
            ):
                yield _plain(token)

    def _aliases(self) -> Iterable[str]:
        return self._sources()

    def _columns(self) -> Iterable[str]:
        sources = self._sources()
        if self.place.path:
            wanted = self.place.path[-1].lower()
            sources = {alias: name for alias, name in sources.items() if alias.lower() == wanted}
        if not sources and "RECEIVE" in self.expected.before:
            yield from (column.name for column in queue_contents().columns)
        queues = {name.lower() for name in self.known.names.get("queue", ())}
        for name in sources.values():
            if name.lower() in queues:
                yield from (column.name for column in queue_contents().columns)
            view = system_view("sys", name) or system_view("INFORMATION_SCHEMA", name)
            if view is not None:
                yield from (column.name for column in view.columns)
            yield from self.known.columns.get(name.lower(), ())

    def _types_of_dialog(self) -> Iterable[str]:
        """Of the contract that the text begins its dialog on; of all contracts if it does not say."""
        variable = next((token.text.lower() for token in self.expected.tokens[::-1] if token.kind == "VARIABLE"), "")
        contract, begun = None, ""
        tokens = self.expected.tokens
        for index, token in enumerate(tokens[:-2]):
            if token.key == "DIALOG":
                begun = next((t.text.lower() for t in tokens[index + 1 : index + 3] if t.kind == "VARIABLE"), "")
            elif token.key == "ON" and tokens[index + 1].key == "CONTRACT" and begun == variable:
                contract = _plain(tokens[index + 2])
        return self.known.message_types.get(contract or "", self.known.names.get("message type", ()))

    # --- variables -----------------------------------------------------------------------------------------

    def _variables(self) -> list[tuple[str, str]]:
        if not self.expected.terminals & {"VARIABLE", "GLOBAL_VARIABLE"}:
            return []
        before = self.expected.before
        pairs = []
        if before and before[0] in ("EXEC", "EXECUTE") and len(before) > 1:
            name = unquote(before[-1]) if before[-1][:1] in '["' else before[-1]
            procedure = next((p for p in (*before[1:4],) if p.lower().strip('[]"') in self.known.parameters), name)
            used = {word.lower() for word in before}
            taken = self.known.parameters.get(procedure.lower().strip('[]"'), ())
            pairs = [(f"{parameter} = ", "parameter") for parameter in taken if parameter.lower() not in used]
        mine = {token.text for token in self.tokens if token.kind == "VARIABLE" and token.text.upper() not in GLOBALS}
        stem = self.place.stem
        known = [pair for pair in pairs if pair[0].lower().startswith(stem.lower())]
        return known + (
            [(name, "variable") for name in self._matching(mine)] if stem.startswith("@") or not stem else []
        )

    # --- how it is written ---------------------------------------------------------------------------------

    def _written(self, name: str, kind: str) -> str:
        mark = self.place.mark
        if kind == "service text":
            return f"[{name}]" if mark == "[" else string_literal(name)
        if mark == "'":
            return string_literal(name)
        if mark == '"':
            return '"' + name.replace('"', '""') + '"'
        if mark == "[" or not name.isidentifier() or name.upper() in RESERVED:
            return bracketed(name)
        return name

    def _cased(self, word: str) -> str:
        return word.lower() if self.place.stem.islower() else word


def _plain(token: Token) -> str:
    return unquote(token.text) if token.kind == "quoted" else token.text


def _named(tokens: Sequence[Token], index: int) -> tuple[int, str, str]:
    """A dotted name and its alias at `index`: where they end, the last part of the name, the alias or ''."""
    name = ""
    while index < len(tokens) and tokens[index].kind in ("word", "quoted") and tokens[index].key not in RESERVED:
        name = _plain(tokens[index])
        index += 1
        if index < len(tokens) and tokens[index].text == ".":
            index += 1
            continue
        break
    if index < len(tokens) and tokens[index].key == "AS":
        index += 1
    alias = ""
    if name and index < len(tokens) and tokens[index].kind in ("word", "quoted") and tokens[index].key not in RESERVED:
        alias = _plain(tokens[index])
        index += 1
    return index, name, alias
