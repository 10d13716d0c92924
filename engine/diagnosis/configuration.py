"""Why a conversation between two services would not work: the checks of ssbdiagnose CONFIGURATION.

Decides what is looked at, before anything is sent. It reads the catalog and asks the broker's own rules how a message
would be routed; it must not know what waits.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from sbql.catalog.records import Contract, Database, MessageType, Queue, Service
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import INFO, Finding, found, said
from sbql.engine.diagnosis.network import dialog_security, endpoint_findings
from sbql.engine.diagnosis.waiting import between_databases, route_finding
from sbql.engine.diagnosis.world import World
from sbql.engine.ports import Instance
from sbql.engine.security.owners import owner_may_send
from sbql.grammar.names import bracketed

__all__ = ["Conversation", "diagnose"]

NO_ACTIVATION = 303
_VALIDATIONS = {"N": "NONE", "E": "EMPTY", "X": "WELL_FORMED_XML"}


class Conversation(Struct, frozen=True):
    """What is to be checked. `to_service` None: only this side. `encryption` is ON, OFF or ANONYMOUS. `to_database`
    None: the target is in another instance."""

    from_service: str | None
    from_database: str | None
    to_service: str | None
    to_database: str | None
    contract: str = "DEFAULT"
    broker_instance: str | None = None
    encryption: str = "ON"


def diagnose(instance: Instance, conversation: Conversation) -> Iterator[Finding]:
    """All findings, the initiator's side first."""
    check = _Check(World(instance), conversation)
    source, target = conversation.from_service, conversation.to_service
    here, there = conversation.from_database, conversation.to_database
    if source is not None and here is not None:
        yield from check.side(source, here)
    if target is not None and there is not None:
        yield from check.side(target, there)
    yield from check.contracts()
    if source is not None and target is not None:
        if here is not None:
            yield from check.route(source, here, target, conversation.broker_instance)
        if there is not None:
            yield from check.route(target, there, source, None)
        yield from check.acceptance()
        yield from check.security()


