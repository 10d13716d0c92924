"""BrokerTransaction: what one T-SQL transaction has changed in the broker, with undo, commit and rollback.

Decides when changes become visible and what a commit writes. A transaction changes endpoints whose group it has locked
in place and notes the undo; what it sends to other sides is kept as arrivals until it holds the target's group or
commits. Must not know statements (the operations do) nor the store (it hands out the changes as records).

An arrival at an endpoint that another transaction has locked and changed goes into that endpoint's `committed` image
too, and the image is what this commit writes: the other one's uncommitted changes never reach the store with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sbql.catalog.records import BrokerChange, ConversationEndpoint, ConversationGroup
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker import delivery, poison, queue_monitor, trace
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.change_log import ChangeLog
from sbql.engine.broker.permissions import EVERYTHING, Rights
from sbql.engine.broker.ready_index import NOTHING
from sbql.engine.broker.state import BrokerState, Conversation, Group, QueueStore, endpoint_key
from sbql.engine.broker.validation import XmlValidator
from sbql.engine.host import Host
from sbql.engine.locks import LockOwner, LockTable
from sbql.grammar.errors import SqlError, sql_error

if TYPE_CHECKING:
    from sbql.engine.broker.arrival import Arrival
    from sbql.engine.broker.monolog_publisher import MonologWork

__all__ = ["BrokerTransaction", "MustWait"]


class MustWait(Exception):
    """A lock is held by somebody else. Nothing was changed: acquire `resource`, then call again."""

    def __init__(self, resource: tuple[Any, ...]) -> None:
        super().__init__(resource)
        self.resource = resource


class BrokerTransaction(ChangeLog):
    """One transaction's broker side. After `publish` or `rollback` it is empty and may be used again.

    `catalog()` gives the snapshot that the transaction sees.
    """

    def __init__(
        self,
        state: BrokerState,
        locks: LockTable,
        owner: LockOwner,
        host: Host,
        catalog: Callable[[], CatalogSnapshot],
        *,
        rights: Rights = EVERYTHING,
        xml_validator: XmlValidator | None = None,
    ) -> None:
        super().__init__(state)
        state.locks = self.locks = locks
        self.owner = owner
        self.host = host
        self.catalog = catalog
        self.rights = rights
        self.xml_validator = xml_validator
        self.arrivals: dict[Arrival, None] = {}
        self.locked: list[Group] = []
        self.received_queues: set[int] = set()
        """Queues of which it has taken messages, as it stands now."""
        self.returned_queues: set[int] = set()
        """Queues of which a RECEIVE of it has returned messages: a rollback counts towards poison for them."""
        self.monologs: MonologWork | None = None
        self.lost: SqlError | None = None
        """Why it was rolled back, when the store lost what it may rest on (`lose`)."""
        state.transactions[self] = None
        self._snapshot: CatalogSnapshot | None = None
        self._index: CatalogIndex
        self._serial = 0

    # Locks and look-ups

    @property
    def index(self) -> CatalogIndex:
        snapshot = self.catalog()
        if snapshot is not self._snapshot:
            self._snapshot, self._index = snapshot, self.state.index(snapshot)
        return self._index

    @property
    def groups_locked(self) -> set[tuple[int, UUID]]:
        """(database_id, conversation_group_id) of every group this transaction holds."""
        return {(r[1], r[2]) for r in self.owner.held if isinstance(r, tuple) and r and r[0] == "group"}

    @property
    def is_empty(self) -> bool:
        """Nothing changed, nothing sent, nothing locked through this transaction."""
        return not (self.undo or self.arrivals or self.locked)

    @property
    def only_receives(self) -> bool:
        """It has taken messages of groups that it holds, and changed nothing else: no other commit can depend on its
        own."""
        return not (self.arrivals or self.endpoints or self.groups or self.transmissions or self.created)

    def lock(self, group: Group) -> None:
        """Lock a group until the end of the transaction, or raise MustWait. Arrivals waiting for it are applied."""
        if group.locked_by is self.owner:
            return
        if not self.locks.try_acquire(self.owner, group.resource):
            raise MustWait(group.resource)
        self._note_lock(group)

    def _note_lock(self, group: Group) -> None:
        group.locked_by = self.owner
        self.locked.append(group)
        if self.arrivals:
            self._apply_arrivals_to(group)

    def next_group(self, queue: QueueStore) -> Group | None:
        """Choose and lock the next group with ready messages. Own arrivals count after everything else."""
        group = queue.next_group(self.owner, self.locks, lock=True)
        if group is None and self.arrivals and self.apply_lockable_arrivals(queue):
            group = queue.next_group(self.owner, self.locks, lock=True)
        if group is not None and group.locked_by is not self.owner:
            self._note_lock(group)
        return group

    def conversation(self, handle: UUID, database_id: int, missing: int = 8426) -> Conversation:
        """The endpoint of a handle in this database, its group locked. Unknown: error `missing`."""
        found = self.state.endpoints.get(endpoint_key(database_id, handle))
        if found is None:
            self.index.require_broker(database_id)
            raise sql_error(missing, str(handle).upper())
        self.lock(found.group)
        if found.removed or (found.monolog is not None and found.monolog.is_leg):
            raise sql_error(missing, str(handle).upper())
        return found

    def require_owner(self, conversation: Conversation) -> None:
        """The right to end or move a conversation: its service's owner has it, and whoever may receive what comes on
        it."""
        queue = self.index.queues.get(conversation.queue.queue_id)
        service = self.index.service_by_id.get((conversation.endpoint.database_id, conversation.endpoint.service_id))
        is_internal = conversation.endpoint.is_system and conversation.endpoint.is_initiator
        if is_internal or queue is None or service is None:
            return
        try:
            self.rights.require("CONTROL", service)
        except SqlError:
            self.rights.require("RECEIVE", queue)

    @property
    def commit_resource(self) -> tuple[Any, ...]:
        return ("commit", self._serial)

    # Conversations and arrivals

    def add_conversation(
        self, endpoint: ConversationEndpoint, queue: QueueStore, is_system: bool = False
    ) -> Conversation:
        """A new endpoint, and its group when that is new. The group is locked by this transaction."""
        key = (endpoint.database_id, endpoint.conversation_group_id.int)
        group, is_new = self.state.groups.get(key), False
        if group is None:
            record = ConversationGroup(
                endpoint.conversation_group_id, endpoint.database_id, endpoint.service_id, is_system
            )
            group = Group(record, queue)
            self.lock(group)
            self.state.groups[key] = group
            self.state.adopt_hold(group)
            is_new = True
        self.lock(group)
        conversation = Conversation(endpoint, group)
        self.adopt(conversation)
        if is_new and self.state.trace is not None:
            trace.emit_conversation(self.state.trace, "Create", conversation, "Broker:Conversation Group")
        return conversation

    def adopt(self, conversation: Conversation) -> None:
        """Take in an endpoint that is new here. This transaction holds its group."""
        self.state.add(conversation)
        conversation.toucher = self
        self.touched.append(conversation)
        self.endpoints[conversation] = None
        self.groups[conversation.group] = None
        self.reschedule[conversation] = None
        self.undo.append((_forget_conversation, self, conversation))

    def send_out(self, arrival: Arrival) -> None:
        """What goes to the other side: applied at once when its group is ours, else kept until commit."""
        arrival.serial = self.state.next_serial()
        peer = delivery.find_peer(self, arrival.sender)
        if peer is not None and peer.group.locked_by is self.owner:
            delivery.apply(self, arrival, visible=True)
        else:
            self.arrivals[arrival] = None
            self.undo.append((self.arrivals.pop, arrival, None))

    def _apply_arrivals_to(self, group: Group) -> None:
        for arrival in self._pending():
            if _goes_to(self, arrival, group):
                self._apply_now(arrival)

    def _pending(self) -> list[Arrival]:
        """The arrivals in the order in which they were sent (undo may have put one back at the end)."""
        return sorted(self.arrivals, key=_sent_order)

    def _apply_now(self, arrival: Arrival) -> None:
        del self.arrivals[arrival]
        self.undo.append((self.arrivals.setdefault, arrival, None))
        delivery.apply(self, arrival, visible=True)

    def apply_lockable_arrivals(self, queue: QueueStore | None = None) -> bool:
        """Apply own arrivals whose target nobody else has locked (to one queue), taking the locks. True if any was."""
        done = False
        for arrival in self._pending():
            if arrival not in self.arrivals:
                continue
            peer = delivery.find_peer(self, arrival.sender)
            if peer is None:
                if queue is not None and delivery.first_queue(self, arrival) is not queue:
                    continue
            else:
                if queue is not None and peer.queue is not queue:
                    continue
                if not self.locks.try_acquire(self.owner, peer.group.resource):
                    continue
                if peer.group.locked_by is not self.owner:
                    peer.group.locked_by = self.owner
                    self.locked.append(peer.group)
            self._apply_now(arrival)
            done = True
        return done

    # Savepoints, commit, rollback

    def rollback_to(self, mark: int) -> None:
        """Undo everything since `mark`. Locks stay, so arrivals for groups locked since then are applied again: what is
        sent next must not overtake them."""
        super().rollback_to(mark)
        for arrival in self._pending():
            peer = delivery.find_peer(self, arrival.sender)
            if peer is not None and peer.group.locked_by is self.owner and arrival in self.arrivals:
                self._apply_now(arrival)

    def prepare(self) -> list[BrokerChange]:
        """Apply the arrivals and return what the commit has to write. Others see nothing of it before `publish`.

        Raises MustWait, before any change, when another transaction is between prepare and publish: commits are
        written in the order in which they are prepared. A caller that keeps the mutex until `publish` never meets that.
        """
        state = self.state
        other = state.prepared_by
        if other is not None and other is not self:
            self.locks.try_acquire(other.owner, other.commit_resource)  # in its name: it is free until somebody waits
            raise MustWait(other.commit_resource)
        if self.monologs is not None:
            from sbql.engine.broker import monolog_subscription

            monolog_subscription.finish(self)
        for arrival in self._pending() if len(self.arrivals) > 1 else self.arrivals:
            delivery.apply(self, arrival, visible=False)
        if self.monologs is not None:
            monolog_subscription.leave(self)
        changes = self.records()
        if changes and not self.only_receives:
            self._serial = state.next_serial()
            state.prepared_by = self
        return changes

    def changes_so_far(self) -> list[BrokerChange]:
        """The overlay for this transaction's own readers of queues and views."""
        if self.arrivals:
            self.apply_lockable_arrivals()
        return self.records()

    def publish(self) -> None:
        """The commit has returned: show the arrivals, release the locks, wake receivers, tell the queue monitors."""
        state = self.state
        filled: dict[QueueStore, int] = {}
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
        if committed:
            for group in self.groups:
                group.stored = group.is_alive_for(self)
            for conversation in self.endpoints:
                conversation.stored = True
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
            group.locked_by = None
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
        resources = [*(group.resource for group in self.locked), self.commit_resource]
        self.clear()
        if self.lost is None:
            self.locks.release_all(self.owner)
        else:  # its tables stay locked until its session has rolled them back
            for resource in resources:
                self.locks.release(self.owner, resource)
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
                waiting.transmission[0].next_attempt = self.host.now()
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


def _sent_order(arrival: Arrival) -> int:
    return arrival.serial


def _goes_to(transaction: BrokerTransaction, arrival: Arrival, group: Group) -> bool:
    peer = delivery.find_peer(transaction, arrival.sender)
    return peer is not None and peer.group is group


# Undo steps


def _forget_conversation(transaction: BrokerTransaction, conversation: Conversation) -> None:
    conversation.removed = True
    transaction.endpoints.pop(conversation, None)
    if conversation.peer is not None:
        conversation.peer.peer = None
        conversation.peer = None
    transaction.state.drop(conversation)
