"""Resting: an instance may have more conversations than memory should hold, and most of them do nothing just now.

Decides which conversations may leave the memory. All of this has to hold for their group:

- nobody has locked it, and no transaction takes part in it
- nothing of it waits to be sent or delivered
- its messages, if any are ready, are not in memory (paging.py).

They are kept as rows (idle_store.py) and are conversations again as soon as somebody asks for one of their
group. The first that came go first; one that is asked for comes back as the last. A store that is opened with many
leaves them where they are until then (unread_store.py).

Conversations of the instance's own, of monologs and of dialogs with other instances never rest: those who
look after them hold on to the objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import NEVER, ConversationEndpoint
from sbql.catalog.unread_endpoints import AtRest, UnreadEndpoints
from sbql.catalog.unread_messages import UnreadMessages
from sbql.engine.broker.idle_endpoint import NO_NUMBERS, IdleEndpoint
from sbql.engine.broker.idle_store import IdleStore
from sbql.engine.broker.memory_keys import group_key
from sbql.engine.broker.ready_index import Conversation, Group
from sbql.engine.broker.unread_store import UnreadStore
from sbql.engine.locks import LockTable
from sbql.grammar.errors import SqlError

__all__ = [
    "DEADLINE",
    "HORIZON",
    "IO_ERROR",
    "MAY_NEVER_REST",
    "MOST",
    "SECURITY_PERIOD",
    "Resting",
    "closed_until",
    "deadline",
    "may_ever_rest",
]

HORIZON: Final = 3_500_000_000.0
"""Deadlines after this moment (in 2080), such as the default LIFETIME of 68 years, are not planned."""

MOST: Final = 40_000
"""So many endpoints may stay in memory however many there are, some 50 MB. A look at more than may stay goes on until
half as many less are left."""

TIMES: Final = 6
SHARE: Final = 8
"""As many more may stay as have been asked for at rest, up to six times as many in all less an eighth of all that there
are, for one that rests takes an eighth of the memory of one that does not: both together take some 300 MB, until there
are more than a million and a half. What is begun and then left alone gets no more room by that."""

SLICE: Final = 200
"""Groups that are looked at in one go: about two milliseconds when all of them leave. Twice as many when there are too
many in memory; when there are far too many, up to MOST_TIMES as many, and whoever makes them has to wait."""
MOST_TIMES: Final = 5

MOST_LOOKS: Final = 50_000
"""Groups that are looked at in vain after one fold, where all conversations have something to do."""

SINGLE_LOOKS: Final = 64
"""So many endpoints are read one by one after a store was opened; behind each further one comes a page."""

PAGE: Final = 1_024
"""Endpoints that are brought from the store at once, in some 15 milliseconds."""

TURNS: Final = 1_000
"""Endpoints with messages that come into memory when it is the turn of the first."""

MOST_NUMBERS: Final = 256
"""One with more messages than this stays in memory: it is no great part of what they take."""

IO_ERROR: Final = 823
SECURITY_PERIOD: Final = 1800.0
"""A closed target keeps its row for 30 minutes after the first message of the initiator that says that the
acknowledgement of message 0 was seen (docs/spec: CLOSED): inside an instance the first after message 0."""


def may_ever_rest(endpoint: ConversationEndpoint) -> bool:
    """Whether nobody but the broker's state holds on to the conversation: `security` is
    decided for those with other instances."""
    return not endpoint.is_system and not endpoint.security


def closed_until(endpoint: ConversationEndpoint) -> float:
    """When a closed target may go. One that was never told that its receipt was seen waits until its lifetime is over,
    and then as long as the others."""
    return endpoint.security_timestamp or endpoint.lifetime + SECURITY_PERIOD


def deadline(endpoint: ConversationEndpoint) -> float:
    """When something is to be done for an endpoint of which nothing waits: its lifetime, its timer, the
    end of CD. NEVER when nothing is."""
    if endpoint.state == "CD":
        return closed_until(endpoint)
    if endpoint.state == "ER":
        return NEVER
    if endpoint.dialog_timer and endpoint.state != "DO":
        return min(endpoint.lifetime, endpoint.dialog_timer)
    return endpoint.lifetime


MAY_NEVER_REST: Final = "is_system OR security <> ''"
"""The contrary of `may_ever_rest`, as SQL for endpoints in the store."""

_DUE: Final = f"""CASE state WHEN 'CD' THEN coalesce(nullif(security_timestamp, 0), lifetime + {SECURITY_PERIOD}) WHEN 'ER' THEN 'infinity' WHEN 'DO' THEN lifetime
    ELSE least(lifetime, nullif(dialog_timer, 0)) END"""
DEADLINE: Final = f"CASE WHEN {_DUE} < {HORIZON} THEN {_DUE} ELSE 'infinity' END"
"""`deadline` as SQL, of those before the horizon."""


class Resting:
    """The conversations of an instance that are out of memory. Every method is called with the state's mutex held."""

    def __init__(
        self,
        endpoints: dict[int, Conversation],
        groups: dict[int, Group],
        transactions: Mapping[Any, None],
        locks: LockTable,
        first_turns: dict[int, tuple[int, int]],
    ) -> None:
        """`first_turns`: what queues look at (`ReadyIndex`)."""
        self.store = IdleStore()
        self.unread: UnreadStore | None = None
        """Those that are where they were when the store was opened."""
        self._most: int | None = None
        self.woken = 0
        """So many endpoints have been asked for while they rested."""
        self.on_failure: Callable[[str], None] | None = None
        """Told in words when there is no room for them; they stay in memory then."""
        self._endpoints = endpoints
        self._groups = groups
        self._transactions = transactions
        self._locks = locks
        self._first_turns = first_turns
        self._line: list[Group] = []
        self._looks = 0
        self._surplus: int | None = None
        """So many endpoints are still to rest after this fold; None before the first look."""
        self._in_vain = False
        self._single_looks = 0

    @property
    def least(self) -> int:
        """So many endpoints may stay in memory however many there are."""
        return MOST if self._most is None else self._most

    @property
    def most(self) -> int:
        """So many may stay there now."""
        if self._most is not None:
            return self._most
        return max(MOST, min(MOST + self.woken, TIMES * MOST - (len(self._endpoints) + self.count) // SHARE))

    @most.setter
    def most(self, most: int) -> None:
        """However many there are."""
        self._most = most

    @property
    def at_rest(self) -> AtRest:
        """Which endpoints may rest from the start. Of those that wait to be asked for none takes time then."""
        return AtRest(self.least, MAY_NEVER_REST, DEADLINE)

    def leave(
        self, unread: UnreadEndpoints, messages: UnreadMessages | None, queue_of_service: Callable[[int, int], int]
    ) -> None:
        """These are in the store that was opened, and stay there; so do the messages of some of them."""
        self._single_looks = SINGLE_LOOKS
        self.unread = UnreadStore(unread, {pair: queue_of_service(*pair) for pair in unread.services}, messages)
        self._note_turns(self.unread.turns)
        self._let_go_if_empty()

    def clear(self) -> None:
        """Forget all of them."""
        self.store.clear()
        self.unread = None
        self._first_turns.clear()

    @property
    def count(self) -> int:
        """Endpoints that rest."""
        return self.store.count + (0 if self.unread is None else self.unread.count)

    @property
    def closed(self) -> int:
        """Those of them that are CLOSED."""
        return sum(kept.closed for kept in self._kept())

    @property
    def next_due(self) -> float:
        """When something is to be done for one of them."""
        return min((kept.next_due for kept in self._kept() if kept.next_due is not None), default=HORIZON)

    def rows(self) -> Iterator[IdleEndpoint]:
        """All of them, which stay at rest. None may be put or taken meanwhile."""
        for kept in self._kept():
            yield from kept.rows()

    def _kept(self) -> Sequence[IdleStore | UnreadStore]:
        return (self.store,) if self.unread is None else (self.store, self.unread)

    # Out of memory

    def begin(self) -> None:
        """A fold is over: `some` may go on."""
        self._looks, self._surplus, self._in_vain = MOST_LOOKS, None, False

    def some(self, let_go: Callable[[Group], None]) -> bool:
        """Look at a few groups, those that have not been looked at longest, and let those rest that may, until as many
        have left as were too many behind the fold: who goes on to those that have come since keeps the next fold
        waiting. Returns whether to go on. `let_go` takes a group out of the memory."""
        if self._surplus is None:
            most = self.most
            self._surplus = 0 if len(self._endpoints) <= most else len(self._endpoints) - most + min(most, MOST) // 2
        if self._looks <= 0 or self._surplus <= 0:
            return False
        if not self._line:
            if self._in_vain:  # all of them have been looked at
                return False
            self._in_vain = True
            self._line = list(self._groups.values())
            self._line.reverse()
        times = min(1 + self._surplus // max(1, MOST // 2), MOST_TIMES)
        going = [self._line.pop() for _ in range(min(SLICE * times, len(self._line)))]
        changed = [t.endpoints for t in self._transactions if t.endpoints]
        resting = [group for group in going if self._may_rest(group, changed)]
        self._looks -= len(going) - len(resting)
        self._in_vain = self._in_vain and not resting
        rows = [_row(conversation, group) for group in resting for conversation in group.members]
        if not going or not self.put(rows):
            return False
        for group in resting:
            let_go(group)
        self._surplus -= len(rows)
        return True

    def put(self, rows: list[IdleEndpoint]) -> bool:
        """Keep endpoints that are in memory no more. False when there is no room: none rests from now on."""
        if not rows:
            return True
        try:
            self.store.put(rows)
        except OSError as error:
            self._give_up(error)
            return False
        self._note_turns({row.queue_id for row in rows if row.numbers})
        return True

    def _give_up(self, error: OSError) -> None:
        self.most = sys.maxsize
        if self.on_failure is not None:
            self.on_failure(f"Conversations at rest cannot be kept in a temporary file, and stay in memory: {error}")

    def _may_rest(self, group: Group, changed: list[dict[Conversation, None]]) -> bool:
        """`changed`: the conversations that each open transaction has changed or ended; so is what it sends to, and not
        locked, before the message is there."""
        record = group.record
        if self._groups.get(group_key(record.database_id, record.conversation_group_id)) is not group:
            return False
        if not group.stored or group.parked or group.overdue or group.held_by is not None or record.is_system:
            return False
        if self._locks.holder(group.resource) is not None:
            return False
        if len(group.members) > SLICE:
            return False
        for conversation in group.members:
            if not _is_idle(conversation) or (changed and any(conversation in each for each in changed)):
                return False
        return True

    # Into memory

    def of(self, database_id: int, handle: UUID) -> list[IdleEndpoint]:
        """The group of an endpoint, which rests no more."""
        taken = self.store.take(database_id, handle) if self.store.count else []
        if not taken and self.unread is not None:
            return self._from_unread(self.unread.take(database_id, handle))
        return self._have_left(taken) if taken else taken

    def of_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> list[IdleEndpoint]:
        taken = self.store.take_side(conversation_id, is_initiator, database_id) if self.store.count else []
        if not taken and self.unread is not None:
            return self._from_unread(self.unread.take_side(conversation_id, is_initiator, database_id))
        return self._have_left(taken) if taken else taken

    def of_group(self, database_id: int, group_id: UUID) -> list[IdleEndpoint]:
        taken = self.store.take_group(database_id, group_id) if self.store.count else []
        if not taken and self.unread is not None:
            return self._from_unread(self.unread.take_group(database_id, group_id))
        return self._have_left(taken) if taken else taken

    def due(self, now: float, limit: int) -> list[IdleEndpoint]:
        """Some for which something is to be done by `now`, with their groups."""
        taken = self.store.take_due(now, limit)
        if not taken and self.unread is not None:
            return self._from_unread(self.unread.take_due(now, limit))
        return self._have_left(taken)

    def turns(self, queue_id: int) -> list[IdleEndpoint]:
        """The first of a queue that have messages there, with their groups."""
        taken = [row for kept in self._kept() for row in kept.take_turns(queue_id, TURNS)]
        self._note_turns((queue_id,))
        return self._have_left(taken)

    def all_of(
        self, database_id: int, service_id: int | None = None, contract_id: int | None = None
    ) -> Iterable[list[IdleEndpoint]]:
        """All of a database, or of a service or contract there, in parts."""
        for kept in self._kept():
            for part in kept.take_parts(database_id, service_id, contract_id):
                yield self._have_left(part)

    def _from_unread(self, taken: list[IdleEndpoint]) -> list[IdleEndpoint]:
        return self._have_left(taken + self._further() if taken else taken)

    def _further(self) -> list[IdleEndpoint]:
        """Behind a look at the unread: a page of them comes where a look takes microseconds. Returns those that may
        stay in memory, or have no room there."""
        self._single_looks -= 1
        if self.unread is None or self._single_looks >= 0 or self.most == sys.maxsize:
            return []
        try:
            page = self.unread.take_page(PAGE)
        except SqlError:  # what was asked for has come
            return []
        if len(self._endpoints) + len(page) <= self.most:
            return page
        return [] if self.put(page) else page

    def _have_left(self, taken: list[IdleEndpoint]) -> list[IdleEndpoint]:
        self.woken += len(taken)
        if self._first_turns:
            self._note_turns({row.queue_id for row in taken if row.numbers})
        if self.unread is not None:
            self._let_go_if_empty()
        return taken

    def _note_turns(self, queues: Iterable[int]) -> None:
        """What waits at rest for these has changed."""
        for queue_id in queues:
            firsts = [kept.turns[queue_id] for kept in self._kept() if queue_id in kept.turns]
            if firsts:
                self._first_turns[queue_id] = min(firsts)
            else:
                self._first_turns.pop(queue_id, None)

    def _let_go_if_empty(self) -> None:
        if self.unread is not None and not self.unread.count:
            self.unread = None


def _is_idle(c: Conversation) -> bool:
    """Nothing waits on a conversation but ready messages that are only in the store, and nobody holds on to it."""
    if not c.stored or c.removed or c.is_far or c.goes_out or not may_ever_rest(c.endpoint):
        return False
    if c.monolog is not None or (c.run is not None and (c.run.later or len(c.run) > MOST_NUMBERS)):
        return False
    return not (c.messages or c.urgent or c.incomplete or c.retained or c.transmission or c.held)


def _row(conversation: Conversation, group: Group) -> IdleEndpoint:
    endpoint = conversation.endpoint
    due = deadline(endpoint) if conversation.deadline_serial else HORIZON
    numbers = NO_NUMBERS if conversation.run is None else conversation.run.numbers[conversation.run.start :]
    return IdleEndpoint(
        endpoint,
        due if due < HORIZON else None,
        group.queue.queue_id,
        numbers,
        conversation.seat,
        len(group.members) == 1,
    )