class _Check:
    def __init__(self, world: World, conversation: Conversation) -> None:
        self.world = world
        self.wanted = conversation

    def service(self, name: str | None, database: str | None) -> Service | None:
        where = self.world.database(database) if database is not None else None
        return None if where is None else self.world.index.services.get((where.id, name or ""))

    def contract(self, database: str) -> Contract | None:
        where = self.world.database(database)
        return None if where is None else self.world.index.contracts.get((where.id, self.wanted.contract))

    def side(self, name: str, database: str) -> Iterator[Finding]:
        """One service: its database, its queue, the activation of the queue."""
        world, where = self.world, self.world.database(database)
        if where is None:
            yield found("DATABASE_MISSING", database, said(911, database), database)
            return
        broken = world.broker(where)
        if broken is not None:
            yield broken
        service = self.service(name, database)
        if service is None:
            repair = repairs.new_service(database, name, self.wanted.contract)
            yield found("SERVICE_MISSING", database, said(8423, name), name, (), repair)
            return
        queue = world.snapshot.get(Queue, where.id, service.queue_id)
        assert queue is not None, "a service's queue cannot be dropped"
        if not queue.is_enabled:
            yield world.queue_off(queue)
        if queue.is_activation_enabled:
            yield from world.activation(queue)
        else:
            yield Finding(
                INFO, NO_ACTIVATION, database, f"The queue {queue.name} has no internal activation.", subject=queue.name
            )

    def contracts(self) -> Iterator[Finding]:
        """The contract, in each database, and both definitions alike."""
        wanted = self.wanted
        names = [name for name in dict.fromkeys([wanted.from_database, wanted.to_database]) if name is not None]
        known = [(name, self.contract(name)) for name in names if self.world.database(name) is not None]
        model = next((contract for _, contract in known if contract is not None), None)
        for database, contract in known:
            if contract is None:
                yield found(
                    "CONTRACT_MISSING",
                    database,
                    said(8425, wanted.contract),
                    wanted.contract,
                    (),
                    self._made(database, model),
                )
        if len(known) == 2 and known[0][1] is not None and known[1][1] is not None:
            yield from self._differences(known[0][1], known[1][1])

    def _made(self, database: str, model: Contract | None) -> str:
        where = self.world.database(database)
        if model is None or where is None:
            return ""
        return repairs.in_database(database, *repairs.create_contract(self.world.index, model, where.id))

    def _differences(self, one: Contract, other: Contract) -> Iterator[Finding]:
        here, there = self._types(one), self._types(other)
        database = self.wanted.to_database or ""
        for name in sorted(here.keys() | there.keys()):
            if name not in here or name not in there or here[name][:2] != there[name][:2]:
                text = f"The contract {one.name} has another definition here: message type {name}."
                yield found(
                    "CONTRACT_DIFFERS", database, text, name, (), repairs.contract_anew(self.world.index, one, other)
                )
            elif here[name][2] != there[name][2]:
                alter = f"ALTER MESSAGE TYPE {bracketed(name)} VALIDATION = {_VALIDATIONS[here[name][2]]};"
                text = f"The message type {name} has another validation here."
                yield found("TYPE_DIFFERS", database, text, name, (), repairs.in_database(database, alter))

    def _types(self, contract: Contract) -> dict[str, tuple[bool, bool, str]]:
        kinds = {}
        for usage in contract.messages:
            kind = self.world.snapshot.get(MessageType, contract.database_id, usage.message_type_id)
            assert kind is not None, "a contract's message type cannot be dropped"
            kinds[kind.name] = (usage.is_sent_by_initiator, usage.is_sent_by_target, kind.validation)
        return kinds

    def route(self, service: str, database: str, target: str, broker_instance: str | None) -> Iterator[Finding]:
        """Whether a message of `service` finds `target`."""
        where = self.world.database(database)
        ends = [
            self.world.database(name)
            for name in (self.wanted.from_database, self.wanted.to_database)
            if name is not None
        ]
        if where is None or any(end is None or end.broker_problem for end in ends):
            return  # that is the finding, not the route
        place = self.world.classify(where.id, target, broker_instance)
        if place.kind == "Remote":
            yield from endpoint_findings(self.world, where.id, target, [])
        elif place.kind == "Delayed":
            one = route_finding(
                self.world, where.id, target, broker_instance or "", place.reason, why=f" (from {service})"
            )
            if one.name in (
                "SERVICE_MISSING",
                "SERVICE_MISSPELLED",
            ):  # `side` says that; without a way it is the way that is missing
                text = f"No route leads from the service {service} to the service {target}: {said(place.reason)}"
                one = found("NO_ROUTE", database, text, target, one.evidence, repairs.local_route(database, target))
            yield one

    def acceptance(self) -> Iterator[Finding]:
        """The target accepts the contract."""
        database = self.wanted.to_database
        service = self.service(self.wanted.to_service, database)
        contract = self.contract(database) if database is not None else None
        if service is not None and contract is not None and contract.id not in service.contract_ids:
            add = f"ALTER SERVICE {bracketed(service.name)} (ADD CONTRACT {bracketed(contract.name)});"
            text = said(8408, service.name, contract.name)
            yield found(
                "CONTRACT_NOT_ACCEPTED",
                database or "",
                text,
                service.name,
                (),
                repairs.in_database(database or "", add),
            )

    def security(self) -> Iterator[Finding]:
        """SEND on the target; between two databases the master keys of secure dialogs, or a way in for open ones."""
        wanted, world = self.wanted, self.world
        source: Database | None = world.database(wanted.from_database) if wanted.from_database is not None else None
        service, begun = (
            self.service(wanted.to_service, wanted.to_database),
            self.service(wanted.from_service, wanted.from_database),
        )
        if wanted.to_database is None and source is not None and begun is not None:
            encrypted = wanted.encryption != "OFF"
            yield from dialog_security(
                world, source.id, wanted.to_service or "", begun.principal_id, is_encrypted=encrypted, evidence=[]
            )
        if service is None or wanted.to_database is None:
            return
        if source is None or begun is None:
            if (
                wanted.from_database is None
                and wanted.encryption == "OFF"
                and (service.database_id, service.id) not in world.index.public_send
            ):
                yield self._no_right(service, "public", "public")
        elif source.id == service.database_id:
            if not world.may(begun.principal_id, source.id, "SEND", service):
                user = world.user_name(source.id, begun.principal_id)
                yield self._no_right(service, f"the owner of the service {begun.name}", user)
        elif wanted.encryption != "OFF":
            yield from (
                f
                for f in between_databases(world, source.id, begun.principal_id, service, encryption=True)
                if f.name != "NOT_TRUSTED"
            )
        elif not owner_may_send(world.snapshot, begun.principal_id, source.id, service, world.now):
            yield self._no_right(service, "public", "public")

    def _no_right(self, service: Service, who: str, user: str) -> Finding:
        database = self.wanted.to_database or ""
        text = f"The service {service.name} gives SEND not to {who}."
        return found("NO_RIGHT_TO_SEND", database, text, service.name, (), repairs.grant_send(database, service, user))
