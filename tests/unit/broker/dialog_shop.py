"""A store with dialogs in use, of which nothing waits: for tests of conversations at rest."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import UUID

from sbql.catalog.store_port import PORT, StorePort
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SETUP = """
CREATE DATABASE shop
GO
USE shop
CREATE QUEUE left_queue; CREATE QUEUE right_queue; CREATE QUEUE other_queue;
CREATE CONTRACT talk ([DEFAULT] SENT BY ANY);
CREATE SERVICE lefty ON QUEUE left_queue; CREATE SERVICE righty ON QUEUE right_queue (talk);
"""
BEGIN = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE lefty TO SERVICE 'righty' ON CONTRACT talk WITH ENCRYPTION = OFF{}; SELECT @h"
ENDPOINTS = "SELECT conversation_handle, is_initiator, state, conversation_group_id, send_sequence, receive_sequence FROM sys.conversation_endpoints ORDER BY 1"


class Shop:
    """Dialogs in use, of which nothing waits."""

    def __init__(self, path: Path, dialogs: int = 3, port: StorePort = PORT) -> None:
        self.path, self.port, self.seed = path, port, 0
        self.open()
        for batch in SETUP.split("GO\n"):
            self.run(batch)
        self.mine = [self.dialog() for _ in range(dialogs)]

    def open(self) -> None:
        self.seed += 1  # other GUIDs each time
        self.instance = Instance.open(str(self.path), clock="virtual", seed=self.seed, port=self.port)
        self.session = self.instance.connect()
        if self.value("SELECT DB_ID('shop')") is not None:
            self.run("USE shop")

    def reopen(self) -> None:
        self.instance.close()
        self.open()

    def dialog(self, options: str = "") -> UUID:
        """A dialog with one message each way, received."""
        handle = self.value(BEGIN.format(options))
        self.send(handle)
        theirs = self.value("DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM right_queue; SELECT @h")
        self.send(theirs)
        assert self.value("DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM left_queue; SELECT @h") == handle  # fmt: skip
        return UUID(str(handle))

    def send(self, handle: UUID, session: Session | None = None) -> None:
        self.run(f"SEND ON CONVERSATION '{handle}' (0x01)", session)

    def run(self, text: str, session: Session | None = None) -> list[Any]:
        outcomes = (session or self.session).run(text)
        errors = [o.error for o in outcomes if isinstance(o, ErrorOutcome)]
        if errors:
            raise errors[0]
        return outcomes

    def rows(self, text: str, session: Session | None = None) -> list[tuple[Any, ...]]:
        return [tuple(row) for o in self.run(text, session) if isinstance(o, ResultSet) for row in o.rows]

    def value(self, text: str) -> Any:
        found = self.rows(text)
        return found[0][0] if found else None

    def rest(self) -> int:
        """Let rest whatever may. Returns how many endpoints are out of memory."""
        state = self.instance.broker
        state.resting.most = 0
        with state.mutex:
            state.resting.begin()
            while state.rest_some():
                pass
        return state.resting.count

    def advance(self, seconds: float) -> None:
        assert self.instance.loop is not None
        self.instance.loop.advance(seconds)

    def states(self) -> list[str]:
        return [
            row[0]
            for row in self.rows("SELECT state FROM sys.conversation_endpoints ORDER BY is_initiator DESC, state DESC")
        ]

    @property
    def in_memory(self) -> int:
        return len(self.instance.broker.endpoints)
