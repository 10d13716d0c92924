"""The tables of what is loaded at need are true, and every statement class has a handler."""

from __future__ import annotations

import importlib
import inspect

import pytest

from sbql.engine.lazy_registry import REGISTRIES, Registry
from sbql.engine.operations import Operation
from sbql.engine.steps import HANDLERS
from sbql.engine.wiring import TABLES
from sbql.grammar import ast


def registry(name: str) -> Registry[object]:
    """A registry with everything in it; it is there as soon as one of its modules is imported."""
    importlib.import_module(next(iter(TABLES[name])))
    found = REGISTRIES[name]
    assert len(found) > 0
    return found


@pytest.mark.parametrize("name", sorted(TABLES))
def test_modules_fill_the_words_that_the_table_says(name: str) -> None:
    """A statement whose module is not in the table would be reported as unsupported, a function as unknown."""
    words = {word: module for module, filled in TABLES[name].items() for word in filled}
    found = registry(name)
    for word, module in words.items():
        filling = found[word]
        body = filling.run if isinstance(filling, Operation) else filling
        assert getattr(body, "__module__", module) == module, word


def test_no_registry_is_without_a_table() -> None:
    for name in TABLES:
        registry(name)
    assert set(REGISTRIES) == set(TABLES)


def test_every_statement_has_a_handler() -> None:
    """What the grammar can produce can be compiled (labels are places, not steps)."""
    classes = {
        name
        for name, c in vars(ast).items()
        if inspect.isclass(c) and issubclass(c, ast.Statement) and c is not ast.Statement
    }
    assert classes - set(HANDLERS) == {"LabelStatement"}
    assert set(HANDLERS) == {word for words in TABLES["statements"].values() for word in words}


def test_an_unknown_word_means_nothing() -> None:
    assert HANDLERS.find("NothingLikeIt") is None
    assert "NothingLikeIt" not in HANDLERS
    with pytest.raises(KeyError):
        HANDLERS["NothingLikeIt"]
