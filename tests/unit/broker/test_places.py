"""Where conversations at rest are: slots, chains and agendas, each against a plain
model of it, with random programs."""

from __future__ import annotations

import random
import tempfile
from array import array
from pathlib import Path
from uuid import UUID

import pytest
from msgspec import structs

from sbql.catalog.records import NEVER, ConversationEndpoint
from sbql.engine.broker.agenda import Agenda
from sbql.engine.broker.chains import Chains
from sbql.engine.broker.idle_endpoint import IdleEndpoint
from sbql.engine.broker.idle_store import IdleStore
from sbql.engine.broker.slots import Slots

SIZE = 224
SEGMENT = SIZE << 16


@pytest.mark.parametrize("spread", [3, 40, 1 << 32], ids=["many of one hash", "some", "few"])
@pytest.mark.parametrize("seed", range(5))
def test_chains_find_what_a_dictionary_finds(seed: int, spread: int) -> None:
    chance, chains = random.Random(seed), Chains()
    known: dict[int, int] = {}
    for _ in range(3000):
        if known and chance.random() < 0.4:
            place = chance.choice([*known])
            chains.remove(place)
            del known[place]
        else:
            place = chance.choice([n for n in range(1, len(known) + 40) if n not in known])
            known[place] = chance.randrange(spread)
            chains.put(place, known[place])
        hashed = chance.choice([*known.values(), chance.randrange(spread)])
        assert sorted(chains.of(hashed)) == sorted(p for p, h in known.items() if h == hashed)
        assert chains.count == len(known)
        assert all(chains.has(p, h) and not chains.has(p, h ^ 1) for p, h in [*known.items()][:3])


def test_chains_stay_short_as_they_grow() -> None:
    """Hashes that differ in their high bits or in their low ones: none has to look at more than a few."""
    chance, chains = random.Random(1), Chains()
    for place in range(1, 20_001):
        chains.put(place, chance.getrandbits(32))
    lengths = []
    for head in chains._heads:
        length, at = 0, head
        while at:
            length, at = length + 1, chains._links[2 * at]
        lengths.append(length)
    assert sum(lengths) == 20_000 and len(lengths) >= 20_000 and max(lengths) < 12


@pytest.mark.parametrize("width", [1, 16, 1 << 40])
@pytest.mark.parametrize("seed", range(5))
def test_an_agenda_has_the_first_first(seed: int, width: int) -> None:
    """Whatever has gone, come back with the same turn or with another."""
    chance = random.Random(seed)
    turns: dict[int, int] = {}
    agenda = Agenda(width, lambda turn, place: turns.get(place) == turn)
    for _ in range(4000):
        place = chance.randrange(60)
        if place in turns:
            agenda.remove()
            del turns[place]
        if chance.random() < 0.7:
            turns[place] = chance.choice((chance.randrange(500), 7, place))
            agenda.put(turns[place], place)
        assert agenda.live == len(turns)
        if chance.random() < 0.3:
            first = agenda.first()
            assert (first is None) == (not turns)
            assert first is None or (first[0] == min(turns.values()) and turns[first[1]] == first[0])
    assert agenda._entries < 2 * len(turns) + 2_000, "what does not count does not pile up"


def test_slots_are_used_again_and_keep_what_is_written() -> None:
    slots = Slots(SIZE, 1 << 30)
    first = [slots.take() for _ in range(100)]
    assert first == [*range(1, 101)] == [*slots.taken]
    for place in first:
        data, begin = slots.at(place)
        data[begin : begin + SIZE] = bytes([place]) * SIZE
    for place in first[::2]:
        slots.give(place)
    assert sorted(slots.take() for _ in range(50)) == first[::2]
    assert slots.take() == 101
    for place in first:
        data, begin = slots.at(place)
        assert data[begin : begin + SIZE] == bytes([place]) * SIZE


