"""A snapshot gives its records by class, and what has changed since another, as a look through all of them would."""

from __future__ import annotations

import random
from typing import Any

from sbql.catalog.changes import DropRecord, PutRecord, snapshot_changes
from sbql.catalog.records import Contract, MessageType, Queue, Service, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.instance import Instance

CLASSES = (MessageType, Contract, Queue, Service, Table)


def a_record(rng: random.Random, number: int) -> Any:
    cls, database = rng.choice(CLASSES), rng.choice([1, 5])
    known: dict[str, Any] = {"id": number, "database_id": database, "name": f"n{number}"}
    if cls is Queue:
        return Queue(**known, schema_id=1, is_enabled=rng.random() < 0.5)
    if cls is Service:
        return Service(**known, queue_id=rng.randrange(9))
    if cls is Table:
        temporary = rng.random() < 0.5
        return Table(
            **known,
            schema_id=1,
            session_id=51 if temporary else 0,
            columns=(),
            storage_schema="s",
            storage_name=f"t{number}",
        )
    return cls(**known)


def step(rng: random.Random, snapshot: CatalogSnapshot) -> CatalogSnapshot:
    """One change, of one record or several; a record may be replaced by an equal one."""
    here = list(snapshot.records())
    chosen = rng.sample(here, min(len(here), rng.randrange(1, 4)))
    new = [a_record(rng, snapshot.next_id() + place) for place in range(rng.randrange(1, 4))]
    kind = rng.randrange(6)
    if kind == 0:
        return snapshot.with_record(new[0])
    if kind == 1:
        return snapshot.with_records(record for record in [*new, *chosen])
    if kind == 2 and here:
        return snapshot.without(chosen[0])
    if kind == 3:
        return snapshot.without_records(record for record in chosen)
    if kind == 4 and here:
        fields = {name: getattr(chosen[0], name) for name in chosen[0].__struct_fields__}
        return snapshot.with_record(
            type(chosen[0])(**fields | {"name": rng.choice([fields["name"], "other" + fields["name"]])})
        )
    return CatalogSnapshot.of(snapshot.records())


def listed(snapshot: CatalogSnapshot, cls: type, database_id: int | None) -> list[Any]:
    found = [r for r in snapshot.records() if type(r) is cls and database_id in (None, r.database_id)]
    return sorted(found, key=lambda r: (r.database_id, r.id))


def test_records_of_a_class_are_those_of_this_snapshot_after_any_changes() -> None:
    rng = random.Random(1)
    snapshot = CatalogSnapshot()
    kept: list[CatalogSnapshot] = []
    for _ in range(600):
        kept = [*kept[-5:], snapshot]
        snapshot = step(rng, snapshot)
        for one in rng.sample([*kept, snapshot], 2):  # older ones stay what they were
            for cls in rng.sample(CLASSES, 3):
                database_id = rng.choice([None, 1, 5, 6])
                found = list(one.all(cls, database_id))
                expected = listed(one, cls, database_id)
                assert len(found) == len(expected)
                assert all(a is b for a, b in zip(found, expected, strict=True))


def test_changes_between_snapshots_lead_from_one_to_the_other_and_are_no_more_than_that() -> None:
    rng = random.Random(2)
    snapshot = CatalogSnapshot()
    for _ in range(300):
        before = snapshot
        for _ in range(rng.randrange(4)):
            snapshot = step(rng, snapshot)
        stored = {key: r for key, r in before.by_id.items() if not getattr(r, "session_id", 0)}
        touched = []
        for change in snapshot_changes(before, snapshot):
            record = change.record
            key = (type(record), record.database_id, record.id)
            touched.append(key)
            if isinstance(change, DropRecord):
                assert stored.pop(key) is record
            else:
                assert isinstance(change, PutRecord)
                assert change.is_new == (key not in before.by_id)
                assert before.by_id.get(key) is not record
                stored[key] = record
        assert len(touched) == len(set(touched))
        after = {key: r for key, r in snapshot.by_id.items() if not getattr(r, "session_id", 0)}
        assert stored.keys() == after.keys()
        assert all(stored[key] is after[key] for key in after)


def test_a_queue_is_found_by_its_id_in_the_snapshot_that_has_it() -> None:
    rng = random.Random(3)
    snapshot = CatalogSnapshot()
    kept: list[CatalogSnapshot] = []
    for _ in range(400):
        kept = [*kept[-5:], snapshot]
        snapshot = step(rng, snapshot)
        for one in rng.sample([*kept, snapshot], 2):
            expected = {queue.id: queue for queue in listed(one, Queue, None)}
            for number in range(max(0, one.last_id - 30), one.last_id + 2):
                assert one.queue_of_id(number) is expected.get(number)


def test_ids_of_queues_are_unique_in_an_instance() -> None:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    session.run("CREATE DATABASE A; CREATE DATABASE B")
    for name in ("A", "B", "tempdb", "msdb"):
        session.run(f"USE {name}; CREATE QUEUE dbo.q")
    queues = list(instance.catalog.all(Queue))
    assert len({queue.id for queue in queues}) == len(queues)
    assert all(instance.catalog.queue_of_id(queue.id) is queue for queue in queues)
    instance.close()
