"""Lists and descriptions: what there is in the current database, asked of the catalog views.

It decides which columns are worth a glance. A pattern is that of LIKE and is compared with the name; without one the
system's own objects are left out. It must not know how a list looks.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar.digits import is_whole, whole
from sbql.grammar.names import bracketed
from sbql.repl.commands.command import CommandError, Desk, name_literal

__all__ = [
    "contracts", "conversations", "databases", "describe", "groups", "peek", "procedures", "queues", "routes", "services", "tables", "tasks",
    "transmission", "types",
]  # fmt: skip

_PEEKED: Final = 10

_DATABASES: Final = """
SELECT d.name AS [database], CASE d.is_broker_enabled WHEN 1 THEN 'on' ELSE 'off' END AS broker,
    CASE d.is_trustworthy_on WHEN 1 THEN 'yes' ELSE 'no' END AS trustworthy, d.state_desc AS state, d.service_broker_guid
FROM sys.databases AS d WHERE {name} ORDER BY d.name"""

_TYPES: Final = """
SELECT t.name AS message_type, t.validation_desc AS validation, x.name AS xml_schema_collection
FROM sys.service_message_types AS t LEFT JOIN sys.xml_schema_collections AS x ON x.xml_collection_id = t.xml_collection_id
WHERE {name} ORDER BY t.name"""

_CONTRACTS: Final = """
SELECT c.name AS contract, t.name AS message_type,
    CASE WHEN u.is_sent_by_initiator = 1 AND u.is_sent_by_target = 1 THEN 'either side'
        WHEN u.is_sent_by_initiator = 1 THEN 'initiator' ELSE 'target' END AS sent_by, t.validation_desc AS validation
FROM sys.service_contracts AS c LEFT JOIN sys.service_contract_message_usages AS u ON u.service_contract_id = c.service_contract_id
    LEFT JOIN sys.service_message_types AS t ON t.message_type_id = u.message_type_id
WHERE {name} ORDER BY c.name, u.is_sent_by_initiator DESC, t.name"""

_QUEUE: Final = """
SELECT {literal} AS queue, (SELECT COUNT(*) FROM {queue} AS m WHERE m.status = 1) AS ready, (SELECT COUNT(*) FROM {queue} AS m) AS messages,
    CASE q.is_receive_enabled WHEN 1 THEN 'on' ELSE 'OFF' END AS status,
    CASE WHEN q.activation_procedure IS NULL THEN '' WHEN q.is_activation_enabled = 1 THEN 'on' ELSE 'off' END AS activation,
    q.activation_procedure AS [procedure], q.max_readers AS readers
FROM sys.service_queues AS q WHERE q.object_id = {id}"""

_SERVICES: Final = """
SELECT s.name AS service, SCHEMA_NAME(q.schema_id) + '.' + q.name AS queue, c.name AS contract, USER_NAME(s.principal_id) AS owner
FROM sys.services AS s LEFT JOIN sys.service_queues AS q ON q.object_id = s.service_queue_id
    LEFT JOIN sys.service_contract_usages AS u ON u.service_id = s.service_id
    LEFT JOIN sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
WHERE {name} ORDER BY s.name, c.name"""

_ROUTES: Final = """
SELECT r.name AS route, r.remote_service_name AS service, r.address, r.mirror_address, r.broker_instance, r.lifetime
FROM sys.routes AS r WHERE {name} ORDER BY r.name"""

_PROCEDURES: Final = """
SELECT SCHEMA_NAME(p.schema_id) + '.' + p.name AS [procedure], a.name AS parameter, TYPE_NAME(a.user_type_id) AS type,
    CASE a.is_output WHEN 1 THEN 'output' ELSE '' END AS direction, q.name AS activated_by
FROM sys.procedures AS p LEFT JOIN sys.parameters AS a ON a.object_id = p.object_id
    LEFT JOIN sys.service_queues AS q ON OBJECT_ID(q.activation_procedure) = p.object_id
WHERE {name} ORDER BY p.name, a.parameter_id"""

_TABLES: Final = """
SELECT SCHEMA_NAME(o.schema_id) + '.' + o.name AS name, CASE o.type WHEN 'U' THEN 'table' ELSE 'view' END AS kind,
    (SELECT COUNT(*) FROM sys.columns AS c WHERE c.object_id = o.object_id) AS columns, o.create_date AS created
FROM sys.objects AS o WHERE o.type IN ('U', 'V') AND {name} ORDER BY o.name"""

_COLUMNS: Final = """
SELECT c.name AS [column], TYPE_NAME(c.user_type_id) AS type, c.max_length AS length, c.precision, c.scale,
    CASE c.is_nullable WHEN 1 THEN 'null' ELSE 'not null' END AS nullable
