"""Regular expressions of the code, and texts on which a backtracking matcher takes long.

A matcher takes more than linear time when a piece can be repeated in a text in several ways that all lead on, and the
text then ends wrongly. So the texts are: something that the pattern matches in part, a piece of it many times, and an
end that does not fit.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from re import (
    _constants as codes,  # type: ignore[attr-defined]
    _parser as parser,  # type: ignore[attr-defined]
)
from typing import Any

__all__ = ["Expression", "built", "expressions", "growth", "texts"]

ENDS = ("", "\0", "x", "!", " x", "\n", ">")
SAMPLES = {
    codes.CATEGORY_SPACE: " \t\n",
    codes.CATEGORY_NOT_SPACE: "a1-",
    codes.CATEGORY_DIGIT: "0179",
    codes.CATEGORY_NOT_DIGIT: "a -",
    codes.CATEGORY_WORD: "aZ_1",
    codes.CATEGORY_NOT_WORD: " -.",
}

Expression = tuple[str, re.Pattern[str], str]
"""Where it stands, what it is, and the method that uses it."""


def expressions(root: Path, packages: tuple[str, ...]) -> Iterator[Expression]:
    """Every regular expression in modules of the packages: those with a name, and constants in calls of `re`."""
    for path in sorted(file for package in packages for file in (root / package).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "re." not in source:
            continue
        name = ".".join(("sbql", *path.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        tree = ast.parse(source)
        named: dict[str, re.Pattern[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in _METHODS:
                of = node.value.id
                if of != "re" and (of.isupper() or of.startswith("_")):  # called here, or kept under another name
                    named = named or _patterns(name)
                    if of in named:
                        yield f"{name}.{of}", named[of], node.attr
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                continue
            of_call = node.func.value
            is_re = isinstance(of_call, ast.Name) and of_call.id == "re" and node.func.attr in _METHODS
            if is_re and isinstance(node.args[0], ast.Constant):
                flags = re.IGNORECASE | re.DOTALL
                yield f"{name}:{node.lineno}", re.compile(node.args[0].value, flags), node.func.attr


def built(root: Path, packages: tuple[str, ...]) -> Iterator[str]:
    """`module:function` of each call of `re` inside of a function whose pattern is no
    constant: `expressions` cannot try it."""
    for path in sorted(file for package in packages for file in (root / package).rglob("*.py")):
        name = str(path.relative_to(root))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
                    continue
                of = node.func.value
                is_re = isinstance(of, ast.Name) and of.id == "re" and node.func.attr in _METHODS | {"compile"}
                if is_re and not isinstance(node.args[0], ast.Constant):
                    yield f"{name}:{function.name}"


_METHODS = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "finditer", "findall"})


def _patterns(module: str) -> dict[str, re.Pattern[str]]:
    found = vars(importlib.import_module(module))
    return {
        key: value for key, value in found.items() if isinstance(value, re.Pattern) and isinstance(value.pattern, str)
    }


def texts(pattern: re.Pattern[str], chance: random.Random, size: int) -> Iterator[str]:
    """Texts of about `size` characters, without end."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    while True:
        sample = "".join(_walk(tree, chance, {})) or chance.choice(" a1")
        start = chance.randrange(len(sample))
        stop = min(len(sample), start + chance.choice((1, 1, 1, 2, 3, 8, 40)))
        piece = sample[start:stop]
        prefix = chance.choice((sample[:start], sample[:stop], "", "a"))
        rest = chance.choice((sample[stop:], "", ""))
        yield prefix + piece * (size // len(piece)) + rest + chance.choice(ENDS)


def growth(expression: Expression, text: str) -> float:
    """Seconds that the method takes: the best of three where one is slow."""
    pattern, method = expression[1:]
    use: Callable[..., Any] = getattr(pattern, method)
    arguments = ("", text) if method in ("sub", "subn") else (text,)
    taken = []
    for _ in range(3):
        began = time.process_time()
        found = use(*arguments)
        if method == "finditer":
            list(found)
        taken.append(time.process_time() - began)
        if not 0.005 < taken[-1] < 0.5:
            break
    return min(taken)


def _walk(tree: Any, chance: random.Random, groups: dict[int, str]) -> Iterator[str]:
    """The pieces of some text that matches, as far as one can tell without looking around."""
    for code, value in tree:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.NOT_LITERAL:
            yield chance.choice([c for c in "a 1'\"" if ord(c) != value])
        elif code is codes.ANY:
            yield chance.choice("a 1<'\"")
        elif code is codes.IN:
            yield _of_class(value, chance)
        elif code is codes.BRANCH:
            yield from _walk(chance.choice(value[1]), chance, groups)
        elif code is codes.SUBPATTERN:
            made = "".join(_walk(value[3], chance, groups))
            if value[0] is not None:
                groups[value[0]] = made
            yield made
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
            low, high, body = value
            for _ in range(min(max(low, chance.randrange(4)), int(high))):
                yield from _walk(body, chance, groups)
        elif code is codes.GROUPREF:
            yield groups.get(value, "")
        elif code is codes.ATOMIC_GROUP:
            yield from _walk(value, chance, groups)


def _of_class(members: Any, chance: random.Random) -> str:
    if members[0][0] is codes.NEGATE:
        wrong = re.compile("[" + "".join(map(_spelled, members[1:])) + "]")
        return chance.choice([c for c in "a 1.,'\"<>-\n\\(" if not wrong.match(c)] or ["\u2603"])
    code, value = chance.choice(members)
    if code is codes.LITERAL:
        return chr(value)
    if code is codes.RANGE:
        return chr(chance.choice(value))
    return chance.choice(SAMPLES[value])


def _spelled(member: Any) -> str:
    code, value = member
    if code is codes.LITERAL:
        return re.escape(chr(value))
    if code is codes.RANGE:
        return f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
    return {
        codes.CATEGORY_SPACE: r"\s",
        codes.CATEGORY_NOT_SPACE: r"\S",
        codes.CATEGORY_DIGIT: r"\d",
        codes.CATEGORY_NOT_DIGIT: r"\D",
        codes.CATEGORY_WORD: r"\w",
        codes.CATEGORY_NOT_WORD: r"\W",
    }[value]
