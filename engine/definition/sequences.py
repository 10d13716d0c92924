"""CREATE, ALTER and DROP SEQUENCE. How values are handed out is `sequence_values`."""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.changes import ROW_ID, Definition, creation_of
from sbql.catalog.duck_types import quote
from sbql.catalog.marked_sql import mark
from sbql.catalog.records import Sequence
from sbql.engine.definition.ddl import Drop, check_record, check_right, ddl_step, in_new_place
from sbql.engine.describe.dependents import refuse_bound
from sbql.engine.describe.sequence_values import begin_values, change_values, sequence_table
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import CreateSequenceStatement, ObjectName, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, SqlType

__all__ = ["DROP"]

_RANGES = {
    "tinyint": (0, 255),
    "smallint": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "bigint": (-(2**63), 2**63 - 1),
}
_NUMBERS = {
    "START": "START WITH", "INCREMENT": "INCREMENT BY", "MINVALUE": "MINVALUE", "MAXVALUE": "MAXVALUE", "RESTART": "RESTART WITH",
}  # fmt: skip
"""Options with a number, as they are written."""


# --- definitions -------------------------------------------------------------------------------------------


@handles(CreateSequenceStatement)
def compile_sequence(node: CreateSequenceStatement, compiler: Compiler) -> Step:
    _check_options(node)
    sql_type = compiler.scope.resolve_type(node.type) if node.type is not None else BIGINT

    def body(session: Session, transaction: Transaction) -> None:
        if node.verb == "CREATE":
            _create(session, transaction, node, sql_type)
        else:
            _alter(session, transaction, node)

    return ddl_step(body)


def _limits(sql_type: SqlType, name: str, span: Span) -> tuple[int, int]:
    """Raises 11702 for a type that cannot count."""
    if sql_type.name in _RANGES:
        return _RANGES[sql_type.name]
    if sql_type.name == "decimal" and not sql_type.scale:
        most = 10 ** (sql_type.precision or 18) - 1
        return -most, most
    raise sql_error(11702, name, span=span)


def _record(base: Sequence, options: dict[str, Any], span: Span, *, is_new: bool) -> Sequence:
    """The sequence with the options applied. Raises 11700, 11701, 11703, 11705, 11706, 11708."""
    low, high = _limits(base.type, base.name, span)
    for option, words in _NUMBERS.items():
        given = options.get(option)
        if given is not None and not isinstance(given, bool) and not low <= given <= high:
            raise sql_error(11708, words, span=span)
    cache = options.get("CACHE")
    if cache is not None and not isinstance(cache, bool) and cache <= 0:
        raise sql_error(11706, base.name, span=span)
    increment = int(options.get("INCREMENT") or base.increment)
    if options.get("INCREMENT") == 0:
        raise sql_error(11700, base.name, span=span)
    minimum, maximum = (low, high) if is_new else (base.minimum, base.maximum)
    if "MINVALUE" in options:
        minimum = low if options["MINVALUE"] in (None, False) else int(options["MINVALUE"])
    if "MAXVALUE" in options:
        maximum = high if options["MAXVALUE"] in (None, False) else int(options["MAXVALUE"])
    if minimum >= maximum:
        raise sql_error(11705, base.name, span=span)
    if abs(increment) > maximum - minimum:
        raise sql_error(11701, base.name, span=span)
    start = base.start
    if is_new:
        given = options.get("START")
        start = int(given) if given is not None else (minimum if increment > 0 else maximum)
    if not minimum <= start <= maximum:
        raise sql_error(11703, base.name, span=span)
    cycling = bool(options["CYCLE"]) if "CYCLE" in options else base.is_cycling
    kept = base.cache if cache is None else 0 if cache is False else None if cache is True else int(cache)
    return msgspec.structs.replace(
        base, increment=increment, minimum=minimum, maximum=maximum, start=start, is_cycling=cycling, cache=kept
    )


def _check_options(node: CreateSequenceStatement) -> None:
    """What only CREATE or only ALTER takes. Raises 11709, 11710, 11711, 11715."""
    options = dict(node.options)
    if node.verb == "CREATE":
        if "RESTART" in options:
            raise sql_error(11709, span=node.span)
        return
    if "START" in options:
        raise sql_error(11710, span=node.span)
    if node.type is not None:
        raise sql_error(11711, span=node.span)
    if not options:
        raise sql_error(11715, span=node.span)


def _create(session: Session, transaction: Transaction, node: CreateSequenceStatement, sql_type: SqlType) -> None:
    check_right(session, "CREATE SEQUENCE")
    base = Sequence(**in_new_place(session, node.name), type=sql_type)
    record = _record(base, dict(node.options), node.span, is_new=True)
    transaction.change_catalog(None, record)
    table = sequence_table(session.catalog, record)
    transaction.unit.apply(
        Definition(
            f"CREATE OR REPLACE {mark(creation_of(table))} ({quote(ROW_ID)} BIGINT, value DECIMAL(38,0))", (table,)
        )
    )
    begin_values(session, transaction, record)


def _alter(session: Session, transaction: Transaction, node: CreateSequenceStatement) -> None:
    old = resolve(session, node.name, Sequence, missing_ok=True)
    if old is None:
        raise sql_error(208, str(node.name), span=node.name.span)
    check_record(session, "ALTER", old, "alter", "sequence object", node.name.span)
    options = dict(node.options)
    new = _record(old, options, node.span, is_new=False)
    restart: int | None = None
    if "RESTART" in options:
        given = options["RESTART"]
        restart = old.start if given is None or given is True else int(given)
        if not new.minimum <= restart <= new.maximum:
            raise sql_error(11703, new.name, span=node.span)
        new = msgspec.structs.replace(new, start=restart)
    transaction.change_catalog(old, msgspec.structs.replace(new, modify_date=session.instance.host.now()))
    change_values(session, transaction, new, restart)


def _refuse_used(session: Session, record: Sequence, name: ObjectName) -> None:
    """Raises 3729 while a DEFAULT asks the sequence for values."""
    refuse_bound(session, record, "drop sequence", str(name), name.span)


def _drop_values(session: Session, transaction: Transaction, record: Sequence) -> None:
    table = sequence_table(session.catalog, record)
    transaction.unit.apply(Definition(f"DROP TABLE IF EXISTS {mark(table)}", (table,)))


DROP = Drop(missing=3701, refuse=_refuse_used, effect=_drop_values)