FROM sys.columns AS c WHERE c.object_id = {id} ORDER BY c.column_id"""

_CONVERSATIONS: Final = """
SELECT e.state_desc AS state, s.name AS service, e.far_service, CASE e.is_initiator WHEN 1 THEN 'initiator' ELSE 'target' END AS role,
    c.name AS contract, e.conversation_handle, e.conversation_id, CASE WHEN e.dialog_timer > '1901-01-01' THEN e.dialog_timer END AS dialog_timer
FROM sys.conversation_endpoints AS e LEFT JOIN sys.services AS s ON s.service_id = e.service_id
    LEFT JOIN sys.service_contracts AS c ON c.service_contract_id = e.service_contract_id
WHERE {name} ORDER BY e.lifetime, e.conversation_id, e.is_initiator DESC"""

_GROUPS: Final = """
SELECT g.conversation_group_id, s.name AS service,
    (SELECT COUNT(*) FROM sys.conversation_endpoints AS e WHERE e.conversation_group_id = g.conversation_group_id) AS conversations
FROM sys.conversation_groups AS g LEFT JOIN sys.services AS s ON s.service_id = g.service_id WHERE {name} ORDER BY s.name"""

_TRANSMISSION: Final = """
SELECT t.enqueue_time AS enqueued, t.to_service_name AS to_service, t.message_type_name AS message_type, t.message_sequence_number AS number,
    t.transmission_status AS status, t.conversation_handle
FROM sys.transmission_queue AS t WHERE {name} ORDER BY t.enqueue_time, t.message_sequence_number"""

_TASKS: Final = """
SELECT t.spid, DB_NAME(t.database_id) AS [database], OBJECT_NAME(t.queue_id, t.database_id) AS queue, t.procedure_name AS [procedure]
FROM sys.dm_broker_activated_tasks AS t ORDER BY t.spid"""

_MONITORS: Final = """
SELECT DB_NAME(m.database_id) AS [database], OBJECT_NAME(m.queue_id, m.database_id) AS queue, m.state, m.tasks_waiting,
    m.last_activated_time AS last_activated, m.last_empty_rowset_time AS last_empty
FROM sys.dm_broker_queue_monitors AS m ORDER BY m.database_id, m.queue_id"""

_MESSAGES: Final = """
SELECT TOP ({count}) m.queuing_order AS [order], m.message_type_name AS message_type, m.message_sequence_number AS number, m.message_body,
    m.conversation_handle, m.service_name AS service, m.priority, CASE m.status WHEN 0 THEN 'received' WHEN 1 THEN 'ready'
    WHEN 2 THEN 'not yet in order' ELSE 'sent, retained' END AS status
