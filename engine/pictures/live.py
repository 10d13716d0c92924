"""A conversation or a conversation group as it is now: endpoints, waiting and delayed messages, timers.

Decides how much can be said: what was received is gone, unless the queue has RETENTION; the sequence numbers of the
endpoints tell how many messages there were, and such a run is one arrow. Both sides are looked for in every database
that has a broker. Times are UTC, as in the views.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

from msgspec import Struct, field

from sbql.engine.broker.system_messages import DIALOG_TIMER, END_DIALOG, ERROR
from sbql.engine.pictures.asking import Runs, rows, time_text
from sbql.engine.pictures.model import Arrow, ArrowKind, Note, Participant, SequenceDiagram
from sbql.engine.pictures.picture import Picture
from sbql.grammar.names import bracketed, dotted

__all__ = ["conversation"]

_DATABASES: Final = """
SELECT name FROM sys.databases WHERE is_broker_enabled = 1 AND state = 0 AND HAS_DBACCESS(name) = 1
ORDER BY CASE WHEN database_id = DB_ID() THEN 0 ELSE 1 END, database_id
"""

_ENDPOINTS: Final = """
SELECT e.conversation_handle, e.conversation_id, e.is_initiator, e.conversation_group_id, e.state, e.state_desc, s.name, e.far_service,
    c.name, sc.name, q.name, e.send_sequence, e.receive_sequence, e.dialog_timer, e.lifetime
FROM {db}.sys.conversation_endpoints AS e JOIN {db}.sys.services AS s ON s.service_id = e.service_id
    JOIN {db}.sys.service_queues AS q ON q.object_id = s.service_queue_id JOIN {db}.sys.schemas AS sc ON sc.schema_id = q.schema_id
    LEFT JOIN {db}.sys.service_contracts AS c ON c.service_contract_id = e.service_contract_id
