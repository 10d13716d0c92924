"""What the language's own table functions list of a short text or of few numbers, as rows that need no DuckDB:
`FROM STRING_SPLIT(@ids, ',')`, `FROM GENERATE_SERIES(1, 10)`.

Decides which calls: those that variables and constants alone say, while they list no more than DuckDB would do sooner.
It must not know what is made of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.engine.direct.sources import FEW
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.list_functions import listed_numbers, listed_parts
from sbql.engine.query.plain_expressions import is_plain
from sbql.engine.query.unnesting import exposed_name, named_columns_of
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn
from sbql.grammar import ast
from sbql.grammar.types import BIGINT, SqlType
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.collation import Rule, rule_of
from sbql.grammar.values.kinds import is_national, kind
from sbql.grammar.values.utf16 import whole

__all__ = ["ListedNumbers", "ListedParts", "list_rows"]

_SHORT: Final = 4000
"""Characters of a text that is split here."""
_TEXTS: Final = frozenset({"char", "nchar", "varchar", "nvarchar"})


class ListedParts(Struct, frozen=True):
    """The parts of a text, with their numbers if they are asked for."""

    text: Callable[[Frame], str | None]
    separator: Callable[[Frame], str | None]
    rule: Rule
    is_numbered: bool

    def rows(self, frame: Frame) -> Iterable[tuple[int, Sequence[Any]]] | None:
        text, separator = self.text(frame), self.separator(frame)
        if text is not None and len(text) > _SHORT:
            return None
        parts = [whole(part) for part in listed_parts(text, separator, self.rule) or ()]
        if self.is_numbered:
            return checked_rows([(0, row) for row in zip(parts, range(1, len(parts) + 1), strict=True)])
        return checked_rows([(0, (part,)) for part in parts])


class ListedNumbers(Struct, frozen=True):
    """The whole numbers between two, by a step if there is a third."""

    bounds: Sequence[Callable[[Frame], Any]]

    def rows(self, frame: Frame) -> Iterable[tuple[int, Sequence[Any]]] | None:
        first, last, *steps = (bound(frame) for bound in self.bounds)
        if None not in (first, last, *steps) and abs(last - first) // (abs(steps[0] if steps else 1) or 1) >= FEW:
            return None
        return checked_rows([(0, row) for row in listed_numbers(first, last, *steps)])


def list_rows(
    source: ast.FunctionTable, scope: Scope, session: Session
) -> tuple[ListedParts | ListedNumbers, list[RowColumn]] | None:
    """The rows and their columns; None: ask DuckDB. Raises SqlError for what does not compile."""
    name = source.name.name.upper()
    if source.name.schema is not None or name not in ("STRING_SPLIT", "GENERATE_SERIES"):
        return None
    given = []
    for argument in source.arguments:
        if not is_constant(argument) or not is_plain(argument, scope, session):
            return None
        given.append(compile_scalar(argument, scope))
    made = _parts(source, given) if name == "STRING_SPLIT" else _numbers(given)
    if made is None:
        return None
    alias = exposed_name(source).lower()
    return made[0], [RowColumn(alias, column, type_) for column, type_ in named_columns_of(made[1], source)]


def _parts(source: ast.FunctionTable, given: list[Scalar]) -> tuple[ListedParts, list[tuple[str, SqlType]]] | None:
    """Of texts in the default collation. Of the columns the types are those of the function in DuckDB."""
    text, separator, *flag = given
    if not all(each.type.name in _TEXTS and each.type.collation is None for each in (text, separator)):
        return None
    if flag and not isinstance(source.arguments[2], ast.IntegerLiteral):
        return None
    is_numbered = bool(flag and flag[0].value)
    family = "nvarchar" if is_national(text.type) else "varchar"
    columns = [("value", SqlType(family, length=text.type.length or 8000)), ("ordinal", BIGINT)]
    rule = rule_of(None, is_national(text.type))
    return ListedParts(text.run, separator.run, rule, is_numbered), columns[: 1 + is_numbered]


def _numbers(given: list[Scalar]) -> tuple[ListedNumbers, list[tuple[str, SqlType]]] | None:
    target = given[0].type
    if kind(target) != "int" or any(each.type.name != target.name for each in given):
        return None
    return ListedNumbers([each.run for each in given]), [("value", target)]
