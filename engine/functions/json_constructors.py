"""JSON_ARRAY and JSON_OBJECT (documentation: "JSON functions"): calls whose arguments may be JSON already."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.documents.for_json import JsonColumn, quoted, value_writer
from sbql.engine.scalars.calls import FORMS, form_arguments
from sbql.engine.scalars.expressions import convert_scalar, fold
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.kinds import kind

__all__: list[str] = []


def _json_values(node: ast.FunctionCall, scope: Scope) -> list[tuple[Scalar, Callable[[Any], str]]]:
    """The arguments, and how their values are written as JSON."""
    found = []
    for i, scalar in enumerate(form_arguments(node, scope, 0)):
        is_json = i in node.json_arguments
        found.append(
            (scalar, str if kind(scalar.type) == "null" else value_writer(JsonColumn("", scalar.type, "", is_json)))
        )
    return found


def _json_array(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """JSON_ARRAY: NULLs are left out unless NULL ON NULL keeps them."""
    values, keeps_nulls = _json_values(node, scope), node.nulls == "NULL ON NULL"
    reads = [(scalar.run, write) for scalar, write in values]

    def run(frame: Frame) -> str:
        items = [(read(frame), write) for read, write in reads]
        return f"[{','.join('null' if v is None else write(v) for v, write in items if keeps_nulls or v is not None)}]"

    return fold(NVARCHAR_MAX, run, tuple(scalar for scalar, _ in values))


def _json_object(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """JSON_OBJECT: NULLs are kept unless ABSENT ON NULL leaves them out. Raises 13605 for a name that is NULL."""
    values, keeps_nulls = _json_values(node, scope), node.nulls != "ABSENT ON NULL"
    keys = [convert_scalar(scalar, NVARCHAR_MAX).run for scalar, _ in values[::2]]
    reads = [(key, scalar.run, write) for key, (scalar, write) in zip(keys, values[1::2], strict=True)]

    def run(frame: Frame) -> str:
        members = []
        for read_key, read, write in reads:
            key, value = read_key(frame), read(frame)
            if key is None:
                raise sql_error(13605)
            if keeps_nulls or value is not None:
                members.append(f"{quoted(key)}:{'null' if value is None else write(value)}")
        return f"{{{','.join(members)}}}"

    return fold(NVARCHAR_MAX, run, tuple(scalar for scalar, _ in values))


FORMS.add("JSON_ARRAY", _json_array)
FORMS.add("JSON_OBJECT", _json_object)
