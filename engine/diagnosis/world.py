"""World: what a diagnosis looks at, and the findings about one thing that several places make.

Decides nothing about where a message waits. One World is one look: the catalog as it is at its beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sbql.catalog.records import Database, Module, Principal, Queue, Schema, Service
from sbql.engine.broker.routing import Classification, classify, parse_guid
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Evidence, Finding, Limits, found, said
from sbql.engine.locks import LockOwner
from sbql.engine.ports import Instance, Session
from sbql.engine.security.database_access import users_of
from sbql.engine.security.owners import principal_may
from sbql.grammar.names import bracketed, dotted, parse_object_name
from sbql.grammar.suggestions import nearest

__all__ = ["World"]

_OWNER = -2
_DBO = 1
_SESSIONS = 3
_READ_ONLY, _SINGLE_USER = 28014, 28015


class World:
    """What a diagnosis looks at: the catalog, the broker's memory and the time, all of one moment."""

    def __init__(self, instance: Instance, limits: Limits | None = None) -> None:
        self.instance = instance
        self.limits = limits or Limits()
        self.snapshot = instance.catalog
        self.index = instance.broker.index(instance.catalog)
        self.now = instance.host.now()

    # --- names ---------------------------------------------------------------------------------------------

    def database(self, name: str) -> Database | None:
        one: Database | None = self.snapshot.find(Database, 0, name)
        return one

    def name(self, database_id: int) -> str:
        one = self.index.databases.get(database_id)
        return one.name if one is not None else str(database_id)

    def queue_name(self, queue: Queue) -> str:
        """`[dbo].[Q]`."""
        schema = self.snapshot.get(Schema, queue.database_id, queue.schema_id)
        return dotted(schema.name if schema is not None else "dbo", queue.name)

    def user_name(self, database_id: int, principal_id: int) -> str:
        user = self.snapshot.get(Principal, database_id, principal_id)
        return user.name if user is not None else str(principal_id)

    def may(self, principal_id: int, database_id: int, permission: str, record: Queue | Service | Module) -> bool:
        return principal_may(self.snapshot, principal_id, database_id, permission, record)

    def session_of(self, owner: LockOwner | None) -> Session | None:
        """Whose transaction it is."""
        for other in list(self.instance.sessions.values()):
            if owner is not None and other.transaction is not None and other.transaction.owner is owner:
                return other
        return None

    # --- findings about one thing -----------------------------------------------------------------------------

    def broker(self, database: Database, evidence: Iterable[Evidence] = ()) -> Finding | None:
        """Why the broker of a database delivers nothing."""
        problem = database.broker_problem
        if not problem:
            return None
        row = {
            "view": "sys.databases", "name": database.name, "is_broker_enabled": database.is_broker_enabled, "state_desc": database.state,
            "is_read_only": database.is_read_only, "user_access_desc": database.user_access,
        }  # fmt: skip
        rows = (row, *evidence)
        name = database.name
        if database.state != "ONLINE":
            return found(
                "DATABASE_OFFLINE",
                name,
                f"The database {name} is {database.state}.",
                name,
                rows,
                f"ALTER DATABASE {bracketed(name)} SET ONLINE;",
            )
        if problem == _READ_ONLY:
            repair = repairs.set_database(name, "READ_WRITE")
            return found("DATABASE_READ_ONLY", name, f"{name}: {said(problem)}", name, rows, repair)
        if problem == _SINGLE_USER:
            repair = repairs.set_database(name, "MULTI_USER")
            return found("DATABASE_SINGLE_USER", name, f"{name}: {said(problem)}", name, rows, repair)
        twin = self.index.by_guid.get(database.service_broker_guid.int)
        if twin is not None and twin.id != database.id and twin.is_broker_enabled:
            text = said(9772, name)
            return found("BROKER_ID_TAKEN", name, text, name, rows, repairs.set_database(name, "NEW_BROKER"))
        text = f"The broker of the database {name} is disabled."
        inside = users_of(self.instance, database.id)[:_SESSIONS]
        rows = (*rows, *({"view": "sys.dm_exec_sessions", "session_id": s.spid, "database": name} for s in inside))
        return found("BROKER_DISABLED", name, text, name, rows, repairs.set_database(name, "ENABLE_BROKER"))

    def queue_off(self, queue: Queue, evidence: Iterable[Evidence] = ()) -> Finding:
        """A queue with STATUS = OFF, by hand or by poison messages (the error log tells)."""
        database, name = self.name(queue.database_id), self.queue_name(queue)
        repair = repairs.in_database(database, f"ALTER QUEUE {name} WITH STATUS = ON;")
        full = self.instance.queue_name(queue.id)
        text = said(9617, full)
        lines = [
            r
            for r in self.instance.error_log
            if r.number == 9617 and r.text.startswith(text[: text.index(full) + len(full)])
        ]
        row = {"view": "sys.service_queues", "name": queue.name, "is_receive_enabled": False}
        if lines and lines[-1].time >= queue.modify_date - 1.0:
            line = {"view": "error log", "time": lines[-1].time, "text": lines[-1].text}
            text = f"Five rollbacks in a row have switched the queue {full} off (poison message handling)."
            return found("POISON_MESSAGE", database, text, queue.name, (row, line, *evidence), repair)
        return found("QUEUE_OFF", database, f"The queue {full} is disabled.", queue.name, (row, *evidence), repair)

    def activation(self, queue: Queue, evidence: Iterable[Evidence] = ()) -> Iterator[Finding]:
        """What is wrong with the activation of a queue that has a procedure."""
        database, name = self.name(queue.database_id), self.queue_name(queue)
        evidence = (self._activation_row(queue), *evidence)
        procedure = self._procedure(queue)
        if not isinstance(procedure, Module):
            similar = self._similar_procedure(queue)
            repair = f"PROCEDURE_NAME = {similar}" if similar else "DROP"
            text = f"The activation procedure {queue.activation_procedure} of the queue {queue.name} does not exist."
            going = self._set_going(queue) if similar else ()
            repair = "\n".join((repairs.activation(database, name, repair), *going))
            yield found("PROCEDURE_MISSING", database, text, queue.name, evidence, repair)
        user = queue.execute_as_principal_id
        if user not in (None, _OWNER) and self.snapshot.get(Principal, queue.database_id, user) is None:
            text = f"The user that the activation of the queue {queue.name} runs as does not exist."
            repair = "\n".join((repairs.activation(database, name, "EXECUTE AS OWNER"), *self._set_going(queue)))
            yield found("ACTIVATION_USER_MISSING", database, text, queue.name, evidence, repair)
        elif isinstance(procedure, Module):
            runs_as = (queue.principal_id or _DBO) if user in (None, _OWNER) else user
            assert runs_as is not None
            if not self.may(runs_as, queue.database_id, "EXECUTE", procedure):
                who = self.user_name(queue.database_id, runs_as)
                text = f"{who}, who runs the procedure {queue.activation_procedure} of the queue {queue.name}, may not execute it."
                grant = f"GRANT EXECUTE ON {queue.activation_procedure} TO {bracketed(who)};"
                repair = "\n".join((repairs.in_database(database, grant), *self._set_going(queue)))
                yield found("EXECUTE_DENIED", database, text, queue.name, evidence, repair)
        if queue.max_readers == 0:
            repair = repairs.activation(database, name, "MAX_QUEUE_READERS = 1")
            yield found("NO_READERS", database, said(9648, queue.name), queue.name, evidence, repair)

    def _set_going(self, queue: Queue) -> tuple[str, ...]:
        """A monitor that is NOTIFIED does nothing until the activation goes off and on."""
        name = self.queue_name(queue)
        return tuple(f"ALTER QUEUE {name} WITH ACTIVATION (STATUS = {word});" for word in ("OFF", "ON"))

    def restart(self, queue: Queue) -> str:
        return repairs.in_database(self.name(queue.database_id), *self._set_going(queue))

    def _activation_row(self, queue: Queue) -> Evidence:
        user = queue.execute_as_principal_id
        return {
            "view": "sys.service_queues", "name": queue.name, "activation_procedure": queue.activation_procedure, "max_readers": queue.max_readers,
            "is_activation_enabled": queue.is_activation_enabled, "execute_as_principal_id": user,
        }  # fmt: skip

    def _procedure(self, queue: Queue) -> Module | None:
        wanted = parse_object_name(queue.activation_procedure or "")
        where = self.database(wanted.database) if wanted.database else self.index.databases.get(queue.database_id)
        schema = self.snapshot.find(Schema, where.id, wanted.schema or "dbo") if where is not None else None
        one = (
            self.snapshot.find_object(where.id, schema.id, wanted.name)
            if where is not None and schema is not None
            else None
        )
        return one if isinstance(one, Module) and one.type == "P" else None

    def _similar_procedure(self, queue: Queue) -> str:
        """A procedure of the database that may have been meant: of the same name in
        another schema, or of almost that name."""
        wanted = parse_object_name(queue.activation_procedure or "").name
        there = {m.name: m for m in self.snapshot.all(Module, queue.database_id) if m.type == "P"}
        same = next((name for name in there if name.lower() == wanted.lower()), None)
        close = [same] if same is not None else nearest(wanted, there)
        if not close:
            return ""
        schema = self.snapshot.get(Schema, queue.database_id, there[close[0]].schema_id)
        return dotted(schema.name if schema is not None else "dbo", close[0])

    def classify(self, database_id: int, service: str, broker_instance: str | None) -> Classification:
        """Where a message of a database would go."""
        return classify(self.index, database_id, service, parse_guid(broker_instance), self.instance.host)