FROM {queue} AS m ORDER BY m.queuing_order"""


def _list(desk: Desk, query: str, column: str, argument: str, ours: str, nothing: str) -> None:
    """Rows whose `column` is like the argument; without one those for which `ours` holds."""
    condition = _like(column, argument) if argument.strip() else ours
    if not desk.look(query.format(name=condition)):
        desk.say(nothing if not argument.strip() else f"There is nothing like {argument.strip()} here.")


def _like(column: str, argument: str) -> str:
    """Also by the very name, which may have signs that mean something to LIKE."""
    return f"({column} LIKE {name_literal(argument)} OR {column} = {name_literal(argument)})"


def databases(desk: Desk, argument: str) -> None:
    _list(desk, _DATABASES, "d.name", argument, "1 = 1", "There are no databases.")


def types(desk: Desk, argument: str) -> None:
    _list(
        desk,
        _TYPES,
        "t.name",
        argument,
        "t.message_type_id > 65535",
        "There are no message types of yours in this database.",
    )


def contracts(desk: Desk, argument: str) -> None:
    _list(
        desk,
        _CONTRACTS,
        "c.name",
        argument,
        "c.service_contract_id > 65535",
        "There are no contracts of yours in this database.",
    )


def queues(desk: Desk, argument: str) -> None:
    condition = _like("q.name", argument) if argument.strip() else "q.is_ms_shipped = 0"
    found = desk.rows(
        "SELECT q.object_id, SCHEMA_NAME(q.schema_id), q.name FROM sys.service_queues AS q "
        f"WHERE {condition} ORDER BY SCHEMA_NAME(q.schema_id), q.name"
    )
    if not found:
        desk.say("There are no such queues in this database.")
        return
    parts = (
        _QUEUE.format(
            id=number, queue=f"{bracketed(schema)}.{bracketed(name)}", literal=name_literal(f"{schema}.{name}")
        )
        for number, schema, name in found
    )
    desk.look("\nUNION ALL".join(parts))


def services(desk: Desk, argument: str) -> None:
    _list(
        desk, _SERVICES, "s.name", argument, "s.service_id > 65535", "There are no services of yours in this database."
    )


def routes(desk: Desk, argument: str) -> None:
    _list(
        desk,
        _ROUTES,
        "r.name",
        argument,
        "1 = 1",
        "There are no routes in this database: nothing finds its way, not even to here.",
    )


def procedures(desk: Desk, argument: str) -> None:
    _list(desk, _PROCEDURES, "p.name", argument, "p.is_ms_shipped = 0", "There are no procedures in this database.")


def tables(desk: Desk, argument: str) -> None:
    _list(desk, _TABLES, "o.name", argument, "o.is_ms_shipped = 0", "There are no tables in this database.")


def conversations(desk: Desk, argument: str) -> None:
    _list(desk, _CONVERSATIONS, "s.name", argument, "1 = 1", "There are no conversations in this database.")


def groups(desk: Desk, argument: str) -> None:
    _list(desk, _GROUPS, "s.name", argument, "1 = 1", "There are no conversation groups in this database.")


def transmission(desk: Desk, argument: str) -> None:
    _list(desk, _TRANSMISSION, "t.to_service_name", argument, "1 = 1", "Nothing waits to be transmitted.")


def tasks(desk: Desk, argument: str) -> None:
    if not desk.look(_TASKS):
        desk.say("No activated procedure runs.")
    desk.look(_MONITORS)


def peek(desk: Desk, argument: str) -> None:
    """The argument is a queue's name, in any spelling, and a number of messages."""
    name, _, last = argument.strip().rpartition(" ")
    if not name or not is_whole(last):
        name, last = argument.strip(), str(_PEEKED)
    if not name:
        raise CommandError("Write the queue that you want to see: \\peek OrderQueue, or \\peek OrderQueue 50.")
    found = desk.rows(
        f"SELECT SCHEMA_NAME(schema_id), name FROM sys.service_queues WHERE object_id = OBJECT_ID({name_literal(name)})"
    ) or desk.rows(f"SELECT SCHEMA_NAME(schema_id), name FROM sys.service_queues WHERE name = {name_literal(name)}")
    if not found:
        raise CommandError(f"There is no queue {name} in {desk.session.database_name}. \\queues lists them.")
    schema, queue = found[0]
    if not desk.look(_MESSAGES.format(count=whole(last), queue=f"{bracketed(schema)}.{bracketed(queue)}")):
        desk.say(f"The queue {queue} is empty.")


_KINDS: Final = (
    ("SELECT 1 FROM sys.service_message_types WHERE name = {0}", types),
    ("SELECT 1 FROM sys.service_contracts WHERE name = {0}", contracts),
    ("SELECT 1 FROM sys.services WHERE name = {0}", services),
    ("SELECT 1 FROM sys.service_queues WHERE name = {0}", queues),
    ("SELECT 1 FROM sys.routes WHERE name = {0}", routes),
    ("SELECT 1 FROM sys.procedures WHERE name = {0}", procedures),
    ("SELECT 1 FROM sys.databases WHERE name = {0}", databases),
)


def describe(desk: Desk, argument: str) -> None:
    """All that has this name: of a message type, contract, service, queue, route or database its row, of a relation its
    columns, of a module its parameters and its text."""
    name = name_literal(argument)
    if name == "N''":
        raise CommandError("Write the name of what you want to see: \\describe OrderQueue.")
    is_found = False
    for query, tell in _KINDS:
        if desk.rows(query.format(name)):
            tell(desk, argument)
            is_found = True
    for number, kind in desk.rows(
        f"SELECT object_id, RTRIM(type) FROM sys.all_objects WHERE object_id = OBJECT_ID({name})"
    ):
        is_found = True
        if kind in ("U", "V", "S", "IT", "IF", "TF"):
            desk.look(_COLUMNS.format(id=number))
        if desk.rows(f"SELECT 1 FROM sys.sql_modules WHERE object_id = {number}"):
            for (text,) in desk.rows(f"SELECT definition FROM sys.sql_modules WHERE object_id = {number}"):
                desk.say(str(text or "(The text is encrypted.)").strip())
    if not is_found:
        raise CommandError(f"There is nothing named {argument.strip()} in {desk.session.database_name}.")
