"""Conversations that rest where the store keeps them since it was opened: each look-up finds what IdleStore finds,
whatever has been asked for before, and what the store says of those that have left is not believed."""

from __future__ import annotations

import itertools
import random
import shutil
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import duckdb
import pytest
from dialog_shop import ENDPOINTS, Shop
from msgspec import structs

from sbql.catalog import stored_messages, unread_messages
from sbql.catalog.records import NO_GUID, ConversationEndpoint
from sbql.catalog.store_port import Call, StorePort
from sbql.catalog.unread_endpoints import _KEY, AtRest, EndpointRows, guid_key
from sbql.engine.broker import resting
from sbql.engine.broker.idle_endpoint import IdleEndpoint
from sbql.engine.broker.idle_store import IdleStore
from sbql.engine.broker.resting import DEADLINE, HORIZON, MAY_NEVER_REST, deadline, may_ever_rest
from sbql.engine.broker.unread_store import UnreadStore
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError

AT_REST = AtRest(0, MAY_NEVER_REST, DEADLINE)


class Port(StorePort):
    """Calls of one kind fail while `failing` says so."""

    failing: str | None = None

    def call(self, kind: Call, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if kind == self.failing:
            raise duckdb.IOException("IO Error: Input/output error")
        return work(*args, **kwargs)


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    """It keeps no conversation in memory when it is opened again."""
    found = Shop(tmp_path / "shop.duckdb", port=Port())
    monkeypatch.setattr(resting, "MOST", 0)
    yield found
    found.instance.close()


def unread(shop: Shop) -> UnreadStore:
    found = shop.instance.broker.resting.unread
    assert found is not None
    return found


# The rules, in Python and in SQL


def endpoint(**values: Any) -> ConversationEndpoint:
    given = {"state": "CO", "lifetime": 1e9, **values}
    return ConversationEndpoint(uuid4(), uuid4(), True, 5, 1, 1, uuid4(), given.pop("state"), "x", None, **given)


MOMENTS = (0.0, 1e9, HORIZON - 1, HORIZON, 7e9)
ENDPOINTS_OF_ALL_KINDS = [
    endpoint(state=state, lifetime=lifetime, dialog_timer=timer, security_timestamp=security)
    for state in ("SO", "SI", "CO", "DI", "DO", "ER", "CD")
    for lifetime, timer, security in itertools.product(MOMENTS[1:], MOMENTS, MOMENTS)
]


def test_deadlines_are_the_same_in_sql() -> None:
    rows = [(e.state, e.lifetime, e.security_timestamp, e.dialog_timer) for e in ENDPOINTS_OF_ALL_KINDS]
    values = ", ".join(f"({n}, '{row[0]}', {row[1]}::DOUBLE, {row[2]}::DOUBLE, {row[3]}::DOUBLE)" for n, row in enumerate(rows))  # fmt: skip
    names = "n, state, lifetime, security_timestamp, dialog_timer"
    found = dict(duckdb.execute(f"SELECT n, {DEADLINE} FROM (VALUES {values}) t ({names})").fetchall())
    for n, one in enumerate(ENDPOINTS_OF_ALL_KINDS):
        due = deadline(one)
        assert found[n] == (due if due < HORIZON else float("inf")), rows[n]


@pytest.mark.parametrize("is_system", [False, True])
@pytest.mark.parametrize("security", ["", "NONE", "FULL"])
def test_who_never_rests_is_the_same_in_sql(is_system: bool, security: str) -> None:
    text = f"SELECT {MAY_NEVER_REST} FROM (SELECT ? AS is_system, ? AS security)"
    (found,) = duckdb.execute(text, [is_system, security]).fetchall()[0]
    assert found != may_ever_rest(endpoint(is_system=is_system, security=security))


def test_keys_are_the_same_in_sql() -> None:
    guids = [NO_GUID, UUID(int=(1 << 128) - 1), UUID(int=1 << 127), UUID(int=1), *(uuid4() for _ in range(20))]
    for guid, salt in itertools.product(guids, (0, 1, 5, 11, 2**31 - 1)):
        assert duckdb.execute(f"SELECT {_KEY.format('$1::UUID', '$2')}", [guid, salt]).fetchall() == [(guid_key(guid, salt),)]  # fmt: skip


# Look-ups


def populate(shop: Shop) -> None:
    """Conversations in each state, with and without something that is due, alone and in groups, some that have to be
    awake, and a copy of the database: the same handles."""
    for lifetime in (100, 50, 150):
        shop.dialog(f", LIFETIME = {lifetime}")
    for _ in range(3):
        shop.dialog(f", RELATED_CONVERSATION = '{shop.mine[0]}'")
    timed, ended, failed, half, waited = (shop.dialog() for _ in range(5))
    shop.run(f"BEGIN CONVERSATION TIMER ('{timed}') TIMEOUT = 70; BEGIN CONVERSATION TIMER ('{shop.mine[0]}') TIMEOUT = 60")  # fmt: skip
    shop.run(f"END CONVERSATION '{half}'; RECEIVE * FROM right_queue")
    shop.run(f"END CONVERSATION '{ended}'")
    theirs = shop.value("DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM right_queue; SELECT @h")
    shop.run(f"END CONVERSATION '{theirs}'")
    shop.run(f"END CONVERSATION '{failed}' WITH ERROR = 5 DESCRIPTION = 'x'; RECEIVE * FROM right_queue")
    shop.run("BACKUP DATABASE shop TO DISK = 'shop.bak'")
    shop.run("RESTORE DATABASE copy FROM DISK = 'shop.bak' WITH MOVE 'shop' TO 'c.mdf', MOVE 'shop_log' TO 'c.ldf'")
    shop.send(waited)
    shop.run("ALTER QUEUE right_queue WITH STATUS = OFF")
    shop.send(shop.mine[2])


def both(shop: Shop) -> tuple[UnreadStore, IdleStore, list[ConversationEndpoint]]:
    """The same conversations at rest, found by their numbers and as records; and all there are."""
    everything = shop.instance.store.load()
    waited = {(row.conversation_handle, row.database_id) for row in (*everything.messages, *everything.transmissions)}
    services = {(g.database_id, g.conversation_group_id): g.service_id for g in everything.groups}
    awake = {
        (e.database_id, e.conversation_group_id)
        for e in everything.endpoints
        if (e.conversation_handle, e.database_id) in waited or not may_ever_rest(e)
    }
    few = shop.instance.store.load(at_rest=AT_REST)
    assert {(e.database_id, e.conversation_group_id) for e in few.endpoints} == awake
    assert {(g.database_id, g.conversation_group_id) for g in few.groups} == awake
    idle = IdleStore()
    rows = []
    for e in everything.endpoints:
        group = e.database_id, e.conversation_group_id
        if group not in awake:
            due = deadline(e)
            rows.append(IdleEndpoint(e, due if due < HORIZON else None, 1000 + services[group]))
    idle.put(rows)
    assert few.unread is not None
    queues = {(database_id, service_id): 1000 + service_id for database_id, service_id in few.unread.services}
    return UnreadStore(few.unread, queues), idle, list(everything.endpoints)


def ways(endpoints: list[ConversationEndpoint]) -> list[Callable[[Any], Any]]:
    """Each look-up there is, of each endpoint, and of some that are not there."""
    strangers = [endpoint(state="CO") for _ in range(3)]
    found: list[Callable[[Any], Any]] = []
    for e, database_id in itertools.product((*endpoints, *strangers), {1, *(e.database_id for e in endpoints)}):
        found += [
            lambda kept, e=e, d=database_id: kept.take(d, e.conversation_handle),
            lambda kept, e=e, d=database_id: kept.take_side(e.conversation_id, e.is_initiator, d),
            lambda kept, e=e, d=database_id: kept.take_group(d, e.conversation_group_id),
        ]
    first = min(deadline(e) for e in endpoints)
    return [*found, *(lambda kept, s=s: kept.take_due(first + s, 500) for s in (-1, 0, 40, 200) * 3)]


def parts_of(kept: IdleStore | UnreadStore, *which: Any) -> list[IdleEndpoint]:
    """All of a database, or of a service or contract."""
    return [row for part in kept.take_parts(*which) for row in part]


def same(one: Any, other: Any) -> None:
    """Wherever they rested."""
    one, other = ([structs.replace(row, seat=0) for row in rows] for rows in (one, other))
    assert sorted(one, key=repr) == sorted(other, key=repr)


def test_each_look_up_finds_what_it_finds_among_records(shop: Shop) -> None:
    """In any order: before, between and after the others."""
    populate(shop)
    _, idle, endpoints = both(shop)
    assert idle.count > 20 and idle.closed >= 1 and len(idle_dues(idle)) > 5
    for seed in range(5):
        found, idle, _ = both(shop)
        chance = random.Random(seed)
        asked = ways(endpoints)
        chance.shuffle(asked)
        whole = {(e.database_id, *chance.choice([(None, None), (e.service_id, None), (None, e.contract_id)])) for e in endpoints}  # fmt: skip
        for which in whole:
            asked.insert(chance.randrange(len(asked)), lambda kept, which=which: parts_of(kept, *which))
        for ask in asked:
            same(ask(found), ask(idle))
            assert (found.count, found.closed, found.next_due) == (idle.count, idle.closed, idle.next_due)
            if chance.random() < 0.05:
                same(found.rows(), idle.rows())
        assert not found.count


@pytest.mark.parametrize("seed", range(3))
def test_those_with_messages_are_found_as_among_records(shop: Shop, monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """With their keys and queuing orders, and in the order in which their turns come, whatever was asked for before."""
    monkeypatch.setattr(stored_messages, "MOST_AS_RECORDS", 0)
    shop.run("CREATE BROKER PRIORITY high FOR CONVERSATION SET (LOCAL_SERVICE_NAME = righty, PRIORITY_LEVEL = 8); CREATE SERVICE aside ON QUEUE right_queue (talk)")  # fmt: skip
    for n in range(6):
        shop.dialog("" if n % 2 else f", RELATED_CONVERSATION = '{shop.mine[0]}'")
    handles = [row[0] for row in shop.rows(ENDPOINTS)]
    chance = random.Random(seed)
    for handle in chance.choices(handles, k=30):
        shop.send(handle)
    everything = shop.instance.store.load()
    keys: dict[tuple[int, UUID], list[int]] = {}
    stored = "SELECT database_id, conversation_handle, message_key, queuing_order FROM sbql.messages ORDER BY message_sequence_number"  # fmt: skip
    for database_id, handle, *numbers in shop.instance.store._folder.execute(stored).fetchall():
        keys.setdefault((database_id, handle), []).extend(numbers)
    few = shop.instance.store.load(at_rest=AT_REST)
    assert few.unread is not None and few.unread_messages is not None and not few.endpoints and not few.messages
    queues = {(d, service_id): 1000 + service_id % 2 for d, service_id in few.unread.services}
    found, idle = UnreadStore(few.unread, queues, few.unread_messages), IdleStore()
    rows = []
    for e in everything.endpoints:
        numbers = array("q", keys.get((e.database_id, e.conversation_handle), ()))
        due = deadline(e)
        rows.append(IdleEndpoint(e, due if due < HORIZON else None, queues[e.database_id, e.service_id], numbers))
    idle.put(rows)
    assert sum(bool(row.numbers) for row in rows) > 5
    asked = [*ways(list(everything.endpoints))[:: chance.randint(2, 9)], *(lambda kept, q=q: kept.take_turns(q, 1_000) for q in {*queues.values()})]  # fmt: skip
    chance.shuffle(asked)
    for ask in asked:
        same(ask(found), ask(idle))
        same(found.rows(), idle.rows())
        for kept in (found, idle):
            waiting = [row for row in kept.rows() if row.turn is not None]
            assert {*kept.turns} == {row.queue_id for row in waiting}
            assert all(kept.turns[row.queue_id] <= row.turn for row in waiting if row.turn is not None)


@pytest.mark.parametrize("how", ["as they came", "mixed", "one overtaken", "numbers twice"])
def test_messages_are_read_in_their_order(shop: Shop, how: str) -> None:
    """Wherever they stand in their table: those of a conversation together and by number, then key."""
    rows = [(place, n, 10 * n + place, 7 * n + place) for n in range(40) for place in (3, 70_000, 5)]
    if how == "mixed":
        random.Random(1).shuffle(rows)
    elif how == "one overtaken":
        rows[6], rows[9] = rows[9], rows[6]
    elif how == "numbers twice":
        rows += [(5, 7, 3, 1)]
    connection = duckdb.connect()
    connection.execute("CREATE TABLE m (place BIGINT, number BIGINT, message_key BIGINT, queuing_order BIGINT)")
    connection.executemany("INSERT INTO m VALUES (?, ?, ?, ?)", rows)
    found = unread_messages._by_conversation(connection.execute("FROM m").fetchnumpy())
    if how == "numbers twice":
        assert found is None, "DuckDB has to"
        return
    assert found is not None
    expected = [row[2:] for row in sorted(rows)]
    assert list(zip(found["message_key"].tolist(), found["queuing_order"].tolist(), strict=True)) == expected


def idle_dues(idle: IdleStore) -> list[float]:
    return [row.due for row in idle.rows() if row.due is not None]


FILLER = (
    "CREATE TABLE kept AS FROM sbql.conversation_endpoints",
    "DELETE FROM sbql.conversation_endpoints",
    *(
        f"""INSERT INTO sbql.conversation_endpoints
        SELECT * REPLACE (uuid() AS conversation_handle, uuid() AS conversation_group_id, {database_id} AS database_id, 7e9 AS lifetime, 'DO' AS state) FROM (SELECT kept.* FROM kept, range(9000) LIMIT {count})"""
        for database_id, count in ((78, 5), (77, 150_000))
    ),
    "INSERT INTO sbql.conversation_endpoints FROM kept",
    "DROP TABLE kept",
)


@pytest.mark.parametrize("way", range(2))
def test_rows_that_have_moved_are_found(shop: Shop, way: int) -> None:
    """DuckDB puts rows together when it has deleted whole groups of them."""
    populate(shop)
    _, idle, endpoints = both(shop)
    connection = shop.instance.store._folder
    for statement in FILLER:
        connection.execute(statement)
    numbers = shop.instance.store.load(at_rest=AT_REST).unread
    assert numbers is not None
    found = UnreadStore(numbers, {(d, service_id): 1000 + service_id for d, service_id in numbers.services})
    before = found._places.copy()
    connection.execute("DELETE FROM sbql.conversation_endpoints WHERE database_id = 77; CHECKPOINT")
    asked = ways(endpoints)
    random.Random(way).shuffle(asked)
    for ask in asked:
        same(ask(found), ask(idle))
    assert (found._places != before).any(), "they have moved"


# An instance


def ask_stored(shop: Shop) -> list[tuple[Any, ...]]:
    return shop.rows(ENDPOINTS)


def test_what_the_store_says_of_those_that_have_left_is_not_believed(shop: Shop) -> None:
    """They end, are folded or not, and their handles, groups and sides are nobody's."""
    shop.reopen()
    state, store = shop.instance.broker, shop.instance.store
    e = next(e for e in state.records() if e.conversation_handle == shop.mine[0])
    for _ in range(2):
        if state.find(e.database_id, shop.mine[0]) is not None:
            shop.run(f"END CONVERSATION '{shop.mine[0]}' WITH CLEANUP")
        assert state.find(e.database_id, shop.mine[0]) is None
        assert state.find_group(e.database_id, e.conversation_group_id) is None
        assert state.find_side(e.conversation_id, True, e.database_id) is None
        assert shop.mine[0] not in {other.conversation_handle for other in state.records()}
        store.fold()
    state.wake_all_of(e.database_id)
    assert shop.mine[0] not in {c.endpoint.conversation_handle for c in state.endpoints.values()}
    assert len(state.endpoints) == 5 and state.resting.unread is None


def test_what_has_moved_to_another_group_is_found_there(shop: Shop) -> None:
    shop.reopen()
    first, second, third = shop.mine
    group = "SELECT @g = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = '{}'"
    shop.run(f"DECLARE @g uniqueidentifier; {group.format(second)}; MOVE CONVERSATION '{first}' TO @g")
    assert shop.rest() == 6
    shop.send(first)
    assert {first, second} <= {c.endpoint.conversation_handle for c in shop.instance.broker.endpoints.values()}
    shop.send(third)
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 2


def test_a_database_that_is_restored_over_itself_has_its_own(shop: Shop) -> None:
    """The same handles in the same database come a second time: from memory, not from the rows of those before."""
    shop.run("BACKUP DATABASE shop TO DISK = 'shop.bak'")
    shop.reopen()
    shop.run(f"END CONVERSATION '{shop.mine[0]}' WITH CLEANUP")
    shop.run("USE master; RESTORE DATABASE shop FROM DISK = 'shop.bak' WITH REPLACE, ENABLE_BROKER; USE shop")
    assert shop.states() == ["CO"] * 6
    for handle in shop.mine:
        shop.send(handle)
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 3


def test_those_who_stay_away_are_looked_up_within_a_query(shop: Shop) -> None:
    """A function that asks the broker runs inside a query of DuckDB, and asks DuckDB again."""
    shop.reopen()
    text = "SELECT COUNT(*) FROM sys.conversation_endpoints WHERE GET_TRANSMISSION_STATUS(conversation_handle) = ''"
    assert shop.rows(text) == [(6,)]
    assert shop.in_memory == 6


@pytest.mark.parametrize("is_crash", [False, True])
def test_it_ends_in_the_middle_and_is_opened_again(shop: Shop, is_crash: bool) -> None:
    shop.reopen()
    shop.send(shop.mine[0])
    shop.run(f"END CONVERSATION '{shop.mine[1]}' WITH CLEANUP")
    before = ask_stored(shop)
    assert unread(shop).count == 3
    if is_crash:
        folder = shop.path.with_name("crashed")
        folder.mkdir()
        for file in shop.path.parent.glob(f"{shop.path.name}*"):
            shutil.copy(file, folder / file.name)
        shop.instance.close()
        shop.path = folder / shop.path.name
        shop.open()
    else:
        shop.reopen()
    assert ask_stored(shop) == before
    assert (shop.in_memory, unread(shop).count) == (1, 4)
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 1


def test_commits_that_are_lost(shop: Shop) -> None:
    """Memory is read anew, and so are the numbers: those that had left are back."""
    shop.reopen()
    shop.send(shop.mine[0])
    before = ask_stored(shop)
    port = shop.port
    assert isinstance(port, Port)
    port.failing = "journal"
    with pytest.raises(SqlError):
        shop.run(f"END CONVERSATION '{shop.mine[1]}' WITH CLEANUP; SELECT 1")
    port.failing = None
    shop.session = shop.instance.connect("shop")
    assert ask_stored(shop) == before
    assert (shop.in_memory, unread(shop).count) == (1, 5)
    counter = "SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Dialog Timer Event Count'"
    assert shop.value(counter) == 6, "open endpoints, in memory or not"
    shop.send(shop.mine[1])
    received = [shop.rows("RECEIVE conversation_handle FROM right_queue") for _ in range(3)]
    assert [len(rows) for rows in received] == [1, 1, 0] and received[0] != received[1], "each once"


def test_a_store_that_cannot_be_read_is_an_error_of_the_statement(shop: Shop) -> None:
    shop.reopen()
    port = shop.port
    assert isinstance(port, Port)
    port.failing = "read"
    outcomes = shop.session.run(f"SEND ON CONVERSATION '{shop.mine[0]}' (0x01)")
    assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)]
    port.failing = None
    assert unread(shop).count == 6, "nothing is taken"
    shop.session = shop.instance.connect("shop")
    shop.send(shop.mine[0])
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 1


