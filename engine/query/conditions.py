"""Search conditions in SQL: comparison, LIKE, IN, BETWEEN, EXISTS, ANY and ALL.

Decides in which type and by which key two values are compared. Three-valued logic is DuckDB's own, which is that of
T-SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from sbql.catalog.duck_types import duck_type, in_ticks, quote_literal
from sbql.engine.native.forms import Form, beyond, beyond_ascii, guarded, in_form
from sbql.engine.native.moments import as_ticks
from sbql.engine.query.context import CONDITIONS, Context, registers
from sbql.engine.query.conversions import call, convert
from sbql.engine.query.queries import translate_inner
from sbql.engine.query.query_text import QueryText, output_columns
from sbql.engine.query.text_comparisons import compared
from sbql.engine.scalars.conditions import in_as_comparisons, may_be_null
from sbql.engine.scalars.expressions import compile_condition
from sbql.engine.tables.comparison_keys import (
    equality_key,
    folded_text,
    if_null,
    meeting_collation,
    order_key,
    plain_text,
)
from sbql.engine.tables.typed_sql import LONG, Typed, over_names, text_literal
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT, BIT, SqlType, varchar
from sbql.grammar.values.collation import BINARY, CODE_PAGE, Rule, fold_function, rule_of
from sbql.grammar.values.compare import comparer
from sbql.grammar.values.kinds import is_national, is_wide, kind
from sbql.grammar.values.like import is_like
from sbql.grammar.values.like_regex import ASCII_TEXT, PLAIN_TEXT, alphabet_for, regex_like
from sbql.grammar.values.result_types import as_decimal, comparison_type

__all__ = ["comparison"]

VARCHAR_8000 = varchar(8000)
_NAMES = {"=": "equal to", "<>": "not equal to", "<": "less than", "<=": "less than or equal to", ">": "greater than",
          ">=": "greater than or equal to"}  # fmt: skip


@registers(CONDITIONS, ast.Comparison)
def compare_node(node: ast.Comparison, cx: Context) -> str:
    left, right = cx.expression(node.left), cx.expression(node.right)
    found = comparison(node.op, left, right, cx, node.span)
    if cx.session.options.ansi_nulls or node.op not in ("=", "<>"):
        return found
    # ANSI_NULLS OFF: a variable or the word NULL, when it is NULL, equals what is NULL too.
    sign = "IS" if node.op == "=" else "IS NOT"
    for operand, own, other in ((node.left, left, right), (node.right, right, left)):
        if isinstance(operand, ast.NullLiteral):
            return f"({other.sql} {sign} NULL)"
        if may_be_null(operand, cx.statement.scope):
            found = f"(CASE WHEN {own.sql} IS NULL THEN {other.sql} {sign} NULL ELSE {found} END)"
    return found


def comparison(op: str, left: Typed, right: Typed, cx: Context, span: ast.Span) -> str:
    """`left op right`. Raises 206, 257, 305, 306, 402, 468."""
    try:
        common = comparison_type(op, left.type, right.type)
    except SqlError as error:
        raise error.at(span) from None
    if left.is_bare_null or right.is_bare_null:
        return "CAST(NULL AS BOOLEAN)"
    if kind(common) == "string":
        collation = meeting_collation(left, right, _NAMES[op], span)
        left, right = convert(left, common, cx), convert(right, common, cx)
        key = equality_key if op in ("=", "<>") else order_key

        def by_keys(first: Typed, second: Typed) -> str:
            return f"({key(first, collation, given=True)} {op} {key(second, collation, given=True)})"

        return compared(op, left, right, rule_of(collation, is_national(common)), by_keys)
    if kind(common) == "variant":
        return _of_variants(op, convert(left, common, cx), convert(right, common, cx), common, cx)
    if kind(common) == "decimal" and not _have_room(left.type, right.type):
        left, right = convert(left, as_decimal(left.type), cx), convert(right, as_decimal(right.type), cx)
        return _of_all_digits(op, left, right)
    left, right = _for_comparison(left, common, cx), _for_comparison(right, common, cx)
    key = equality_key if op in ("=", "<>") else order_key
    return f"({key(left)} {op} {key(right)})"


def _for_comparison(value: Typed, common: SqlType, cx: Context) -> Typed:
    """Numbers of different size compare as they are in DuckDB; a cast of the column would only hide statistics."""
    family = kind(value.type)
    if family == kind(common) == "int" or (family == kind(common) == "decimal"):
        return value
    if family == "int" and kind(common) == "decimal":
        return value
    if family == "datetimeoffset" and in_ticks(common) and not in_ticks(value.type) and value.constant is None:
        return msgspec.structs.replace(value, sql=as_ticks(f"struct_extract({value.sql}, 'utc')"), type=BIGINT)
    return convert(value, common, cx)


_EXACT = ("int", "bit", "decimal", "money")


def _have_room(left: SqlType, right: SqlType) -> bool:
    """Whether DuckDB has a decimal for all digits of these numbers: otherwise it would refuse some values."""
    if kind(left) not in _EXACT or kind(right) not in _EXACT:
        return True  # a text is converted
    digits = [(t.precision or 18, t.scale or 0) for t in (as_decimal(left), as_decimal(right))]
    return max(precision - scale for precision, scale in digits) + max(scale for _, scale in digits) <= 38


def _of_all_digits(op: str, left: Typed, right: Typed) -> str:
    """The one with more digits behind the point always has room in a decimal of 38; where the other one has none, its
    sign tells. A join finds its rows by the first condition of an equality."""
    return over_names([left, right], lambda named: _digits_compared(op, named[0], named[1]))


def _digits_compared(op: str, left: Typed, right: Typed) -> str:
    scale = max(left.type.scale or 0, right.type.scale or 0)
    widest = duck_type(SqlType("decimal", precision=38, scale=scale))
    is_left = (left.type.scale or 0) < scale
    other, fine = (left, right) if is_left else (right, left)
    fits, exact = f"TRY_CAST({other.sql} AS {widest})", f"CAST({fine.sql} AS {widest})"
    if op in ("=", "<>"):
        same = f"({fits} = {exact} AND ({fits} IS NOT NULL OR {other.sql} IS NULL OR {fine.sql} IS NULL))"
        return same if op == "=" else f"(NOT {same})"
    compared, told = (
        (f"{fits} {op} {exact}", f"{other.sql} {op} 0") if is_left else (f"{exact} {op} {fits}", f"0 {op} {other.sql}")
    )
    return f"coalesce({compared}, CASE WHEN {fine.sql} IS NOT NULL THEN {told} END)"


def _of_variants(op: str, left: Typed, right: Typed, common: SqlType, cx: Context) -> str:
    """By the texts that variants sort by. Halves of surrogate pairs are stored in another order: Python's."""
    if op in ("=", "<>"):
        return f"({equality_key(left)} {op} {equality_key(right)})"
    compute = comparer(op, common)

    def run(a: Any, b: Any) -> bool | None:
        return None if a is None or b is None else compute(a, b)

    def by_rows(given: Sequence[Typed]) -> str:
        odd = " OR ".join(beyond_ascii(equality_key(one)) for one in given)
        others = call("compared", (op, common), run, given, BIT, cx, is_pure=True)
        ours = f"{equality_key(given[0])} {op} {equality_key(given[1])}"
        return f"(CASE WHEN {odd} THEN {others} ELSE {ours} END)"

    return over_names([left, right], by_rows)


