"""StoredRows: the rows of a user or temp table inside one transaction, read by key and changed by row id.

It decides the text of the look-ups. It must not know constraints: who asks for a key says what follows from the answer.
TableVariable (`table_variables.py`) answers to the same calls from memory.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, UpdateRows
from sbql.catalog.duck_types import from_store, is_plain, quote
from sbql.catalog.stored_text import from_stored, to_stored
from sbql.engine.modification.key_bits import KeyBits
from sbql.engine.modification.key_memory import LIMIT, KeyMemory
from sbql.engine.ports import Transaction
from sbql.engine.table_state import Loaded, TableState
from sbql.engine.tables.bound_table import BoundTable, Key
from sbql.engine.tables.column_conversion import key_duck_type, key_normaliser, key_sql
from sbql.engine.tables.memory_rows import MemoryRows
from sbql.engine.tables.own_keys import OwnKeys, own_keys
from sbql.engine.tables.row_images import Deleted, Inserted, Updated
from sbql.engine.tables.snapshot_rows import changed_since_snapshot
from sbql.engine.tables.temp_rows import rows_at_hand
from sbql.grammar.values.checkpoints import checked_rows
from sbql.grammar.values.compare import is_same_value

__all__ = ["StoredRows", "keys_by"]

KeyValue = tuple[Any, ...]

_TEXTS = frozenset({"char", "varchar", "nchar", "nvarchar"})
_AGAIN = 16
"""Look-ups after which, at the earliest, a key is tried again that could not be read."""
_COMMITTED = frozenset({"-"})
"""Named as the only table of a query, it lets the unit of work answer without applying its own changes first."""


def _asked(values: Iterable[Any]) -> list[Any]:
    """Normalised values as parameters: text in its stored form."""
    return [to_stored(value) if isinstance(value, str) else value for value in values]


def key_values(key: Key, rows: Iterable[tuple[Any, ...]]) -> list[KeyValue]:
    """Stored values of a key's columns, as keys are compared."""
    if all(n is None for n in key.normalisers) and all(map(is_plain, key.types)):
        return list(rows)
    return [
        tuple(v if n is None or v is None else n(v) for v, n in zip(values, key.normalisers, strict=True))
        for values in ([from_store(v, t) for v, t in zip(row, key.types, strict=True)] for row in rows)
    ]


def keys_by(key: Key, ask: Callable[[str], Iterable[tuple[Any, ...]]]) -> list[KeyValue]:
    """As `key_values`, of the rows whose items `ask` selects. Keys of texts are DuckDB's: a tenth of the time."""
    columns = list(zip(map(quote, key.columns), key.types, key.normalisers, strict=True))
    others = [normalise is None and is_plain(kind) for _, kind, normalise in columns if kind.name not in _TEXTS]
    if not all(others) or len(others) == len(columns):
        return key_values(key, ask(", ".join(map(quote, key.columns))))
    rows = ask(", ".join(key_sql(name, kind) if kind.name in _TEXTS else name for name, kind, _ in columns))
    return [tuple([from_stored(p) if isinstance(p, str) and not p.isascii() else p for p in row]) for row in rows]