WHERE {where} ORDER BY e.lifetime, e.is_initiator DESC
"""

_QUEUED: Final = """
SELECT status, message_sequence_number, message_type_name, message_enqueue_time,
    CASE WHEN message_type_name = N'http://schemas.microsoft.com/SQL/ServiceBroker/Error' THEN CAST(message_body AS xml).value(
        'declare namespace e="http://schemas.microsoft.com/SQL/ServiceBroker/Error";
         concat((/e:Error/e:Code)[1], ": ", (/e:Error/e:Description)[1])', 'nvarchar(3000)') END
FROM {queue} WHERE conversation_handle = '{handle}' ORDER BY queuing_order
"""

_DELAYED: Final = """
SELECT message_sequence_number, message_type_name, enqueue_time, transmission_status, is_conversation_error, is_end_of_dialog
FROM {db}.sys.transmission_queue WHERE conversation_handle = '{handle}' ORDER BY message_sequence_number
"""


class _Endpoint(Struct):
    database: str
    handle: UUID
    conversation: UUID
    is_initiator: bool
    group: UUID
    state: str
    state_desc: str
    service: str
    far_service: str
    contract: str | None
    schema: str
    queue: str
    sent: int
    received: int
    timer: Any
    lifetime: Any
    waiting: list[tuple[Any, ...]] = field(default_factory=list)
    """Rows of the queue: status, number, type, time, error."""

    @property
    def participant(self) -> str:
        return f"{self.database}/{self.service}/{'i' if self.is_initiator else 't'}"


def conversation(source: Runs, id: str | UUID) -> Picture:
    """The conversation or group with this id: a handle of either side, a conversation_id, or a conversation_group_id.

    Asks `source` with the rights that it has. A conversation that nobody knows (ended on both sides, or never begun) is
    a LookupError, a text that is no GUID a ValueError.
    """
    wanted = id if isinstance(id, UUID) else UUID(str(id).strip())
    databases = [name for (name,) in rows(source, _DATABASES)]
    guid = f"'{wanted}'"
    own = f"{guid} IN (e.conversation_handle, e.conversation_id, e.conversation_group_id)"
    found = [endpoint for name in databases for endpoint in _endpoints(source, name, own)]
    if not found:
        raise LookupError(f"no conversation, conversation handle or conversation group {str(wanted).upper()} is here")
    ids = ", ".join(f"'{c}'" for c in dict.fromkeys(e.conversation for e in found))
    ends = [e for name in databases for e in _endpoints(source, name, f"e.conversation_id IN ({ids})")]
    for end in ends:
        queue = dotted(end.database, end.schema, end.queue)
        end.waiting = rows(source, _QUEUED.format(queue=queue, handle=end.handle))
    kind = "Conversation group" if any(e.group == wanted for e in found) else "Conversation"
    return Picture(_diagram(source, f"{kind} {str(wanted).upper()}", ends))


def _endpoints(source: Runs, database: str, where: str) -> Iterable[_Endpoint]:
    for row in rows(source, _ENDPOINTS.format(db=bracketed(database), where=where)):
        yield _Endpoint(database, row[0], row[1], bool(row[2]), *row[3:5], *row[5:])


def _diagram(source: Runs, title: str, ends: list[_Endpoint]) -> SequenceDiagram:
    dialogs: dict[UUID, list[_Endpoint]] = {}
    for end in ends:
        dialogs.setdefault(end.conversation, []).append(end)
    participants: dict[str, Participant] = {}
    steps: list[tuple[str, Arrow | Note]] = []
    for number, both in enumerate(dialogs.values(), 1):
        prefix = f"dialog {number}: " if len(dialogs) > 1 else ""
        initiator = next((e for e in both if e.is_initiator), None)
        target = next((e for e in both if not e.is_initiator), None)
        left, right = _sides(participants, initiator, target)
        steps += _Dialog(source, prefix, initiator, target, left, right).steps()
    ordered = sorted(participants.values(), key=lambda p: p.role != "initiator")
    return SequenceDiagram(title, tuple(ordered), tuple(step for _, step in steps))


def _sides(known: dict[str, Participant], initiator: _Endpoint | None, target: _Endpoint | None) -> tuple[str, str]:
    """The keys of the two participants; a side that is not here gets one that says so."""
    keys = []
    for end, other, role in ((initiator, target, "initiator"), (target, initiator, "target")):
        if end is not None:
            place = (f"{end.database}, queue {end.schema}.{end.queue}",)
            participant = Participant(end.participant, end.service, role, place)
        else:
            assert other is not None, "one side of a conversation is here"
            key = f"/{other.far_service}/{role}"
            gone = "its endpoint is gone" if other.state in ("DI", "ER", "CD", "DO") else "no endpoint here yet"
            participant = Participant(key, other.far_service, role, (gone,))
        known.setdefault(participant.key, participant)
        keys.append(participant.key)
    return keys[0], keys[1]


class _Dialog:
    """The steps of one conversation, those whose time is known in that order, the others as early as they can be."""

    def __init__(
        self, source: Runs, prefix: str, initiator: _Endpoint | None, target: _Endpoint | None, left: str, right: str
    ) -> None:
        self.source, self.prefix = source, prefix
        self.ends = [
            (e, key, far) for e, key, far in ((initiator, left, right), (target, right, left)) if e is not None
        ]
        self.initiator, self.target = initiator, target

    def steps(self) -> list[tuple[str, Arrow | Note]]:
        dated: list[tuple[str, Arrow | Note]] = []
        for end, key, _ in self.ends:
            if end.is_initiator:
                dated.append(
                    ("", Note(key, f"{self.prefix}BEGIN DIALOG, contract {end.contract or 'unknown'}", "begin"))
                )
        for end, key, far in self.ends:
            peer = self.target if end.is_initiator else self.initiator
            dated += self._sent(end, peer, key, far)
        dated.sort(key=lambda step: step[0])
        for end, key, _ in self.ends:
            if time_text(end.timer):
                text = f"{self.prefix}timer, due {end.timer:%Y-%m-%d %H:%M:%S}"
                dated.append(("~", Note(key, text, "timer")))
            dated += [("~", Note(key, f"{self.prefix}DialogTimer waits", "timer", time_text(at)))
                      for _, _, kind, at, _ in end.waiting if kind == DIALOG_TIMER]  # fmt: skip
            dated.append(("~", Note(key, f"{self.prefix}{end.state} {end.state_desc}", "state")))
        return dated

    def _sent(self, end: _Endpoint, peer: _Endpoint | None, key: str, far: str) -> list[tuple[str, Arrow | Note]]:
        """What `end` has sent, as the queue of its peer, its own retained copies and the transmission queue have it."""
        known: dict[int, tuple[str, Arrow | Note]] = {}
        for status, number, name, at, _ in end.waiting:
            if status == 3:
                known[number] = (_stamp(at), self._arrow(key, far, name, number, at, "message"))
        texts = _DELAYED.format(db=bracketed(end.database), handle=end.handle)
        for number, name, at, status, is_error, is_end in rows(self.source, texts):
            label = ERROR if is_error else END_DIALOG if is_end else name
            known[number] = (_stamp(at), self._arrow(key, far, label, number, at, "delayed", status or ""))
        errors: list[tuple[str, Arrow | Note]] = []
        for status, number, name, at, error in peer.waiting if peer is not None else ():
            if status not in (0, 1) or name == DIALOG_TIMER:
                continue
            kind: ArrowKind = "error" if name == ERROR else "end" if name == END_DIALOG else "waiting" if status == 1 else "message"  # fmt: skip
            if name == ERROR and (error or "").startswith("-"):  # the broker's own, from no side
                errors.append((_stamp(at), Note(far, f"{self.prefix}{_short(name)} {error}", "error", time_text(at))))
                continue
            known[number] = (_stamp(at), self._arrow(key, far, name, number, at, kind, error or ""))
        return [*self._earlier(end, known, key, far), *known.values(), *errors]

    def _earlier(
        self, end: _Endpoint, known: dict[int, tuple[str, Arrow | Note]], key: str, far: str
    ) -> Iterable[tuple[str, Arrow | Note]]:
        """The numbers that were sent and that nobody has any more."""
        marks = [-1, *sorted(n for n in known if n < end.sent), end.sent]
        for before, after in pairwise(marks):
            if after - before > 1:
                numbers = f"{before + 1}" if after - before == 2 else f"{before + 1}–{after - 1}"
                count = after - before - 1
                label = f"{self.prefix}{count} message{'s' if count > 1 else ''}, received"
                stamp = known[before][0] if before in known else ""
                yield stamp, Arrow(key, far, label, "earlier", numbers)

    def _arrow(self, key: str, far: str, name: str, number: int, at: Any, kind: ArrowKind, detail: str = "") -> Arrow:
        return Arrow(key, far, self.prefix + _short(name), kind, str(number), time_text(at), detail)


def _short(name: str) -> str:
    """System types by their last word."""
    return name.rpartition("/")[2] if name in (ERROR, END_DIALOG, DIALOG_TIMER) else name


def _stamp(at: Any) -> str:
    """For sorting: ISO, as all times here are UTC."""
    return at.isoformat(timespec="microseconds") if hasattr(at, "isoformat") else ""
