"""Who waits for whom, as XML: the graph of a deadlock, and the report of a process that is blocked.

Decides the documents, in the form in which SQL Server's tools read them. When they are made is not known here.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from sbql.catalog.records import Module, Queue, Table
from sbql.engine.broker.event_notifications import posted_at
from sbql.engine.locks import LockOwner, Waits, words_of
from sbql.engine.ports import Instance, Session
from sbql.grammar.values.xml_text import escape_attribute, escape_text

__all__ = ["blocked_process", "deadlock_graph", "object_of", "session_of"]

_LEVELS = {
    "READ UNCOMMITTED": "read uncommitted (1)", "READ COMMITTED": "read committed (2)", "REPEATABLE READ": "repeatable read (3)",
    "SERIALIZABLE": "serializable (4)", "SNAPSHOT": "snapshot (5)",
}  # fmt: skip
_LOCKS = {
    "row": "keylock",
    "key": "keylock",
    "table": "objectlock",
    "applock": "applicationlock",
    "group": "applicationlock",
}
_TEXT_MOST = 4000


def session_of(instance: Instance, owner: LockOwner) -> Session | None:
    """Whose locks they are; None for the broker's own."""
    for session in list(instance.sessions.values()):
        transaction = session.transaction
        if session.applocks is owner or (transaction is not None and transaction.owner is owner):
            return session
    return None


def object_of(resource: Hashable) -> int:
    """The id of the table, or 0."""
    if isinstance(resource, tuple) and resource[0] in ("row", "key", "table") and isinstance(resource[1], int):
        return resource[1]
    return 0


def deadlock_graph(instance: Instance, cycle: Sequence[Waits]) -> str:
    """<deadlock-list> of processes each of which waits for the next; the first is the victim."""
    names = {id(one.owner): f"process{number:x}" for number, one in enumerate(cycle, 1)}
    processes = "".join(_process(instance, one.owner, names[id(one.owner)], waits=one) for one in cycle)
    resources = ""
    for number, one in enumerate(cycle, 1):
        holder = cycle[number % len(cycle)].owner
        tag, attributes = _resource(instance, one.resource)
        owners = _element("owner", {"id": names[id(holder)], "mode": holder.held.get(one.resource, "X")})
        waiters = _element("waiter", {"id": names[id(one.owner)], "mode": one.mode, "requestType": "wait"})
        inner = f"<owner-list>{owners}</owner-list><waiter-list>{waiters}</waiter-list>"
        resources += _element(
            tag, {**attributes, "id": f"lock{number:x}", "mode": holder.held.get(one.resource, "X")}, inner
        )
    victim = _element("victimProcess", {"id": names[id(cycle[0].owner)]})
    inner = f"<victim-list>{victim}</victim-list><process-list>{processes}</process-list><resource-list>{resources}</resource-list>"
    return f"<deadlock-list>{_element('deadlock', {'victim': names[id(cycle[0].owner)]}, inner)}</deadlock-list>"


def blocked_process(instance: Instance, blocked: Waits, holder: LockOwner | None, since: float, loop: int) -> str:
    """<blocked-process-report>, of one that waits since a moment; `loop` is the number of the look at it."""
    one = _process(instance, blocked.owner, "process1", waits=blocked, since=since)
    other = _process(instance, holder, "") if holder is not None else ""
    inner = f"<blocked-process>{one}</blocked-process><blocking-process>{other}</blocking-process>"
    return _element("blocked-process-report", {"monitorLoop": str(loop)}, inner)


def _process(
    instance: Instance, owner: LockOwner, name: str, *, waits: Waits | None = None, since: float | None = None
) -> str:
    session = session_of(instance, owner)
    found: dict[str, str] = {"id": name} if name else {}
    now = instance.host.now()
    if waits is not None:
        found["waitresource"] = _shown(waits.resource)
        found["waittime"] = str(round((now - since) * 1000) if since is not None else 0)
        found["lockMode"] = waits.mode
    if session is None:
        return _element("process", {**found, "status": "background"}, "<executionStack/><inputbuf/>")
    transaction, client = session.transaction, session.client
    if transaction is not None:
        found |= {"xactid": str(transaction.id), "transactionname": session.transaction_name or "user_transaction"}
        found["lasttranstarted"] = posted_at(transaction.begin_time)
    found |= {
        "status": "suspended" if waits is not None else "running" if session.is_running else "sleeping", "spid": str(session.spid), "sbid": "0", "ecid": "0",
        "priority": str(session.options.deadlock_priority), "trancount": str(session.trancount), "clientapp": client.program_name,
        "hostname": client.host_name or instance.name, "hostpid": str(client.process_id or 0), "loginname": session.login.name,
        "isolationlevel": _LEVELS.get(session.options.isolation_level, ""), "currentdb": str(session.database_id),
        "currentdbname": session.database_name, "lockTimeout": str(session.options.lock_timeout % 2**32),
    }  # fmt: skip
    text = escape_text(session.current_statement[:_TEXT_MOST])
    frame = _element("frame", {"procname": _running(session), "line": "1"}, text)
    return _element("process", found, f"<executionStack>{frame}</executionStack><inputbuf>{text}</inputbuf>")


def _running(session: Session) -> str:
    """The module that runs, as frames name it."""
    module = session.running_module
    return f"{session.database_name}.{module.name}" if isinstance(module, Module) else "adhoc"


def _resource(instance: Instance, resource: Hashable) -> tuple[str, dict[str, str]]:
    """The element of a lock's resource, and what it says."""
    kind = str(resource[0]) if isinstance(resource, tuple) else str(resource)
    object_id = object_of(resource)
    if not object_id:
        return _LOCKS.get(kind, "metadatalock"), {"dbid": "0", "hash": _shown(resource)}
    table = next((r for r in (*instance.catalog.all(Table), *instance.catalog.all(Queue)) if r.id == object_id), None)
    attributes = {
        "dbid": str(table.database_id if table is not None else 0),
        "objectname": table.name if table is not None else str(object_id),
    }
    name = "objid" if kind == "table" else "hobtid"
    return _LOCKS[kind], {name: str(object_id), **attributes, "associatedObjectId": str(object_id)}


def _shown(resource: Hashable) -> str:
    return ":".join(words_of(resource))


def _element(name: str, attributes: Mapping[str, str], inner: str = "") -> str:
    shown = "".join(f' {key}="{escape_attribute(value)}"' for key, value in attributes.items())
    return f"<{name}{shown}>{inner}</{name}>" if inner else f"<{name}{shown}/>"
