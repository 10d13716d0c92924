"""KeyMemory: what it must never forget, and what it may."""

from __future__ import annotations

import random
from uuid import uuid4

import pytest

from sbql.engine.modification import key_memory, stored_rows
from sbql.engine.modification.key_memory import KeyMemory
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session
from sbql.grammar.types import INT, SqlType


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_memory, "LIMIT", 4)
    monkeypatch.setattr(key_memory, "MOST", 20)


@pytest.fixture
def large_sets(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every set is a large one, and keys are read into memory after three look-ups."""
    session.instance.locks.sets_from = 0
    monkeypatch.setattr(stored_rows, "LIMIT", 4)
    monkeypatch.setattr(key_memory, "LIMIT", 4)
    monkeypatch.setattr(key_memory, "_LOOK_UPS", 3)


def errors(session: Session, text: str) -> list[int]:
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


def loaded(types: tuple[SqlType, ...], *values: tuple[object, ...]) -> KeyMemory:
    memory = KeyMemory(object(), types)
    ordered = sorted(values)
    memory.load(len(values), lambda: values, lambda: (ordered[0][0], ordered[-1][0]))
    return memory


def test_before_it_has_read_the_table_it_claims_everything() -> None:
    memory = KeyMemory(object(), (INT,))
    assert memory.may_hold((1,))
    memory.note([(1,)])
    memory.load(0, list, lambda: (None, None))
    assert memory.may_hold((1,)) and not memory.may_hold((2,))


def test_of_a_large_key_it_knows_the_ends(small: None) -> None:
    memory = loaded((INT,), (10,), (20,), (30,), (40,), (50,))
    assert memory.may_hold((30,)) and memory.may_hold((31,)) and memory.may_hold((None,))
    assert not memory.may_hold((51,)) and not memory.may_hold((9,))
    memory.note([(60,)])
    assert memory.may_hold((51,)) and not memory.may_hold((61,))


def test_a_key_that_grows_beyond_the_limit_loses_nothing(small: None) -> None:
    memory = loaded((INT,), (3,))
    for value in range(10, 20):
        assert not memory.may_hold((value,))
        memory.note([(value,)])
    assert all(memory.may_hold((value,)) for value in (3, *range(10, 20)))


@pytest.mark.parametrize("steps", [1, 3, 5, 17])
def test_of_a_large_key_without_order_all_values_are_known(small: None, steps: int) -> None:
    memory = loaded((SqlType("uniqueidentifier"),), (uuid4(),))
    values = [(uuid4(),) for _ in range(17)]
    for start in range(0, 17, steps):
        memory.note(values[start : start + steps])
        assert all(memory.may_hold(value) for value in values[: start + steps])
        assert not any(memory.may_hold((uuid4(),)) for _ in range(20))


def test_a_key_without_order_that_is_too_large_is_looked_up(small: None) -> None:
    memory = loaded((SqlType("uniqueidentifier"),), *[(uuid4(),) for _ in range(18)])
    assert not memory.may_hold((uuid4(),))
    memory.note([(uuid4(),) for _ in range(5)])
    assert memory.may_hold((uuid4(),))
    assert not KeyMemory(object(), (SqlType("varchar", length=9),)).wants_to_load(21)


def test_after_a_large_set_a_key_without_order_is_read_again(session: Session, large_sets: None) -> None:
    """What others note meanwhile is not forgotten."""
    other = session.instance.connect()
    assert not errors(session, "CREATE TABLE t (a varchar(9) PRIMARY KEY); INSERT t VALUES ('first')")
    large = "SELECT CONCAT('{}', value) FROM GENERATE_SERIES(1, 3000)"
    assert not errors(session, f"INSERT t {large.format('a')}")
    assert not errors(other, "BEGIN TRAN; INSERT t VALUES ('mine')")
    for value in range(6):
        assert not errors(session, f"INSERT t VALUES ('b{value}')")
    assert not errors(other, "COMMIT")
    assert not errors(session, f"INSERT t {large.format('c')}")
    for value in ("A7", "mine", "MINE", "b3", "c3000", "First", "a1 ", "B5"):
        assert errors(session, f"INSERT t VALUES ('{value}')") == [2627], value
    assert not errors(session, "INSERT t VALUES ('a3001'), ('c0')")
    assert errors(session, f"INSERT t {large.format('A')}") == [2627]


@pytest.mark.parametrize("kind", ["varchar(9)", "int"])
def test_an_old_snapshot_is_not_taken_for_all_there_is(session: Session, large_sets: None, kind: str) -> None:
    """A large set comes after a SNAPSHOT transaction has begun, and that one looks up so often that the key would
    be read: it does not see the set."""
    other = session.instance.connect()
    assert not errors(session, "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON")
    large = f"SELECT CAST(value AS {kind}) FROM GENERATE_SERIES(1, 3000)"
    assert not errors(session, f"CREATE TABLE t (a {kind} PRIMARY KEY); INSERT t VALUES (5000), (5001)")
    assert not errors(other, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM t")
    assert not errors(session, f"INSERT t {large}")
    assert other.run("SELECT COUNT(*) FROM t")[0].rows == [(2,)]
    for value in range(6000, 6009):
        assert not errors(other, f"INSERT t VALUES ({value})")
    assert not errors(other, "COMMIT")
    for value in (1, 77, 3000, 5001, 6003):
        assert errors(session, f"INSERT t VALUES ({value})") == [2627], value


@pytest.mark.parametrize(("kind", "looks"), [(SqlType("varchar", length=9), 16), (SqlType("uniqueidentifier"), 50)])
def test_a_key_that_has_to_be_read_whole_for_a_look_up_is_read_into_memory_soon(kind: SqlType, looks: int) -> None:
    memory = KeyMemory(object(), (kind,))
    asked = [memory.wants_to_load(500_000) for _ in range(looks)]
    assert asked == [False] * (looks - 1) + [True]


def test_reading_a_key_must_pay() -> None:
    memory = KeyMemory(object(), (INT,))
    asked = [memory.wants_to_load(1000) for _ in range(5)]
    assert asked == [False, False, False, False, True]


def test_the_key_of_a_large_table_still_refuses_what_is_there(session: Session, small: None) -> None:
    assert not errors(
        session,
        "CREATE TABLE t (a int PRIMARY KEY, b varchar(9) UNIQUE); INSERT t VALUES (50, 'x'), (10, 'y'), (30, 'Z')",
    )
    assert not errors(session, "INSERT t VALUES (60, 'u'), (61, 'v'), (62, 'w')")
    assert errors(session, "INSERT t VALUES (30, 'q')") == [2627]
    assert errors(session, "INSERT t VALUES (70, 'z')") == [2627]
    assert not errors(session, "INSERT t VALUES (5, 'new'), (31, 'newer'), (99, 'newest')")
    assert errors(session, "INSERT t VALUES (99, 'more')") == [2627]


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("limit", "most"), [(3, 5), (3, 100), (100_000, 1 << 20)])
@pytest.mark.parametrize("kind", ["int", "varchar(9)"])
def test_random_writes_agree_with_a_dictionary(
    session: Session, monkeypatch: pytest.MonkeyPatch, seed: int, limit: int, most: int, kind: str
) -> None:
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    monkeypatch.setattr(key_memory, "MOST", most)
    chance = random.Random(seed)
    errors(session, f"CREATE TABLE t (a {kind} PRIMARY KEY)")
    rows: set[int] = set()
    before: set[int] | None = None
    for _ in range(120):
        value = chance.randrange(12)
        action = chance.choice(["insert"] * 5 + ["delete", "move", "begin", "rollback", "commit"])
        if action == "insert":
            assert errors(session, f"INSERT t VALUES ({value})") == ([2627] if value in rows else [])
            rows.add(value)
        elif action == "delete":
            errors(session, f"DELETE t WHERE a = {value}")
            rows.discard(value)
        elif action == "move" and value in rows:
            other = chance.randrange(12)
            refused = other in rows and other != value
            assert errors(session, f"UPDATE t SET a = {other} WHERE a = {value}") == ([2627] if refused else [])
            if not refused:
                rows = rows - {value} | {other}
        elif action == "begin" and before is None:
            errors(session, "BEGIN TRAN")
            before = set(rows)
        elif action == "rollback" and before is not None:
            errors(session, "ROLLBACK")
            rows, before = before, None
        elif action == "commit" and before is not None:
            errors(session, "COMMIT")
            before = None


ODD = [
    "a",
    "A ",
    "\u00e4",
    "a\u0308",
    "\u00df",
    "ss",
    "\U0001f600",
    "NCHAR(0xD83D)",
    "NCHAR(0xDE00) + N'x'",
    "\U0010f123",
    "\u0130",
    "\ufb01",
    "",
    "  ",
    "NCHAR(0)",
    "\u3042",
    "\u30a2",
    "co-op",
]


@pytest.mark.parametrize("kind", ["varchar(9)", "nvarchar(9)", "char(9)", "nchar(9)"])
@pytest.mark.parametrize(
    "collation",
    [
        "Latin1_General_CI_AS",
        "Latin1_General_CI_AI",
        "Latin1_General_CS_AS",
        "Latin1_General_BIN2",
        "Japanese_CI_AS",
        "Latin1_General_100_CI_AS_SC_UTF8",
    ],
)
def test_a_text_that_is_there_is_refused_when_the_keys_were_read(
    session: Session, monkeypatch: pytest.MonkeyPatch, kind: str, collation: str
) -> None:
    """DuckDB computes the keys that are read, Python those that are asked for."""
    monkeypatch.setattr(key_memory, "_LOOK_UPS", 0)
    assert (
        errors(session, f"CREATE TABLE t (k {kind} COLLATE {collation} NOT NULL, n int UNIQUE, PRIMARY KEY (k))") == []
    )
    texts = [text if text.startswith("NCHAR") else f"N'{text}'" for text in ODD]
    there = []
    for number, text in enumerate(texts):
        found = errors(session, f"INSERT INTO t VALUES ({text}, {number})")
        assert found in ([], [2627])
        if not found:
            there.append((number, text))
    session.instance.tables._states.clear()  # what a process knows that has just opened the store
    for number, text in there:
        assert errors(session, f"INSERT INTO t VALUES ({text}, {number + 100})") == [2627], text


TAKEN_AWAY = {
    "DELETE of a row": "DELETE t WHERE a = '5'",
    "DELETE of the last": "DELETE t WHERE a = '{last}'",
    "DELETE as a set": "DELETE t",
    "UPDATE of the key": "UPDATE t SET a = '-7' WHERE a = '5'",
    "UPDATE of the last key": "UPDATE t SET a = '-7' WHERE a = '{last}'",
    "TRUNCATE": "TRUNCATE TABLE t",
    "MERGE": "MERGE t USING (VALUES ('5'), ('{last}')) AS s(a) ON s.a = t.a WHEN MATCHED THEN DELETE;",
    "DELETE and INSERT": "DELETE t WHERE a = '5'; INSERT t VALUES ('5'); DELETE t WHERE a = '5'",
    "nothing": "INSERT t VALUES ('-7')",
}
ENDS = {
    "ROLLBACK": ("BEGIN TRAN", "ROLLBACK"),
    "to a savepoint": ("BEGIN TRAN; SAVE TRAN s", "ROLLBACK TRAN s; COMMIT"),
    "by an error": ("SET XACT_ABORT ON; BEGIN TRAN", "SELECT 1 / 0"),
}


@pytest.mark.matrix
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("taken", TAKEN_AWAY)
@pytest.mark.parametrize("kind", ["int", "bigint", "decimal(9,0)", "varchar(9)"])
@pytest.mark.parametrize("limit", [4, 100_000])
def test_what_a_rollback_brings_back_is_known(
    session: Session, monkeypatch: pytest.MonkeyPatch, kind: str, taken: str, end: str, limit: int
) -> None:
    """The keys are read by the transaction that has taken rows away."""
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    monkeypatch.setattr(key_memory, "_IN_VAIN", 2)
    last = 9990
    assert errors(session, f"CREATE TABLE t (a {kind} NOT NULL PRIMARY KEY)") == []
    assert errors(session, f"INSERT t SELECT CAST(value * 10 - 5 AS {kind}) FROM GENERATE_SERIES(1, 20)") == []
    assert errors(session, f"INSERT t VALUES ('{last}')") == []
    session.instance.tables._states.clear()  # what a process knows that has just opened the store
    begin, back = ENDS[end]
    assert errors(session, f"{begin}; {TAKEN_AWAY[taken].format(last=last)}") == []
    for value in range(20, 80):
        assert errors(session, f"INSERT t VALUES ('{value * 10}')") == []
    assert errors(session, back) in ([], [8134])
    assert session.run("SELECT COUNT(*) FROM t")[0].rows == [(21,)]
    for value in (5, 195, last, 55):
        assert errors(session, f"INSERT t VALUES ('{value}')") == [2627], value
    assert errors(session, "INSERT t VALUES ('-7')") == []


# --- beginning anew ----------------------------------------------------------------------------------------


@pytest.fixture
def forgetful(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins anew after two look-ups in vain."""
    monkeypatch.setattr(key_memory, "_IN_VAIN", 2)


def memory_of(session: Session, key_type: str) -> KeyMemory:
    (state,) = [state for state in session.instance.tables._states.values() if state.keys]
    (memory,) = [found for found in state.keys.values() if found.types[0].name == key_type]
    return memory


@pytest.mark.parametrize("limit", [4, 100_000])
@pytest.mark.parametrize("gone", ["DELETE t", "DELETE t WHERE a > 0", "BEGIN TRAN; {} ROLLBACK", "TRUNCATE TABLE t"])
def test_keys_that_are_gone_are_forgotten_when_they_come_again(
    session: Session, monkeypatch: pytest.MonkeyPatch, gone: str, limit: int, forgetful: None
) -> None:
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    adds = "".join(f"INSERT t VALUES ({value});" for value in range(1, 31))
    assert not errors(session, "CREATE TABLE t (a int PRIMARY KEY); INSERT t VALUES (0), (1000)")
    if "{}" not in gone:
        assert not errors(session, adds)
    assert not errors(session, gone.format(adds))
    assert not errors(session, "".join(f"INSERT t VALUES ({value});" for value in range(1, 11)))
    memory = memory_of(session, "int")
    assert not any(memory.may_hold((value,)) for value in range(20, 31))
    assert all(memory.may_hold((value,)) for value in range(1, 11))
    assert errors(session, "INSERT t VALUES (3)") == [2627]


def test_what_is_noted_while_it_begins_anew_stays(small: None) -> None:
    memory = loaded((INT,), (1,), (2,))

    def read() -> list[tuple[object, ...]]:
        memory.note([(7,)])
        return [(1,)]

    with memory.beginning_anew(is_alone=lambda: True) as forgets:
        assert forgets
        with memory.beginning_anew(is_alone=lambda: True) as another:
            assert not another, "one at a time"
        memory.load_anew(read)
        memory.note([(8,)])
    memory.note([(9,)])
    assert [value for value in range(10) if memory.may_hold((value,))] == [1, 7, 8, 9]


def test_a_large_set_that_comes_while_it_begins_anew_is_not_forgotten(small: None) -> None:
    memory = loaded((INT,), (1,), (2,))

    def read() -> list[tuple[object, ...]]:
        memory.note_range(5, 90)
        return [(1,)]

    with memory.beginning_anew(is_alone=lambda: True):
        memory.load_anew(read)
    assert memory.may_hold((50,)) and memory.may_hold((2,))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("limit", [3, 100_000])
@pytest.mark.parametrize("kind", ["int", "varchar(9)"])
def test_two_sessions_agree_with_a_model(
    session: Session, monkeypatch: pytest.MonkeyPatch, seed: int, limit: int, kind: str
) -> None:
    """What somebody has added or taken away and not committed is neither there nor
    gone, whoever begins anew meanwhile."""
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    for name, number in (("_IN_VAIN", 1), ("_ROWS_A_LOOK_UP", 1 << 30), ("_LONGEST", 1)):
        monkeypatch.setattr(key_memory, name, number)
    chance = random.Random(seed)
    sessions = [session, session.instance.connect()]
    errors(session, f"CREATE TABLE t (a {kind} PRIMARY KEY)")
    for one in sessions:
        errors(one, "SET LOCK_TIMEOUT 0")
    committed: set[int] = set()
    own: list[dict[int, bool]] = [{}, {}]  # of each session: what its transaction has made of a value
    asked: list[set[int]] = [set(), set()]  # it may have locked them
    is_open = [False, False]
    for _ in range(300):
        me, value = chance.randrange(2), chance.randrange(6)
        action = chance.choice(["insert"] * 6 + ["delete"] * 3 + ["begin"] * 2 + ["save", "rollback", "commit"])
        is_there = own[me].get(value, value in committed)
        if action in ("insert", "delete"):
            text = f"INSERT t VALUES ({value})" if action == "insert" else f"DELETE t WHERE a = '{value}'"
            found = errors(sessions[me], text)
            asked[me].add(value)
            if found == [1222]:
                assert value in asked[1 - me], text
                continue
            assert value not in own[1 - me] or (action == "delete" and not is_there), text
            assert found == ([2627] if action == "insert" and is_there else []), text
            if action == "insert" or is_there:
                own[me][value] = action == "insert"
        elif action == "begin" and not is_open[me]:
            errors(sessions[me], "BEGIN TRAN")
            is_open[me] = True
            continue
        elif action == "save" and is_open[me]:
            assert not errors(sessions[me], "SAVE TRAN s; DELETE t WHERE a = '99'; ROLLBACK TRAN s")
        elif action == "rollback" and is_open[me]:
            errors(sessions[me], "ROLLBACK")
            own[me], is_open[me] = {}, False
        elif action == "commit" and is_open[me]:
            errors(sessions[me], "COMMIT")
            is_open[me] = False
        if not is_open[me]:
            committed = {v for v in committed | set(own[me]) if own[me].get(v, v in committed)}
            own[me], asked[me] = {}, set()
    for one in sessions:
        errors(one, "IF @@TRANCOUNT > 0 ROLLBACK")
    assert {int(a) for (a,) in session.run("SELECT a FROM t")[0].rows} == committed


@pytest.mark.parametrize("kind", ["int", "varchar(9)", "decimal(9,0)"])
@pytest.mark.parametrize("limit", [4, 100_000])
@pytest.mark.parametrize("take", ["DELETE t WHERE a = '7'", "UPDATE t SET a = '8' WHERE a = '7'"])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_key_of_its_own_that_it_took_away_comes_back_with_the_savepoint(
    session: Session, monkeypatch: pytest.MonkeyPatch, kind: str, limit: int, take: str, is_open: bool, forgetful: None
) -> None:
    """It begins anew between the two: the row is neither committed nor among those that the transaction has added."""
    monkeypatch.setattr(key_memory, "LIMIT", limit)
    adds = "".join(f"INSERT t VALUES ('{value}', 0);" for value in range(100, 130))
    assert not errors(session, f"CREATE TABLE t (a {kind} PRIMARY KEY, b int); INSERT t VALUES ('0', 0), ('1000', 0)")
    assert not errors(session, f"BEGIN TRAN; {adds} ROLLBACK")
    look = "SAVE TRAN u; INSERT t VALUES ('99', 0); SELECT COUNT(*) FROM t; ROLLBACK TRAN u;" if is_open else ""
    assert not errors(
        session, f"BEGIN TRAN; INSERT t VALUES ('7', 0); SAVE TRAN s; {take}; {look} {adds} ROLLBACK TRAN s"
    )
    assert errors(session, "INSERT t VALUES ('7', 1)") == [2627]
    assert not errors(session, "COMMIT")
    assert errors(session, "INSERT t VALUES ('7', 1)") == [2627]


def test_a_key_that_a_snapshot_still_sees_is_not_forgotten(session: Session, forgetful: None) -> None:
    other = session.instance.connect()
    assert not errors(
        session,
        "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON; CREATE TABLE t (a int PRIMARY KEY); INSERT t VALUES (0), (7)",
    )
    assert not errors(other, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM t")
    assert not errors(session, "DELETE t WHERE a = 7; BEGIN TRAN; INSERT t VALUES (1), (2), (3); ROLLBACK")
    assert not errors(session, "".join(f"INSERT t VALUES ({value});" for value in (1, 2, 3, 4)))
    assert errors(other, "INSERT t VALUES (7)") == [2627]