@pytest.mark.parametrize("in_memory", [0, SEGMENT, 1 << 30], ids=["in a file", "both", "in memory"])
def test_segments_join_without_a_seam(in_memory: int) -> None:
    slots = Slots(SIZE, in_memory)
    places = [slots.take() for _ in range((1 << 16) + 10)]
    assert (slots._file is not None) == (in_memory <= SEGMENT)
    near = places[-20:]
    for place in near:
        data, begin = slots.at(place)
        data[begin : begin + SIZE] = place.to_bytes(4, "big") * (SIZE // 4)
    for place in near:
        data, begin = slots.at(place)
        assert data[begin : begin + SIZE] == place.to_bytes(4, "big") * (SIZE // 4)


def test_a_disk_without_room_is_an_error_of_the_call(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """And nothing else has changed: the next finds room when there is some."""
    slots = Slots(SIZE, 0)
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
        with pytest.raises(OSError, match="No such file"):
            slots.take()
    assert slots.take() == 1


def idle(chance: random.Random, far_service: str, messages: int = 0) -> IdleEndpoint:
    guid = lambda: UUID(int=chance.getrandbits(128))  # noqa: E731
    endpoint = ConversationEndpoint(
        guid(), guid(), chance.random() < 0.5, chance.randrange(1, 9), chance.randrange(70_000), chance.randrange(9), guid(), chance.choice(("SO", "CO", "CD", "DI")),
        far_service, chance.choice((None, guid(), UUID(int=7))), chance.choice((NEVER, chance.random() * 1e9)), transmission_status="x" * chance.choice((0, 0, 3, 300)),
        contract_name=chance.choice(("", "DEFAULT", "//" + "c" * 126)), session_key=bytes(chance.choice((0, 0, 32))), send_sequence=chance.randrange(1 << 40),
    )  # fmt: skip
    numbers = array("q", [chance.randrange(1 << 40) for _ in range(2 * messages)])
    return IdleEndpoint(endpoint, chance.choice((None, chance.random() * 1e9)), chance.randrange(1, 4), numbers)


@pytest.fixture(params=[0, 70_000], ids=["few", "more than are kept once"])
def store(request: pytest.FixtureRequest) -> IdleStore:
    """One with so many others, each with something that no other has."""
    chance, made = random.Random(5), IdleStore()
    for start in range(0, request.param, 1_000):
        made.put([idle(chance, f"service {n}") for n in range(start, start + 1_000)])
    return made


def test_endpoints_come_back_as_they_were(store: IdleStore) -> None:
    """Whatever their names and messages, alone and with others that have the same, and where
    more has come than is kept once."""
    chance, before = random.Random(3), store.count
    rows = [
        idle(chance, chance.choice(("", "//a", "ü" * 256, f"new {n}")), chance.choice((0, 0, 1, 2, 256)))
        for n in range(300)
    ]
    store.put(rows)
    for row in chance.sample(rows, len(rows)):
        e = row.endpoint
        expected = structs.replace(row, endpoint=structs.replace(e))
        taken = store.take(e.database_id, UUID(int=e.conversation_handle.int))
        assert [structs.replace(found, seat=0) for found in taken] == [expected]
        assert not store.take(e.database_id, e.conversation_handle)
    assert store.count == before


def test_what_is_alike_but_for_one_field_stays_apart(store: IdleStore) -> None:
    """Each field of an endpoint, and of what comes with it, in turn."""
    chance = random.Random(8)
    plain = IdleEndpoint(idle(chance, "//a").endpoint, 5.0, 2, array("q", [1, 2]))
    rows = [plain]
    for field in structs.fields(ConversationEndpoint):
        value = getattr(plain.endpoint, field.name)
        other: object = UUID(int=chance.getrandbits(128))
        match value:
            case bool():
                other = not value
            case int() | float():
                other = value + 1
            case str():
                other = value + "y"
            case bytes():
                other = value + b"y"
        rows.append(structs.replace(plain, endpoint=structs.replace(plain.endpoint, **{field.name: other})))
    rows += [
        structs.replace(plain, due=None),
        structs.replace(plain, queue_id=3),
        structs.replace(plain, is_alone=True),
    ]
    own = []
    for row in rows:  # a group each, and a handle to ask for
        guids = [UUID(int=chance.getrandbits(128)) for _ in range(2)]
        endpoint = structs.replace(row.endpoint, conversation_handle=guids[0], conversation_group_id=guids[1])
        own.append(structs.replace(row, endpoint=endpoint))
    store.put([structs.replace(row, endpoint=structs.replace(row.endpoint)) for row in own])
    for row in own:
        found = store.take(row.endpoint.database_id, row.endpoint.conversation_handle)
        assert [structs.replace(each, seat=0) for each in found] == [row]


def test_turns_of_queues_stay_apart(store: IdleStore) -> None:
    """Rows of several queues have the same turns: the first of each queue come in their order."""
    chance = random.Random(9)
    for queue_id in (1, 2, 3):  # what the others have
        while store.take_turns(queue_id, 1_000):
            pass
    rows = [idle(chance, f"turns {n}", 1) for n in range(400)]
    for n, row in enumerate(rows):
        row.numbers[1] = n // 8
    store.put(rows)
    for queue_id in (1, 2, 3):
        expected = sorted(row.turn for row in rows if row.queue_id == queue_id)
        taken = [row for _ in range(500) for row in store.take_turns(queue_id, 1)]
        assert [row.turn for row in taken] == expected and {row.queue_id for row in taken} == {queue_id}
