"""Paging: a queue may hold more messages than memory should.

Decides which ready messages stay in memory, and brings the others back before a RECEIVE wants them. A message that is
still ready when it has been folded into the readable tables needs no second copy; of those, only the first of each
queue's backlog stay. The rest are a pair of numbers each (`StoredRun`). Must not know statements, nor how the store
keeps its rows: `Fetch` reads them by their keys.

Only ready messages of ordinary types are paged: those retained, incomplete, or about errors and timers are few.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from sbql.catalog.records import QueuedMessage
from sbql.engine.broker.ready_index import Conversation, QueueStore
from sbql.engine.broker.ready_messages import all_of, with_all
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.locks import LockTable

__all__ = ["Paging"]

Fetch = Callable[[Sequence[int]], dict[int, QueuedMessage]]
"""Stored messages by their keys. It may leave out later ones when together they are large, never the first."""

MOST_MESSAGES: Final = 100_000
MOST_BYTES: Final = 64 << 20
"""So many ready messages, and bytes of their bodies, stay in memory when they have been folded."""

MOST_CONVERSATIONS: Final = 20_000
"""And of so many conversations: those of which no message is in memory may rest (resting.py)."""

PAGE: Final = 10_000
"""Messages that are brought back at once: a read costs milliseconds when many are stored, however few it brings."""

AHEAD: Final = 1_000
"""So many entries at the top of a queue's heap are looked at for conversations whose turn comes soon."""


class Paging:
    """What of a broker's ready messages is in memory. Every method is called with the state's mutex held."""

    def __init__(self, candidates: dict[Conversation, None], locks: LockTable) -> None:
        self._locks = locks
        self.candidates = candidates
        """Conversations that may have ready messages in memory; the ready index puts them here."""
        self.fetch: Fetch | None = None
        self.most_messages = MOST_MESSAGES
        self.most_bytes = MOST_BYTES
        self.most_conversations = MOST_CONVERSATIONS
        self.page = PAGE

    # Out of memory

    def before_fold(self) -> list[tuple[Conversation, QueueStore, frozenset[int]]]:
        """The ready messages in memory that are committed: a fold from now on brings them into the tables. A group that
        a transaction holds is left for another time: what it sent to itself is not committed."""
        found = []
        for conversation in list(self.candidates):
            run = conversation.run
            ready = [*conversation.messages, *(run.later if run is not None else ())]
            if conversation.removed or not ready:
                del self.candidates[conversation]
            elif self._locks.holder(conversation.group.resource) is None:
                found.append((conversation, conversation.queue, frozenset(m.message_key for m in ready)))
        return found

    def after_fold(self, folded: Iterable[tuple[Conversation, QueueStore, frozenset[int]]]) -> int:
        """Let go of folded messages, those last that are received first. Returns how many went."""
        stored = [
            entry
            for entry in folded
            if self._locks.holder(entry[0].group.resource) is None
            and entry[0].queue is entry[1]
            and not entry[0].removed
        ]
        stored.sort(key=lambda entry: (-entry[0].endpoint.priority, entry[0].first_order()))
        messages = sum(len(keys) for _, _, keys in stored)
        are_few = messages <= self.most_messages and len(stored) <= self.most_conversations
        if are_few and self._bytes(stored) <= self.most_bytes:
            return 0
        room, room_in_bytes = self.most_messages // 2, self.most_bytes // 2
        gone = 0
        for place, (conversation, _, keys) in enumerate(stored):
            if place == self.most_conversations // 2:
                room = 0
            stays = 0
            for message in conversation.messages:
                room -= 1
                room_in_bytes -= len(message.message_body or b"")
                if room < 0 or room_in_bytes < 0:
                    break
                stays += 1
            gone += _page_out(conversation, stays, keys)
            if not conversation.messages and not (conversation.run is not None and conversation.run.later):
                self.candidates.pop(conversation, None)
        return gone

    @staticmethod
    def _bytes(stored: Iterable[tuple[Conversation, QueueStore, frozenset[int]]]) -> int:
        return sum(len(m.message_body or b"") for conversation, _, _ in stored for m in conversation.in_memory())

    # Into memory

    def page_in(self, conversation: Conversation, wanted: int | None) -> None:
        """See to it that the first `wanted` ready messages of a conversation (None: all) are in memory. Raises what the
        store raises, with nothing lost."""
        while conversation.run is not None and (wanted is None or len(conversation.messages) < wanted):
            keys = list(conversation.run.message_keys(self.page))
            turn = self._whose_turn_comes(conversation, self.page - len(keys))
            for other in turn:
                assert other.run is not None
                keys += other.run.message_keys(self.page - len(keys))
            assert self.fetch is not None
            found = self.fetch(keys)
            for each in (conversation, *turn):
                self._take_in(each, found)

    def _whose_turn_comes(self, first: Conversation, room: int) -> list[Conversation]:
        """Other conversations of the queue whose next message is only in the store: those near the top of its heap, so
        that one read serves many RECEIVEs."""
        found: list[Conversation] = []
        for entry in first.queue.ready[:AHEAD]:
            if room <= 0:
                break
            group = entry[3]
            best = group.likely_next() if group.entry is entry else None
            if best is not None and best is not first and best.run is not None and not best.messages:
                found.append(best)
                room -= len(best.run)
        return found

    def _take_in(self, conversation: Conversation, found: dict[int, QueuedMessage]) -> None:
        run = conversation.run
        if run is None:
            return
        read: list[QueuedMessage] = []
        for key in run.message_keys(self.page):
            message = found.pop(key, None)
            if message is None:
                break
            read.append(message)
        run.drop_first(len(read))
        conversation.messages = with_all(conversation.messages, read)
        if not run:
            conversation.messages, conversation.run = with_all(conversation.messages, run.later), None
        if read:
            self.candidates[conversation] = None


def _page_out(conversation: Conversation, stays: int, keys: frozenset[int]) -> int:
    """All messages of `keys` but the first `stays` go. What came after them stays behind them."""
    if not conversation.messages and conversation.run is None:
        return 0
    ready = list(conversation.messages)
    behind = ready[stays:]
    going = list(itertools.takewhile(lambda message: message.message_key in keys, behind))
    run = conversation.run
    if run is None and going:
        conversation.run = run = StoredRun()
        run.add_later(behind[len(going) :])
    elif run is None or len(going) < len(behind):
        return 0
    run.put_first(going)
    conversation.messages = all_of(ready[:stays])
    count = len(going)
    while run.later and run.later[0].message_key in keys:
        run.append(run.later.popleft())
        count += 1
    return count
