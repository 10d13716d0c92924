"""One of two databases of an instance comes back as it was earlier. What is said then between the two does not follow
what was said before: nobody gets a message in the place of another, or behind one that is missing, and nobody is left
believing that a message has arrived which nobody gets. As between instances (test_restored_sides)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql

SETUP = """CREATE QUEUE desk; CREATE SERVICE [//{name}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{name}] TO public"""
BEGIN = (
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF; SELECT @h"
)
DESK = """SELECT status, CASE message_type_name WHEN 'DEFAULT' THEN CAST(message_body AS varchar(20))
    ELSE ISNULL(CAST(message_body AS nvarchar(400)), 'end') END FROM desk ORDER BY queuing_order"""
OPEN = "SELECT state FROM sys.conversation_endpoints WHERE state <> 'CD' UNION ALL SELECT 'waits' FROM sys.transmission_queue"


class Dialog:
    """A and B talk, in one instance."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "one.bak"
        self.connection = sbql.connect(clock="virtual")
        for name in "AB":
            self.connection.execute(f"CREATE DATABASE {name}")
            self.run(name, SETUP.format(name=name))
        self.handles = {"A": self.run("A", BEGIN)[0][0]}
        self.numbers = {name: itertools.count() for name in "AB"}

    def run(self, database: str, text: str) -> list[Any]:
        cursor = self.connection.execute(f"USE {database}; {text}")
        found = cursor.fetchall() if cursor.description else []
        self.connection.execute("USE master")
        return found

    def handle(self, name: str) -> str:
        if name not in self.handles:
            ((self.handles[name],),) = self.run(name, "SELECT conversation_handle FROM sys.conversation_endpoints")
        return str(self.handles[name])

    def say(self, name: str, count: int = 1, what: str = "") -> None:
        """In one transaction, for an error of the broker ends the dialog with the first."""
        texts = [f"{name.lower()}{next(self.numbers[name])}{what}" for _ in range(count)]
        said = "; ".join(f"SEND ON CONVERSATION '{self.handle(name)}' ('{text}')" for text in texts)
        self.run(name, f"BEGIN TRANSACTION; {said}; COMMIT")

    def end(self, name: str, how: str = "") -> None:
        self.run(name, f"END CONVERSATION '{self.handle(name)}'{how}")

    def backup(self, name: str) -> None:
        self.connection.execute(f"BACKUP DATABASE {name} TO DISK = '{self.file}' WITH INIT")

    def restore(self, name: str) -> None:
        self.connection.execute(f"RESTORE DATABASE {name} FROM DISK = '{self.file}' WITH REPLACE, ENABLE_BROKER")

    def heard(self, name: str, status: int = 1) -> list[str]:
        """Texts, codes of errors, ends."""
        bodies = [body for found, body in self.run(name, DESK) if found == status]
        return [found[1] if (found := re.search("<Code>(.*)</Code>", body)) else body for body in bodies]

    def wait(self) -> None:
        self.connection.advance(300)
        self.connection.settle()

    def ends_well(self) -> None:
        for name in "AB":
            if self.run(name, OPEN) not in ([], [("DO",)]):
                self.end(name)
        self.wait()
        assert [self.run(name, OPEN) for name in "AB"] == [[], []]


@pytest.fixture
def dialog(tmp_path: Path) -> Iterator[Dialog]:
    found = Dialog(tmp_path)
    yield found
    found.connection.close()


WAYS = {"SEND": "", "END": "", "END WITH ERROR": " WITH ERROR = 7 DESCRIPTION = 'enough'"}


def _speak(dialog: Dialog, name: str, how: str) -> None:
    if how == "SEND":
        dialog.say(name, 3, " anew")
    else:
        dialog.end(name, WAYS[how])


@pytest.mark.spec("RESTORED-5", "RESTORED-7")
@pytest.mark.parametrize("back", "AB")
@pytest.mark.parametrize("speaks", "AB")
@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("since", ["A", "B", "AB", ""], ids=lambda who: f"{who or 'nothing'} since")
def test_what_does_not_follow_is_not_taken_for_what_does(
    dialog: Dialog, back: str, speaks: str, how: str, since: str
) -> None:
    """`since`: who has said something between backup and restore. Then who `speaks` goes on."""
    dialog.say("A")
    dialog.say("B")
    dialog.backup(back)
    for name in since:
        dialog.say(name, 2)
    dialog.restore(back)
    other = "B" if back == "A" else "A"
    listens = "B" if speaks == "A" else "A"
    before = {name: dialog.heard(name) for name in "AB"}
    _speak(dialog, speaks, how)
    dialog.wait()
    news = {name: dialog.heard(name)[len(before[name]) :] for name in "AB"}
    said = {"SEND": ["anew"] * 3, "END": ["end"], "END WITH ERROR": ["7"]}[how]
    if back in since:  # the other side has what the restored one does not know that it has sent
        if how == "SEND":
            assert news == {back: ["-9719"], other: ["-9720"]}
        else:  # who has ended has no queue any more
            assert news == {speaks: [], listens: ["-9719" if listens == back else "-9720"]}
    elif other in since and speaks == other:  # what the restored one has forgotten is a gap
        if how == "END WITH ERROR":  # which an error ends
            assert news == {speaks: [], listens: said}
        else:
            assert news == {"A": [], "B": []}
            assert [text.split(" ")[-1] for text in dialog.heard(listens, status=2)] == said
            causes = dialog.run(listens, "WAITFOR DELAY '00:05:00'; EXEC sys.sp_sbql_diagnose")
            assert any("MESSAGE_INCOMPLETE" in str(row) for row in causes)
    else:
        assert [text.split(" ")[-1] for text in news[listens]] == said and news[speaks] == []
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5")
def test_a_first_message_that_is_another_one(dialog: Dialog) -> None:
    """The backup is from between BEGIN DIALOG and the first SEND."""
    dialog.backup("A")
    dialog.say("A", 2)
    dialog.restore("A")
    dialog.say("A", 1, " anew")
    dialog.wait()
    assert (dialog.heard("A"), dialog.heard("B")) == (["-9719"], ["a0", "a1", "-9720"])
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5")
def test_an_answer_to_a_side_that_does_not_know_that_it_has_begun(dialog: Dialog) -> None:
    dialog.backup("A")
    dialog.say("A", 2)
    dialog.restore("A")
    dialog.say("B")
    dialog.wait()
    assert (dialog.heard("A"), dialog.heard("B")) == (["-9719"], ["a0", "a1", "-9720"])
    dialog.ends_well()


@pytest.mark.spec("RESTORED-5")
def test_what_is_far_ahead_of_a_gap_stays_with_its_sender(dialog: Dialog) -> None:
    dialog.say("A")
    dialog.backup("B")
    dialog.say("A")
    dialog.restore("B")
    loop = (
        f"DECLARE @n int = 0; WHILE @n < 1100 BEGIN SEND ON CONVERSATION '{dialog.handle('A')}' ('x'); SET @n += 1 END"
    )
    dialog.run("A", loop)
    dialog.wait()
    assert dialog.heard("B") == ["a0"]
    kept, waiting = len(dialog.heard("B", status=2)), dialog.run("A", "SELECT COUNT(*) FROM sys.transmission_queue")
    assert (kept, waiting) == (1023, [(1100 - 1023,)])


@pytest.mark.spec("RESTORED-2", "RESTORED-5")
@pytest.mark.parametrize("back", "AB")
def test_a_gap_is_filled_by_a_later_copy(dialog: Dialog, back: str) -> None:
    """What waits behind a gap goes with the copy that has the gap; what is said to a later copy is in its turn."""
    other = "B" if back == "A" else "A"
    dialog.say("A")
    dialog.backup(back)
    dialog.say(other, 2)
    later = dialog.file.with_name("later.bak")
    dialog.connection.execute(f"BACKUP DATABASE {back} TO DISK = '{later}'")
    dialog.restore(back)
    dialog.file = later
    dialog.restore(back)
    dialog.say(other)
    dialog.wait()
    assert len(dialog.heard(back)) == (4 if back == "B" else 3) and dialog.heard(back, status=2) == []
    dialog.ends_well()
