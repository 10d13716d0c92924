"""Values of sequences: NEXT VALUE FOR.

Values are handed out outside any transaction, in blocks: the end of the block is stored before its first value is used,
so a crash leaves a gap but never gives a value twice. A rollback gives nothing back, as on SQL Server. Of a sequence
that its own transaction uses before it is committed, nothing can be stored apart: where it is goes into that
transaction. It must not know how a query asks for a value of each row, nor the statements that define sequences.
"""

from __future__ import annotations

import threading
from copy import copy
from decimal import Decimal
from typing import Any, Final

from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.changes import ROW_ID, InsertRows, UpdateRows, storage_name
from sbql.catalog.records import Database, Schema, Sequence
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import check_permission
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import LateBound
from sbql.grammar.ast import NextValueFor, ObjectName
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT, SqlType

__all__ = [
    "SequenceState", "compile_next_value", "begin_values", "change_values", "copied_states", "find_sequence", "give_back", "keep_values", "last_value", "sequence_states", "sequence_table", "take_range", "value_of_row",
]  # fmt: skip

_CACHED: Final = 50
"""Values that are stored at once for a sequence that does not say how many it caches."""
_MOST: Final = 4096
"""At once for who takes many."""


class SequenceState:
    """`next` is the value to hand out, beyond the last one when the sequence is to begin anew; `left` how many of the
    stored block remain. `is_open`: the transaction that created the sequence or began it anew is open, and nothing is
    stored before it ends. `is_stored` False: the table of the sequence could not be written. `taker` is the id of the
    transaction that took the last value, 0 without one, and `taken` how many it took in a row."""

    __slots__ = ("is_open", "is_spent", "is_stored", "left", "next", "taken", "taker")

    def __init__(self, first: int, *, is_open: bool = False) -> None:
        self.next = first
        self.left = 0
        self.taker = self.taken = 0
        self.is_open = is_open
        self.is_stored = False
        self.is_spent = False


class SequenceStates:
    """Of one instance: a session of its own with the store, and the states by object id. `rows`: of each session the
    query that runs now, and the values of its rows by sequence. `row`: of each session the row that asks now."""

    def __init__(self, store: Any) -> None:
        self.session = store.connect()
        self.mutex = threading.Lock()
        self.states: dict[int, SequenceState] = {}
        self.rows: dict[int, tuple[int, dict[str, list[int]]]] = {}
        self.row: dict[int, int] = {}


_making = threading.Lock()


def copied_states(instance: Any) -> dict[int, SequenceState]:
    """Where the sequences of an instance are, for a copy of its store."""
    if instance.sequences is None:
        return {}
    with instance.sequences.mutex:
        return {sequence_id: copy(state) for sequence_id, state in instance.sequences.states.items()}


def sequence_states(instance: Any) -> SequenceStates:
    """Made with the first use: most instances have no sequence."""
    with _making:
        if instance.sequences is None:
            instance.sequences = SequenceStates(instance.store)
        found: SequenceStates = instance.sequences
        return found


def next_value(session: Session, sequence: Sequence) -> int:
    """The next value. Raises 11728 when the sequence has come to its end and does not cycle."""
    kept = sequence_states(session.instance)
    with kept.mutex:
        state = kept.states.get(sequence.id)
        if state is None:
            state = kept.states[sequence.id] = _load(kept, session.catalog, sequence)
        if state.is_spent:
            raise sql_error(11728, sequence.name)
        _begin_anew(state, sequence)
        taker = 0 if session.transaction is None else session.transaction.id
        state.taken = state.taken + 1 if taker and taker == state.taker else 1
        state.taker = taker
        if state.left <= 0 or not state.is_stored:
            many = max(state.taken, kept.row.get(session.spid, 1))
            _store(kept, session.catalog, sequence, state, _block(sequence, many))
        value = state.next
        state.left -= 1
        state.next = value + sequence.increment
        _fit(state, sequence)
        return value


def _block(sequence: Sequence, many: int) -> int:
    """How many values to store ahead, which a crash leaves out: as many as the sequence caches, with NO CACHE only what
    is taken now. Who has taken `many`, for rows or in a transaction, pays for ever fewer commits: a crash in the middle
    of them leaves these out anyway."""
    cached = _CACHED if sequence.cache is None else sequence.cache
    return max(cached, min(many, _MOST))