class StoredRows:
    """Made for one statement."""

    __slots__ = ("bound", "state", "states", "txn")

    def __init__(self, bound: BoundTable, txn: Transaction) -> None:
        self.bound = bound
        self.txn = txn
        self.states = txn.instance.tables
        state = self.states.peek(bound.table.id)
        self.state: TableState = (
            state if state is not None else self.states.state(bound.table.id, self._load, bound.table.create_date)
        )

    # --- counters ------------------------------------------------------------------------------------------

    def _load(self) -> Loaded:
        bound = self.bound
        items = [f"max({quote(ROW_ID)})"]
        column = bound.table.columns[bound.identity] if bound.identity is not None else None
        if column is not None:
            items.append(f"{'max' if column.increment > 0 else 'min'}({quote(column.name)})")
        else:
            items.append("NULL")
        items.append(
            f"max({quote(bound.table.columns[bound.row_version].name)})" if bound.row_version is not None else "NULL"
        )
        row_id, identity, version = self._query(f"SELECT {', '.join(items)} FROM {bound.storage}")[0]
        last, increment = None if identity is None else int(identity), 0 if column is None else column.increment
        return Loaded(row_id or 0, last, int.from_bytes(version, "big") if version else 0, increment)

    @property
    def most_rows(self) -> int:
        """The table has no more rows than that."""
        return self.state.next_row_id - 1

    def highest_identity(self) -> int | None:
        """The highest identity value in the table (lowest with a negative increment)."""
        return self._load().identity

    def take_identities(self, count: int) -> tuple[range, bool]:
        assert self.bound.identity is not None
        column = self.bound.table.columns[self.bound.identity]
        return self.states.take_identities(self.state, column.seed, column.increment, count, column.type)

    def note_identity(self, value: int) -> None:
        assert self.bound.identity is not None
        column = self.bound.table.columns[self.bound.identity]
        self.states.note_identity(self.state, value, column.increment, column.type)

    # --- reading -------------------------------------------------------------------------------------------

    def _query(
        self, sql: str, params: Sequence[Any] = (), tables: frozenset[str] | None = None
    ) -> list[tuple[Any, ...]]:
        return self.txn.unit.query(sql, params, tables=tables or frozenset((self.bound.storage,))).rows

    def candidates(self, key: Key, values: Collection[KeyValue], *, are_fresh: bool) -> list[KeyValue]:
        """Those of the new values of a unique key that may be in the table already. They are locked, and remembered
        from now on.

        `are_fresh`: it is known that none of them is there.
        """
        if not values:
            return []
        memory = self._memory(key)
        if are_fresh:
            found: list[KeyValue] = []
        else:
            most = self.state.next_row_id - 1
            if memory.wants_to_load(most, is_old=self.txn.is_snapshot):
                self._load_keys(memory, key, most)
            elif memory.wants_bits(most):
                self._load_bits(memory, key, most)
            elif memory.wants_to_begin_anew(most):
                self._begin_anew(memory, key)
            found = [value for value in values if memory.may_hold(value)]
        memory.note(values)
        return found

    def _load_keys(self, memory: KeyMemory, key: Key, most_rows: int) -> None:
        if most_rows == 0:  # no row has ever been there
            memory.load(0, tuple, tuple)
        elif self._has_taken_away(key):
            memory.postpone(_AGAIN + len(self.txn.unit.redo))
        else:
            memory.load(most_rows, lambda: self._all_values(key), lambda: self._ends(key))

    def _load_bits(self, memory: KeyMemory, key: Key, most_rows: int) -> None:
        with memory.beginning_anew(is_alone=self._is_alone) as forgets:
            added = self._added(key)
            if self.txn.is_snapshot or self._has_taken_away(key):
                memory.postpone(_AGAIN + len(self.txn.unit.redo))
                return
            if forgets and added:
                memory.note(added)
            sql = f"SELECT {{}} FROM {self.bound.storage}"
            tables = None if added is None else _COMMITTED
            memory.load_bits(
                most_rows,
                lambda modulus: self._query(sql.format(KeyBits.sql(quote(key.columns[0]), modulus)), (), tables)[0][0],
                forgets=forgets,
            )

    def _begin_anew(self, memory: KeyMemory, key: Key) -> None:
        with memory.beginning_anew(is_alone=self._is_alone) as forgets:
            added = self._added(key)
            if not forgets or self.txn.is_snapshot or self._has_taken_away(key):
                memory.postpone(_AGAIN + len(self.txn.unit.redo))
                return
            if added:
                memory.note(added)
            memory.load_anew(lambda: self._all_values(key, None if added is None else _COMMITTED))

    def _added(self, key: Key) -> Collection[KeyValue] | None:
        """What the transaction, which has taken nothing away, has added to a key, beside what is committed; None:
        DuckDB has to be asked for both."""
        if self.txn.unit.is_open:
            return None
        if not self.txn.unit.has_written:
            return ()
        own = own_keys(self.txn, self.bound, key.positions)
        return None if own is None else own.added

    def _is_alone(self) -> bool:
        """Nobody else is at work in the table: what others have noted is committed, and found by whoever reads now, or
        is not and never will be. And nobody looks at an older snapshot, in which what is gone is still there."""
        instance = self.txn.instance
        if instance.locks.others(self.txn.owner, ("table", self.bound.table.id)):
            return False
        others = (session.transaction for session in list(instance.sessions.values()))
        return not any(other is not None and other.is_snapshot for other in others)

    def note_in_vain(self, key: Key, look_ups: int) -> None:
        """Of the `candidates` so many were not in the table. Rows at hand are looked through in no time, and reading
        them all would bring those to DuckDB that wait."""
        if self._at_hand is None:
            self._memory(key).note_in_vain(look_ups)

    @property
    def _at_hand(self) -> MemoryRows | None:
        """The rows of a #temp table that are in memory."""
        return rows_at_hand(self.txn.store, self.bound) if self.bound.table.session_id else None

    def _has_taken_away(self, key: Key) -> bool:
        """Whether this transaction has, or may have, rows of the table deleted or given other keys: a query of it does
        not see what a rollback brings back."""
        storage = self.bound.storage
        names = {self.bound.names[position + 1] for position in key.positions}
        for change in self.txn.unit.redo:
            if isinstance(change, Definition):
                if not change.tables or storage in change.tables:
                    return True
            elif change.table == storage and not isinstance(change, InsertRows):
                if isinstance(change, DeleteRows) or not names.isdisjoint(change.columns):
                    return True
        return False

    def _memory(self, key: Key) -> KeyMemory:
        memory: KeyMemory | None = self.state.keys.get(key.id)
        if memory is None or memory.record is not key.record or memory.types != key.types:
            memory = self.states.keep_key(self.state, key.id, KeyMemory(key.record, key.types))
        assert memory is not None
        return memory

    def is_beyond(self, key: Key, ends: tuple[Any, Any]) -> bool:
        """Whether it is known that no row has a value of a key between these."""
        return set(key.positions) <= set(self.bound.not_null) and self._memory(key).is_beyond(*ends)

    def note_keys(
        self, key: Key, count: int, values: Callable[[], Collection[KeyValue]], ends: tuple[Any, Any]
    ) -> None:
        """So many `values` of a unique key, lowest and highest in `ends`, are about
        to be added. They are remembered."""
        if count <= LIMIT:
            self._memory(key).note(values())
        else:
            self._memory(key).note_range(*ends)

    def has_rows(self, sql: str, tables: frozenset[str] | None = None) -> bool:
        """Whether FROM `sql`, which reads the table, or all of the `tables`, gives a row."""
        return bool(self._query(f"SELECT 1 FROM {sql} LIMIT 1", (), tables))

    def _all_values(self, key: Key, tables: frozenset[str] | None = None) -> list[KeyValue]:
        return keys_by(key, lambda items: self._query(f"SELECT {items} FROM {self.bound.storage}", (), tables))

    def _ends(self, key: Key) -> KeyValue:
        name = quote(key.columns[0])
        lowest, highest = self._query(f"SELECT min({name}), max({name}) FROM {self.bound.storage}")[0]
        normalise = key.normalisers[0]
        ends = (from_store(lowest, key.types[0]), from_store(highest, key.types[0]))
        return tuple(v if normalise is None or v is None else normalise(v) for v in ends)

    def find(
        self, positions: Sequence[int], values: Iterable[KeyValue], *, is_unique: bool = False
    ) -> list[tuple[KeyValue, int]]:
        """(normalised value, row id) of every row whose columns at `positions` equal one of the normalised `values`.

        `is_unique`: no two rows have one value, and the values are locked, so that what is committed cannot change
        meanwhile.
        """
        at_hand = self._at_hand
        if at_hand is not None:
            return at_hand.find(positions, values)
        wanted = list(values)
        txn = self.txn
        own = own_keys(txn, self.bound, positions) if is_unique and txn.unit.has_written else None
        if own is None:
            seen = [(value, row_id) for value, row_id, _ in self._matches(positions, wanted, whole=False)]
            if txn.is_snapshot and is_unique and self.bound.needs_locks:
                seen += [match for match in self._newest(positions, wanted, None) if match not in seen]
            return seen
        found = [(value, own.added[value]) for value in wanted if value in own.added]
        if txn.is_snapshot:
            return found + self._newest(positions, wanted, own)
        tables = None if txn.unit.is_open else _COMMITTED
        for value, row_id, _ in self._matches(positions, wanted, whole=False, tables=tables):
            if row_id not in own.removed and value not in own.added:
                found.append((value, row_id))
        return found

    def find_parents(self, positions: Sequence[int], values: Iterable[KeyValue]) -> list[tuple[KeyValue, int]]:
        """As `find`, of keys that children rest on: under SNAPSHOT those that are
        there now, and not those that were."""
        txn = self.txn
        if not txn.is_snapshot:
            return self.find(positions, values, is_unique=True)
        own = own_keys(txn, self.bound, positions) if txn.unit.has_written else None
        wanted = list(values)
        if own is None and txn.unit.has_written:
            return self.find(positions, wanted, is_unique=True)
        added = own.added if own is not None else {}
        return [(value, added[value]) for value in wanted if value in added] + self._newest(positions, wanted, own)

    def later_rows(self, positions: Sequence[int], values: Iterable[KeyValue], known: Collection[int]) -> list[int]:
        """Row ids beside the `known` ones that have such values now and that a SNAPSHOT transaction does not see."""
        txn = self.txn
        if not txn.is_snapshot:
            return []
        own = own_keys(txn, self.bound, positions) if txn.unit.has_written else None
        if own is None and txn.unit.has_written:
            return []
        return [row_id for _, row_id in self._newest(positions, list(values), own) if row_id not in known]

    def _newest(
        self, positions: Sequence[int], wanted: list[KeyValue], own: OwnKeys | None
    ) -> list[tuple[KeyValue, int]]:
        """Under SNAPSHOT keys are still those that were committed last, which the transaction itself cannot see."""
        reader = self.txn.store.store.connect()
        try:
            unit = reader.begin()
            found = self._matches(
                positions, wanted, whole=False, query=lambda sql, params: unit.query(sql, params).rows
            )
        finally:
            reader.close()
        if own is None:
            return [(value, row_id) for value, row_id, _ in found]
        return [(value, row_id) for value, row_id, _ in found if row_id not in own.removed and value not in own.added]

    def changed_since(self, rows: Iterable[tuple[int, list[Any]]]) -> bool:
        """Under SNAPSHOT: whether somebody else has changed one of these rows (row id, image) after the snapshot."""
        return changed_since_snapshot(self.txn, self.bound.table, (row_id for row_id, _ in rows))

    def find_rows(self, positions: Sequence[int], values: Iterable[KeyValue]) -> list[tuple[int, list[Any]]]:
        """(row id, image) of the same rows."""
        return [(row_id, row) for _, row_id, row in self._matches(positions, list(values), whole=True)]

    def by_id(self, row_id: int) -> list[list[Any]]:
        """The image of one row, or nothing."""
        names = ", ".join(quote(n) for n in self.bound.names[1:])
        rows = self._query(f"SELECT {names} FROM {self.bound.storage} WHERE {quote(ROW_ID)} = ?", (row_id,))
        return [self.bound.decode(row) for row in rows]

    def by_ids(self, row_ids: list[int]) -> list[tuple[int, list[Any]]]:
        """(row id, image) of these rows."""
        names = ", ".join(quote(n) for n in self.bound.names)
        sql = f"SELECT {names} FROM {self.bound.storage} WHERE {quote(ROW_ID)} IN (SELECT unnest(CAST(? AS BIGINT[])))"
        return [(row[0], self.bound.decode(row[1:])) for row in checked_rows(self._query(sql, [row_ids]))]

    def everything(self) -> list[tuple[int, list[Any]]]:
        """(row id, image) of all rows, in the order of their ids."""
        names = ", ".join(quote(n) for n in self.bound.names)
        rows = self._query(f"SELECT {names} FROM {self.bound.storage} ORDER BY 1")
        return [(row[0], self.bound.decode(row[1:])) for row in checked_rows(rows)]

    def is_empty(self) -> bool:
        return not self._query(f"SELECT 1 FROM {self.bound.storage} LIMIT 1")

    def _matches(
        self,
        positions: Sequence[int],
        values: list[KeyValue],
        *,
        whole: bool,
        tables: frozenset[str] | None = None,
        query: Callable[[str, Sequence[Any]], list[tuple[Any, ...]]] | None = None,
    ) -> list[tuple[KeyValue, int, list[Any]]]:
        ask = query if query is not None else lambda sql, params: self._query(sql, params, tables)
        bound = self.bound
        names = [quote(bound.table.columns[p].name) for p in positions]
        types = [bound.types[p] for p in positions]
        keys = [key_sql(name, sql_type) for name, sql_type in zip(names, types, strict=True)]
        listed = ", ".join(quote(n) for n in bound.names) if whole else ", ".join([quote(ROW_ID), *names])
        select = f"SELECT {listed} FROM {bound.storage} WHERE "
        found: list[tuple[Any, ...]] = []
        with_null = [v for v in values if None in v]
        complete = [v for v in values if None not in v] if with_null else values
        if len(complete) == 1:
            found += ask(select + " AND ".join(f"{k} = ?" for k in keys), _asked(complete[0]))
        elif complete:
            lists = [f"unnest(CAST(? AS {key_duck_type(t)}[]))" for t in types]
            if len(keys) == 1:
                where = f"{keys[0]} IN (SELECT {lists[0]})"
            else:
                where = f"({', '.join(keys)}) IN (SELECT {', '.join(lists)})"
            found += ask(select + where, [_asked(column) for column in zip(*complete, strict=True)])
        for value in with_null:
            tests = [f"{k} IS NULL" if v is None else f"{k} = ?" for k, v in zip(keys, value, strict=True)]
            found += ask(select + " AND ".join(tests), _asked([v for v in value if v is not None]))
        wanted = set(values)
        normalisers = [key_normaliser(t) for t in types]
        matches = []
        for row in checked_rows(found):
            if whole:
                image = bound.decode(row[1:])
                own = [image[p] for p in positions]
            else:
                image, own = [], [from_store(v, t) for v, t in zip(row[1:], types, strict=True)]
            value = tuple(v if n is None or v is None else n(v) for v, n in zip(own, normalisers, strict=True))
            if value in wanted:
                matches.append((value, row[0], image))
        return matches

    # --- changing ------------------------------------------------------------------------------------------

    def insert(self, rows: Sequence[Inserted]) -> None:
        bound = self.bound
        first = self.states.take_row_ids(self.state, len(rows))
        images = []
        for row_id, row in enumerate(checked_rows(rows), first):
            row.row_id = row_id
            images.append((row_id, *bound.encode(row.new)))
        self.txn.unit.apply(InsertRows(bound.storage, bound.names, images))

    def update(self, rows: Sequence[Updated]) -> None:
        """Writes only the columns that change in any of the rows."""
        bound = self.bound
        if len(rows) == 1:
            self._update_one(rows[0])
            return
        changed = [
            i
            for i in range(bound.width)
            if any(r.old[i] is not r.new[i] and not is_same_value(r.old[i], r.new[i]) for r in rows)
        ]
        if not changed:
            return
        names = (ROW_ID, *(bound.names[i + 1] for i in changed))
        written, before = [], []
        for row in checked_rows(rows):
            stored_new, stored_old = bound.encode(row.new), bound.encode(row.old)
            written.append((row.row_id, *[stored_new[i] for i in changed]))
            before.append((row.row_id, *[stored_old[i] for i in changed]))
        self.txn.unit.apply(UpdateRows(bound.storage, names, written, before))

    def _update_one(self, row: Updated) -> None:
        bound, row_id = self.bound, row.row_id
        pairs = enumerate(zip(row.old, row.new, strict=True))
        changed = [i for i, (old, new) in pairs if old is not new and not is_same_value(old, new)]
        if not changed:
            return
        names = bound.names
        new, old = (bound.encode(row.new), bound.encode(row.old)) if bound.encoded else (row.new, row.old)
        if len(changed) == 1:
            place = changed[0]
            done = UpdateRows(bound.storage, (ROW_ID, names[place + 1]), [(row_id, new[place])], [(row_id, old[place])])
        else:
            written, before = [(row_id, *[image[i] for i in changed]) for image in (new, old)]
            done = UpdateRows(bound.storage, (ROW_ID, *[names[i + 1] for i in changed]), [written], [before])
        self.txn.unit.apply(done)

    def delete(self, rows: Sequence[Deleted]) -> None:
        self.txn.unit.apply(DeleteRows(self.bound.storage, [r.row_id for r in rows]))