# --- AND, OR, NOT ------------------------------------------------------------------------------------------


@registers(CONDITIONS, ast.And)
def and_(node: ast.And, cx: Context) -> str:
    return "(" + " AND ".join(cx.condition(operand) for operand in node.operands) + ")"


@registers(CONDITIONS, ast.Or)
def or_(node: ast.Or, cx: Context) -> str:
    return "(" + " OR ".join(cx.condition(operand) for operand in node.operands) + ")"


@registers(CONDITIONS, ast.Not)
def not_(node: ast.Not, cx: Context) -> str:
    return f"(NOT {cx.condition(node.operand)})"


@registers(CONDITIONS, ast.IsNull)
def is_null(node: ast.IsNull, cx: Context) -> str:
    return f"({cx.of_method().expression(node.operand).sql} IS {'NOT ' if node.negated else ''}NULL)"


@registers(CONDITIONS, ast.Between)
def between(node: ast.Between, cx: Context) -> str:
    def write(values: Sequence[Typed]) -> str:
        value, low, high = values
        return f"({comparison('>=', value, low, cx, node.span)} AND {comparison('<=', value, high, cx, node.span)})"

    both = _over_compared([cx.expression(part) for part in (node.operand, node.low, node.high)], write)
    return f"(NOT {both})" if node.negated else both


