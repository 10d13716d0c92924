"""CREATE, ALTER and DROP SEQUENCE, and NEXT VALUE FOR.

Values are handed out outside any transaction, in blocks: the end of the block is stored before its first value is used,
so a crash leaves a gap but never gives a value twice. A rollback gives nothing back, as on SQL Server.
"""

from __future__ import annotations

import threading
from decimal import Decimal
from typing import Any

import msgspec

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import ROW_ID, Definition, InsertRows, UpdateRows, storage_name
from sbql.catalog.duck_types import quote
from sbql.catalog.records import Database, Schema, Sequence, Table
from sbql.engine.execution.compiled import LateBound, Step, handles
from sbql.engine.execution.compiling import Compiler
from sbql.engine.execution.ddl import check_record, check_right, ddl_step, may_drop
from sbql.engine.execution.resolver import database_of
from sbql.engine.execution.scalar import Scalar
from sbql.engine.execution.scope import Frame, Scope
from sbql.engine.execution.writes.definitions import find_schema, new_object_id
from sbql.engine.execution.writes.row_expressions import parse_expression
from sbql.engine.ports import Session, Transaction
from sbql.engine.security import check_permission
from sbql.grammar.ast import CreateSequenceStatement, DropObjectStatement, NextValueFor, ObjectName, Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import find_all
from sbql.grammar.types import BIGINT, SqlType

__all__ = ["compile_next_value", "drop_sequences", "next_value", "take_range", "value_of_row"]

BLOCK = 50
_RANGES = {
    "tinyint": (0, 255),
    "smallint": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "bigint": (-(2**63), 2**63 - 1),
}


# --- values ------------------------------------------------------------------------------------------------


class _State:
    """`next` is the value to hand out; `left` how many of the stored block remain. `is_stored` False: the table of the
    sequence could not be written yet, because the transaction that created it is still open."""

    __slots__ = ("is_spent", "is_stored", "left", "next")

    def __init__(self, first: int) -> None:
        self.next = first
        self.left = 0
        self.is_stored = False
        self.is_spent = False


class SequenceStates:
    """Of one instance: a session of its own with the store, and the states by object id. `rows`: of each session the
    query that runs now, and the values of its rows by sequence."""

    def __init__(self, store: Any) -> None:
        self.session = store.connect()
        self.mutex = threading.Lock()
        self.states: dict[int, _State] = {}
        self.rows: dict[int, tuple[int, dict[str, list[int]]]] = {}


_making = threading.Lock()


def _sequences(instance: Any) -> SequenceStates:
    """Made with the first use: most instances have no sequence."""
    with _making:
        if instance.sequences is None:
            instance.sequences = SequenceStates(instance.store)
        found: SequenceStates = instance.sequences
        return found


def next_value(session: Session, sequence: Sequence) -> int:
    """The next value. Raises 11728 when the sequence has come to its end and does not cycle."""
    kept = _sequences(session.instance)
    with kept.mutex:
        state = kept.states.get(sequence.id)
        if state is None:
            state = kept.states[sequence.id] = _load(kept, session, sequence)
        if state.is_spent:
            raise sql_error(11728, sequence.name)
        if state.left == 0 or not state.is_stored:
            _store(kept, session, sequence, state)
        value = state.next
        state.left -= 1
        following = value + sequence.increment
        if not sequence.minimum <= following <= sequence.maximum:
            if sequence.is_cycling:
                following = sequence.minimum if sequence.increment > 0 else sequence.maximum
                state.left = 0
            else:
                state.is_spent = True
        state.next = following
        return value


def value_of_row(frame: Frame, execution: int, name: str, row: int, take: Any) -> int:
    """The value that belongs to a row (from 1) of one execution of a query; `take(frame)` gives the next one."""
    kept = _sequences(frame.session.instance)
    held = kept.rows.get(frame.session.spid)
    if held is None or held[0] != execution:
        held = kept.rows[frame.session.spid] = (execution, {})
    values = held[1].setdefault(name, [])
    while len(values) < row:
        values.append(int(take(frame)))
    return values[row - 1]


