"""The options of statements, and the forms that each may be written in.

Decides which words and values an option takes, with = or without, and what is said about one that is written in another
way: nothing that is parsed is ignored. It must not know what an option does, nor the grammar.

A list of forms is a text with a form in each line: the option's name, then what follows it. Words are meant literally,
with / between those of which one is written; the kinds of values stand in lower case (see `_KINDS`). A last part in
parentheses names the list of the options that stand there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from sbql.grammar.ast import BinaryLiteral, Identifier, IntegerLiteral, NumericLiteral, Span, StringLiteral
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import RESERVED
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.syntax_errors import incorrect_syntax

__all__ = ["Forms", "WrittenOption", "check_options", "forms_of", "text_of_option", "wrong_option"]

_OptionValue = Identifier | IntegerLiteral | NumericLiteral | StringLiteral | BinaryLiteral
Form = tuple[tuple[str, ...], ...]
Forms = Mapping[str, tuple[Form, ...]]

_KINDS: Final = {
    "number": (IntegerLiteral,),
    "string": (StringLiteral,),
    "binary": (BinaryLiteral,),
    "name": (Identifier,),
}  # fmt: skip
_SAID: Final = {"number": "a number", "string": "a string", "binary": "a binary value", "name": "a name"}
ANY: Final = "…"
"""In a form: whatever follows."""


class WrittenOption(NamedTuple):
    """An option as it is written. `parts` are its words and values; an = is the word =. `group` are the options in the
    parentheses behind it, None without any."""

    name: Identifier
    parts: tuple[_OptionValue, ...]
    group: tuple[WrittenOption, ...] | None
    span: Span

    @property
    def word(self) -> str:
        return self.name.value.upper()


def forms_of(text: str) -> Forms:
    """The forms of the options that a text lists."""
    found: dict[str, tuple[Form, ...]] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        names, *rest = line.split()
        form = tuple(tuple(piece.split("/")) for piece in rest)
        for name in names.split("/"):
            found[name] = (*found.get(name, ()), form)
    return found


def text_of_option(option: WrittenOption) -> str:
    """What stands behind the option's name, its words in upper case."""
    texts = [_quoted(part.value) if isinstance(part, StringLiteral) else _text(part).upper() for part in option.parts]
    if option.group is not None:
        inner = (" ".join(filter(None, (one.word, text_of_option(one)))) for one in option.group)
        texts.append(f"({', '.join(inner)})")
    joined = texts[:1]
    for before, part in pairwise(texts):
        joined += (part,) if "." in (before, part) else (" ", part)
    return "".join(joined)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _text(part: _OptionValue) -> str:
    if isinstance(part, NumericLiteral):
        return part.text
    if isinstance(part, BinaryLiteral):
        return f"0x{part.value.hex().upper()}"
    return str(part.value)


def wrong_option(name: Identifier, forms: Iterable[str]) -> SqlError:
    """What is said about a word that is no option of its statement."""
    return incorrect_syntax(name.value, did_you_mean(name.value, forms), name.span)


def check_options(options: Sequence[WrittenOption], forms: Forms, lists: Mapping[str, Forms] | None = None) -> None:
    """Raises 102, 156 for an option that is none, or that is written in no form of its. `lists`: what the names in
    parentheses stand for."""
    for option in options:
        if option.word not in forms or option.name.quoted:
            raise wrong_option(option.name, forms)
        _check_forms(option, forms[option.word], lists or {})


def _check_forms(option: WrittenOption, forms: Sequence[Form], lists: Mapping[str, Forms]) -> None:
    reached = 0
    expected: list[str] = []
    for form in forms:
        has_group = bool(form) and form[-1][0].startswith("(")
        pieces = form[:-1] if has_group else form
        if (ANY,) in pieces:
            return
        fitting = _fitting(pieces, option.parts)
        if fitting == len(pieces) == len(option.parts) and has_group == (option.group is not None):
            if option.group is not None:
                check_options(option.group, lists[form[-1][0][1:-1]], lists)
            return
        if fitting > reached:
            reached, expected = fitting, []
        if fitting == reached:
            expected += [*pieces[fitting]] if fitting < len(pieces) else ["("] if has_group else []
    raise _misfit(option, reached, expected)


def _fitting(pieces: Form, parts: Sequence[_OptionValue]) -> int:
    """How many of the parts are what the form has in their places."""
    for place, (piece, part) in enumerate(zip(pieces, parts, strict=False)):
        is_word = isinstance(part, Identifier) and not part.quoted
        word = _text(part).upper() if is_word else ""
        if word in piece:
            continue
        is_sign = word in RESERVED or (is_word and not word[:1].isalnum() and word[:1] not in "_#@")
        if is_sign or not any(isinstance(part, _KINDS[kind]) for kind in piece if kind in _KINDS):
            return place
    return min(len(pieces), len(parts))


def _misfit(option: WrittenOption, reached: int, expected: Sequence[str]) -> SqlError:
    """The error near the first part that fits no form, or near the last word where something is missing."""
    choices = list(dict.fromkeys(_SAID.get(one, one) for one in expected))
    *most, last = choices or ["nothing behind it"]
    said = f"Expected {', '.join(most)} or {last}." if most else f"Expected {last}."
    if reached < len(option.parts):
        wrong = option.parts[reached]
        word, span = _text(wrong), wrong.span
    elif option.group is not None and "(" not in expected:
        word, span = "(", option.span
    else:
        ends = (option.name, *option.parts)
        word, span = _text(ends[-1]), ends[-1].span
    meant = did_you_mean(word, [one for one in expected if one.isupper()])
    advice = f"{said} {meant}".rstrip()
    if reached < len(option.parts) and not isinstance(option.parts[reached], Identifier):
        return sql_error(102, word, span=span).advise(advice)
    return incorrect_syntax(word, advice, span)