def _over_compared(values: Sequence[Typed], write: Callable[[Sequence[Typed]], str]) -> str:
    """What `write` makes of values that it compares: of plainer ones, if there are, which need no name."""
    plain = [value.plainest(ignores_case=True) for value in values]
    if plain[0] is not values[0] and not any(value.stands_once or len(value.sql) > LONG for value in plain):
        return write(values)
    return over_names(values, write)


@registers(CONDITIONS, ast.InList)
def in_list(node: ast.InList, cx: Context) -> str:
    if not cx.session.options.ansi_nulls:
        return cx.condition(in_as_comparisons(node))
    value = cx.expression(node.operand)
    items = [cx.expression(item) for item in node.items]
    kinds = {kind(item.type) for item in items}
    is_plain = (
        kinds == {kind(value.type)}
        and kinds <= {"int", "string", "guid"}
        and not any(item.is_text and item.rank for item in items)
    )
    if len(items) > 2 and is_plain:
        found = _plain_list(value, items, node.span)
    else:
        found = _over_compared([value, *items], lambda given: _one_of(given[0], given[1:], cx, node.span))
    return f"(NOT {found})" if node.negated else found


def _one_of(value: Typed, items: Sequence[Typed], cx: Context, span: ast.Span) -> str:
    return "(" + " OR ".join(comparison("=", value, item, cx, span) for item in items) + ")"


def _plain_list(value: Typed, items: list[Typed], span: ast.Span) -> str:
    """A long list of values of the operand's own kind."""
    if not value.is_text:
        return f"({value.sql} IN ({', '.join(item.sql for item in items)}))"
    collation = meeting_collation(value, items[0], "equal to", span)
    keys = [equality_key(item, collation, given=True) for item in items]
    return f"({equality_key(value, collation, given=True)} IN ({', '.join(keys)}))"


# --- LIKE --------------------------------------------------------------------------------------------------


@registers(CONDITIONS, ast.Like)
def like(node: ast.Like, cx: Context) -> str:
    """Plain patterns are DuckDB's LIKE; others are matched by the shared matcher. Blanks at the end of the text are
    ignored for code-page text only."""
    value, pattern = _as_text(cx.expression(node.operand), 1, cx), _as_text(cx.expression(node.pattern), 2, cx)
    escape = _as_text(cx.expression(node.escape), 3, cx) if node.escape is not None else None
    if value.is_bare_null or pattern.is_bare_null:
        return "CAST(NULL AS BOOLEAN)"
    collation = meeting_collation(value, pattern, "like", node.span)
    rule = rule_of(collation, is_national(value.type) or is_national(pattern.type))
    value = value.plainest(ignores_case=rule.case, ignores_blanks=False)
    arguments = [value, pattern] + ([escape] if escape is not None else [])
    found = over_names(arguments, lambda named: _matches(named, collation, cx))
    return f"(NOT {found})" if node.negated else found


def _matches(arguments: Sequence[Typed], collation: str | None, cx: Context) -> str:
    """`arguments` are the text, the pattern, and the escape character if one is given."""
    value, pattern, escape = *arguments[:2], arguments[2] if len(arguments) > 2 else None
    national = is_national(value.type) or is_national(pattern.type)
    rule, has_escape = rule_of(collation, national), escape is not None

    def run(text: str | None, shape: str | None, sign: str | None = None) -> bool | None:
        if text is None or shape is None or (has_escape and sign is None):
            return None
        return is_like(text, shape, sign, collation, is_national=national)

    def matched() -> str:
        return call("like", (collation, national), run, arguments, BIT, cx, is_pure=True)

    found = _simple_pattern(value, pattern, rule, national, matched) if pattern.is_literal and not has_escape else None
    if found is None:
        found = _regular_expression(value, pattern, escape, collation, national, matched)
    if found is None and escape is None:
        found = _patterns_of_rows(value, pattern, rule, national, matched)
    return matched() if found is None else found