def take_range(session: Session, sequence: Sequence, count: int) -> tuple[int, int, int]:
    """The first and the last of the next `count` values, and how often they begin anew. Raises 11732 when the sequence
    does not cycle and has fewer."""
    kept = _sequences(session.instance)
    with kept.mutex:
        state = kept.states.get(sequence.id)
        if state is None:
            state = kept.states[sequence.id] = _load(kept, session, sequence)
        begin = sequence.minimum if sequence.increment > 0 else sequence.maximum
        end = sequence.maximum if sequence.increment > 0 else sequence.minimum
        left = 0 if state.is_spent else abs(end - state.next) // abs(sequence.increment) + 1
        if left < count and not sequence.is_cycling:
            raise sql_error(11732, sequence.name)
        first, cycles = state.next, 0
        if left >= count:
            last = first + (count - 1) * sequence.increment
        else:
            a_round = abs(end - begin) // abs(sequence.increment) + 1
            cycles, place = divmod(count - left - 1, a_round)
            cycles, last = cycles + 1, begin + place * sequence.increment
        following = last + sequence.increment
        if not sequence.minimum <= following <= sequence.maximum:
            state.is_spent = not sequence.is_cycling
            following = begin
        state.next, state.left = following, 0
        _store(kept, session, sequence, state)
        return first, last, cycles


def last_value(instance: Any, sequence: Sequence) -> int | None:
    """The value handed out last since the instance was opened, None when there is none: sys.sequences.current_value."""
    state = _sequences(instance).states.get(sequence.id)
    return state.next - sequence.increment if state is not None and state.next != sequence.start else None


def _table_of(session: Session, sequence: Sequence) -> str:
    database = session.catalog.get(Database, 0, sequence.database_id)
    schema = session.catalog.get(Schema, sequence.database_id, sequence.schema_id)
    assert database is not None and schema is not None
    return storage_name(storage_schema(database.storage_name, schema.name), f"{sequence.name}$sequence")


def _load(kept: SequenceStates, session: Session, sequence: Sequence) -> _State:
    """What the store says is the first value never handed out."""
    try:
        rows = kept.session.begin().query(f"SELECT value FROM {_table_of(session, sequence)}").rows
    except SqlError:
        rows = []
    state = _State(int(rows[0][0]) if rows else sequence.start)
    if not sequence.minimum <= state.next <= sequence.maximum:
        if sequence.is_cycling:
            state.next = sequence.minimum if sequence.increment > 0 else sequence.maximum
        else:
            state.is_spent = True
    return state


def _store(kept: SequenceStates, session: Session, sequence: Sequence, state: _State) -> None:
    """Store the end of a new block before any of its values is used."""
    table = _table_of(session, sequence)
    end = state.next + BLOCK * sequence.increment
    unit = kept.session.begin()
    try:
        known = unit.query(f"SELECT 1 FROM {table}").rows
        if known:
            unit.apply(UpdateRows(table, (ROW_ID, "value"), [(1, Decimal(end))]))
        else:
            unit.apply(InsertRows(table, (ROW_ID, "value"), [(1, Decimal(end))]))
        unit.commit()
        state.is_stored = True
    except SqlError:
        unit.rollback()
        state.is_stored = False
    state.left = BLOCK


def compile_next_value(node: NextValueFor, scope: Scope) -> Scalar:
    """NEXT VALUE FOR as a scalar. Its type is the sequence's, looked up now when there is one, else bigint."""
    late: LateBound[Sequence] = LateBound(lambda session: find_sequence(session, node.sequence))
    sql_type: SqlType = BIGINT
    if scope.session is not None:
        found = scope.session.resolve(node.sequence, Sequence, missing_ok=True)
        if found is not None:
            sql_type = found.type
    is_decimal = sql_type.name == "decimal"

    def run(frame: Frame) -> Any:
        session = frame.session
        sequence = late.get(session)
        if frame.row_values is not None:  # a row of VALUES has one value of a sequence
            if sequence.id not in frame.row_values:
                frame.row_values[sequence.id] = take(session, sequence)
            return frame.row_values[sequence.id]
        return take(session, sequence)

    def take(session: Session, sequence: Sequence) -> Any:
        if not session.contexts[-1].is_sa:
            check_permission(session, "UPDATE", sequence, session.running_module)
        value = next_value(session, sequence)
        return Decimal(value) if is_decimal else value

    return Scalar(sql_type, run)


