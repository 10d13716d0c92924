"""What is held for a queue that is OFF is received as if the queue had been ON, whatever becomes of the dialog
meanwhile: it was acknowledged, so its sender has forgotten it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_held_arrivals import HELD, OFF, ON, Pair

ERROR_BROKER = "USE master; ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE"
NEW_BROKER = "USE master; ALTER DATABASE shop SET NEW_BROKER WITH ROLLBACK IMMEDIATE"
DROP_CONTRACT = "USE shop; ALTER SERVICE [//B] (DROP CONTRACT docs); DROP CONTRACT docs"
DROP_TYPE = "DROP MESSAGE TYPE doc"
SETUP = """USE shop; CREATE MESSAGE TYPE doc VALIDATION = {validation}; CREATE CONTRACT docs (doc SENT BY ANY)
GO
ALTER SERVICE [//{me}] (ADD CONTRACT docs)"""
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' ON CONTRACT docs WITH ENCRYPTION = OFF, LIFETIME = 60;
SEND ON CONVERSATION @h MESSAGE TYPE doc ('<a/>'); SELECT @h"""
OPEN = "SELECT conversation_handle FROM shop.sys.conversation_endpoints WHERE state = 'CO'"
RECEIVE = """USE shop; RECEIVE RIGHT(message_type_name, 5), CASE WHEN message_type_name LIKE '%Error' THEN CAST(CAST(message_body AS xml).value(
    'declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error"; (/e:Error/e:Code)[1]', 'int') AS varchar(20)) ELSE CAST(message_body AS varchar(20)) END FROM desk"""
ROW = """SELECT message_type_name, validation, service_contract_name,
    (SELECT name FROM shop.sys.service_message_types AS t WHERE t.message_type_id = q.message_type_id)
    FROM shop.dbo.desk AS q WHERE message_body = CAST('<b/>' AS varbinary(max))"""
BODIES = "<a/>", "<b/>", "<c/>"
NAMES: dict[str, str | None] = {"type dropped": None}
"""The name that the first messages are received with, where it is not that of their type: the queue has ids alone."""


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
    "type dropped": lambda pair, handle: pair.b.execute(f"{DROP_CONTRACT}; {DROP_TYPE}"),
    "type altered": lambda pair, handle: pair.b.execute("USE shop; ALTER MESSAGE TYPE doc VALIDATION = EMPTY"),
    "body refused": _misspell,
    "answer": lambda pair, handle: _answer(pair),
}
ENDS = {"open": None, "ended": "", "ended with error": " WITH ERROR = 7 DESCRIPTION = 'x'"}

FOUND: dict[str, tuple[str, str | None, str, str | None, str | None]] = {
    "nothing": ("", "doc", "X ", "docs", "doc"),
    "contract dropped": (DROP_CONTRACT, "doc", "X ", None, "doc"),
    "contract anew": (f"{DROP_CONTRACT}; CREATE CONTRACT docs (doc SENT BY ANY)", "doc", "X ", None, "doc"),
    "type dropped": (f"{DROP_CONTRACT}; {DROP_TYPE}", None, "N ", None, None),
    "type anew": (f"{DROP_CONTRACT}; {DROP_TYPE}; CREATE MESSAGE TYPE doc VALIDATION = NONE", "doc", "N ", None, "doc"),
}
"""What is done meanwhile, and ROW of what was held."""

Result = tuple[list[tuple[str | None, str | None]], list[str], int]
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
        received: list[tuple[str | None, str | None]] = []
        while rows := pair.b.execute(RECEIVE)[0]:
            received += [(name, body) for name, body in rows]
        return received, pair.state(pair.b), len(pair.held())


@pytest.mark.spec("NETWORK-9", "NETWORK-22", "NETWORK-25")
@pytest.mark.matrix
@pytest.mark.parametrize("is_reopened", [False, True], ids=["runs", "reopened"])
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("cause", CAUSES)
def test_what_is_held_is_received_as_if_the_queue_had_been_on(
    tmp_path: Path, cause: str, end: str, is_reopened: bool
) -> None:
    expected = _run(tmp_path / "on", cause, end, is_off=False, is_reopened=is_reopened)
    first = [(NAMES.get(cause, "doc"), body) for body in BODIES]
    assert [row for row in expected[0] if row[1] in BODIES] == first
    found = _run(tmp_path / "off", cause, end, is_off=True, is_reopened=is_reopened)
    assert found == expected


@pytest.mark.spec("NETWORK-25", "QUEUE-59")
@pytest.mark.parametrize("change", FOUND)
def test_the_type_of_what_was_held_is_found_by_its_name(change: str) -> None:
    """It is the second message: the first was in the queue before."""
    pair = Pair()
    with pair.network:
        for machine in pair.a, pair.b:
            machine.execute(
                SETUP.format(me=machine.name, validation="NONE" if machine is pair.a else "WELL_FORMED_XML")
            )
        handle = str(pair.a.execute(BEGIN)[0][0][0])
        pair.network.advance(2)
        pair.b.execute(OFF)
        pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' MESSAGE TYPE doc ('<b/>')")
        pair.network.advance(2)
        statements, *expected = FOUND[change]
        pair.b.execute(f"USE shop; {statements}")
        held = [row[6] for row in pair.b.execute(HELD)[0] if row[1] == "<b/>"]
        assert held == ["doc"]  # the transmission queue has names
        pair.b.execute(ON)
        pair.network.advance(10)
        assert pair.b.execute(ROW)[0] == [tuple(expected)]