def _as_text(value: Typed, position: int, cx: Context) -> Typed:
    """Raises 8116 for xml and sql_variant."""
    if kind(value.type) in ("xml", "variant"):
        raise sql_error(8116, value.type.name, position, "like")
    return value if value.is_text or value.is_bare_null else convert(value, VARCHAR_8000, cx)


_WILDCARDS = "%_[\\"


def _simple_pattern(value: Typed, pattern: Typed, rule: Rule, national: bool, matched: Callable[[], str]) -> str | None:
    """LIKE of DuckDB for patterns of %, _ and plain characters, over what the rule makes of both. Where _ stands, text
    that is not plain is `matched` by our own matcher: _ is a character of the text, and not of what it is made of."""
    assert pattern.constant is not None
    text = pattern.constant.run(None)
    if text is None or "[" in text or "\\" in text or "\0" in text:
        return None
    if not national and text.endswith((" ", "_")):
        return None  # some of the blanks at the end are asked for, others are ignored
    characters = len(text)
    text, wildcards = fold_function(rule)(text), [text.count(sign) for sign in _WILDCARDS]
    if [text.count(sign) for sign in _WILDCARDS] != wildcards:
        return None  # a full-width % is a plain character
    value = msgspec.structs.replace(value, type=replace(value.type, name="nvarchar")) if national else value
    counts = national and "_" in text
    if counts:
        if not rule.is_usual or len(text) != characters:
            return None  # ß is ss, but not where a place is one character
        found = f"({value.sql} ILIKE {text_literal(text)})"
        missing = if_null(value, value.sql)
        return f"(CASE WHEN {plain_text(value.sql)} THEN {found}{missing} ELSE {matched()} END)"
    found = _like_folded(value, rule, text_literal(text))
    if not national and not text.endswith("%"):
        trimmed = f"rtrim({folded_text(value, rule)}, ' ') LIKE {text_literal(text)}"
        return f"({found} OR {value.sql} LIKE '% ' AND {trimmed})"
    return found


def _like_folded(value: Typed, rule: Rule, shape: str) -> str:
    """A text and a pattern that is folded already. DuckDB's ILIKE takes half the time of lower() and LIKE, and passes
    over parts of a table by the beginning of the pattern."""
    folded = f"({folded_text(value, rule)} LIKE {shape})"
    if not rule.case or rule.kind == BINARY:
        return folded
    if rule.kind == CODE_PAGE and not rule.accent:
        return f"({value.sql} ILIKE {shape})"
    return f"(CASE WHEN {beyond_ascii(value.sql)} THEN {folded} ELSE {value.sql} ILIKE {shape} END)"


def _regular_expression(
    value: Typed,
    pattern: Typed,
    escape: Typed | None,
    collation: str | None,
    national: bool,
    matched: Callable[[], str],
) -> str | None:
    """A pattern that is known, for text of an alphabet; other text is `matched` by our own matcher."""
    if not pattern.is_literal or (escape is not None and not escape.is_literal):
        return None
    shape, sign = (None if one is None or one.constant is None else one.constant.run(None) for one in (pattern, escape))
    if shape is None or (escape is not None and sign is None):
        return None
    alphabet = alphabet_for(shape, sign, collation, is_national=national, is_wide=is_wide(value.type))
    regex = regex_like(shape, sign, collation, alphabet, is_national=national)
    if regex is None:
        return None
    form = Form(f"regexp_matches({{0}}, {in_form(quote_literal(regex))})", beyond(alphabet, "{0}"))
    return guarded(form, [value], matched)[0]


