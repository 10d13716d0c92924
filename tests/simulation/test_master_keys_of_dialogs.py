"""Master keys that are closed, dropped, made anew, restored and moved under secured dialogs that live: on which side
messages wait, what the status says, and that everything arrives once when the key is there again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_dialog_security import Pair, folder

from sbql.engine.simulated_network import Machine

__all__ = ["folder"]

CLOSE = "ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY"
ADD = "OPEN MASTER KEY DECRYPTION BY PASSWORD = '{password}'; ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY; CLOSE MASTER KEY"
NEW = "WITH ENCRYPTION BY PASSWORD = 'Other1!x'"
OPEN = "OPEN MASTER KEY DECRYPTION BY PASSWORD = 'Strong1!'"
REACH, NONE_THERE = "needs to reach the master key", "a database master key is required"

# what is done, why what waits then waits ("": nothing waits), and what sets it going again
CHANGES = (
    (CLOSE, REACH, ADD.format(password="Strong1!")),
    (f"ALTER MASTER KEY REGENERATE {NEW}", "", ""),
    (f"ALTER MASTER KEY FORCE REGENERATE {NEW}", "", ""),
    (f"{CLOSE}; {OPEN}; ALTER MASTER KEY REGENERATE {NEW}; CLOSE MASTER KEY", REACH, ADD.format(password="Other1!x")),
    (f"{CLOSE}; {OPEN}; ALTER MASTER KEY FORCE REGENERATE {NEW}; CLOSE MASTER KEY", REACH, ADD.format(password="Other1!x")),
    ("ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = 'Third1!x'; ALTER MASTER KEY DROP ENCRYPTION BY PASSWORD = 'Strong1!'", "", ""),
    ("BACKUP MASTER KEY TO FILE = 'own.key' ENCRYPTION BY PASSWORD = 'File1!xx'; RESTORE MASTER KEY FROM FILE = 'own.key' DECRYPTION BY PASSWORD = 'File1!xx' ENCRYPTION BY PASSWORD = 'Other1!x'", "", ""),
    ("USE keeper; BACKUP MASTER KEY TO FILE = 'other.key' ENCRYPTION BY PASSWORD = 'File1!xx'; USE shop; RESTORE MASTER KEY FROM FILE = 'other.key' DECRYPTION BY PASSWORD = 'File1!xx' ENCRYPTION BY PASSWORD = 'Other1!x'", "", ""),
)  # fmt: skip
WITHOUT_PRIVATE_KEYS = (
    ("DROP MASTER KEY", NONE_THERE, "CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Other1!x'"),
    (f"DROP MASTER KEY; CREATE MASTER KEY {NEW.removeprefix('WITH ')}", "", ""),
    (f"DROP MASTER KEY; CREATE MASTER KEY {NEW.removeprefix('WITH ')}; {CLOSE}", REACH, ADD.format(password="Other1!x")),
)  # fmt: skip


@pytest.fixture
def pair(folder: Path, tmp_path: Path) -> Iterator[Pair]:
    made = Pair(folder, tmp_path)
    for machine in (made.a, made.b):
        machine.execute("CREATE DATABASE keeper")
        machine.execute("CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Keep1!xx'", "keeper")
    yield made
    made.close()


def status(machine: Machine) -> list[str]:
    return [row[0] for row in machine.execute("SELECT transmission_status FROM shop.sys.transmission_queue")[0]]


def both_ways(pair: Pair, handle: str, said: int) -> None:
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('{said}')")
    pair.b.execute(
        f"USE shop; DECLARE @h uniqueidentifier; SELECT TOP (1) @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('{said}')"
    )
    pair.network.advance(30)


@pytest.mark.spec("KEY-13", "KEY-14", "SECURE-13")
@pytest.mark.parametrize("at", "ab")
@pytest.mark.parametrize("anonymous", [False, True])
def test_a_dialog_outlives_whatever_becomes_of_a_master_key_that_is_known(pair: Pair, at: str, anonymous: bool) -> None:
    """One after the other on one dialog, so that each finds the keys as the one before has left them."""
    pair.full(anonymous=anonymous)
    handle = pair.begin()
    pair.network.deliver()
    machine, other = (pair.a, pair.b) if at == "a" else (pair.b, pair.a)
    changes = CHANGES + (WITHOUT_PRIVATE_KEYS if anonymous and at == "a" else ())
    for number, (change, why, back) in enumerate(changes):
        machine.execute(f"USE shop; {change}")
        both_ways(pair, handle, number)
        if why:
            assert [why in text for text in status(machine)] == [True], (change, status(machine))
            assert status(other) == [""]
            machine.execute(f"USE shop; {back}")
        pair.network.deliver(600)
        assert str(number) in pair.queue(pair.a) and str(number) in pair.queue(pair.b), change
        machine.execute("USE shop; ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'Strong1!'")
        for file in ("own.key", "other.key"):
            for path in pair.folder_of(machine).rglob(file):
                path.unlink()
    told = [str(number) for number in range(len(changes))]
    assert pair.queue(pair.b) == ["the secret", *told] and pair.queue(pair.a) == told


@pytest.mark.spec("KEY-13", "SECURE-13")
@pytest.mark.parametrize("at", "ab")
@pytest.mark.parametrize("anonymous", [False, True])
def test_a_dialog_goes_with_its_database_to_another_instance(pair: Pair, at: str, anonymous: bool) -> None:
    """Its session key is under the master key, which comes along and is opened there by its password."""
    pair.full(anonymous=anonymous)
    handle = pair.begin()
    pair.network.deliver()
    machine, other = (pair.a, pair.b) if at == "a" else (pair.b, pair.a)
    file = pair.folder_of(machine) / "moved.bak"
    machine.execute(f"BACKUP DATABASE shop TO DISK = '{file}'")
    new = pair.network.add("C")
    new.execute(
        "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = DISABLED)"
    )
    new.execute(f"RESTORE DATABASE shop FROM DISK = '{file}' WITH ENABLE_BROKER")
    machine.close()
    other.execute("USE shop; ALTER ROUTE there WITH ADDRESS = 'TCP://C:4022'")
    if at == "a":
        pair.a = new
    else:
        pair.b = new
    both_ways(pair, handle, 1)
    assert [REACH in text for text in status(new)] == [True] and status(other) == [""]
    new.execute(f"USE shop; {ADD.format(password='Strong1!')}")
    pair.network.deliver(600)
    assert pair.queue(pair.b) == ["the secret", "1"] and pair.queue(pair.a) == ["1"]


@pytest.mark.spec("BROKERERROR-19", "SECURE-14")
def test_an_initiator_is_told_when_its_target_has_lost_the_key(pair: Pair) -> None:
    """As soon as the target can read again what is sent to it: its certificate has its key back from a file."""
    pair.full()
    handle = pair.begin()
    pair.network.deliver()
    pair.b.execute(f"USE shop; {CLOSE}; ALTER MASTER KEY FORCE REGENERATE {NEW}")
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('again')")
    pair.network.advance(100)
    assert pair.queue(pair.a) == [] and status(pair.a) == [""]
    pair.b.execute(f"USE shop; DROP CERTIFICATE B; {ADD.format(password='Other1!x')}")
    pair.own(pair.b, "B")
    pair.network.advance(100)
    (answer,) = pair.a.execute("SELECT CAST(message_body AS nvarchar(max)) FROM shop.dbo.desk")[0]
    assert "-8462" in answer[0]


SLOW = "USE shop; BEGIN TRAN; {change}; WAITFOR DELAY '00:00:10'; {end}"
AT_ONCE = (
    f"ALTER MASTER KEY REGENERATE {NEW}",
    f"ALTER MASTER KEY FORCE REGENERATE {NEW}",
    f"ALTER MASTER KEY REGENERATE {NEW}; ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'Third1!x'",
    f"SAVE TRAN one; ALTER MASTER KEY REGENERATE {NEW}; ROLLBACK TRAN one",
    CHANGES[6][0],
)
AT_ONCE_WITHOUT_PRIVATE_KEYS = (
    f"DROP MASTER KEY; CREATE MASTER KEY {NEW.removeprefix('WITH ')}",
    f"ALTER MASTER KEY REGENERATE {NEW}; DROP MASTER KEY; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Third1!x'",
)
LONG = "USE shop; BEGIN TRAN; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B'; SEND ON CONVERSATION @h ('the secret'); WAITFOR DELAY '00:00:{wait}'; COMMIT"


@pytest.mark.spec("KEY-13", "KEY-14")
@pytest.mark.parametrize("at", "ab")
@pytest.mark.parametrize("end", ["COMMIT", "ROLLBACK"])
@pytest.mark.parametrize("anonymous", [False, True])
def test_dialogs_that_begin_while_a_master_key_changes_keep_their_keys(
    pair: Pair, at: str, end: str, anonymous: bool
) -> None:
    """Before the change, between it and its commit, and in transactions that end before and after that; messages go
    both ways all the time."""
    pair.full(anonymous=anonymous)
    machine = pair.a if at == "a" else pair.b
    sent = 0
    for change in AT_ONCE + (AT_ONCE_WITHOUT_PRIVATE_KEYS if anonymous and at == "a" else ()):
        pair.begin()
        pair.a.start(LONG.format(wait="08"))
        pair.a.start(LONG.format(wait="20"))
        pair.network.advance(2)
        changing = machine.start(SLOW.format(change=change, end=end))
        pair.network.advance(2)
        pair.begin()
        pair.a.start(LONG.format(wait="03"))
        pair.a.start(LONG.format(wait="15"))
        pair.network.advance(2)
        answer_all(pair)
        assert not changing.done
        pair.network.advance(60)
        sent += 6
        assert pair.queue(pair.b) == ["the secret"] * sent, change
        answer_all(pair)
        pair.network.advance(60)
        assert pair.queue(pair.a).count("last") >= 6, change
        assert (status(pair.a), status(pair.b)) == ([], []), change
        for path in pair.folder_of(machine).rglob("own.key"):
            path.unlink()


def answer_all(pair: Pair) -> None:
    """From every target."""
    pair.b.execute("""USE shop
        DECLARE @h uniqueidentifier
        DECLARE each CURSOR LOCAL FOR SELECT conversation_handle FROM sys.conversation_endpoints
        OPEN each; FETCH NEXT FROM each INTO @h
        WHILE @@FETCH_STATUS = 0 BEGIN; SEND ON CONVERSATION @h ('last'); FETCH NEXT FROM each INTO @h; END""")  # fmt: skip


@pytest.mark.spec("KEY-14")
def test_a_master_key_that_is_dropped_while_it_is_closed_may_come_back(pair: Pair) -> None:
    """Nobody is told anything until there is another one: the backup of the old one goes on with its dialogs, any other
    one ends them."""
    pair.full(anonymous=True)
    pair.a.execute("USE shop; BACKUP MASTER KEY TO FILE = 'own.key' ENCRYPTION BY PASSWORD = 'File1!xx'")
    handle = pair.begin()
    pair.network.deliver()
    pair.a.execute(f"USE shop; {CLOSE}; DROP MASTER KEY")
    both_ways(pair, handle, 1)
    assert pair.queue(pair.a) == [] and [NONE_THERE in text for text in status(pair.a)] == [True]
    pair.a.execute(
        "USE shop; RESTORE MASTER KEY FROM FILE = 'own.key' DECRYPTION BY PASSWORD = 'File1!xx' ENCRYPTION BY PASSWORD = 'Other1!x'"
    )
    pair.network.deliver(600)
    assert pair.queue(pair.b) == ["the secret", "1"] and pair.queue(pair.a) == ["1"]
    pair.a.execute(f"USE shop; {CLOSE}; DROP MASTER KEY; CREATE MASTER KEY {NEW.removeprefix('WITH ')}")
    told = pair.a.execute("SELECT CAST(message_body AS nvarchar(max)) FROM shop.dbo.desk ORDER BY queuing_order")[0]
    assert len(told) == 2 and "-28052" in told[1][0]


@pytest.mark.spec("KEY-14")
@pytest.mark.parametrize("same_transaction", [False, True])
def test_session_keys_under_the_service_master_key_outlive_a_master_key_that_is_closed(
    pair: Pair, same_transaction: bool
) -> None:
    """They were left to the next master key; what becomes of one that never had them is nothing to them."""
    pair.full(anonymous=True)
    handle = pair.begin()
    pair.network.deliver()
    create = "CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Other1!x'"
    change = f"DROP MASTER KEY; {create}; {CLOSE}; DROP MASTER KEY; {create}; ALTER MASTER KEY FORCE REGENERATE {NEW}"
    pair.a.execute(f"USE shop; BEGIN TRAN; {change}; COMMIT" if same_transaction else f"USE shop; {change}")
    both_ways(pair, handle, 1)
    assert pair.queue(pair.b) == ["the secret", "1"] and pair.queue(pair.a) == ["1"]
