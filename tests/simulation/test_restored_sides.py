"""One side of a dialog comes back as it was earlier: from a backup, or as an older copy of its file. What it says then
has numbers that the other side has seen. Nobody is left believing that a message has arrived which nobody gets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_late_receipts import SHOP

from sbql.engine.simulated_network import Machine, Network
from sbql.grammar.errors import SqlError

BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('a0'); SELECT @h; USE master"""
DESK = """SELECT CASE message_type_name WHEN 'DEFAULT' THEN CAST(message_body AS varchar(20)) ELSE CAST(message_body AS nvarchar(400)) END
    FROM shop.dbo.desk WHERE status = 1 ORDER BY queuing_order"""
WAITING = "SELECT COUNT(*) FROM shop.sys.transmission_queue"
OPEN = "SELECT state FROM shop.sys.conversation_endpoints WHERE state <> 'CD'"
FREE = "ALTER DATABASE shop SET SINGLE_USER WITH ROLLBACK IMMEDIATE; RESTORE DATABASE shop FROM DISK = '{file}' WITH REPLACE{option}"


class Dialog:
    """A and B have talked; what `back` has said and heard since `keep` it has forgotten."""

    def __init__(self, network: Network, back: str) -> None:
        self.network = network
        self.machines = {name: network.add(name, on_disk=True) for name in "AB"}
        for me, you in ("AB", "BA"):
            self.machines[me].execute(SHOP.format(me=me, you=you) + "\nGO\nUSE master")
        self.back, self.other = self.machines[back], self.machines["B" if back == "A" else "A"]
        self.handles = {"A": self.machines["A"].execute(BEGIN)[0][0][0]}
        network.deliver()
        ((self.handles["B"],),) = self.machines["B"].execute(
            "SELECT conversation_handle FROM shop.sys.conversation_endpoints"
        )[0]
        self.say(self.machines["B"], "b0")
        network.deliver()
        self.keep(network.folder / "shop.bak")
        for number in "123":
            for machine in self.machines.values():
                self.say(machine, machine.name.lower() + number)
        network.deliver()
        self.before = {machine.name: self.heard(machine) for machine in self.machines.values()}

    def keep(self, path: Path) -> None:
        self.file = path
        self.back.execute(f"BACKUP DATABASE shop TO DISK = '{path}' WITH INIT")

    def restore(self, option: str) -> None:
        self.back.execute(FREE.format(file=self.file, option=f", {option}" if option else ""))
        self.back.execute("ALTER DATABASE shop SET MULTI_USER")

    def say(self, machine: Machine, *texts: str) -> None:
        said = "; ".join(f"SEND ON CONVERSATION '{self.handles[machine.name]}' ('{text}')" for text in texts)
        machine.execute(f"USE shop; {said}; USE master")

    def end(self, machine: Machine) -> None:
        machine.execute(f"USE shop; END CONVERSATION '{self.handles[machine.name]}'; USE master")

    def heard(self, machine: Machine) -> list[str]:
        """Texts, and the codes of errors."""
        bodies = [body for (body,) in machine.execute(DESK)[0]]
        return [found[1] if (found := re.search("<Code>(.*)</Code>", body)) else body for body in bodies]

    def news(self, machine: Machine) -> list[str]:
        """What has come since the restore to the side that has not forgotten anything."""
        heard = self.heard(machine)
        assert heard[: len(self.before[machine.name])] == self.before[machine.name]
        return heard[len(self.before[machine.name]) :]

    def ends_well(self) -> None:
        for machine in self.machines.values():
            if machine.execute(OPEN)[0] not in ([], [("DO",)]):
                self.end(machine)
        self.network.advance(300)
        for machine in self.machines.values():
            assert (machine.execute(WAITING)[0], machine.execute(OPEN)[0]) == ([(0,)], [])


@pytest.fixture(params=["A", "B"])
def dialog(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Dialog]:
    with Network(5, folder=tmp_path) as network:
        yield Dialog(network, request.param)


