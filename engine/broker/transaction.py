"""BrokerTransaction: what one T-SQL transaction has changed in the broker, with undo, commit and rollback.

Decides when changes become visible and what a commit writes. A transaction changes endpoints whose group it has locked
in place and notes the undo; what it sends to other sides is kept as arrivals until it holds the target's group or
commits. Must not know statements (the operations do) nor the store (it hands out the changes as records).

An arrival at an endpoint that another transaction has locked and changed goes into that endpoint's `committed` image
too, and the image is what this commit writes: the other one's uncommitted changes never reach the store with it.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import BrokerChange
from sbql.engine.broker import delivery, far_monologs, monolog_subscription, outgoing, poison, queue_monitor
from sbql.engine.broker.conversation_state import is_over
from sbql.engine.broker.holdings import Holdings, MustWait
from sbql.engine.broker.ready_index import NOTHING, Conversation, Group, QueueStore
from sbql.grammar.errors import SqlError

__all__ = ["BrokerTransaction"]


class BrokerTransaction(Holdings):
    """One transaction's broker side. After `publish` or `rollback` it is empty and may be used again."""

    @property
    def commit_resource(self) -> tuple[Any, ...]:
        return ("commit", self._serial)

    def apply_arrivals_to(self, group: Group) -> None:
        outgoing.apply_to(self, group)

    def next_group(self, queue: QueueStore) -> Group | None:
        """Choose and lock the next group with ready messages. Own arrivals count after everything else."""
        group = queue.next_group(self.owner, self.locks, lock=True)
        if group is None and self.arrivals and outgoing.apply_lockable(self, queue):
            group = queue.next_group(self.owner, self.locks, lock=True)
        if group is not None and group not in self.locked:
            self.take_in_hand(group)
        return group

    # Savepoints, commit, rollback

    def rollback_to(self, mark: int) -> None:
        """Undo everything since `mark`. Locks stay, so arrivals for groups locked since then are applied again: what is
        sent next must not overtake them."""
        super().rollback_to(mark)
        outgoing.apply_to_held(self)

    def prepare(self) -> list[BrokerChange]:
        """Apply the arrivals and return what the commit has to write. Others see nothing of it before `publish`.

        Raises NotInBulk (`many_messages`), and MustWait, before any change, when another transaction is between
        prepare and publish: commits are written in the order in which they are prepared. A caller that keeps the
        mutex until `publish` never meets that.
        """
        state = self.state
        other = state.prepared_by
        if other is not None and other is not self:
            self.locks.try_acquire(other.owner, other.commit_resource)  # in its name: it is free until somebody waits
            raise MustWait(other.commit_resource)
        if self.incoming is not None:
            self.incoming()
        if self.monologs is not None:
            far_monologs.join_begun(self)
            monolog_subscription.finish(self)
        arrivals = outgoing.pending(self) if len(self.arrivals) > 1 else list(self.arrivals)
        if self.bulk is not None:
            arrivals = self.bulk.deliver(arrivals)
        for arrival in arrivals:
            delivery.apply(self, arrival)
        if self.monologs is not None:
            monolog_subscription.leave(self)
        self._finish_session_keys()
        changes = self.records()
        if changes and not self.only_receives:
            self._serial = state.next_serial()
            state.prepared_by = self
        return changes

    def changes_so_far(self) -> list[BrokerChange]:
        """The overlay for this transaction's own readers of queues and views."""
        if self.arrivals:
            outgoing.apply_lockable(self)
        return self.records()

    def publish(self) -> None:
        """The commit has returned: show the arrivals, release the locks, wake receivers, tell the queue monitors."""
        state = self.state
        filled: dict[QueueStore, int] = {}
        if self.bulk is not None:
            self.bulk.publish(filled)
        for conversation, message in self.unpublished:
            queue = conversation.queue
            conversation.put(message)
            queue.index(conversation)
            if conversation.group.held_by is None:
                filled[queue] = filled.get(queue, 0) + 1
        for queue_id in self.received_queues:
            state.queues[queue_id].rollbacks = 0
            queue_monitor.messages_taken(state, queue_id)
        self._finish(filled, committed=True)

    def rollback(self) -> None:
        """Undo everything and release the locks. Counts towards poison for every queue of which a RECEIVE returned
        messages; one that failed, in a CAST of its own for instance, returned none."""
        returned = set(self.returned_queues)
        self.state.counters.rollbacks += bool(self.undo)
        self.rollback_to(0)
        self._finish({}, committed=False)
        if returned:
            poison.count_rollbacks(self.state, returned, self.index)

    def lose(self, error: SqlError) -> None:
        """Roll back because the store lost commits. It is nobody's poison; whoever goes on with the transaction gets
        `error`."""
        self.lost = error
        self.rollback_to(0)
        self._finish({}, committed=False)

    def _finish(self, filled: dict[QueueStore, int], committed: bool) -> None:
        state = self.state
        state.transactions.pop(self, None)
        if state.prepared_by is self:
            state.prepared_by = None
        if committed and self.departures:
            state.outbox += self.departures
            state.notify("transmit", 0)
        if committed:
            for group in self.groups:
                group.stored = group.is_alive_for(self)
            for conversation in self.endpoints:
                conversation.stored = True
        ended = [
            c.queue for c in self.touched if committed and c.queue.waiters and (c.removed or is_over(c.endpoint.state))
        ]
        for conversation in self.touched:
            self._settle(conversation, committed)
        for group in self.emptied:
            state.drop_if_empty(group)
        for conversation in self.reschedule:
            if not conversation.removed:
                state.schedule(conversation)
        if self.owner in state.ready.parked:
            state.ready.unpark(self.owner)
        for group in self.locked:
            if group.overdue:
                for conversation in group.overdue:
                    state.schedule(conversation)
                group.overdue = NOTHING
            best = group.next_conversation()
            if group.held_by is not None:
                group.held_by.wake()
            elif best is not None:
                if group.entry is None and not group.parked:
                    group.queue.push(group, best)
                filled[group.queue] = filled.get(group.queue, 0) + 1
        try:
            if self.lost is None:
                self.locks.release_all(self.owner)
            else:  # its tables stay locked until its session has rolled them back
                for resource in [*(group.resource for group in self.locked), self.commit_resource]:
                    self.locks.release(self.owner, resource)
        finally:  # whatever became of those who were woken
            self.clear()
            for queue in ended:
                queue.wake_for_what_is_gone()
            self._tell(filled)

    def _tell(self, filled: dict[QueueStore, int]) -> None:
        """Of queues that have got so many groups to receive from."""
        state = self.state
        for queue, count in filled.items():
            if queue.queue_id in state.monitors:  # first: it looks whether somebody waits
                queue_monitor.message_arrived(state, queue.queue_id, self.host.now())
            if queue.waiters:
                queue.wake(count)

    def _settle(self, conversation: Conversation, committed: bool) -> None:
        """This transaction's hold on an endpoint's changes ends."""
        state = self.state
        is_mine = conversation.toucher is self
        if is_mine:
            conversation.toucher = None
            conversation.committed = None
        if conversation.ended_by is self:
            conversation.ended_by = None
        waiting = conversation.awaited_by
        if waiting is not None:
            conversation.awaited_by = None
            if waiting.transmission:
                waiting.transmission.next_attempt = self.host.now()
                state.schedule(waiting)
        if committed and is_mine and conversation.removed:
            if conversation.peer is not None:
                conversation.peer.peer = None
            state.drop(conversation)

    def clear(self) -> None:
        super().clear()
        self.arrivals.clear()
        self.locked.clear()
        self.received_queues.clear()
        self.returned_queues.clear()
        self.monologs = None
        self.bulk = None
        self.incoming = None
