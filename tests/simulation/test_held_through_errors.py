"""What is held for a queue that is OFF is received as if the queue had been ON, whatever becomes of the dialog
meanwhile: it was acknowledged, so its sender has forgotten it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_held_arrivals import OFF, ON, Pair

ERROR_BROKER = "USE master; ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE"
NEW_BROKER = "USE master; ALTER DATABASE shop SET NEW_BROKER WITH ROLLBACK IMMEDIATE"
DROP_CONTRACT = "USE shop; ALTER SERVICE [//B] (DROP CONTRACT docs); DROP CONTRACT docs"
SETUP = """USE shop; CREATE MESSAGE TYPE doc VALIDATION = {validation}; CREATE CONTRACT docs (doc SENT BY ANY)
GO
ALTER SERVICE [//{me}] (ADD CONTRACT docs)"""
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' ON CONTRACT docs WITH ENCRYPTION = OFF, LIFETIME = 60;
SEND ON CONVERSATION @h MESSAGE TYPE doc ('<a/>'); SELECT @h"""
OPEN = "SELECT conversation_handle FROM shop.sys.conversation_endpoints WHERE state = 'CO'"
RECEIVE = """USE shop; RECEIVE RIGHT(message_type_name, 5), CASE WHEN message_type_name LIKE '%Error' THEN CAST(CAST(message_body AS xml).value(
    'declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS varchar(20)) ELSE CAST(message_body AS varchar(20)) END FROM desk"""
FIRST = [("doc", "<a/>"), ("doc", "<b/>"), ("doc", "<c/>")]


def _answer(pair: Pair) -> None:
    """B sends on what it takes for open."""
    for (handle,) in pair.b.execute(OPEN)[0]:
        pair.b.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE doc ('<late/>')")


def _misspell(pair: Pair, handle: str) -> None:
    """A sends what B refuses."""
    if pair.a.execute(OPEN)[0]:
        pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE doc ('<a>')")


def _clean_up(pair: Pair, handle: str) -> None:
    if pair.a.execute(OPEN)[0]:
        pair.a.execute(f"USE shop; END CONVERSATION '{handle}' WITH CLEANUP")
    _answer(pair)


def _make_new(pair: Pair, handle: str) -> None:
    pair.a.execute(NEW_BROKER)
    _answer(pair)


CAUSES: dict[str, Callable[[Pair, str], object]] = {
    "nothing": lambda pair, handle: None,
    "lifetime": lambda pair, handle: pair.network.advance(100),
    "own broker's errors": lambda pair, handle: pair.b.execute(ERROR_BROKER),
    "peer's broker's errors": lambda pair, handle: pair.a.execute(ERROR_BROKER),
    "peer's service dropped": lambda pair, handle: pair.a.execute("USE shop; DROP SERVICE [//A]"),
    "peer's broker new": _make_new,
    "peer cleaned up": _clean_up,
    "contract dropped": lambda pair, handle: pair.b.execute(DROP_CONTRACT),
    "type dropped": lambda pair, handle: pair.b.execute(f"{DROP_CONTRACT}; DROP MESSAGE TYPE doc"),
    "type altered": lambda pair, handle: pair.b.execute("USE shop; ALTER MESSAGE TYPE doc VALIDATION = EMPTY"),
    "body refused": _misspell,
    "answer": lambda pair, handle: _answer(pair),
}
ENDS = {"open": None, "ended": "", "ended with error": " WITH ERROR = 7 DESCRIPTION = 'x'"}

Result = tuple[list[tuple[str, str | None]], list[str], int]
"""What B receives, the state of its endpoint, and how much is held in the end."""


def _run(folder: Path, cause: str, end: str, *, is_off: bool, is_reopened: bool) -> Result:
    folder.mkdir()
    pair = Pair(folder)
    with pair.network:
        for machine in pair.a, pair.b:
            validation = "NONE" if machine is pair.a else "WELL_FORMED_XML"
            machine.execute(SETUP.format(me=machine.name, validation=validation))
        handle = str(pair.a.execute(BEGIN)[0][0][0])
        pair.network.advance(2)
        if is_off:
            pair.b.execute(OFF)
        for body in ("<b/>", "<c/>"):
            pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE doc ('{body}')")
        pair.network.advance(2)
        how = ENDS[end]
        if how is not None:
            pair.a.execute(f"USE shop; END CONVERSATION '{handle}'{how}")
            pair.network.advance(2)
        CAUSES[cause](pair, handle)
        pair.network.advance(10)
        if is_reopened:
            pair.b.close()
            pair.b.open()
        pair.b.execute(ON)
        pair.network.advance(10)
        received: list[tuple[str, str | None]] = []
        while rows := pair.b.execute(RECEIVE)[0]:
            received += [(name, body) for name, body in rows]
        return received, pair.state(pair.b), len(pair.held())


@pytest.mark.spec("NETWORK-9", "NETWORK-22")
@pytest.mark.matrix
@pytest.mark.parametrize("is_reopened", [False, True], ids=["runs", "reopened"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("cause", CAUSES)
def test_what_is_held_is_received_as_if_the_queue_had_been_on(
    tmp_path: Path, cause: str, end: str, is_reopened: bool
) -> None:
    expected = _run(tmp_path / "on", cause, end, is_off=False, is_reopened=is_reopened)
    assert [row for row in expected[0] if row in FIRST] == FIRST
    found = _run(tmp_path / "off", cause, end, is_off=True, is_reopened=is_reopened)
    assert found == expected
