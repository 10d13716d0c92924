"""One conversation from its BEGIN to its END: both endpoints, what happened, and the messages that wait.

It decides where to look: the endpoints in every database of the instance, the queues and the transmission queue for
what is there now, the recorder for what was. It must not know how it is drawn.
"""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed, dotted
from sbql.grammar.types import NVARCHAR_MAX, VARBINARY_MAX
from sbql.repl.commands.command import CommandError, Desk

__all__ = ["conversation"]

_DATABASES: Final = """
SELECT name FROM sys.databases WHERE is_broker_enabled = 1 AND state = 0 AND HAS_DBACCESS(name) = 1
ORDER BY CASE WHEN database_id = DB_ID() THEN 0 ELSE 1 END, database_id"""

_ENDPOINTS: Final = """
SELECT e.conversation_id, e.conversation_handle, CASE e.is_initiator WHEN 1 THEN 'initiator' ELSE 'target' END, s.name, e.far_service, e.state_desc,
    c.name, sc.name, q.name, CASE WHEN e.dialog_timer > '1901-01-01' THEN CONVERT(nvarchar(30), e.dialog_timer, 121) END
FROM {db}.sys.conversation_endpoints AS e LEFT JOIN {db}.sys.services AS s ON s.service_id = e.service_id
    LEFT JOIN {db}.sys.service_queues AS q ON q.object_id = s.service_queue_id LEFT JOIN {db}.sys.schemas AS sc ON sc.schema_id = q.schema_id
    LEFT JOIN {db}.sys.service_contracts AS c ON c.service_contract_id = e.service_contract_id
ORDER BY e.lifetime, e.is_initiator DESC"""

_WAITING: Final = """
SELECT CONVERT(nvarchar(30), m.message_enqueue_time, 121), m.message_sequence_number, m.message_type_name,
    CASE m.status WHEN 0 THEN 'received' WHEN 1 THEN 'ready' WHEN 2 THEN 'not yet in order' ELSE 'sent, retained' END, m.message_body
FROM {queue} AS m WHERE m.conversation_handle = '{handle}' ORDER BY m.queuing_order"""

_DELAYED: Final = """
SELECT CONVERT(nvarchar(30), t.enqueue_time, 121), t.message_sequence_number, t.message_type_name,
    CASE WHEN t.transmission_status = '' THEN 'to be transmitted' ELSE t.transmission_status END, t.message_body
FROM {db}.sys.transmission_queue AS t WHERE t.conversation_handle = '{handle}' ORDER BY t.message_sequence_number"""

_SIDES: Final = ("database", "role", "service", "far_service", "state", "contract", "timer", "handle")
_STEPS: Final = ("time", "side", "event", "message_type", "number", "state", "detail")
_MESSAGES: Final = ("waits_in", "since", "number", "message_type", "status", "message_body")
_TYPES: Final = {"message_body": VARBINARY_MAX}


def _result(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> ResultSet:
    return ResultSet([ResultColumn(name, _TYPES.get(name, NVARCHAR_MAX)) for name in names], rows)


def conversation(desk: Desk, argument: str) -> None:
    """`argument`: the beginning of a conversation's id or of a handle of either side; without one, the
    last that began in this database."""
    ends = []
    for (database,) in desk.rows(_DATABASES):
        try:
            ends += [(str(database), *row) for row in desk.rows(_ENDPOINTS.format(db=bracketed(database)))]
        except SqlError:  # a database that does not tell: the other side may
            continue
    found = _chosen(desk, argument.strip().strip("'{}").lower(), ends)
    desk.say(f"Conversation {str(found).upper()}")
    both = [end for end in ends if end[1] == found]
    sides = [(db, role, service, far, state, contract, timer, str(handle).upper())
             for db, _, handle, role, service, far, state, contract, _, _, timer in both]  # fmt: skip
    if sides:
        desk.show(_result(_SIDES, sides))
    else:
        desk.say("Its endpoints are gone.")
    _tell_history(desk, found)
    waiting = [row for end in both for row in _waiting(desk, end)]
    if waiting:
        desk.show(_result(_MESSAGES, waiting))
    else:
        desk.say("No message of it waits anywhere here.")


def _chosen(desk: Desk, wanted: str, ends: list[tuple[Any, ...]]) -> UUID:
    known = list(dict.fromkeys(UUID(str(end[1])) for end in ends))
    if not wanted:
        here = [UUID(str(end[1])) for end in ends if end[0] == desk.session.database_name]
        if not (here or known):
            raise CommandError("There is no conversation. \\conversations lists those of this database.")
        return (here or known)[-1]
    known += [one for one in desk.recorder.conversations() if one not in known]
    handles = {str(end[2]).lower(): UUID(str(end[1])) for end in ends}
    hits = {one for one in known if str(one).startswith(wanted)}
    hits |= {one for handle, one in handles.items() if handle.startswith(wanted)}
    if len(hits) != 1:
        many = "Several conversations begin" if hits else "No conversation and no handle begins"
        raise CommandError(f"{many} with '{wanted}'. \\conversations lists those of this database.")
    return hits.pop()


def _tell_history(desk: Desk, found: UUID) -> None:
    events = list(desk.recorder.of(found))
    if not any(event.subclass in ("BEGIN DIALOG", "BEGIN MONOLOG") for event in events):
        desk.say("It began before this prompt did: what happened then is not recorded.")
    steps = [
        (
            event.start_time.strftime("%H:%M:%S.%f")[:-3] if event.start_time is not None else "",
            event.role, f"{event.event_class.removeprefix('Broker:').removeprefix('Conversation')} {event.subclass}".strip(),
            event.message_type, "" if event.message_number is None else str(event.message_number), event.text, event.detail,
        )
        for event in events
        if event.event_class != "Broker:Conversation Group"
    ]  # fmt: skip
    if steps:
        desk.show(_result(_STEPS, steps))


def _waiting(desk: Desk, end: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    database, handle, schema, queue = end[0], end[2], end[8], end[9]
    rows = []
    if queue is not None:
        place = f"{database}.{schema}.{queue}"
        rows += [
            (place, *row)
            for row in _ordered(desk, _WAITING.format(queue=dotted(database, schema, queue), handle=handle))
        ]
    rows += [
        (f"{database}, transmission queue", *row)
        for row in _ordered(desk, _DELAYED.format(db=bracketed(database), handle=handle))
    ]
    return rows


def _ordered(desk: Desk, query: str) -> list[tuple[Any, ...]]:
    try:
        return desk.rows(query)
    except SqlError:
        return []
