"""The registry: how a built-in function is described, registered, found and bound to argument types.

It decides how many arguments a function takes (174, 189), which types they are converted to (206, 257, 8116), and that
NULL in means NULL out unless the function says otherwise. It must not know what any function does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.lazy_registry import Registry
from sbql.grammar.ast import ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.conversion_rules import check_conversion
from sbql.grammar.values.kinds import is_national
from sbql.grammar.values.utf16 import whole

__all__ = [
    "AGGREGATE",
    "BoundFunction",
    "FunctionSpec",
    "SCALAR",
    "SYSTEM_FUNCTIONS",
    "WINDOW",
    "aggregate",
    "all_functions",
    "bind",
    "check_count",
    "function",
    "is_system_function",
    "lookup",
]

SCALAR, AGGREGATE, WINDOW = "scalar", "aggregate", "window"

ResultRule = SqlType | Callable[[tuple[SqlType, ...]], SqlType]
ParameterRule = SqlType | Callable[[SqlType, int, str], SqlType] | None
"""What an argument is converted to: a type, a rule over its own type (with its 1-based position and the function's
name, for 8116), or None to take it as it comes."""

SYSTEM_FUNCTIONS = frozenset({"FN_SQLVARBASETOSTR", "FN_VARBINTOHEXSTR", "FN_VARBINTOHEXSUBSTRING"})
"""Functions of schema sys, in upper case."""


def is_system_function(name: ObjectName) -> bool:
    """Whether a name of several parts means one of them: in sys, or in dbo of master."""
    parts = [part.value.lower() if part is not None else "dbo" for part in name.parts]
    if parts[-1].upper() not in SYSTEM_FUNCTIONS or len(parts) == 1:
        return False
    return parts[-2] == "sys" or parts[:-1] == ["master", "dbo"]


class FunctionSpec(Struct, frozen=True):
    """One built-in function.

    `takes_part(word, function)` gives the date part that its first argument names. `with_json` is the implementation
    for a last argument that is JSON already.

    `make(types)` (or `make(types, part)` when `takes_part`) returns the callable over Python values; with `needs_frame`
    its first argument is the Frame, of which it looks at the options of dates alone with `needs_options`. `duckdb` is a
    template with {0}, {1} … for arguments of the parameter types. `deterministic` False: not folded, evaluated at each
    call.
    """

    name: str
    min_args: int
    max_args: int | None
    result: ResultRule
    parameters: tuple[ParameterRule, ...]
    make: Callable[..., Callable[..., Any]] | None
    null_on_null: bool = True
    needs_frame: bool = False
    needs_options: bool = False
    deterministic: bool = True
    takes_part: Callable[[str, str], str] | None = None
    duckdb: str | None = None
    kind: str = SCALAR
    with_json: Callable[..., Any] | None = None

    def result_type(self, types: tuple[SqlType, ...]) -> SqlType:
        """The type of the result for arguments of these types (after conversion to the parameter types)."""
        return self.result if isinstance(self.result, SqlType) else self.result(types)


class BoundFunction(Struct, frozen=True):
    """A function with known argument types: convert the arguments to `parameters`, then call `run`."""

    spec: FunctionSpec
    parameters: tuple[SqlType, ...]
    type: SqlType
    run: Callable[..., Any]


_FUNCTIONS: Registry[FunctionSpec] = Registry("functions")


def function(
    name: str,
    result: ResultRule,
    parameters: Sequence[ParameterRule] = (),
    *,
    optional: int = 0,
    variadic: bool = False,
    null_on_null: bool = True,
    needs_frame: bool = False,
    needs_options: bool = False,
    deterministic: bool = True,
    takes_part: Callable[[str, str], str] | None = None,
    typed: bool = False,
    duckdb: str | None = None,
    with_json: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register the decorated function as T-SQL's `name`.

    The last `optional` parameters may be left out; `variadic` repeats the last parameter any number of times. `typed`:
    the decorated function is not the implementation but makes it from the argument types (and date part).
    """

    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        def make(types: tuple[SqlType, ...], *part: str) -> Callable[..., Any]:
            if typed:
                made: Callable[..., Any] = implementation(types, *part)
                return made
            if part:
                return lambda *values: implementation(part[0], *values)
            return implementation

        count = len(parameters)
        spec = FunctionSpec(
            name, count - optional, None if variadic else count, result, tuple(parameters), make, null_on_null,
            needs_frame or needs_options, needs_options, deterministic and not (needs_frame or needs_options), takes_part, duckdb, with_json=with_json,
        )  # fmt: skip
        _FUNCTIONS.add(name, spec)
        return implementation

    return register


