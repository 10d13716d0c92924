"""LOGON triggers: what runs between a login and its session, and may end it.

Decides which triggers run, in which transaction, what EVENTDATA() is in them, and when they refuse the login
(17892). What they PRINT and their errors go to the error log, for there is nobody yet who could hear them. It
must not know how somebody came in.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

from sbql.catalog.event_types import LOGON
from sbql.catalog.records import Module
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.event_notifications import posted_at
from sbql.engine.definition.ddl_triggers import in_order, run_one
from sbql.engine.outcomes import ErrorOutcome, ErrorSet, InfoMessage, Outcome
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.xml_text import escape_text

__all__ = ["fire_logon"]

_MASTER = 1
_KINDS = {"S": "SQL Login", "U": "Windows (NT) Login", "G": "Windows (NT) Group", "C": "Certificate", "K": "Asymmetric Key"}  # fmt: skip


def fire_logon(session: Session, *, is_pooled: bool) -> None:
    """Run the LOGON triggers for a new session, in one transaction. `is_pooled`: its connection
    was there already, and is used again.

    Raises 17892 when one of them ends the transaction or fails with what XACT_ABORT, ON in triggers, ends it for.
    """
    triggers = _triggers(session.catalog)
    if not triggers:
        return
    admitted = False

    def run(frame: Frame) -> Work:
        nonlocal admitted
        session.begin_transaction()
        document = _document(session, is_pooled)
        for trigger in in_order(triggers, LOGON):
            try:
                yield from run_one(session, trigger, document)
            except SqlError as error:
                error.rolls_back = True
                raise
        session.commit_transaction()
        session.completed(ErrorSet(0))  # the client begins with nothing behind it
        admitted = True

    def prepare() -> tuple[Step, Frame]:
        return Step(run, waits=True), Frame(session, 0)

    session.instance.driver.run(session.perform(LOGON, _log_of(session), prepare), session)
    if admitted:
        return
    refusal = sql_error(17892, session.login.name)
    address = session.client.address
    text = f"{refusal.message} [CLIENT: {address}]"
    session.instance.log(17892, text, "logon", cause=(17892, address))
    session.instance.notified.login_failed(session.login.name, text, refusal)
    raise refusal


def _triggers(snapshot: CatalogSnapshot) -> list[Module]:
    found: list[Module] | None = snapshot.derived.get("logon triggers")
    if found is None:
        found = [m for m in snapshot.all(Module, _MASTER) if m.scope and not m.is_disabled and LOGON in m.events]
        snapshot.derived["logon triggers"] = found
    return found


def _log_of(session: Session) -> Callable[[Outcome], None]:
    def hear(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome):
            if outcome.error.number != 3609:  # the refusal says it
                session.instance.log(outcome.error.number, str(outcome.error), f"spid {session.spid}")
        elif isinstance(outcome, InfoMessage):
            session.instance.log(outcome.number, outcome.text, f"spid {session.spid}")

    return hear


def _document(session: Session, is_pooled: bool) -> str:
    """The EVENT_INSTANCE of a LOGON event, its elements in the documented order."""
    instance, login = session.instance, session.login
    elements = {
        "EventType": LOGON, "PostTime": posted_at(instance.host.now()), "SPID": str(session.spid), "ServerName": instance.name,
        "LoginName": login.name, "LoginType": _KINDS.get(login.type, ""), "SID": base64.b64encode(login.sid or b"").decode("ascii"),
        "ClientHost": session.client.address, "IsPooled": str(int(is_pooled)),
    }  # fmt: skip
    inner = "".join(f"<{name}>{escape_text(value)}</{name}>" for name, value in elements.items())
    return f"<EVENT_INSTANCE>{inner}</EVENT_INSTANCE>"
