"""Native forms of OPENJSON: the list of the rows of a document.

DuckDB takes a document apart at once, into the texts that columns want. It writes numbers anew, and pieces of JSON too:
these are odd unless the whole document stands as DuckDB writes it, or an expression finds them in the text, which it
does for the default schema without a path. Odd are also the texts that `json_values` calls so,
halves of pairs as escapes, texts that may be pieces of JSON, and values that the native conversions leave to Python.
Of a document with anything odd Python makes all rows, or its error. It must not know queries.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.duck_types import duck_type, in_ticks, quote, quote_literal
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import FIRST_MICROSECOND
from sbql.engine.native.json_values import BLANKS, first_sign, is_odd
from sbql.engine.native.moments import to_300ths
from sbql.grammar.errors import SqlError
from sbql.grammar.types import NVARCHAR_MAX, SqlType, nvarchar
from sbql.grammar.values.json_text import JsonPath, parse_path
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import DateFormat

__all__ = ["DEFAULT_COLUMNS", "JsonColumn", "default_list", "with_list"]


class JsonColumn(Struct, frozen=True):
    """A column of WITH."""

    path: JsonPath
    type: SqlType
    as_json: bool = False


_IS_NORMAL: Final = "TRY(CAST(json(t) AS VARCHAR)) = t"
"""The whole document stands as DuckDB writes it, so each piece of it does."""
_ODD: Final = rf"{is_odd('t')} OR contains(t, '\ud') OR contains(t, '\uD')"
_HAS_ZERO: Final = "contains(t, '-0')"
"""There may be a -0, which is 0 to DuckDB."""
_HAS_EXPONENT: Final = (
    r"CASE WHEN contains(t, 'E') THEN true ELSE regexp_matches(t, 'e[-+0-9]') END "
    "AND regexp_matches(t, '[0-9][eE][-+0-9]')"
)
_IS_LOSSY: Final = rf"(regexp_matches(t, '\.[0-9]{{7}}') OR {_HAS_EXPONENT})"
"""There may be a number with an exponent, or with more digits than a float has if nine are before the point."""
_WHOLE_DIGITS: Final = 9
_FRACTION: Final = "-?[0-9]+[.][0-9]+"
"""A number that is not whole, as DuckDB shows it; one with an exponent is never shown as it stands."""
_POWER: Final = "-?[0-9.]+e[-+]?[0-9]+"
_GUID: Final = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"


def _guarded(rows: str, odd: str = "") -> str:
    """`rows` of the documents that are not odd."""
    return f"CASE WHEN {_any((_ODD, odd))} THEN NULL WHEN {first_sign('t')} IN (91, 123) THEN {rows} END"


def _path_of(text: str | None) -> JsonPath | None:
    if text is None:
        return None
    try:
        path = parse_path(text)
    except SqlError:
        return None
    return path if not path.append and _are_plain(path.steps) else None


def _are_plain(steps: Sequence[str | int]) -> bool:
    """Whether DuckDB finds each name as it stands."""

    def is_plain(step: str | int) -> bool:
        if isinstance(step, int):
            return step < 2**31 - 1
        return bool(step) and step.isascii() and step.isprintable() and not set(step) & set('"\\')

    return len(steps) < 100 and all(map(is_plain, steps))


def _duck_path(path: JsonPath, more: str = "") -> str:
    steps = "".join(f'."{step}"' if isinstance(step, str) else f"[{step}]" for step in path.steps)
    return quote_literal(f"${steps}{more}")


# --- the default schema ------------------------------------------------------------------------------------


_LONGEST_KEY: Final = 4000
_TYPE: Final = "CASE ascii({p}) WHEN 34 THEN 1 WHEN 123 THEN 5 WHEN 91 THEN 4 WHEN 116 THEN 3 WHEN 102 THEN 3 WHEN 110 THEN 0 ELSE 2 END"
_SHOWN: Final = (
    r"CASE ascii({p}) WHEN 34 THEN CASE WHEN contains({p}, '\') THEN json_extract_string({p}, '$') "
    "ELSE substring({p}, 2, length({p}) - 2) END WHEN 110 THEN NULL ELSE {p} END"
)
_DOUBT: Final = (
    "CASE WHEN ascii(e) > 90 THEN ascii(e) IN (91, 123) WHEN ascii(e) = 34 THEN false "
    "ELSE contains(e, '.') OR contains(e, 'e') OR contains(e, 'E') OR e = '0' AND zero END"
)


DEFAULT_COLUMNS: Final = ("key", "value", "type")


def default_list(path_text: str | None, columns: Sequence[str] = DEFAULT_COLUMNS) -> str | None:
    """The list over t of those of key, value and type that are wanted, of values for a single one, of anything for
    none; NULL for odd documents. None where there is no form."""
    path = _path_of(path_text)
    if path is None:
        return None
    here = _duck_path(path)
    is_array = f"{first_sign('t')} = 91" if not path.steps else f"TRY(json_type(t, {here})) = 'ARRAY'"
    keys = ""
    if "key" in columns:
        keys = f"CASE WHEN {is_array} THEN CAST(range(len(m)) AS VARCHAR[]) ELSE json_keys(t, {here}) END"
    pairs = f"list_zip({keys}, m)" if keys else "m"
    values = _sure(pairs, is_array, keys, path) if "value" in columns else pairs
    element = "p[2]" if keys else "p"
    parts = {"key": "p[1]", "value": _SHOWN.format(p=element), "type": _TYPE.format(p=element)}
    nothing = {"key": "''", "value": "''", "type": "0"}
    rows = f"list_transform({values}, lambda p: {_row([parts[column] for column in columns])})" if columns else pairs
    none = f"list_slice([{_row([nothing[column] for column in columns])}], 1, 0)" if columns else pairs
    if path.is_strict:
        none = f"CASE WHEN json_type(t, {here}) IN ('ARRAY', 'OBJECT') THEN {none} END"
    found = f"CASE WHEN len(m) > 0 THEN {rows} WHEN m IS NOT NULL THEN {none} END"
    elements, members = (f"TRY({_texts(_duck_path(path, more))})" for more in ("[*]", ".*"))
    elements = f"CASE WHEN {is_array} THEN {elements} ELSE {members} END"
    long_key = f"list_max(list_transform(json_keys(t, {here}), lambda k: strlen(k))) > {_LONGEST_KEY}"
    has_long = f"CASE WHEN strlen(t) > {_LONGEST_KEY} THEN coalesce(TRY({long_key}), false) ELSE false END"
    return _guarded(f"invoke(lambda m, zero: {found}, {elements}, {_HAS_ZERO})", has_long)


def _sure(pairs: str, is_array: str, keys: str, path: JsonPath) -> str:
    """The elements whose texts are known; NULL where they are not."""
    written = "" if path.steps else f" ELSE {_as_they_stand(is_array, keys)}"
    is_sure = f"CASE WHEN list_bool_or(list_transform(m, lambda e: {_DOUBT})) THEN {_IS_NORMAL} ELSE true END"
    return f"CASE WHEN {is_sure} THEN {pairs}{written} END"


def _row(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"row({', '.join(values)})"


_STRING: Final = r'"(?:[^"\\]|\\.)*"'
_PIECE: Final = functools.reduce(
    lambda inner, _: rf"[\[{{](?:[^\]\[{{}}\"]|{_STRING}{inner and '|' + inner})*[\]}}]", range(3), ""
)
"""An object or array with two levels below it."""
_TOKEN: Final = rf'{_STRING}|{_PIECE}|[^\]\[{{}}",: \t\r\n]+'


def _as_they_stand(is_array: str, keys: str) -> str:
    """The keys, if they are wanted, and values m of the document as they stand in the text; NULL if they are not all.
    Each piece that has more levels gives one token or more, so if there are as many as there have to be, all others
    stand in their places; and a piece is the right one if it reads as DuckDB has read it."""
    tokens = f"regexp_extract_all(substr(ltrim(t, {BLANKS}), 2), {quote_literal(_TOKEN)})"
    count, values = f"CASE WHEN {is_array} THEN 1 ELSE 2 END", f"CASE WHEN {is_array} THEN w ELSE w[2:-:2] END"
    is_same = "CASE WHEN ascii(q[1]) IN (91, 123) THEN TRY(CAST(json(q[1]) AS VARCHAR)) = q[2] ELSE true END"
    are_same = f"list_bool_and(list_transform(list_zip({values}, m), lambda q: {is_same}))"
    found = f"list_zip({keys}, {values})" if keys else values
    return f"invoke(lambda w: CASE WHEN len(w) = len(m) * {count} THEN CASE WHEN {are_same} THEN {found} END END, {tokens})"


def _texts(path: str) -> str:
    return f"CAST(json_extract(t, {path}) AS VARCHAR[])"


# --- with columns ------------------------------------------------------------------------------------------


class _Value(Struct, frozen=True):
    """A column of an element: its value in SQL over its text, when it is odd, and when it is only sure in a normal
    document. One that `misses` is NULL for a text that is odd."""

    sql: str
    odd: str = ""
    doubt: str = ""
    text: str = ""
    misses: bool = False


class _Leaf(Struct, frozen=True):
    as_json: bool


def with_list(path_text: str | None, columns: Sequence[JsonColumn]) -> str | None:
    """The list of the rows over t, of values for a single column; NULL for odd documents. None where there is no
    form."""
    path, structure = _path_of(path_text), _structure(columns)
    if path is None or structure is None:
        return None
    values = [_value(_at("e", column.path.steps), column) for column in columns]
    known = [value for value in values if value is not None]
    if len(known) < len(columns):
        return None
    sql = [f"CAST({value.sql} AS {duck_type(column.type)})" for value, column in zip(known, columns, strict=True)]
    rows = _complete(known, sql)
    doubt = _any([value.doubt for value in known])
    flags = ", ".join(text if name in doubt else "false" for name, text in (("zero", _HAS_ZERO), ("lossy", _IS_LOSSY)))
    elements = _elements(path, structure, columns)
    return _guarded(f"invoke(lambda r, zero, lossy: CASE WHEN r IS NOT NULL THEN {rows} END, {elements}, {flags})")


def _complete(values: Sequence[_Value], sql: Sequence[str]) -> str:
    """The rows of the list r of elements, e in the other texts, if none is odd; if one is in doubt, of a normal
    document. `sql` are the values as they are stored. Those that tell by NULL that they are odd are computed once, as
    the list o.
    DuckDB's time to bind a text doubles with each lambda inside another."""
    telling = [one for one, value in zip(sql, values, strict=True) if value.misses]
    places = iter(range(1, len(telling) + 1))
    own = [("o[i]" if len(telling) == 1 else f"o[i][{next(places)}]") if value.misses else "" for value in values]
    odd = [f"{one} IS NULL AND {v.text} IS NOT NULL" if one else v.odd for one, v in zip(own, values, strict=True)]
    doubt = _any([value.doubt for value in values])
    if doubt == "false":
        is_good = f"NOT coalesce(list_bool_or(list_transform(r, lambda e, i: {_any(odd)})), false)"
    else:
        state = f"CASE WHEN {_any(odd)} THEN 2 WHEN {doubt} THEN 1 ELSE 0 END"
        worst = f"list_max(list_transform(r, lambda e, i: {state}))"
        is_good = f"CASE {worst} WHEN 2 THEN false WHEN 1 THEN {_IS_NORMAL} ELSE true END"
    row = _row([one or other for one, other in zip(own, sql, strict=True)])
    rows = "o" if len(telling) == len(values) else f"list_transform(r, lambda e, i: {row})"
    found = f"CASE WHEN {is_good} THEN {rows} END"
    return f"invoke(lambda o: {found}, list_transform(r, lambda e: {_row(telling)}))" if telling else found


