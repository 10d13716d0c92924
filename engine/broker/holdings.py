"""Holdings: what a transaction has in its hands: the groups it has locked, the conversations in them,
what it has sent and not yet delivered.

Decides who has to wait, and with which error a handle is unknown. Must not know what an arrival does (delivery
does), nor how the transaction ends.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import ConversationEndpoint, ConversationGroup, QueuedMessage
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker import trace
from sbql.engine.broker.arrival import Arrival, Bulk
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.change_log import ChangeLog
from sbql.engine.broker.memory_keys import group_key
from sbql.engine.broker.monolog_work import MonologWork
from sbql.engine.broker.permissions import EVERYTHING, Rights
from sbql.engine.broker.ready_index import Conversation, Group, QueueStore
from sbql.engine.broker.state import BrokerState
from sbql.engine.host import Host
from sbql.engine.locks import LockOwner
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Holdings", "MustWait"]


class MustWait(Exception):
    """A lock is held by somebody else. Nothing was changed: acquire `resource`, then call again."""

    def __init__(self, resource: tuple[Any, ...]) -> None:
        super().__init__(resource)
        self.resource = resource


_NOBODY: Final = LockOwner("nobody")


def _nobodys_catalog() -> CatalogSnapshot:
    raise AssertionError("a transaction that was set aside has no catalog")


class Holdings(ChangeLog):
    """Changes, with the locks and look-ups that they need. `catalog()` gives the snapshot that the transaction sees.

    The one class of it is `transaction.BrokerTransaction`, which also delivers and ends.
    """

    def __init__(
        self,
        state: BrokerState,
        owner: LockOwner,
        host: Host,
        catalog: Callable[[], CatalogSnapshot],
        *,
        rights: Rights = EVERYTHING,
    ) -> None:
        super().__init__(state)
        self.locks = state.locks
        self.host = host
        self.arrivals: dict[Arrival, None] = {}
        self.locked: dict[Group, None] = {}
        """The groups that it has in hand. Who holds a lock, the lock table says; between a wait for the lock of a group
        and the call that is made again behind it, the group is locked and not yet here."""
        self.received_queues: set[int] = set()
        """Queues of which it has taken messages, as it stands now."""
        self.returned_queues: set[int] = set()
        """Queues of which a RECEIVE of it has returned messages: a rollback counts towards poison for them."""
        self.monologs: MonologWork | None = None
        self.bulk: Bulk | None = None
        """What it sends in bulk."""
        self.incoming: Callable[[], None] | None = None
        """Takes in what has come from other instances, when this is committed: in between nobody must see it."""
        self.lost: SqlError | None = None
        """Why it was rolled back, when the store lost what it may rest on (`lose`)."""
        self._snapshot: CatalogSnapshot | None = None
        self._index: CatalogIndex
        self._serial = 0
        self.begin(owner, catalog, rights)

    def begin(self, owner: LockOwner, catalog: Callable[[], CatalogSnapshot], rights: Rights) -> None:
        """Be the transaction of `owner`. It is new, or empty again."""
        self.owner = owner
        self.catalog = catalog
        self.rights = rights
        self.state.transactions[self] = None

    def set_aside(self) -> None:
        """It was published and is empty: the next transaction may be it, and nothing of the
        one that it was is kept until then."""
        self.owner = _NOBODY
        self.catalog = _nobodys_catalog
        self.rights = EVERYTHING
        self.state.spare_transactions.append(self)

    @abstractmethod
    def apply_arrivals_to(self, group: Group) -> None:
        """A group has been locked: what this transaction has sent to it is delivered now."""

    # Locks and look-ups

    @property
    def index(self) -> CatalogIndex:
        snapshot = self.catalog()
        if snapshot is not self._snapshot:
            self._snapshot, self._index = snapshot, self.state.index(snapshot)
        return self._index

    @property
    def is_empty(self) -> bool:
        """Nothing changed, nothing sent, nothing locked through this transaction."""
        return not (self.undo or self.arrivals or self.locked or self.incoming)

    @property
    def only_receives(self) -> bool:
        """It has taken messages of groups that it holds, and changed nothing else: no other commit can depend on its
        own."""
        return not (self.arrivals or self.endpoints or self.groups or self.transmissions or self.created)

    def lock(self, group: Group) -> None:
        """Lock a group until the end of the transaction, or raise MustWait. Arrivals waiting for it are applied."""
        if group in self.locked:
            return
        if not self.locks.try_acquire(self.owner, group.resource):
            raise MustWait(group.resource)
        self.take_in_hand(group)

    def _lock_new(self, group: Group) -> None:
        """As `lock`. Nothing can be on its way to a group that was not there: what has been sent is not gone through,
        else a transaction that begins many dialogs would take the square of their number."""
        if not self.locks.try_acquire(self.owner, group.resource):
            raise MustWait(group.resource)
        self.locked[group] = None

    def take_in_hand(self, group: Group) -> None:
        """The lock is ours already; the rest of `lock`."""
        self.locked[group] = None
        if self.arrivals:
            self.apply_arrivals_to(group)

    def conversation(self, handle: UUID, database_id: int, missing: int = 8426) -> Conversation:
        """The endpoint of a handle in this database, its group locked. Unknown: error `missing`."""
        found = self.state.find(database_id, handle)
        if found is None:
            self.index.require_broker(database_id)
            raise sql_error(missing, str(handle).upper())
        self.lock(found.group)
        if found.removed or (found.monolog is not None and (found.monolog.is_leg or found.monolog.is_order)):
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

    # Conversations

    def add_conversation(
        self, endpoint: ConversationEndpoint, queue: QueueStore, is_system: bool = False
    ) -> Conversation:
        """A new endpoint, and its group when that is new. The group is locked by this transaction."""
        key = group_key(endpoint.database_id, endpoint.conversation_group_id)
        group, is_new = self.state.groups.get(key), False
        if group is None:
            record = ConversationGroup(
                endpoint.conversation_group_id, endpoint.database_id, endpoint.service_id, is_system
            )
            group = Group(record, queue)
            self._lock_new(group)
            self.state.groups[key] = group
            self.state.adopt_hold(group)
            is_new = True
        self.lock(group)
        if group.record.service_id != endpoint.service_id:
            self.hand_over(group, endpoint.service_id, queue)
        conversation = Conversation(endpoint, group)
        self.adopt(conversation)
        if is_new and self.state.trace is not None:
            trace.emit_conversation(self.state.trace, "Create", conversation, "Broker:Conversation Group")
        return conversation

    def enqueue(self, conversation: Conversation, message: QueuedMessage) -> None:
        """A message for the local queue. This transaction finds it at once where it holds the group, all others at
        publish; what is sent in bulk is there at publish, and this behind it."""
        self.add_message(conversation, message, visible=conversation.group in self.locked and self.bulk is None)

    def adopt(self, conversation: Conversation) -> None:
        """Take in an endpoint that is new here. This transaction holds its group."""
        self.state.add(conversation)
        conversation.toucher = self
        self.touched.append(conversation)
        self.endpoints[conversation] = None
        self.groups[conversation.group] = None
        self.reschedule[conversation] = None
        self.undo.append((_forget_conversation, self, conversation))


def _forget_conversation(transaction: Holdings, conversation: Conversation) -> None:
    conversation.removed = True
    transaction.endpoints.pop(conversation, None)
    if conversation.peer is not None:
        conversation.peer.peer = None
        conversation.peer = None
    transaction.state.drop(conversation)