@pytest.mark.spec("RESTORED-5", "RESTORED-2")
@pytest.mark.parametrize("count", [1, 2, 3, 4, 50])
@pytest.mark.parametrize("option", ["ENABLE_BROKER", ""])
def test_a_side_that_uses_its_numbers_again_ends_the_dialog_on_both_sides(
    dialog: Dialog, option: str, count: int
) -> None:
    dialog.restore(option)
    dialog.say(dialog.back, *[f"new {number}" for number in range(count)])
    dialog.network.advance(100)
    if not option:
        assert (dialog.news(dialog.other), dialog.heard(dialog.back)[1:]) == ([], [])
        dialog.back.execute("ALTER DATABASE shop SET ENABLE_BROKER")
        dialog.network.advance(100)
    assert dialog.heard(dialog.back)[-1] == "-9719"
    assert dialog.news(dialog.other) == ["-9720"]
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5", "RESTORED-1")
@pytest.mark.parametrize("count", [1, 3, 4, 50])
@pytest.mark.parametrize("how", ["crashed", "closed"])
def test_it_is_noticed_by_a_side_that_was_restarted_since(dialog: Dialog, how: str, count: int) -> None:
    dialog.restore("ENABLE_BROKER")
    if how == "crashed":
        dialog.other.crash()
    else:
        dialog.other.close()
    dialog.other.open()
    dialog.say(dialog.back, *[f"new {number}" for number in range(count)])
    dialog.network.advance(100)
    assert (dialog.heard(dialog.back)[-1], dialog.news(dialog.other)) == ("-9719", ["-9720"])
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5")
def test_an_end_whose_number_was_used_is_found_out_as_well(dialog: Dialog) -> None:
    dialog.restore("ENABLE_BROKER")
    dialog.end(dialog.back)
    dialog.network.advance(100)
    assert dialog.news(dialog.other) == ["-9720"]
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5")
def test_a_first_message_that_is_another_one(tmp_path: Path) -> None:
    """The backup is from between BEGIN DIALOG and the first SEND."""
    with Network(5, folder=tmp_path) as network:
        dialog = Dialog(network, "A")
        dialog.handles["A"] = dialog.back.execute(BEGIN.replace("SEND ON CONVERSATION @h ('a0');", ""))[0][0][0]
        dialog.keep(tmp_path / "later.bak")
        dialog.say(dialog.back, "a0")
        network.deliver()
        dialog.before["B"].append("a0")
        dialog.restore("ENABLE_BROKER")
        dialog.say(dialog.back, "another")
        network.advance(100)
        assert (dialog.news(dialog.other), dialog.heard(dialog.back)[-1]) == (["-9720"], "-9719")


@pytest.mark.spec("RESTORED-3", "ALTERDB-29", "ALTERDB-22", "RESTORED-6")
@pytest.mark.parametrize("how", ["reached", "cut off", "crashed"])
@pytest.mark.parametrize("way", ["RESTORE", "ALTER DATABASE"])
@pytest.mark.parametrize("ends", ["open", "ended"])
def test_error_broker_conversations_is_heard_of_by_who_writes(dialog: Dialog, way: str, how: str, ends: str) -> None:
    """The error is told once. Who was out of reach then is told when it says something, even if the side that has the
    error has ended meanwhile."""
    if how != "reached":
        dialog.network.partition(["A"], ["B"])
    dialog.restore("ERROR_BROKER_CONVERSATIONS" if way == "RESTORE" else "")
    if way == "ALTER DATABASE":
        dialog.back.execute("ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS")
    dialog.network.advance(200)
    if how == "crashed":
        dialog.back.crash()
        dialog.back.open()
    assert dialog.heard(dialog.back)[-1] == "-9719"
    if ends == "ended":
        dialog.end(dialog.back)
    dialog.network.heal()
    if how == "reached":
        with pytest.raises(SqlError) as refused:
            dialog.say(dialog.other, "more")
        assert refused.value.number == 8429
    else:
        dialog.say(dialog.other, "more", "and more")
    dialog.network.advance(300)
    assert dialog.news(dialog.other) == ["-9720" if how == "reached" else "-8462"]
    dialog.ends_well()


@pytest.mark.spec("RESTORED-6")
def test_who_ends_without_having_heard_of_the_error_is_done(dialog: Dialog) -> None:
    """Its END comes behind a gap that nobody fills."""
    dialog.network.partition(["A"], ["B"])
    dialog.restore("ERROR_BROKER_CONVERSATIONS")
    dialog.network.advance(200)
    dialog.network.heal()
    dialog.say(dialog.other, "more")
    dialog.end(dialog.other)
    dialog.ends_well()


@pytest.mark.spec("ALTERDB-26", "IDENTITY-13")
def test_with_a_new_broker_the_others_wait_until_they_end_with_cleanup(dialog: Dialog) -> None:
    dialog.restore("NEW_BROKER")
    dialog.say(dialog.other, "more")
    dialog.network.advance(300)
    assert (dialog.heard(dialog.back), dialog.news(dialog.other)) == ([], [])
    assert dialog.other.execute(WAITING) == [[(1,)]]
    dialog.other.execute(f"USE shop; END CONVERSATION '{dialog.handles[dialog.other.name]}' WITH CLEANUP; USE master")
    dialog.machines["A"].execute(BEGIN)
    dialog.network.deliver()
    assert dialog.heard(dialog.machines["B"])[-1] == "a0"