def _any(conditions: Sequence[str]) -> str:
    return " OR ".join(condition for condition in conditions if condition) or "false"


def _structure(columns: Sequence[JsonColumn]) -> Any:
    """What DuckDB shall make of an element: names to structures, a list of one, or a leaf. None where columns want
    different things of one place, or names differ in case only."""
    root: list[Any] = []
    for column in columns:
        path = column.path
        if path.is_strict or path.append or not _are_plain(path.steps):
            return None
        if not _put(root, path.steps, _Leaf(column.as_json)):
            return None
    return root[0]


def _put(place: list[Any], steps: Sequence[str | int], leaf: _Leaf) -> bool:
    """Puts a leaf into the structure that the list holds, if there is one."""
    if not steps:
        if not place:
            place.append(leaf)
        return bool(place[0] == leaf)
    step, *rest = steps
    if isinstance(step, int):
        if not place:
            place.append([])
        return isinstance(place[0], list) and _put(place[0], rest, leaf)
    if not place:
        place.append({})
    members = place[0]
    if not isinstance(members, dict) or any(name != step and name.lower() == step.lower() for name in members):
        return False
    return _put(members.setdefault(step, []), rest, leaf)


def _spelled(structure: Any) -> str:
    """The structure as DuckDB's JSON functions have it."""
    if isinstance(structure, _Leaf):
        return '"JSON"' if structure.as_json else '"VARCHAR"'
    if isinstance(structure, list):
        return f"[{_spelled(structure[0])}]"
    return "{" + ",".join(f'"{name}":{_spelled(below)}' for name, (below,) in structure.items()) + "}"