@pytest.mark.parametrize("fails", ["nothing", "reading a page", "keeping it"])
def test_who_looks_at_many_gets_them_by_the_page(shop: Shop, monkeypatch: pytest.MonkeyPatch, fails: str) -> None:
    """A page comes behind a number of single looks; each dialog is there once and goes on, also where a
    page cannot be read, or has no room."""
    monkeypatch.setattr(resting, "SINGLE_LOOKS", 3)
    monkeypatch.setattr(resting, "PAGE", 6)
    mine = [*shop.mine, *(shop.dialog() for _ in range(17))]
    shop.reopen()
    unread(shop)
    reads, at = 0, EndpointRows.at

    def count(self: EndpointRows, places: Sequence[int]) -> list[ConversationEndpoint]:
        nonlocal reads
        reads += 1
        return at(self, places)

    def no_page(self: UnreadStore, size: int) -> list[IdleEndpoint]:
        raise SqlError(823, "Input/output error")

    monkeypatch.setattr(EndpointRows, "at", count)
    if fails == "reading a page":
        monkeypatch.setattr(UnreadStore, "take_page", no_page)
    elif fails == "keeping it":
        shop.instance.broker.resting.store = IdleStore(in_memory=0)
        monkeypatch.setattr(tempfile, "tempdir", str(shop.path / "nowhere"))
    random.Random(4).shuffle(mine)
    for handle in mine:
        shop.send(handle)
    if fails == "nothing":
        assert reads < 20, "40 endpoints were not read one by one"
    elif fails == "reading a page":
        assert reads >= 40
    shop.reopen()
    sent = {UUID(str(row[0])): row[4] for row in shop.rows(ENDPOINTS)}
    assert len(sent) == 40 and {sent[handle] for handle in mine} == {2}, (
        "each has sent its second message, and each is there once"
    )


@pytest.mark.parametrize(("most", "in_memory"), [(6, 36), (5, 1)], ids=["room for all", "room for few"])
def test_a_page_stays_in_memory_where_there_is_room(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, most: int, in_memory: int
) -> None:
    """What is near the one that was asked for is asked for next, and need not go to rest before."""
    monkeypatch.setattr(resting, "SINGLE_LOOKS", 0)
    monkeypatch.setattr(resting, "PAGE", 40)
    mine = [*shop.mine, *(shop.dialog() for _ in range(15))]
    shop.reopen()
    before = shop.rows(ENDPOINTS)
    shop.instance.broker.resting.most = 6 * most
    shop.value(f"SELECT GET_TRANSMISSION_STATUS('{mine[4]}')")
    assert (shop.in_memory, shop.in_memory + shop.instance.broker.resting.count) == (in_memory, 36)
    assert shop.rows(ENDPOINTS) == before
    for handle in mine:
        shop.send(handle)
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 18


def test_the_last_that_leaves_frees_the_memory(shop: Shop) -> None:
    shop.reopen()
    for handle in shop.mine:
        assert shop.instance.broker.resting.unread is not None
        shop.send(handle)
    assert shop.instance.broker.resting.unread is None
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 3
