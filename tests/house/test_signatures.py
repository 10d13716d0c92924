"""docs/python.md has the signatures of what it describes, and a row for each argument of `connect`, with the ways in that it belongs to; docs/server.md
has the same of `serve`."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.arguments import WAYS
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