def aggregate(
    name: str,
    result: ResultRule,
    parameters: Sequence[ParameterRule],
    duckdb: str | None,
    *,
    optional: int = 0,
    kind: str = AGGREGATE,
) -> None:
    """Register an aggregate or window function: its types, and its DuckDB template where there is one."""
    count = len(parameters)
    spec = FunctionSpec(name, count - optional, count, result, tuple(parameters), None, duckdb=duckdb, kind=kind)
    _FUNCTIONS.add(name, spec)


def lookup(name: str) -> FunctionSpec | None:
    """The function of this name, in any case."""
    return _FUNCTIONS.find(name.upper())


def all_functions() -> dict[str, FunctionSpec]:
    """Every function by name."""
    return dict(_FUNCTIONS)


def check_count(spec: FunctionSpec, count: int) -> None:
    """Raises 174 (one number of arguments is right) or 189 (a range is)."""
    shown = int(spec.takes_part is not None)
    low, high = spec.min_args + shown, None if spec.max_args is None else spec.max_args + shown
    if count >= low and (high is None or count <= high):
        return
    if high == low:
        raise sql_error(174, spec.name.lower(), low)
    raise sql_error(189, spec.name.lower(), low, 254 if high is None else high)


def bind(spec: FunctionSpec, types: Sequence[SqlType], part: str | None = None) -> BoundFunction:
    """The function for arguments of these types (without the date part). Raises 8116, 206, 257."""
    assert spec.make is not None, f"{spec.name} is no scalar function"
    wanted = []
    for i, sql_type in enumerate(types):
        rule = spec.parameters[min(i, len(spec.parameters) - 1)]
        if rule is None:
            goal = sql_type
        elif isinstance(rule, SqlType):
            goal = rule
        else:
            goal = rule(sql_type, i + 1 + int(spec.takes_part is not None), spec.name.lower())
        check_conversion(sql_type, goal, explicit=False)
        wanted.append(goal)
    parameters = tuple(wanted)
    implementation = spec.make(parameters, part) if part is not None else spec.make(parameters)
    result = spec.result_type(parameters)
    if is_national(result):
        implementation = _whole_text(implementation)
    run = implementation
    if spec.null_on_null and parameters:
        run = (
            _with_frame_null_check(implementation) if spec.needs_frame else _null_check(implementation, len(parameters))
        )
    return BoundFunction(spec, parameters, result, run)


def _whole_text(implementation: Callable[..., Any]) -> Callable[..., Any]:
    """What functions cut and put together: halves that stand side by side are the character that they make."""

    def run(*values: Any) -> Any:
        found = implementation(*values)
        return found if found is None or found.isascii() else whole(found)

    return run


def _null_check(implementation: Callable[..., Any], count: int) -> Callable[..., Any]:
    if count == 1:
        return lambda value: None if value is None else implementation(value)
    if count == 2:
        return lambda a, b: None if a is None or b is None else implementation(a, b)
    if count == 3:
        return lambda a, b, c: None if a is None or b is None or c is None else implementation(a, b, c)

    def run(*values: Any) -> Any:
        return None if None in values else implementation(*values)

    return run


def _with_frame_null_check(implementation: Callable[..., Any]) -> Callable[..., Any]:
    def run(frame: Any, *values: Any) -> Any:
        return None if None in values else implementation(frame, *values)

    return run
