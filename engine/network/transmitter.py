"""The transmitter: brings what waits in transmission queues to other instances, and takes in what comes from them.

One background work of the instance does all of it, in steps: what the wires have told, what has come with it (in one
transaction), what commits have left in the broker's outbox, what has become durable, who is due. It holds no lock while
bytes move, and nothing waits for it.

Two promises make each message arrive once. A message, a receipt and an error leave only when everything committed
before is on disk (`when_durable`). A row of the transmission queue goes only in the commit that notes its receipt.
What gets lost in between is sent again by the sender, and the receiver knows it by its number. What the store has lost
(`reloaded`) is forgotten here too.
"""

from __future__ import annotations

from functools import partial
from heapq import heappop, heappush
from typing import Final

from sbql.catalog.interrupts import held
from sbql.catalog.live_relations import BrokerConnection, ForwardedMessage
from sbql.catalog.store import StoreSession
from sbql.engine.broker import deadlines, route_requests, routing, trace
from sbql.engine.broker.change_log import Departure
from sbql.engine.broker.counters import TransportTotals
from sbql.engine.broker.endpoint_changes import status_text
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.routing import parse_guid
from sbql.engine.last_resort import failure_line
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.certificate_choice import CertificateChoice
from sbql.engine.network.dialogs import STAYS, Dialog, trace_receipt
from sbql.engine.network.endpoint import started_endpoint
from sbql.engine.network.forwarding import PRIORITY, Forwarder
from sbql.engine.network.frames import DialogFrame
from sbql.engine.network.inbox import Inbox, Reply
from sbql.engine.network.links import PIECE, Destination, Link
from sbql.engine.network.neighbours import MakeCredentials, MakeTransport, Neighbours
from sbql.engine.network.read_ahead import ReadAhead
from sbql.engine.network.sealing import Unreadable, Vault
from sbql.engine.network.statuses import set_status
from sbql.engine.network.subscribing import subscribe
from sbql.engine.network.when_durable import WhenDurable
from sbql.engine.network.whereabouts import Whereabouts
from sbql.engine.ports import Instance
from sbql.engine.transaction.transaction import Transaction
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import SqlError

__all__ = ["Transmitter"]

_PAUSE: Final = 5.0
"""Seconds after which work that the store refused is tried again."""


