"""The broker objects of a database as a graph: contracts and routes, services, queues, activation procedures.

Decides what belongs into the picture: what the user made, and of the built-in objects those that are used. Asked for in
T-SQL, so that a user sees what the views show him.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.engine.pictures.asking import Runs, rows
from sbql.engine.pictures.model import Edge, Graph, Node
from sbql.engine.pictures.picture import Picture
from sbql.grammar.names import bracketed

__all__ = ["topology"]

_FIRST_USER_ID: Final = 65536
"""Ids of services, contracts, routes and message types below are built in."""

_SERVICES: Final = (
    "SELECT service_id, name, service_queue_id FROM {db}.sys.services WHERE service_id >= {first} ORDER BY name"
)
_QUEUES: Final = """
SELECT q.object_id, s.name, q.name, q.activation_procedure, q.max_readers, q.is_activation_enabled, q.is_receive_enabled,
    q.is_enqueue_enabled, q.is_retention_enabled, q.is_poison_message_handling_enabled
FROM {db}.sys.service_queues AS q JOIN {db}.sys.schemas AS s ON s.schema_id = q.schema_id
WHERE q.is_ms_shipped = 0 OR q.object_id IN (SELECT service_queue_id FROM {db}.sys.services WHERE service_id >= {first})
ORDER BY s.name, q.name
"""
_USAGES: Final = (
    "SELECT service_id, service_contract_id FROM {db}.sys.service_contract_usages WHERE service_id >= {first}"
)
_CONTRACTS: Final = """
SELECT c.service_contract_id, c.name, m.name, u.is_sent_by_initiator, u.is_sent_by_target
FROM {db}.sys.service_contracts AS c JOIN {db}.sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
    JOIN {db}.sys.service_message_types AS m ON m.message_type_id = u.message_type_id
WHERE c.service_contract_id >= {first}
    OR c.service_contract_id IN (SELECT service_contract_id FROM {db}.sys.service_contract_usages WHERE service_id >= {first})
ORDER BY c.name, m.name
"""
_ROUTES: Final = (
    "SELECT route_id, name, remote_service_name, broker_instance, address FROM {db}.sys.routes ORDER BY name"
)


def topology(source: Runs, database: str | None = None) -> Picture:
    """Services, queues, contracts, routes and activation of a database (None: the one that `source` is in)."""
    name = database if database is not None else str(rows(source, "SELECT DB_NAME()")[0][0])

    def ask(text: str) -> list[tuple[Any, ...]]:
        return rows(source, text.format(db=bracketed(name), first=_FIRST_USER_ID))

    services, queues = ask(_SERVICES), ask(_QUEUES)
    nodes: list[Node] = [*_contracts(ask(_CONTRACTS)), *map(_route, ask(_ROUTES))]
    nodes += [Node(f"s{id}", "service", title, column=1) for id, title, _ in services]
    nodes += map(_queue, queues)
    nodes += _procedures(queues)
    known = {node.key for node in nodes}
    edges = [Edge(f"c{contract}", f"s{service}") for service, contract in ask(_USAGES)]
    named = {title: f"s{id}" for id, title, _ in services}
    edges += [Edge(f"r{row[0]}", named[row[2]]) for row in ask(_ROUTES) if row[2] in named]
    edges += [Edge(f"s{id}", f"q{queue}") for id, _, queue in services]
    edges += [Edge(f"q{row[0]}", f"p{row[3]}", dashed=not row[5]) for row in queues if row[3]]
    return Picture(
        Graph(
            f"Broker objects of the database {name}", tuple(nodes),
            tuple(edge for edge in edges if {edge.source, edge.target} <= known),
            ("Contracts and routes", "Services", "Queues", "Activation"),
        )
    )  # fmt: skip


def _contracts(usages: list[tuple[Any, ...]]) -> list[Node]:
    lines: dict[tuple[int, str], list[str]] = {}
    for id, name, message_type, by_initiator, by_target in usages:
        sign = "↔" if by_initiator and by_target else "→" if by_initiator else "←"
        lines.setdefault((id, name), []).append(f"{sign} {message_type}")
    return [Node(f"c{id}", "contract", name, tuple(found)) for (id, name), found in lines.items()]


def _route(row: tuple[Any, ...]) -> Node:
    id, name, service, instance, address = row
    lines = [
        f"to {service}" if service else "to every service",
        f"broker {instance}" if instance else "",
        address or "",
    ]
    return Node(f"r{id}", "route", name, tuple(filter(None, lines)))


def _queue(row: tuple[Any, ...]) -> Node:
    id, schema, name, procedure, readers, is_active, receives, enqueues, retention, poison = row
    lines = []
    if not (receives and enqueues):
        lines.append("STATUS = OFF")
    if retention:
        lines.append("RETENTION = ON")
    if not poison:
        lines.append("no poison message handling")
    if procedure:
        lines.append(
            f"activation {'ON' if is_active else 'OFF'}, {readers} reader{'' if readers == 1 else 's'} at most"
        )
    return Node(f"q{id}", "queue", f"{schema}.{name}", tuple(lines), 2)


def _procedures(queues: list[tuple[Any, ...]]) -> list[Node]:
    names = dict.fromkeys(row[3] for row in queues if row[3])
    return [Node(f"p{name}", "procedure", name, column=3) for name in names]
