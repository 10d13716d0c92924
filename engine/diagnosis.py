"""Why a conversation between two services of the instance would not work: the checks of ssbdiagnose CONFIGURATION.

Decides what is looked at, and the number and level of each finding. It reads the catalog and asks the broker's own
rules how a message would be routed; it must not know how findings are printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sbql.catalog.records import Contract, Database, MasterKey, MessageType, Module, Principal, Queue, Schema, Service
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.routing import classify, parse_guid
from sbql.engine.ports import Instance
from sbql.engine.security.checks import principal_may
from sbql.grammar.messages import message
from sbql.grammar.names import parse_object_name

__all__ = ["ERROR", "INFO", "WARNING", "Conversation", "Finding", "diagnose"]

ERROR, WARNING, INFO = "ERROR", "WARNING", "INFO"

NO_MASTER_KEY = 1102
NO_ACTIVATION_PROCEDURE = 303
NO_ACTIVATION_USER = 304
NO_ROUTE = 29931
NO_ENDPOINT = 29950
NO_SEND_RIGHT = 29975
_OWNER = -2
_GUEST = 2


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is to be checked. `to_service` None: only this side. `encryption` is ON, OFF or ANONYMOUS."""

    from_service: str | None
    from_database: str
    to_service: str | None
    to_database: str
    contract: str = "DEFAULT"
    broker_instance: str | None = None
    encryption: str = "ON"


@dataclass(frozen=True, slots=True)
class Finding:
    """`code` is ssbdiagnose's number where it is known, else that of the broker's message, or of the event class.
    `kind` is Diagnosis, Event or Problem."""

    level: str
    code: int
    database: str
    text: str
    kind: str = "Diagnosis"


def diagnose(instance: Instance, conversation: Conversation) -> Iterator[Finding]:
    """All findings, the initiator's side first."""
    check = _Check(instance, conversation)
    source, target = conversation.from_service, conversation.to_service
    if source is not None:
        yield from check.side(source, conversation.from_database)
    if target is not None:
        yield from check.side(target, conversation.to_database)
    yield from check.contracts()
    if source is not None and target is not None:
        yield from check.route(source, conversation.from_database, target, conversation.broker_instance)
        yield from check.route(target, conversation.to_database, source, None)
        yield from check.acceptance()
        yield from check.security()