class Transmitter:
    """Made with the instance; begins to work, and to cost anything, when there is an endpoint that is started."""

    def __init__(
        self,
        instance: Instance,
        make_transport: MakeTransport,
        make_credentials: MakeCredentials,
        addresses: AddressMap | None = None,
        account: str = "",
    ) -> None:
        self.instance = instance
        self._account = account
        self._make = make_transport, make_credentials, addresses or AddressMap()
        self.neighbours: Neighbours
        self._forwarder: Forwarder
        self._whereabouts: Whereabouts
        self._store: StoreSession
        self._is_started = False
        self._dialogs: dict[Conversation, Dialog] = {}
        self._timers: list[tuple[float, int, Dialog]] = []
        self._serial = 0
        self._durable = WhenDurable(instance, self.wake)
        self._vault = Vault(instance.host)
        self._inbox = Inbox(self._vault)
        self._ahead: ReadAhead
        self._waiter = Waiter()
        self._is_stopping = self._is_reloaded = self._has_changed = False
        self._expiry: float | None = None
        """When the next route expires: until then routes lead where they led."""

    # --- life ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Take up what was left, and work."""
        with self.instance.broker.mutex:
            self.catalog_changed()

    def _begin(self) -> None:
        """There is an endpoint that is started, for the first time."""
        instance = self.instance
        self.neighbours = Neighbours(instance, *self._make, self.wake)
        self._store = instance.store.connect()
        self._set_status = partial(set_status, instance, self._store)
        self._whereabouts = Whereabouts(instance, self.neighbours)
        self._forwarder = Forwarder(instance.broker, instance.host)
        self._ahead = ReadAhead(instance.broker.row_paging)
        instance.broker.dialog_security = CertificateChoice(instance.host)
        try:
            instance.driver.spawn(self._work(), None, "sbql-transmitter", self._ended)
        except BaseException:
            # No thread for it. The next change of the catalog, such as ALTER ENDPOINT … STATE = STARTED, tries again.
            self.neighbours.close()
            self._store.close()
            raise
        instance.broker.listeners.append(self._on_broker_event)
        self._is_started = True

    def account(self) -> str:
        """Who this instance is in its domain."""
        return self._account

    def connections(self) -> list[BrokerConnection]:
        """The rows of sys.dm_broker_connections."""
        return self.neighbours.connections() if self._is_started else []

    def forwarded(self) -> list[ForwardedMessage]:
        """The rows of sys.dm_broker_forwarded_messages."""
        return self._forwarder.rows(self.instance.host.now()) if self._is_started else []

    def forwarded_waiting(self) -> tuple[int, int]:
        """Bytes and number of what is kept to be sent on."""
        return (self._forwarder.bytes_waiting, self._forwarder.count_waiting) if self._is_started else (0, 0)

    def traffic(self) -> TransportTotals:
        """For the counters of Broker/DBM Transport."""
        if not self._is_started:
            return TransportTotals()
        assembly, found = self._inbox.assembly, self.neighbours.traffic()
        found.incomplete_bytes, found.incomplete_fragments = assembly.bytes_held, assembly.fragments_held
        return found

    def stop(self) -> None:
        self._is_stopping = True
        self.wake()

    def wake(self) -> None:
        self._waiter.wake()

    def _ended(self, failure: BaseException | None) -> None:
        self.neighbours.close()
        if failure is not None and not self._is_stopping:
            self.instance.log(9645, f"The message transmitter ended with an error: {failure!r}")

    def _on_broker_event(self, event: str, queue_id: int) -> None:
        if event == "transmit":
            self._waiter.wake()

    def catalog_changed(self) -> None:
        """An endpoint may have come, gone, started or stopped; routes lead elsewhere. The broker's mutex is held."""
        self.instance.broker.has_transport = started_endpoint(self.instance.catalog) is not None
        self._has_changed = True
        if self.instance.broker.has_transport and not self._is_started:
            self._begin()
        self.wake()

    def reloaded(self) -> None:
        """The store has lost commits; the broker's memory was read anew."""
        self._is_reloaded = True
        self.wake()

    # --- the work ------------------------------------------------------------------------------------------

    def _work(self) -> Work:
        instance = self.instance
        while not self._is_stopping:
            self._waiter = waiter = Waiter()
            try:
                self._step()
            except Exception as error:  # the store refuses, or a bug: the network goes on
                if self._is_stopping:
                    return
                instance.log(*failure_line(error))
                self._waiter = Waiter()
                yield Suspend(self._waiter, instance.host.now() + _PAUSE, "BROKER_TRANSMITTER")
                continue
            if not waiter.woken:
                yield Suspend(waiter, self._next_time(), "BROKER_TRANSMITTER")

    def _step(self) -> None:
        now = self.instance.host.now()
        if self._has_changed or (self._expiry is not None and self._expiry <= now):
            self._has_changed = False
            self._look_anew(now)
        if self._is_reloaded:
            self._start_anew(now)
        arrived = self.neighbours.take_events(now)
        if arrived:
            state = self.instance.broker
            index = state.index(self.instance.catalog)
            endpoint = started_endpoint(self.instance.catalog)
            for link, frame in arrived:
                self._whereabouts.heard(link, frame.envelope.from_broker, now)
                address = self._forwarder.address(index, frame)
                if address and endpoint is not None:
                    self._forwarder.keep(self.neighbours.destination(address), frame, endpoint, now)
                else:
                    self._inbox.add(link, frame, state, index, now)
        self._forwarder.expire(now)
        lost = self.neighbours.lost_links()
        self._inbox.assembly.forget_stale(now)
        self._take_in(now)
        self._take_outbox()
        self._durable.release()
        self._settle_lost(lost, now)
        while self._timers and self._timers[0][0] <= now:
            dialog = heappop(self._timers)[2]
            if dialog.sender.is_overdue(now):
                self._whereabouts.look_elsewhere(dialog, now)
            self._enlist([dialog], now)
        self.neighbours.tick(now)
        self._pump(now)

    def _look_anew(self, now: float) -> None:
        """The catalog has changed, or a route has expired: what waits may have to go elsewhere."""
        index = self.instance.broker.index(self.instance.catalog)
        endpoint = started_endpoint(self.instance.catalog)
        self._expiry = routing.next_expiry(index, now)
        subscribe(self.instance, self._store)
        self.neighbours.configure(endpoint, now)
        for dialog in self._dialogs.values():
            self.neighbours.leave(dialog)
            dialog.address = ""
        self._enlist(list(self._dialogs.values()), now)
        self._forwarder.look_anew(index, endpoint, self.neighbours.destination)

    def _next_time(self) -> float | None:
        times = [self._timers[0][0]] if self._timers else []
        others = self.neighbours.next_time(), self._forwarder.next_time(), self._expiry
        times += [t for t in others if t is not None]
        return min(times, default=None)

    def _start_anew(self, now: float) -> None:
        self._is_reloaded = False
        for dialog in self._dialogs.values():
            self.neighbours.leave(dialog)
        self._dialogs.clear()
        for part in (self._timers, self._durable, self._ahead):
            part.clear()
        with self.instance.broker.mutex:
            deadlines.retry_delayed(self.instance.broker, now)

    # --- what comes ----------------------------------------------------------------------------------------

    def _take_in(self, now: float) -> None:
        """One transaction for all that has come."""
        inbox = self._inbox
        if not inbox:
            return
        instance = self.instance
        transaction = Transaction(instance, self._store, "broker")
        broker = transaction.broker
        replies: list[Reply] = []
        broker.incoming = lambda: replies.extend(inbox.apply(broker, self._dialogs))
        try:
            with held:
                lsn = transaction.commit()
        except BaseException:
            self._is_reloaded = True  # what the receipts took out of the dialogs is still in the transmission queue
            raise
        finally:
            inbox.clear()
        for dialog in inbox.touched:
            dialog.heard = now
            destination = self.neighbours.destinations.get(dialog.address)
            if destination is not None:
                destination.heard(dialog, now)
        self._enlist([dialog for dialog in inbox.touched if dialog.has_rows], now)
        if replies:
            self._durable.hold(lsn, lambda: self._reply(replies))

    def _reply(self, replies: list[Reply]) -> None:
        """What came is on disk: say so."""
        now = self.instance.host.now()
        for reply in replies:
            if reply.error is not None:
                frame = self._vault.answer(reply.to, reply.error) if reply.to is not None else reply.error
                self._send_on(reply.link, frame, now)
            if reply.conversation is not None and reply.receipt is not None:
                dialog = self._dialog(reply.conversation)
                dialog.receipt = self._inbox.with_fragments(reply.conversation, reply.receipt)
                self._enlist([dialog], now)

    def _send_on(self, link: Link | None, frame: DialogFrame, now: float) -> None:
        if link is not None and (link := self.neighbours.way_back(link)).is_online:
            link.connection.send(frame, now)
            self.instance.broker.counters.sent_fragments[PRIORITY] += 1
            link.flush()

    # --- what goes -----------------------------------------------------------------------------------------

    def _dialog(self, conversation: Conversation) -> Dialog:
        self.instance.broker.counters.dialog_lookups += 1
        found = self._dialogs.get(conversation)
        if found is None:
            found = self._dialogs[conversation] = Dialog(conversation)
        return found

    def _take_outbox(self) -> None:
        state = self.instance.broker
        if not state.outbox:
            return
        with state.mutex:
            departures: list[Departure] = list(state.outbox)
            state.outbox.clear()
            lsn = self.instance.store.last_lsn
        self._durable.hold(lsn, lambda: self._depart(departures))

    def _depart(self, departures: list[Departure]) -> None:
        now = self.instance.host.now()
        touched: dict[Dialog, None] = {}
        for conversation, until, problem in departures:
            dialog = self._dialog(conversation)
            touched[dialog] = None
            if until >= 0:
                dialog.offer(until)
            else:
                dialog.problem = problem
        self._enlist(list(touched), now)

    def _enlist(self, dialogs: list[Dialog], now: float) -> None:
        """Let dialogs have their turn as soon as there is a way."""
        for dialog in dialogs:
            if dialog.is_done:
                self.neighbours.leave(dialog)
                if self._dialogs.get(dialog.conversation) is dialog:
                    del self._dialogs[dialog.conversation]
                continue
            if not self._classify(dialog, now):
                continue
            destination = self.neighbours.destination(dialog.address)
            destination.dialogs[dialog] = None
            destination.ready(dialog, self._priority(dialog))

    def _priority(self, dialog: Dialog) -> int:
        endpoint = dialog.conversation.endpoint
        database = self.instance.broker.index(self.instance.catalog).databases.get(endpoint.database_id)
        return endpoint.priority if database is not None and database.is_honor_broker_priority_on else PRIORITY

    def _classify(self, dialog: Dialog, now: float) -> bool:
        """Whether the dialog has a destination. When its routes lead to no other instance any more,
        the broker takes its messages back."""
        if dialog.address:
            return True
        instance, state = self.instance, self.instance.broker
        conversation, endpoint = dialog.conversation, dialog.conversation.endpoint
        index = state.index(instance.catalog)
        if endpoint.database_id not in index.databases:
            return False
        guid = endpoint.far_broker_instance or parse_guid(endpoint.asked_broker_instance)
        place = self._whereabouts.classify(dialog, guid)
        if place.kind == "Remote":
            dialog.address = dialog.kept = routing.network_address(place)
            return True
        if dialog.receipt is not None and not dialog.has_rows:
            self._set_status([conversation], status_text(place.reason) if place.reason else "", of_receipt=True)
            if place.reason == routing.WAITS_FOR_ROUTING:  # the receipt comes again with what it is for
                with state.mutex:
                    route_requests.ask(state, endpoint.database_id, endpoint.far_service, str(guid or "").upper(), now)
        if self._inbox.hand_over(dialog, index):
            self.wake()
        dialog.receipt = dialog.problem = None
        if dialog.has_rows and conversation.transmission:
            with state.mutex:
                conversation.transmission.next_attempt = now
                state.schedule(conversation)
        self._dialogs.pop(conversation, None)
        trace.emit_conversation(state.trace, place.kind, conversation, "Broker:Message Classify")
        return False

    def _pump(self, now: float) -> None:
        """Fill the wires, in turn."""
        unsealed: dict[Conversation, str] = {}
        without_header: dict[Conversation, str] = {}
        answered: list[Conversation] = []
        state = self.instance.broker
        index = state.index(self.instance.catalog)
        for destination in list(self.neighbours.destinations.values()):
            link = destination.link
            if link is None or not link.is_online:
                continue
            self._forwarder.send(destination, link, now)
            self._ahead.look_at(destination.line, now)
            for dialog in destination.turns(link, self.wake):
                owes_receipt = dialog.receipt is not None and not dialog.has_rows
                try:
                    with state.mutex:
                        turn, has_more = dialog.next_frames(index, self._ahead, now, destination.arrived_until(now))
                except SqlError:  # what is not in memory cannot be read now
                    destination.ready(dialog, self._priority(dialog))
                    raise
                if has_more:
                    destination.ready(dialog, self._priority(dialog))
                try:
                    priority, endpoint, known = self._priority(dialog), dialog.conversation.endpoint, dialog.is_known
                    for frame, needs_header in turn:
                        out, lack = self._vault.seal(index, endpoint, frame, with_header=needs_header, is_known=known)
                        if lack:
                            without_header[dialog.conversation] = lack
                        link.connection.send(out, now)
                        state.counters.sent_fragments[priority] += 1
                        if state.trace is not None:
                            trace_receipt(state.trace, dialog.conversation, frame)
                except Unreadable as error:  # the turn counts as sent: tried again as if it had got lost
                    unsealed[dialog.conversation] = error.text
                if owes_receipt and dialog.receipt is None and dialog.conversation.endpoint.transmission_status:
                    answered.append(dialog.conversation)
                if not has_more:
                    self._rest(dialog, now)
                if link.connection.bytes_to_send >= PIECE:
                    link.flush()
            link.flush()
        for conversation, text in unsealed.items():
            self._set_status([conversation], text, of_receipt=True)
        for conversation, text in without_header.items():
            self._set_status([conversation], text)
        self._set_status([c for c in answered if c not in unsealed], "", of_receipt=True)

    def _rest(self, dialog: Dialog, now: float) -> None:
        """Nothing is due of a dialog for now."""
        conversation = dialog.conversation
        has_to_stay = conversation.removed or conversation.endpoint.state in STAYS or not conversation.goes_out
        if has_to_stay and conversation.toucher is None:  # else that may be undone
            dialog.withdraw_all()
        following = dialog.next_time(now)
        if following is not None and not (now < dialog.timer <= following):
            dialog.timer = following
            self._serial += 1
            heappush(self._timers, (following, self._serial, dialog))
        if dialog.is_done:
            self._enlist([dialog], now)

    def _settle_lost(self, lost: list[tuple[Destination, str]], now: float) -> None:
        """Ways that broke, or could not be had: what was on them is due again, and the status says why it waits."""
        for destination, text in lost:
            dialogs = list(destination.dialogs)
            for dialog in dialogs:
                dialog.sender.way_lost(now)
                dialog.problem = dialog.problem if destination.link else None  # what it is about comes again
                if text:
                    self._whereabouts.look_elsewhere(dialog, now)
                if dialog.has_rows or dialog.is_done:
                    self._enlist([dialog], now)
            if text:
                self._set_status([dialog.conversation for dialog in dialogs if dialog.has_rows], text)
                self._set_status([d.conversation for d in dialogs if d.receipt is not None], text, of_receipt=True)