def _made(structure: str, steps: Sequence[str | int]) -> str:
    """What stands at the path, of that structure. Raises DuckDB's error for what it cannot read."""
    for step in reversed(steps):
        structure = f"[{structure}]" if isinstance(step, int) else f'{{"{step}":{structure}}}'
    return _at(f"json_transform(t, {quote_literal(structure)})", steps)


def _at(value: str, steps: Sequence[str | int]) -> str:
    for step in steps:
        value = (
            f"list_extract({value}, {step + 1})"
            if isinstance(step, int)
            else f"struct_extract({value}, {quote_literal(step)})"
        )
    return value


def _elements(path: JsonPath, structure: Any, columns: Sequence[JsonColumn]) -> str:
    """The list of the elements; NULL where DuckDB cannot read the document, or a strict path leads nowhere."""
    one = _spelled(structure)
    many = f"TRY({_made(f'[{one}]', path.steps)})"
    if not path.steps:
        alone = _extracted(structure, columns) or f"TRY([{_made(one, ())}])"
        return f"CASE WHEN ascii(t) <> 123 AND {first_sign('t')} = 91 THEN {many} ELSE {alone} END"
    alone = f"[TRY({_made(one, path.steps)})]"
    none = "" if path.is_strict else f"ELSE list_slice({alone}, 1, 0)"
    there = f"CASE TRY(json_type(t, {_duck_path(path)})) WHEN 'OBJECT' THEN {alone} {none} END"
    return f"invoke(lambda m: CASE WHEN m IS NOT NULL THEN m WHEN json_valid(t) THEN {there} END, {many})"