def _patterns_of_rows(value: Typed, pattern: Typed, rule: Rule, national: bool, matched: Callable[[], str]) -> str:
    """A pattern that each row has: DuckDB's LIKE for text of an alphabet without sets, and where no blanks at the end
    are in question."""
    ends = "" if national else "|[ _]$"
    alphabet = PLAIN_TEXT if national and rule.folds_plainly else ASCII_TEXT
    odd = f"{beyond(alphabet, '{0}')} OR {beyond(alphabet, '{1}')} OR regexp_matches({{1}}, '[[\\x00]{ends}')"
    like = "ILIKE" if rule.case else "LIKE"
    found = f"({{0}} {like} {{1}})"
    if not national:
        # of OR and AND as a value DuckDB computes both sides for all rows
        ends_otherwise = f"({found} OR rtrim({{0}}, ' ') {like} {{1}})"
        found = f"(CASE WHEN {{0}} LIKE '% ' THEN {ends_otherwise} ELSE {found} END)"
    return guarded(Form(found, odd), [value, pattern], matched)[0]


# --- subqueries --------------------------------------------------------------------------------------------


@registers(CONDITIONS, ast.Exists)
def exists(node: ast.Exists, cx: Context) -> str:
    """The select list of EXISTS is not evaluated, but its names are checked."""
    if node.query.for_ is not None:
        return "true"
    query = translate_inner(node.query, cx.inner())
    return f"EXISTS ({query.sql})"


def _one_column(node: ast.QueryExpression, cx: Context, span: ast.Span) -> QueryText:
    query = translate_inner(node, cx.inner())
    if len(query.columns) != 1:
        raise sql_error(116, span=span)
    return query


@registers(CONDITIONS, ast.InSubquery)
def in_subquery(node: ast.InSubquery, cx: Context) -> str:
    found = _quantified("=", "ANY", cx.expression(node.operand), _one_column(node.query, cx, node.span), cx, node.span)
    return f"(NOT {found})" if node.negated else found


@registers(CONDITIONS, ast.QuantifiedComparison)
def quantified(node: ast.QuantifiedComparison, cx: Context) -> str:
    return _quantified(
        node.op, node.quantifier, cx.expression(node.left), _one_column(node.query, cx, node.span), cx, node.span
    )


def _quantified(op: str, quantifier: str, left: Typed, query: QueryText, cx: Context, span: ast.Span) -> str:
    alias = cx.statement.alias("q")
    right = output_columns(query, alias)[0]
    if left.is_bare_null:
        return "CAST(NULL AS BOOLEAN)"
    try:
        common = comparison_type(op, left.type, right.type)
    except SqlError as error:
        raise error.at(span) from None
    if kind(common) == "variant":
        return _variant_quantified(op, quantifier, left, right, f"FROM ({query.sql}) AS {alias}", common, cx)
    collation = meeting_collation(left, right, _NAMES[op], span) if kind(common) == "string" else None
    given = kind(common) == "string"
    if right.is_bare_null:
        right = msgspec.structs.replace(right, type=common)
    ours, theirs = convert(left, common, cx), convert(right, common, cx)
    key = equality_key if op in ("=", "<>") else order_key
    one, other = key(ours, collation, given=given), key(theirs, collation, given=given)
    inner = f"SELECT {other} FROM ({query.sql}) AS {alias}"
    if op == "=" and quantifier == "ANY":
        return f"({one} IN ({inner}))"
    return f"({one} {op} {quantifier} ({inner}))"


def _variant_quantified(
    op: str, quantifier: str, left: Typed, right: Typed, source: str, common: SqlType, cx: Context
) -> str:
    """Variants are compared one by one. ANY is true if one is true, else unknown if one is unknown; ALL the other way
    round."""
    test = _of_variants(op, convert(left, common, cx), convert(right, common, cx), common, cx)
    found, decides, other = ("bool_or", "true", "false") if quantifier == "ANY" else ("bool_and", "false", "true")
    text = f"CASE WHEN {found}(t) = {decides} THEN {decides} WHEN count(*) > count(t) THEN NULL ELSE {other} END"
    return f"(SELECT {text} FROM (SELECT {test} AS t {source}))"


@registers(CONDITIONS, ast.UpdatePredicate)
def update_predicate(node: ast.UpdatePredicate, cx: Context) -> str:
    """UPDATE(column) in a trigger is the same for all rows."""
    return cx.statement.parameter(compile_condition(node, cx.statement.scope), BIT)