def value_of_row(frame: Frame, execution: int, name: str, row: int, take: Any) -> int:
    """The value that belongs to a row (from 1) of one execution of a query; `take(frame)` gives the next one."""
    kept = sequence_states(frame.session.instance)
    held = kept.rows.get(frame.session.spid)
    if held is None or held[0] != execution:
        held = kept.rows[frame.session.spid] = (execution, {})
    values = held[1].setdefault(name, [])
    try:
        while len(values) < row:
            kept.row[frame.session.spid] = len(values) + 1
            values.append(int(take(frame)))
    finally:
        kept.row.pop(frame.session.spid, None)
    return values[row - 1]


def take_range(session: Session, sequence: Sequence, count: int) -> tuple[int, int, int]:
    """The first and the last of the next `count` values, and how often they begin anew. Raises 11732 when the sequence
    does not cycle and has fewer."""
    kept = sequence_states(session.instance)
    with kept.mutex:
        state = kept.states.get(sequence.id)
        if state is None:
            state = kept.states[sequence.id] = _load(kept, session.catalog, sequence)
        _begin_anew(state, sequence)
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
        state.next, state.left = last + sequence.increment, 0
        _fit(state, sequence)
        _store(kept, session.catalog, sequence, state, _block(sequence, 0))
        return first, last, cycles


def give_back(session: Session, sequence: Sequence, values: range, state: SequenceState) -> None:
    """What `take_range` gave of this state and nobody has used, if no more was taken meanwhile and the sequence has not
    begun anew."""
    kept = sequence_states(session.instance)
    following = values[-1] + values.step
    with kept.mutex:
        if kept.states.get(sequence.id) is state and state.next == following:
            state.next, state.is_spent, state.left = values[0], False, 0


def last_value(instance: Any, sequence: Sequence) -> tuple[int | None, bool]:
    """The value handed out last, None when there is none, and whether there is no other: sys.sequences."""
    kept = sequence_states(instance)
    with kept.mutex:
        state = kept.states.get(sequence.id)
        if state is None:
            state = kept.states[sequence.id] = _load(kept, instance.catalog, sequence)
        return state.next - sequence.increment if state.next != sequence.start else None, state.is_spent


def keep_values(instance: Any) -> None:
    """Store where the sequences are, so that nothing of a block is left out when the instance is opened again."""
    kept = instance.sequences
    for sequence in () if kept is None else instance.catalog.all(Sequence):
        with kept.mutex:
            state = kept.states.get(sequence.id)
            if state is not None:
                _store(kept, instance.catalog, sequence, state, 0)


def begin_values(session: Session, transaction: Transaction, sequence: Sequence) -> None:
    """The transaction creates the sequence, and stores where it is when it is committed."""
    kept = sequence_states(session.instance)
    kept.states[sequence.id] = SequenceState(sequence.start, is_open=True)

    def store() -> None:
        catalog = transaction.snapshot
        record = catalog.get(Sequence, sequence.database_id, sequence.id) if catalog is not None else None
        if catalog is not None and record is not None:  # nobody has dropped it since
            state = kept.states[sequence.id]
            row = (1, Decimal(state.next))
            transaction.unit.apply(InsertRows(sequence_table(catalog, record), (ROW_ID, "value"), [row]))
            state.is_open, state.left = False, 0

    transaction.before_commit(store)


def change_values(session: Session, transaction: Transaction, sequence: Sequence, restart: int | None) -> None:
    """The transaction has made this of the sequence, which begins anew at `restart` or goes on. What was stored ahead
    went by the old definition."""
    kept = sequence_states(session.instance)
    with kept.mutex:
        before = kept.states.get(sequence.id)
        if before is None:
            before = kept.states[sequence.id] = _load(kept, session.catalog, sequence)
        before.left = 0
        if restart is not None:
            kept.states[sequence.id] = SequenceState(restart, is_open=True)
        else:
            _fit(before, sequence)

    def settle(state: SequenceState) -> None:
        record = session.instance.catalog.get(Sequence, sequence.database_id, sequence.id)
        with kept.mutex:
            kept.states[sequence.id] = state
            if record is not None:  # else the transaction has created it
                state.is_open = False
                _store(kept, session.instance.catalog, record, state, 0)

    if restart is not None and not transaction.unit.is_snapshot:
        restarted = kept.states[sequence.id]
        transaction.before_commit(lambda: _begun_anew(kept, transaction, sequence, restarted))
    transaction.on_rollback(lambda: settle(before))
    transaction.on_commit(lambda: settle(kept.states[sequence.id]))