def find_sequence(session: Session, name: ObjectName) -> Sequence:
    """Raises 208, 11726."""
    found = session.resolve(name)
    if not isinstance(found, Sequence):
        raise sql_error(11726, str(name), span=name.span)
    return found


# --- definitions -------------------------------------------------------------------------------------------


@handles(CreateSequenceStatement)
def compile_sequence(node: CreateSequenceStatement, compiler: Compiler) -> Step:
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
    """The sequence with the options applied. Raises 11700, 11703, 11705."""
    low, high = _limits(base.type, base.name, span)
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
    start = base.start
    if is_new:
        given = options.get("START")
        start = int(given) if given is not None else (minimum if increment > 0 else maximum)
    if not minimum <= start <= maximum:
        raise sql_error(11703, base.name, span=span)
    cycling = bool(options["CYCLE"]) if "CYCLE" in options else base.is_cycling
    return msgspec.structs.replace(
        base, increment=increment, minimum=minimum, maximum=maximum, start=start, is_cycling=cycling
    )


def _create(session: Session, transaction: Transaction, node: CreateSequenceStatement, sql_type: SqlType) -> None:
    check_right(session, "CREATE SEQUENCE")
    database = database_of(session, node.name)
    schema = find_schema(session, database, node.name)
    if session.catalog.find_object(database.id, schema.id, node.name.name) is not None:
        raise sql_error(2714, node.name.name, span=node.name.span)
    now = session.instance.host.now()
    base = Sequence(
        id=new_object_id(session.catalog)(),
        database_id=database.id,
        name=node.name.name,
        create_date=now,
        modify_date=now,
        schema_id=schema.id,
        type=sql_type,
    )
    record = _record(base, dict(node.options), node.span, is_new=True)
    transaction.change_catalog(None, record)
    table = _table_of(session, record)
    transaction.unit.apply(
        Definition(f"CREATE OR REPLACE TABLE {table} ({quote(ROW_ID)} BIGINT, value DECIMAL(38,0))", (table,))
    )
    _sequences(session.instance).states.pop(record.id, None)


def _alter(session: Session, transaction: Transaction, node: CreateSequenceStatement) -> None:
    old = session.resolve(node.name, Sequence, missing_ok=True)
    if old is None:
        raise sql_error(208, str(node.name), span=node.name.span)
    check_record(session, "ALTER", old, "alter", "sequence object", node.name.span)
    options = dict(node.options)
    new = _record(old, options, node.span, is_new=False)
    if "RESTART" in options:
        given = options["RESTART"]
        restart = old.start if given is None or given is True else int(given)
        if not new.minimum <= restart <= new.maximum:
            raise sql_error(11703, new.name, span=node.span)
        new = msgspec.structs.replace(new, start=restart)
        state = _State(restart)
        _sequences(session.instance).states[new.id] = state
    transaction.change_catalog(old, msgspec.structs.replace(new, modify_date=session.instance.host.now()))


def drop_sequences(node: DropObjectStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        for name in node.names:
            found = session.resolve(name, Sequence, missing_ok=True)
            if found is None or not may_drop(session, found):
                if node.if_exists:
                    continue
                raise sql_error(3701, "drop", "sequence object", str(name), state=5, span=name.span)
            user = _user_of(session, found)
            if user is not None:
                raise sql_error(3729, "drop sequence", str(name), user, span=name.span)
            transaction.change_catalog(found, None)
            table = _table_of(session, found)
            transaction.unit.apply(Definition(f"DROP TABLE IF EXISTS {table}", (table,)))

    return ddl_step(body)


def _user_of(session: Session, sequence: Sequence) -> str | None:
    """The name of a DEFAULT constraint that asks the sequence for values."""
    for table in session.catalog.all(Table, sequence.database_id):
        for column in table.columns:
            if column.default is None:
                continue
            for node in find_all(parse_expression(column.default), NextValueFor):
                if session.resolve(node.sequence, Sequence, missing_ok=True) is sequence:
                    return str(column.default_name)
    return None
