"""The functions by which DuckDB compares text that is not plain: those of grammar.values.collation, over stored text.

Every store makes them known when a statement first mentions them, so that a key is an expression like any
other: `sbql_text_key(text, rule)` is equal for equal texts, `sbql_text_order` sorts as they do,
`sbql_text_fold` is the key with the blanks at its end, for LIKE. `rule` is the number of a `collation.Rule`.
They raise nothing and look at no session.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from sbql.catalog.functions import StoreFunctions
from sbql.catalog.stored_text import from_stored, to_stored
from sbql.grammar.values.collation import Rule, fold_function, key_of, order_of, rule_numbered

__all__ = ["FOLD", "KEY", "ORDER", "announce_text_functions"]

KEY, ORDER, FOLD = "sbql_text_key", "sbql_text_order", "sbql_text_fold"
_MAKERS: dict[str, Callable[[Rule], Callable[[str], str]]] = {KEY: key_of, ORDER: order_of, FOLD: fold_function}


_MARK = "sbql_text_"
_SHORT, _KNOWN = 60, 4096
"""Characters of a text whose key is kept for the next row that has it, as names and cities are many rows', and how many
such keys each function keeps."""


def announce_text_functions(functions: StoreFunctions) -> None:
    """For a store that has just been opened."""

    def register() -> None:
        for name in _MAKERS:
            functions.register(
                name, _over_stored(name), ["VARCHAR", "UTINYINT"], "VARCHAR", is_volatile=False, takes_nulls=False
            )

    functions.announce(_MARK, register)


def _over_stored(name: str) -> Callable[[str, int], str]:
    make = _MAKERS[name]

    @lru_cache(maxsize=64)
    def of_rule(number: int) -> Callable[[str], str]:
        return make(rule_numbered(number))

    def call(text: str, number: int) -> str:
        return to_stored(of_rule(number)(from_stored(text)))

    known = lru_cache(maxsize=_KNOWN)(call)
    return lambda text, number: known(text, number) if len(text) <= _SHORT else call(text, number)