def _begun_anew(kept: SequenceStates, transaction: Transaction, sequence: Sequence, state: SequenceState) -> None:
    """Store within the transaction, which is about to be committed, where a sequence is that it has begun anew: or a
    crash just behind the commit would forget that. Nobody else stores anything of it meanwhile, for its state is open.
    (What a transaction at SNAPSHOT writes loses against those before it: there it is only stored behind the commit.)"""
    catalog = transaction.snapshot
    record = catalog.get(Sequence, sequence.database_id, sequence.id) if catalog is not None else None
    is_own = transaction.instance.catalog.get(Sequence, sequence.database_id, sequence.id) is None
    if catalog is None or record is None or is_own or kept.states.get(sequence.id) is not state:
        return  # dropped, created here (which stores it), or begun anew again
    _write(transaction.unit, sequence_table(catalog, record), state.next)


def _write(unit: UnitOfWork, table: str, value: int) -> None:
    """The first value that was never handed out. Raises SqlError."""
    is_known = unit.query(f"SELECT 1 FROM {table}").rows
    change = UpdateRows if is_known else InsertRows
    unit.apply(change(table, (ROW_ID, "value"), [(1, Decimal(value))]))


def sequence_table(catalog: CatalogSnapshot, sequence: Sequence) -> str:
    database = catalog.get(Database, 0, sequence.database_id)
    schema = catalog.get(Schema, sequence.database_id, sequence.schema_id)
    assert database is not None and schema is not None
    return storage_name(storage_schema(database.storage_name, schema.name), f"{sequence.name}$sequence")


def _load(kept: SequenceStates, catalog: CatalogSnapshot, sequence: Sequence) -> SequenceState:
    """What the store says is the first value never handed out."""
    unit = kept.session.begin()
    try:
        rows = unit.query(f"SELECT value FROM {sequence_table(catalog, sequence)}").rows
    except SqlError:
        rows = []
    finally:
        unit.rollback()
    state = SequenceState(int(rows[0][0]) if rows else sequence.start)
    _fit(state, sequence)
    return state


def _is_within(value: int, sequence: Sequence) -> bool:
    return sequence.minimum <= value <= sequence.maximum


def _fit(state: SequenceState, sequence: Sequence) -> None:
    """Whether there is a next value."""
    state.is_spent = not (sequence.is_cycling or _is_within(state.next, sequence))


def _begin_anew(state: SequenceState, sequence: Sequence) -> None:
    """With the first value of a new round, if the last one of a round was handed out."""
    if sequence.is_cycling and not _is_within(state.next, sequence):
        state.next, state.left = sequence.minimum if sequence.increment > 0 else sequence.maximum, 0


def _store(
    kept: SequenceStates, catalog: CatalogSnapshot, sequence: Sequence, state: SequenceState, ahead: int
) -> None:
    """Store the end of a new block of so many values before any of them is used."""
    if state.is_open:
        return
    table = sequence_table(catalog, sequence)
    limit = sequence.maximum if sequence.increment > 0 else sequence.minimum
    most = (limit - state.next) // sequence.increment + 1
    end = state.next + min(ahead, max(most, 0)) * sequence.increment
    unit = kept.session.begin()
    try:
        _write(unit, table, end)
        unit.commit()
        state.is_stored = True
    except SqlError:
        unit.rollback()
        state.is_stored = False
    state.left = ahead


def compile_next_value(node: NextValueFor, scope: Scope) -> Scalar:
    """NEXT VALUE FOR as a scalar. Its type is the sequence's, looked up now when there is one, else bigint."""
    late: LateBound[Sequence] = LateBound(lambda session: find_sequence(session, node.sequence))
    sql_type: SqlType = BIGINT
    if scope.session is not None:
        found = resolve(scope.session, node.sequence, Sequence, missing_ok=True)
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
    found = resolve(session, name)
    if not isinstance(found, Sequence):
        raise sql_error(11726, str(name), span=name.span)
    return found
