"""What goes wrong with conversations while the broker runs: ssbdiagnose RUNTIME.

Decides which trace events belong to the conversations that are watched, which of them mean that one fails, and what to
check then. It must not know how long to watch or how findings are printed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from uuid import UUID

from sbql.catalog.records import Contract, Database, Service
from sbql.engine.broker.trace import TraceEvent, event_text
from sbql.engine.diagnosis.causes import ERROR, INFO, Finding
from sbql.engine.diagnosis.configuration import Conversation, diagnose
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.stuck import merged, stuck
from sbql.engine.ports import Instance

__all__ = ["ConversationWatch"]

_FAILURES = frozenset({
    ("Broker:Conversation", "Broker Initiated Error"), ("Broker:Conversation", "Received Broker Error Message"),
    ("Broker:Message Classify", "Delayed"), ("Broker:Message Undeliverable", "sequenced"),
})  # fmt: skip


class ConversationWatch:
    """Watches from the start of its life to `stop`. `databases`, `ids` (handles, groups, conversation ids) and
    `only_new` (conversations that begin from now on) choose; without them it is every conversation."""

    def __init__(
        self, instance: Instance, databases: Collection[str] = (), ids: Collection[UUID] = (), *, only_new: bool = False
    ) -> None:
        self._instance = instance
        self._databases = {
            d.id for d in instance.catalog.all(Database) if d.name.lower() in {name.lower() for name in databases}
        }
        self._ids = frozenset(ids)
        with instance.broker.mutex:
            old = {endpoint.conversation_id for endpoint in instance.broker.records()}
        self._old = old if only_new else frozenset()
        self._events: list[TraceEvent] = []
        self.stop = instance.trace(self._note)

    def _note(self, event: TraceEvent) -> None:
        if event.conversation_id is None or event.conversation_id in self._old:
            return
        if self._databases and event.database_id not in self._databases:
            return
        known = {event.conversation_id, event.conversation_handle, event.conversation_group_id}
        if not self._ids or not self._ids.isdisjoint(known):
            self._events.append(event)

    def findings(self, *, with_events: bool = False) -> Iterator[Finding]:
        """Events if asked for; then which conversations failed, and what stands in the way of all that were seen."""
        for event in self._events:
            if with_events:
                yield Finding(INFO, event.number, self._database(event.database_id), event_text(event), "Event")
        failed: dict[object, TraceEvent] = {}
        for event in self._events:
            if (event.event_class, event.subclass) in _FAILURES:
                failed.setdefault(event.conversation_id, event)
        for event in failed.values():
            text = f"The conversation {str(event.conversation_id).upper()} fails: {event.text}"
            yield Finding(ERROR, event.number, self._database(event.database_id), text, "Problem")
        seen = frozenset(event.conversation_id for event in self._events if event.conversation_id is not None)
        found = stuck(self._instance, Scope(seen)) if seen else []
        yield from found or merged(finding for event in failed.values() for finding in self._configuration(event))

    def _configuration(self, event: TraceEvent) -> Iterator[Finding]:
        """The way of a conversation that failed and left nothing behind."""
        name = self._database(event.database_id)
        instance = self._instance
        with instance.broker.mutex:
            ends = [e for e in instance.broker.records() if e.conversation_handle == event.conversation_handle]
        for endpoint in ends:
            service = instance.catalog.get(Service, endpoint.database_id, endpoint.service_id)
            contract = instance.catalog.get(Contract, endpoint.database_id, endpoint.contract_id)
            if service is None or not endpoint.is_initiator:
                continue
            far = next((s for s in instance.catalog.all(Service) if s.name == endpoint.far_service), None)
            far_database = name if far is None else self._database(far.database_id)
            yield from diagnose(instance, Conversation(
                service.name, name, endpoint.far_service, far_database, contract.name if contract is not None else endpoint.contract_name,
                endpoint.asked_broker_instance or None, "ON" if endpoint.encryption else "OFF",
            ))  # fmt: skip

    def _database(self, database_id: int) -> str:
        found = self._instance.catalog.get(Database, 0, database_id)
        return found.name if found is not None else str(database_id)
