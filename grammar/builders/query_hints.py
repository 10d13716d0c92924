"""Builders of OPTION (…): the hints of a statement, each in the form that SQL Server gives it.

Decides which hints there are and what stands behind each word. Most change plans only, and there is one
plan; but a hint that is misspelled is told all the same. It must not know the types of variables:
whether they are declared is asked later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any, TypeVar

from sbql.grammar.ast import (
    BinaryLiteral,
    DeleteStatement,
    DerivedTable,
    Expression,
    FunctionTable,
    Identifier,
    InlineValues,
    InsertStatement,
    IntegerLiteral,
    MergeStatement,
    MoneyLiteral,
    NamedTable,
    NullLiteral,
    NumericLiteral,
    ObjectName,
    OptimizedVariable,
    QueryHint,
    RealLiteral,
    SelectStatement,
    Span,
    StringLiteral,
    TableHint,
    UnaryExpression,
    UpdateStatement,
    VariableReference,
    VariableTable,
    WithClause,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import word_set
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.syntax_errors import incorrect_syntax
from sbql.grammar.tree import find_all, walk

__all__ = ["FORMS", "USE_HINTS", "checked_hints", "with_depth"]

S = TypeVar("S", SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, MergeStatement)

FORMS: dict[str, str] = {
    **dict.fromkeys(("HASH GROUP", "ORDER GROUP", "CONCAT UNION", "HASH UNION", "MERGE UNION"), ""),
    **dict.fromkeys(("LOOP JOIN", "MERGE JOIN", "HASH JOIN", "FORCE ORDER", "EXPAND VIEWS"), ""),
    **dict.fromkeys(("KEEP PLAN", "KEEPFIXED PLAN", "ROBUST PLAN", "RECOMPILE", "NO_PERFORMANCE_SPOOL"), ""),
    **dict.fromkeys(("FORCE EXTERNALPUSHDOWN", "DISABLE EXTERNALPUSHDOWN"), ""),
    **dict.fromkeys(("FORCE SCALEOUTEXECUTION", "DISABLE SCALEOUTEXECUTION"), ""),
    **dict.fromkeys(("DISABLE_OPTIMIZED_PLAN_FORCING", "IGNORE_NONCLUSTERED_COLUMNSTORE_INDEX"), ""),
    "OPTIMIZE FOR UNKNOWN": "",
    **dict.fromkeys(("FAST", "MAXDOP", "MAXRECURSION", "QUERYTRACEON"), "n"),
    **dict.fromkeys(("MIN_GRANT_PERCENT", "MAX_GRANT_PERCENT"), "= percent"),
    "LABEL": "= string",
    **dict.fromkeys(("USE PLAN", "FOR TIMESTAMP AS OF"), "string"),
    "USE HINT": "(strings)",
    "OPTIMIZE FOR": "(variables)",
    "TABLE HINT": "(table)",
}
"""The hints, and what stands behind the words of each."""

_FIRST = frozenset(words.split()[0] for words in FORMS)
_NAMED_BY_SECOND = word_set("DISABLE FORCE OPTIMIZE USE")
"""First words behind which a wrong second one is what the error names."""

_ONCE = word_set("FAST MAXDOP MAXRECURSION MIN_GRANT_PERCENT MAX_GRANT_PERCENT")
_MOST = 32767
_LAST_INT = 2**31 - 1

USE_HINTS = word_set(
    """
    ABORT_QUERY_EXECUTION ALLOW_BATCH_MODE ASSUME_FIXED_MAX_SELECTIVITY_FOR_REGEXP ASSUME_FIXED_MIN_SELECTIVITY_FOR_REGEXP
    ASSUME_FULL_INDEPENDENCE_FOR_FILTER_ESTIMATES ASSUME_JOIN_PREDICATE_DEPENDS_ON_FILTERS
    ASSUME_MIN_SELECTIVITY_FOR_FILTER_ESTIMATES ASSUME_PARTIAL_CORRELATION_FOR_FILTER_ESTIMATES
    DISABLE_BATCH_MODE_ADAPTIVE_JOINS DISABLE_BATCH_MODE_MEMORY_GRANT_FEEDBACK DISABLE_CE_FEEDBACK
    DISABLE_DEFERRED_COMPILATION_TV DISABLE_DOP_FEEDBACK DISABLE_INTERLEAVED_EXECUTION_TVF
    DISABLE_MEMORY_GRANT_FEEDBACK_PERSISTENCE DISABLE_OPTIMIZED_HALLOWEEN_PROTECTION DISABLE_OPTIMIZED_NESTED_LOOP
    DISABLE_OPTIMIZED_PLAN_FORCING DISABLE_OPTIMIZER_ROWGOAL DISABLE_OPTIONAL_PARAMETER_OPTIMIZATION
    DISABLE_PARAMETER_SENSITIVE_PLAN DISABLE_PARAMETER_SENSITIVE_PLAN_OPTIMIZATION DISABLE_PARAMETER_SNIFFING
    DISABLE_RESULT_SET_CACHE DISABLE_ROW_MODE_MEMORY_GRANT_FEEDBACK DISABLE_TSQL_SCALAR_UDF_INLINING DISALLOW_BATCH_MODE
    ENABLE_HIST_AMENDMENT_FOR_ASC_KEYS ENABLE_PARALLEL_PLAN_PREFERENCE ENABLE_QUERY_OPTIMIZER_HOTFIXES
    FORCE_DEFAULT_CARDINALITY_ESTIMATION FORCE_LEGACY_CARDINALITY_ESTIMATION QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_100
    QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_110 QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_120 QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_130
    QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_140 QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_150 QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_160
    QUERY_OPTIMIZER_COMPATIBILITY_LEVEL_170 QUERY_PLAN_PROFILE
    """
)
"""The names of USE HINT, of all versions and of those that are documented only."""


# --- the parts of a hint -----------------------------------------------------------------------------------


@rule()
def reserved_hint_word(span: Span, word: str) -> Identifier:
    return Identifier(word.upper(), span=span)


@rule()
def hint_equals(span: Span) -> Identifier:
    return Identifier("=", span=span)


@rule()
def optimized_variable(span: Span, variable: VariableReference, value: Expression) -> OptimizedVariable:
    """Raises 320 for what is no constant."""
    constant = value
    if isinstance(value, UnaryExpression) and value.op == "-":
        constant = value.operand
        if isinstance(constant, StringLiteral | BinaryLiteral | NullLiteral):
            raise incorrect_syntax("-", "Only numbers have a sign.", value.span)
    if not isinstance(constant, _CONSTANTS):
        raise sql_error(320, variable.name, span=value.span)
    return OptimizedVariable(variable, value, span=span)


_CONSTANTS = (
    IntegerLiteral, NumericLiteral, RealLiteral, MoneyLiteral, StringLiteral, BinaryLiteral, NullLiteral,
)  # fmt: skip


@rule()
def optimized_unknown(span: Span, variable: VariableReference, word: Identifier) -> OptimizedVariable:
    if word.value.upper() != "UNKNOWN":
        raise incorrect_syntax(word.value, "Expected UNKNOWN, or = and a constant.", word.span)
    return OptimizedVariable(variable, span=span)


# --- a hint ------------------------------------------------------------------------------------------------


@rule()
def query_hint(span: Span, words: tuple[Identifier, ...], *rest: Any) -> QueryHint:
    """Raises 102 for a hint that there is not, or in another form."""
    name = " ".join(word.value.upper() for word in words)
    form = FORMS.get(name)
    if form is None:
        raise _no_hint(words)
    check = _CHECKS[form]
    return QueryHint(name, check(words, rest), span=span)


def _no_hint(words: tuple[Identifier, ...]) -> SqlError:
    first = words[0].value.upper()
    if first == "PARAMETERIZATION":
        return incorrect_syntax(words[0].value, "PARAMETERIZATION is a hint of plan guides alone.", words[0].span)
    for count in range(len(words) - 1, 0, -1):
        if " ".join(word.value.upper() for word in words[:count]) in FORMS:
            return incorrect_syntax(words[count].value, "A comma stands between two hints.", words[count].span)
    wrong = words[1] if first in _NAMED_BY_SECOND and len(words) > 1 else words[0]
    known = [name for name in FORMS if name.startswith(f"{first} ")]
    if known:
        return incorrect_syntax(wrong.value, f"Expected {' or '.join(known)}.", wrong.span)
    advice = did_you_mean(wrong.value, _FIRST)
    return incorrect_syntax(wrong.value, f"Expected a query hint. {advice}".rstrip(), wrong.span)


Words = tuple[Identifier, ...]
Rest = tuple[Any, ...]


def _wrong_form(words: Words, expected: str, at: Any = None) -> SqlError:
    """Error 102 at the part that is too much, or at the hint when what it needs is another or is missing."""
    place = at if isinstance(at, Identifier) else words[0]
    return incorrect_syntax(place.value, f"Expected {' '.join(w.value.upper() for w in words)}{expected}.", place.span)


def _nothing(words: Words, rest: Rest) -> tuple[()]:
    if rest:
        raise _wrong_form(words, " alone", rest[0])
    return ()


def _number(words: Words, rest: Rest) -> tuple[IntegerLiteral]:
    """Raises 304 and 310 for numbers that are too large."""
    if len(rest) != 1 or not isinstance(rest[0], IntegerLiteral) or rest[0].value > _LAST_INT:
        raise _wrong_form(words, " and a whole number", rest[0] if rest else None)
    number = rest[0]
    name = words[0].value.upper()
    if name == "MAXRECURSION" and number.value > _MOST:
        raise sql_error(310, number.value, _MOST, span=number.span)
    if name == "MAXDOP" and number.value > _MOST:
        raise sql_error(304, number.value, "maxdop", span=number.span)
    return (number,)


def _percent(words: Words, rest: Rest) -> tuple[IntegerLiteral | NumericLiteral]:
    """Raises 1042 for what is no percentage."""
    if len(rest) != 2 or not isinstance(rest[1], IntegerLiteral | NumericLiteral):
        raise _wrong_form(words, " = and a number")
    if _value(rest[1]) > 100:
        raise sql_error(1042, words[0].value.lower(), span=rest[1].span)
    return (rest[1],)


def _assigned_string(words: Words, rest: Rest) -> tuple[StringLiteral]:
    if len(rest) != 2 or not isinstance(rest[1], StringLiteral):
        raise _wrong_form(words, " = and a string")
    return (rest[1],)


def _string(words: Words, rest: Rest) -> tuple[StringLiteral]:
    if len(rest) != 1 or not isinstance(rest[0], StringLiteral):
        raise _wrong_form(words, " and a string", rest[0] if rest else None)
    return (rest[0],)


def _use_hints(words: Words, rest: Rest) -> tuple[StringLiteral, ...]:
    """Raises 10715 for a name that there is not."""
    named = _listed(rest, StringLiteral)
    if not named:
        raise _wrong_form(words, " and strings in parentheses")
    for each in named:
        if each.value.upper() not in USE_HINTS:
            raise sql_error(10715, each.value, span=each.span).advise(did_you_mean(each.value, USE_HINTS))
    return named


def _variables(words: Words, rest: Rest) -> tuple[OptimizedVariable, ...]:
    found = _listed(rest, OptimizedVariable)
    if not found:
        raise _wrong_form(words, " and variables in parentheses, or OPTIMIZE FOR UNKNOWN")
    return found


def _listed(rest: Rest, kind: type[Any]) -> tuple[Any, ...]:
    """What stands in the parentheses, if it is all of one kind."""
    items = rest[0] if len(rest) == 1 and isinstance(rest[0], tuple) else ()
    return items if all(isinstance(item, kind) for item in items) else ()


def _table(words: Words, rest: Rest) -> tuple[()]:
    raise _wrong_form(words, " and a table with its hints in parentheses")


_CHECKS: dict[str, Callable[[Words, Rest], Any]] = {
    "": _nothing,
    "n": _number,
    "= percent": _percent,
    "= string": _assigned_string,
    "string": _string,
    "(strings)": _use_hints,
    "(variables)": _variables,
    "(table)": _table,
}


@rule()
def table_query_hint(span: Span, word: Identifier, table: ObjectName, *hints: TableHint) -> QueryHint:
    if word.value.upper() != "HINT":
        raise incorrect_syntax("TABLE", "Expected TABLE HINT.", word.span)
    return QueryHint("TABLE HINT", (table, *hints), span=span)


# --- the hints of a statement ------------------------------------------------------------------------------


def checked_hints(statement: S) -> S:
    """The statement, if its hints go together. Raises 1042, 4131, 8720, 8723 and 10768."""
    numbers: dict[str, Decimal] = {}
    variables: set[str] = set()
    tables: set[str] = set()
    labelled = False
    for hint in statement.hints:
        if hint.name in _ONCE:
            value = _value(hint.arguments[0])
            if numbers.setdefault(hint.name, value) != value:
                raise sql_error(1042, hint.name.lower(), span=hint.span)
        elif hint.name == "LABEL":
            if labelled:
                raise sql_error(10768, span=hint.span)
            labelled = True
        elif hint.name == "OPTIMIZE FOR":
            for variable in find_all(hint, VariableReference):
                if variable.name.lower() in variables:
                    raise sql_error(4131, variable.name, span=variable.span)
                variables.add(variable.name.lower())
        elif hint.name == "TABLE HINT":
            _check_table(statement, hint, tables)
    return statement


def _value(number: Any) -> Decimal:
    return Decimal(number.value if isinstance(number, IntegerLiteral) else number.text)


def _check_table(statement: S, hint: QueryHint, seen: set[str]) -> None:
    table = str(hint.arguments[0])
    if table.lower() in seen:
        raise sql_error(8720, table, span=hint.span)
    seen.add(table.lower())
    if table.lower() not in _exposed(statement):
        raise sql_error(8723, table, span=hint.arguments[0].span)


def _exposed(statement: S) -> set[str]:
    """The names by which the queries of a statement know their tables."""
    found: set[str] = set()
    for source in walk(statement):
        if not isinstance(source, NamedTable | DerivedTable | FunctionTable | InlineValues | VariableTable):
            continue
        if source.alias is not None:
            found.add(source.alias.value.lower())
        elif isinstance(source, NamedTable):
            found.add(str(source.name).lower())
    return found


def with_depth(with_: WithClause | None, hints: tuple[QueryHint, ...] | None) -> WithClause | None:
    """The WITH clause of a statement, as deep as its OPTION (MAXRECURSION n) lets it go. Other query hints change plans
    only, and there is one plan."""
    for hint in hints or ():
        if hint.name == "MAXRECURSION" and with_ is not None:
            number = hint.arguments[0]
            assert isinstance(number, IntegerLiteral)
            return replace(with_, max_recursion=number.value)
    return with_