def _extracted(structure: Any, columns: Sequence[JsonColumn]) -> str | None:
    """The list of the one element that a document is, of the values at its paths, which takes less than to make a
    structure of all of it. None where a column wants JSON, or an element of an array."""
    paths = list(dict.fromkeys(column.path.steps for column in columns))
    if any(column.as_json or not all(isinstance(step, str) for step in column.path.steps) for column in columns):
        return None

    def packed(place: Any, steps: tuple[str | int, ...]) -> str:
        if isinstance(place, _Leaf):
            return f"l[{paths.index(steps) + 1}]"
        members = [f"{quote(name)} := {packed(below, (*steps, name))}" for name, (below,) in place.items()]
        return f"struct_pack({', '.join(members)})"

    if isinstance(structure, _Leaf):
        return None
    asked = ", ".join(_duck_path(JsonPath(steps)) for steps in paths)
    one = f"CASE WHEN l IS NOT NULL THEN [{packed(structure, ())}] END"
    return f"invoke(lambda l: {one}, TRY(json_extract_string(t, [{asked}])))"


# --- values ------------------------------------------------------------------------------------------------


def _value(text: str, column: JsonColumn) -> _Value | None:
    """The value of a text: of the conversion that OPENJSON makes of it."""
    goal, target = kind(column.type), column.type
    if column.as_json:
        is_piece = f"ascii({text}) IN (91, 123)"
        return _Value(f"CASE WHEN {is_piece} THEN {text} END", doubt=is_piece)
    is_zero = f"zero AND {text} = '0'"
    match goal:
        case "int":
            number = f"TRY_CAST({text} AS {duck_type(target)})"
            return _read(text, f"CASE WHEN {text} GLOB '*[!0-9-]*' THEN NULL ELSE {number} END")
        case "bit":
            word = (
                f"CASE {text} WHEN 'true' THEN true WHEN 'false' THEN false WHEN '1' THEN true WHEN '0' THEN false END"
            )
            return _read(text, word, is_zero)
        case "guid":
            return _read(text, f"CASE WHEN regexp_full_match({text}, '{_GUID}') THEN CAST({text} AS UUID) END")
        case "string" if target.name in ("char", "nchar", "varchar", "nvarchar"):
            return _text(text, target)
        case "decimal" | "money":
            places = f"strpos({text}, '.')"
            lossy = f"CASE WHEN {places} > 0 THEN lossy OR {places} > {_WHOLE_DIGITS + 1} ELSE false END"
            return _converted(text, target, nvarchar(4000), doubt=lossy)
        case "float" if target.name == "float":
            return _converted(text, target, nvarchar(4000), doubt=is_zero)
        case "date" | "datetime" | "datetime2":
            return _date(text, target)
    return None


