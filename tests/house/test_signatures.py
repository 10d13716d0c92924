"""docs/python.md has the signatures of what it describes, and a row for each argument of `connect`, with the ways in
that it belongs to; docs/server.md has the same of `serve`. What the trace
sends is told there as the trace has it."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql import spark_udfs
from sbql.arguments import WAYS
from sbql.engine.broker.trace import CLASSES, SUBCLASSES
from sbql.serving import SERVED

SERVER = (Path(__file__).parents[2] / "docs" / "server.md").read_text(encoding="utf-8")
DOCUMENT = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")


def written(function: Callable[..., Any]) -> str:
    """As the document writes it: names and defaults, without types."""
    parts, is_named = [], False
    for one in inspect.signature(function).parameters.values():
        if one.kind is one.KEYWORD_ONLY and not is_named:
            parts.append("*")
            is_named = True
        default = json.dumps(one.default) if isinstance(one.default, str) else repr(one.default)
        parts.append(one.name if one.default is one.empty else f"{one.name}={default}")
    return f"sbql.{function.__name__}({', '.join(parts)})"


@pytest.mark.parametrize("name", ["connect", "run_file", "run_script"])
def test_the_signature(name: str) -> None:
    assert written(getattr(sbql, name)) in DOCUMENT.splitlines()


def test_the_arguments_of_connect() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in DOCUMENT.splitlines() if line.startswith("| `")]
    told = {argument.strip("`"): ways for argument, ways in rows}
    for name in inspect.signature(sbql.connect).parameters:
        ways = ", ".join(f"`{way}`" for way, arguments in WAYS.items() if name in arguments)
        assert told[name] == (ways if ways else "" if name in WAYS else "all"), name


def test_serve() -> None:
    assert written(sbql.serve) in SERVER.splitlines()
    part = SERVER.partition("| argument | goes with |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in part.splitlines()[2:]]
    told = {name.strip("`"): words for names, words in rows for name in names.split(", ")}
    assert set(told) == set(inspect.signature(sbql.serve).parameters)
    expected = {"store": "a store", "listen": "`listen`"}
    for way, words in expected.items():
        assert {name for name, found in told.items() if found == words} == SERVED[way], way


def test_the_events_of_the_trace() -> None:
    """Each class with its number and its subclasses in their order."""
    told = {
        name: (int(number), [] if words.startswith("none") else words.partition(";")[0].split(", "))
        for name, number, words in re.findall(r"^\| `([^`]+)` \((\d+)\) \| ([^|]+?) \|", DOCUMENT, re.M)
    }
    assert told == {name: (number, list(SUBCLASSES[name])) for name, number in CLASSES.items()}


def public() -> list[tuple[str, Any]]:
    """What `import sbql` and `sbql.spark_udfs` offer, with the methods of its classes."""
    found: list[tuple[str, Any]] = []
    for module in (sbql, spark_udfs):
        for name in module.__all__:
            thing = getattr(module, name)
            if not getattr(thing, "__module__", "").startswith("sbql") or thing is sbql.Server:
                continue  # constants, and Python's own types; a server's methods are those of `doors.Host`
            found.append((name, thing))
            if inspect.isclass(thing):
                found += [
                    (f"{name}.{member}", value)
                    for member, value in vars(thing).items()
                    if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
                ]
    return found


@pytest.mark.parametrize(("name", "thing"), public())
def test_what_is_public_says_what_it_does(name: str, thing: Any) -> None:
    assert inspect.getdoc(thing)


@pytest.mark.parametrize(("name", "thing"), [pair for pair in public() if inspect.isfunction(pair[1])])
def test_its_docstring_names_each_argument(name: str, thing: Any) -> None:
    """Of functions that take several; one argument is what the name of the function says."""
    parameters = [one for one in inspect.signature(thing).parameters if one not in ("self", "connection", "spark")]
    text = inspect.getdoc(thing) or ""
    if len(parameters) > 2 and "those of `use`" not in text:
        assert [one for one in parameters if not re.search(rf"\b{one}\b", text)] == []


WITH_ARGS = [
    pair for pair in public() if inspect.isfunction(pair[1]) and "\nArgs:\n" in (inspect.getdoc(pair[1]) or "")
]


@pytest.mark.parametrize(("name", "thing"), WITH_ARGS)
def test_a_list_of_arguments_has_a_line_for_each(name: str, thing: Any) -> None:
    """In the order of the signature, as tools that read docstrings expect it."""
    part = (inspect.getdoc(thing) or "").partition("\nArgs:\n")[2].partition("\n\n")[0]
    assert re.findall(r"^    (\w+): ", part, re.M) == list(inspect.signature(thing).parameters)


def test_lists_of_arguments_are_found() -> None:
    assert {"connect", "serve", "prepare", "use", "sql", "activate"} <= {name for name, _ in WITH_ARGS}
