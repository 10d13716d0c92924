"""What the fold leaves in the readable tables is the last word on each key, however the records come to it
and however many rows there are."""

from __future__ import annotations

import random
from pathlib import Path
from uuid import UUID

import duckdb
import msgspec
import pytest

from sbql.catalog import fold, unfolded
from sbql.catalog.broker_tables import BROKER_TABLES, COLUMN_TYPES, LAST_MESSAGE_KEY, queue_counter, row_of
from sbql.catalog.records.broker import (
    BrokerChange,
    ConversationEndpoint,
    ConversationGroup,
    CounterValue,
    DeleteEndpoint,
    DeleteGroup,
    DeleteMessage,
    DeleteMonologMember,
    DeleteMonologMessage,
    DeleteTransmission,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.catalog.row_columns import delete_keys, insert_rows
from sbql.catalog.store import Store

TEXTS = ("", "plain", "nul \0 here", "é ä 😀 漢", "'quoted\" \\x41", "x" * 300)
BODIES = (None, b"", b"\\x41", bytes(range(256)), b"same" * 100)


class Maker:
    """Random changes of every kind, over few keys, so that they meet."""

    def __init__(self, seed: int, keys: int) -> None:
        self.chance = random.Random(seed)
        self.keys = keys

    def guid(self) -> UUID:
        return UUID(int=self.chance.choice([0, self.chance.getrandbits(128), (1 << 128) - 1, 1 << 127]))

    def key(self) -> UUID:
        return UUID(int=self.chance.randrange(self.keys) << 96 | 7)

    def value(self, name: str, kind: object) -> object:
        chance = self.chance
        if name in ("conversation_handle", "conversation_group_id"):
            return self.key()
        if name == "database_id":
            return chance.choice((5, 6))
        if name == "message_key":
            return chance.randrange(self.keys)
        if name == "message_id":
            return self.guid().bytes
        if kind == UUID | None and chance.random() < 0.3:
            return None
        if kind in (UUID, UUID | None):
            return self.guid()
        if kind == bytes | None:
            return chance.choice(BODIES)
        if kind == str | None and chance.random() < 0.3:
            return None
        if kind in (str, str | None):
            return chance.choice(TEXTS)
        simple = {
            int: chance.randrange(200),
            float: chance.choice([0.0, 1.5, 7258118400.0]),
            bool: chance.random() < 0.5,
            bytes: b"k\0",
        }
        return simple[kind]  # type: ignore[index]

    def record(self, kind: type[msgspec.Struct]) -> BrokerChange:
        fields = msgspec.structs.fields(kind)
        made: BrokerChange = kind(**{f.name: self.value(f.name, f.type) for f in fields})  # type: ignore[assignment]
        return made

    def changes(self) -> list[BrokerChange]:
        """Those of one transaction. Several messages may share a body, as those of one SEND to many do."""
        chance = self.chance
        kinds = (
            ConversationEndpoint, ConversationGroup, QueuedMessage, TransmissionMessage, MonologMember, MonologMessage, DeleteEndpoint,
            DeleteGroup, DeleteMessage, DeleteTransmission, DeleteMonologMember, DeleteMonologMessage, CounterValue,
        )  # fmt: skip
        made = [self.record(chance.choice(kinds)) for _ in range(chance.randrange(1, 9))]
        if chance.random() < 0.3:
            body = chance.randbytes(400)
            made += [
                msgspec.structs.replace(self.record(kind), message_body=body)
                for kind in (QueuedMessage, TransmissionMessage, MonologMessage)
            ]
        return made


class Model:
    """The tables as dictionaries."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[object, tuple[object, ...]]] = {table: {} for table in BROKER_TABLES}
        self.counters: dict[str, int] = {}

    def add(self, change: BrokerChange) -> None:
        if isinstance(change, CounterValue):
            self.counters[change.name] = change.value
            return
        is_row = any(type(change) is record for record, _ in BROKER_TABLES.values())
        table = next(
            t
            for t, (record, _) in BROKER_TABLES.items()
            if type(change).__name__.replace("Delete", "") in NAMES[record]
        )
        key = tuple(getattr(change, name) for name in BROKER_TABLES[table][1])
        if is_row:
            self.rows[table][key] = row_of(change)
        else:
            self.rows[table].pop(key, None)
        if is_row and table in ("messages", "transmission_queue", "monolog_messages"):
            self.at_least(LAST_MESSAGE_KEY, change.message_key)  # type: ignore[union-attr]
        if isinstance(change, QueuedMessage):
            self.at_least(queue_counter(change.queue_id), change.queuing_order)

    def at_least(self, name: str, value: int) -> None:
        self.counters[name] = max(self.counters.get(name, -1), value)


NAMES = {
    ConversationEndpoint: ("ConversationEndpoint", "Endpoint"), ConversationGroup: ("ConversationGroup", "Group"), QueuedMessage: ("QueuedMessage", "Message"),
    TransmissionMessage: ("TransmissionMessage", "Transmission"), MonologMember: ("MonologMember",), MonologMessage: ("MonologMessage",),
}  # fmt: skip


def stored(store: Store, table: str) -> list[tuple[object, ...]]:
    with store.scratch() as connection:
        return sorted(connection.execute(f"SELECT * FROM sbql.{table}").fetchall(), key=repr)


@pytest.mark.parametrize("way", ["from memory", "read back", "by columns", "one by one"])
@pytest.mark.parametrize("seed", range(2))
def test_the_tables_hold_the_last_word(way: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sbql.catalog.row_columns._MANY", {"by columns": 1, "one by one": 1 << 40}.get(way, 40))
    if way == "read back":
        monkeypatch.setattr(unfolded.Unfolded.__init__, "__defaults__", (100,))
    maker, model = Maker(seed, keys=60), Model()
    with Store.open() as store:
        for _ in range(3):
            for _ in range(maker.chance.choice((1, 5, 60))):
                changes = maker.changes()
                store.submit(changes)
                for change in changes:
                    model.add(change)
            store.fold()
            for table in BROKER_TABLES:
                assert stored(store, table) == sorted(model.rows[table].values(), key=repr), table
            assert dict(stored(store, "counters")) == model.counters
            assert stored(store, "journal") == []


def test_memory_that_does_not_agree_with_the_journal_is_not_believed(tmp_path: Path) -> None:
    maker = Maker(1, keys=10)
    with Store.open(tmp_path / "s.duckdb") as store:
        store.submit([maker.record(QueuedMessage)])
        store.wait_durable(store.last_lsn)
        with store.scratch() as connection:
            assert fold.fold_once(connection, 1, [(1, fold.NOTHING), (2, fold.NOTHING)]) == (1, 1)
        assert len(stored(store, "messages")) == 1


def test_records_are_kept_until_they_are_too_large() -> None:
    kept = unfolded.Unfolded(most_bytes=10)
    kept.add([(1, b"1234"), (2, b"1234")])
    assert kept.through(1) == [(1, b"1234")]
    kept.add([(3, b"1234")])
    kept.add([(4, b"1")])
    assert kept.through(9) is None, "some are not here, and so nothing is said"
    kept.folded(2, 2)
    assert (kept.count, kept.through(9)) == (2, None)
    kept.folded(2, 4)
    kept.add([(5, b"1")])
    assert (kept.count, kept.through(9)) == (1, [(5, b"1")])


def test_a_long_journal_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfolded, "FOLD_AT", 3)
    monkeypatch.setattr(unfolded, "FOLD_AT_BYTES", 100)
    kept = unfolded.Unfolded()
    assert not kept.add([(1, b""), (2, b"")])
    assert kept.add([(3, b"")])
    kept.folded(3, 3)
    assert kept.add([(4, b"x" * 100)])


def test_the_types_of_columns_are_those_of_the_tables() -> None:
    with Store.open() as store, store.scratch() as connection:
        for table, columns in COLUMN_TYPES.items():
            found = connection.execute(
                "SELECT column_name, data_type FROM duckdb_columns() WHERE schema_name = 'sbql' AND table_name = ?"
                " AND database_name = current_database() ORDER BY column_index",
                [table],
            ).fetchall()
            assert tuple(found) == columns, table


@pytest.mark.parametrize("count", [1, 3, 4, 17, 500])
def test_rows_come_and_go_by_their_keys(count: int) -> None:
    columns = COLUMN_TYPES["conversation_groups"]
    with Store.open() as store, store.scratch() as connection:
        rows = [(UUID(int=n << 100).bytes, n % 7, n, n % 2 == 0) for n in range(count + 1)]
        insert_rows(connection, "conversation_groups", columns, rows)
        delete_keys(connection, "conversation_groups", columns[:2], [row[:2] for row in rows[:count]])
        assert stored(store, "conversation_groups") == [(UUID(bytes=rows[-1][0]), *rows[-1][1:])]


def test_a_refused_row_is_told_and_the_connection_goes_on() -> None:
    columns = (("a", "INTEGER"), ("b", "BLOB"))
    rows = [(n, None if n % 2 else b"x") for n in range(600)]
    with Store.open() as store, store.scratch() as connection:
        connection.execute("CREATE TABLE sbql.small (a INTEGER CHECK (a < 500), b BLOB)")
        connection.begin()
        with pytest.raises(duckdb.ConstraintException):
            insert_rows(connection, "small", columns, rows)
        connection.rollback()
        connection.begin()
        insert_rows(connection, "small", columns, rows[:500])
        connection.commit()
        assert connection.execute("SELECT * FROM sbql.small ORDER BY a").fetchall() == rows[:500]