class _Check:
    def __init__(self, instance: Instance, conversation: Conversation) -> None:
        self.snapshot = instance.catalog
        self.index = CatalogIndex(instance.catalog)
        self.host = instance.host
        self.wanted = conversation

    def database(self, name: str) -> Database | None:
        found: Database | None = self.snapshot.find(Database, 0, name)
        return found

    def service(self, name: str, database: str) -> Service | None:
        where = self.database(database)
        return None if where is None else self.snapshot.find(Service, where.id, name)

    def contract(self, database: str) -> Contract | None:
        where = self.database(database)
        return None if where is None else self.snapshot.find(Contract, where.id, self.wanted.contract)

    def side(self, name: str, database: str) -> Iterator[Finding]:
        """One service: its database, its queue, the activation of the queue."""
        where = self.database(database)
        if where is None:
            yield Finding(ERROR, 911, database, message(911).format(database))
            return
        if not where.is_broker_enabled:
            yield Finding(ERROR, 9791, database, message(9791).text)
        service = self.service(name, database)
        if service is None:
            yield Finding(ERROR, 8423, database, message(8423).format(name))
            return
        queue = self.snapshot.get(Queue, where.id, service.queue_id)
        assert queue is not None, "a service's queue cannot be dropped"
        if not queue.is_enabled:
            yield Finding(ERROR, 9617, database, message(9617).format(queue.name))
        if queue.is_activation_enabled:
            yield from self._activation(queue, database)
        else:
            yield Finding(
                INFO, NO_ACTIVATION_PROCEDURE, database, f"The queue {queue.name} has no internal activation."
            )

    def _activation(self, queue: Queue, database: str) -> Iterator[Finding]:
        procedure = parse_object_name(queue.activation_procedure or "")
        where = self.database(procedure.database or database)
        schema = self.snapshot.find(Schema, where.id, procedure.schema or "dbo") if where is not None else None
        found = (
            self.snapshot.find_object(where.id, schema.id, procedure.name)
            if where is not None and schema is not None
            else None
        )
        if not (isinstance(found, Module) and found.type == "P"):
            text = f"The activation procedure {queue.activation_procedure} of the queue {queue.name} does not exist."
            yield Finding(ERROR, NO_ACTIVATION_PROCEDURE, database, text)
        user = queue.execute_as_principal_id
        if user not in (None, _OWNER) and self.snapshot.get(Principal, queue.database_id, user) is None:
            text = f"The user that the activation of the queue {queue.name} runs as does not exist."
            yield Finding(ERROR, NO_ACTIVATION_USER, database, text)
        if queue.max_readers == 0:
            yield Finding(WARNING, 9648, database, message(9648).format(queue.name))

    def contracts(self) -> Iterator[Finding]:
        """The contract, in each database, and both definitions alike."""
        names = dict.fromkeys([self.wanted.from_database, self.wanted.to_database])
        found = [(name, self.contract(name)) for name in names if self.database(name) is not None]
        for database, contract in found:
            if contract is None:
                yield Finding(ERROR, 8425, database, message(8425).format(self.wanted.contract))
        if len(found) == 2 and found[0][1] is not None and found[1][1] is not None:
            yield from self._differences(found[0][1], found[1][1])

    def _differences(self, one: Contract, other: Contract) -> Iterator[Finding]:
        here, there = self._types(one), self._types(other)
        database = self.wanted.to_database
        for name in sorted(here.keys() | there.keys()):
            if name not in here or name not in there or here[name][:2] != there[name][:2]:
                yield Finding(
                    ERROR, 8431, database, f"The contract {one.name} has another definition here: message type {name}."
                )
            elif here[name][2] != there[name][2]:
                yield Finding(WARNING, 8430, database, f"The message type {name} has another validation here.")

    def _types(self, contract: Contract) -> dict[str, tuple[bool, bool, str]]:
        found = {}
        for usage in contract.messages:
            kind = self.snapshot.get(MessageType, contract.database_id, usage.message_type_id)
            assert kind is not None, "a contract's message type cannot be dropped"
            found[kind.name] = (usage.is_sent_by_initiator, usage.is_sent_by_target, kind.validation)
        return found

    def route(self, service: str, database: str, target: str, broker_instance: str | None) -> Iterator[Finding]:
        """Whether a message of `service` finds `target`."""
        where = self.database(database)
        ends = (where, self.database(self.wanted.from_database), self.database(self.wanted.to_database))
        if where is None or any(end is None or not end.is_broker_enabled for end in ends):
            return  # that is the finding, not the route
        found = classify(self.index, where.id, target, parse_guid(broker_instance), self.host)
        if found.kind == "Delayed":
            text = f"No route leads from the service {service} to the service {target}: {message(found.reason).text}"
            yield Finding(ERROR, NO_ROUTE, database, text)
        elif found.kind == "Remote":
            text = f"The route to the service {target} leads to {found.address}, and this instance has no network."
            yield Finding(ERROR, NO_ENDPOINT, database, text)

    def acceptance(self) -> Iterator[Finding]:
        """The target accepts the contract."""
        service = self.service(self.wanted.to_service or "", self.wanted.to_database)
        contract = self.contract(self.wanted.to_database)
        if service is not None and contract is not None and contract.id not in service.contract_ids:
            yield Finding(ERROR, 8408, self.wanted.to_database, message(8408).format(service.name, contract.name))

    def security(self) -> Iterator[Finding]:
        """SEND on the target; between two databases the master keys of secure dialogs, or a way in for open ones."""
        wanted = self.wanted
        source, target = self.database(wanted.from_database), self.database(wanted.to_database)
        service, begun = (
            self.service(wanted.to_service or "", wanted.to_database),
            self.service(wanted.from_service or "", wanted.from_database),
        )
        if source is None or target is None or service is None or begun is None:
            return
        if source.id == target.id:
            if not principal_may(self.snapshot, begun.principal_id, target.id, "SEND", service):
                yield self._no_right(service, f"the owner of the service {begun.name}")
            return
        if wanted.encryption != "OFF":
            for database in (source, target):
                if not any(key.database_id == database.id for key in self.snapshot.all(MasterKey)):
                    yield Finding(ERROR, NO_MASTER_KEY, database.name, message(28051).text)
        elif not source.is_trustworthy_on and not principal_may(self.snapshot, _GUEST, target.id, "SEND", service):
            yield self._no_right(service, "public")

    def _no_right(self, service: Service, who: str) -> Finding:
        return Finding(
            ERROR, NO_SEND_RIGHT, self.wanted.to_database, f"The service {service.name} gives SEND not to {who}."
        )