def _text(text: str, target: SqlType) -> _Value | None:
    """A text may be a piece of JSON, or a number that does not stand so."""
    first = f"ascii({text})"

    def of_first(below_letters: str, beyond: str) -> str:
        return f"CASE WHEN {first} < 58 THEN {below_letters} WHEN {first} > 90 THEN {beyond} ELSE false END"

    odd = of_first(f"regexp_full_match({text}, '{_POWER}')", f"{first} IN (91, 123)")
    doubt = of_first(f"zero AND {text} = '0' OR regexp_full_match({text}, '{_FRACTION}')", "false")
    return _converted(text, target, NVARCHAR_MAX, odd, doubt)


_MOMENT: Final = "[0-9]{4}-[0-9]{2}-[0-9]{2}([T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,3})?)?"


def _date(text: str, target: SqlType) -> _Value | None:
    """A date as most JSON has it, a time of day behind it or none: without the lambdas of the conversion, which would
    be twice in others."""
    if target.name == "smalldatetime":
        return None
    if target.name == "datetime2" and (7 if target.scale is None else target.scale) < 3:
        return _converted(text, target, nvarchar(4000))
    moment = f"TRY_CAST({text} AS TIMESTAMP)"
    if target.name == "date":
        stored = f"CAST({moment} AS DATE)"
    elif target.name == "datetime":
        stored = to_300ths(f"epoch_us({moment})")
    else:
        stored = f"((epoch_us({moment}) + {FIRST_MICROSECOND}) * 10)" if in_ticks(target) else moment
    first = "1753-01-02" if target.name == "datetime" else "0001-01-01"  # rounding may cross an end
    is_plain = f"{text} >= '{first}' AND {text} < '9999-12-31' AND regexp_full_match({text}, '{_MOMENT}')"
    return _read(text, f"CASE WHEN {is_plain} THEN {stored} END")


def _read(text: str, value: str, doubt: str = "") -> _Value:
    """A value that is NULL for a text that is odd."""
    return _Value(value, doubt=doubt, text=text, misses=True)


def _converted(text: str, target: SqlType, source: SqlType, odd: str = "", doubt: str = "") -> _Value | None:
    form = conversion_form(source, target, None, DateFormat())
    if form is None or form.boxed or form.takes_nulls:
        return None
    value = form.sql.format(text)
    if form.misses:
        return _read(text, value, doubt)
    return _Value(value, _any((odd, form.odd.format(text))), doubt)
