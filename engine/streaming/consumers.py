"""The operations of a consumer: open it, have messages delivered, read them, acknowledge them.

Decides what is on disk before an answer is given, and how long a delivery is waited for. The rules are the
broker's (`broker/consumers`). A request names the log and the epoch that `consumer.open` has given: who
comes after a later reader is refused.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from sbql.catalog.bulk_messages import MessageRange
from sbql.catalog.records import BrokerChange, Contract, Database, Queue, Service
from sbql.engine.broker import consumer_delivery, consumers
from sbql.engine.broker.consumer_choice import waiting_for
from sbql.engine.broker.delivery_log import DeliveryLog, HeldRun
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.definition.ddl import broker_effect
from sbql.engine.definition.queues import find_queue
from sbql.engine.operations import Call, argument, operation
from sbql.engine.ports import Session
from sbql.engine.security.database_access import check_open, check_writable
from sbql.engine.streaming.choices import check_choice, choice, named_choice
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import parse_object_name

__all__ = ["release_consumer"]

_WAIT_TYPE = "BROKER_RECEIVE_WAITFOR"


@operation("consumer.open")
def open_consumer(call: Call) -> dict[str, Any]:
    """A new reader of the consumer `consumer` of `queue` (a T-SQL name): `log` and `epoch` are for what it asks later.
    Readers before it are not heard any more. `where` says what alone is wanted, as in RECEIVE; the answer has it as
    `wanted`, for what is asked later. Raises 208, 229, 3906, 8442, for `where` 87, 8169, and 8426 or 8436 when the
    queue has no such conversation or group."""
    session = call.session
    name = argument(call, "consumer", str, "spark")
    queue = _queue(session, argument(call, "queue", str, required=True))
    instance, state = session.instance, session.instance.broker
    wanted = choice(argument(call, "where", str, ""))
    with state.mutex:
        log = consumers.find_consumer(state, queue, name)
        if wanted is not None and (log is None or not log.runs):  # else there is something to read again
            check_choice(state, queue, wanted)
        log, changes = consumers.attach(state, queue, name, instance.host.new_guid(), instance.host.now())
        record = log.record
        _submit(session, changes)
        found = {
            "log": str(record.log_id).upper(),
            "epoch": record.epoch,
            "acknowledged": record.acknowledged,
            "delivered": record.delivered,
            "queue": instance.queue_name(queue.id),
            "consumer": name,
            "store": instance.store.id,
            "wanted": None if wanted is None else {name: str(one) for name, one in wanted._asdict().items() if one},
        }
    return found


@operation("consumer.deliver")
def deliver(call: Call) -> Work:
    """Acknowledge everything up to `start`, then see to it that messages after it are delivered: up to `limit`, whose
    bodies have `most_bytes` together, with queuing orders below `before_order`, only those of `wanted`. `end` is the
    number of the last one. When there is none, it waits up to `wait` seconds; when there are fewer than `minimum`, and
    the first of them has not waited for `delay` seconds, `end` is `start`. `age`: so many seconds ago the first after
    `start` was delivered. Raises 49941, 49944, 9617 for a queue that is off, 49943 for a start beyond the log."""
    session, request = call.session, call.request
    start = argument(call, "start", int, required=True)
    limit = argument(call, "limit", int, 10_000)
    before, wanted = request.get("before_order"), named_choice(call)
    yield from _acknowledge(call, start)
    host, state = session.instance.host, session.instance.broker
    deadline = host.now() + float(request.get("wait") or 0.0)
    while True:
        waiter = Waiter()
        with state.mutex:
            log, queue = _attached(call, to_write=True)
            record = log.record
            if start > record.delivered:
                raise sql_error(
                    49943, record.name, 1, start, start - record.delivered, record.acknowledged, record.delivered
                )
            room = limit - (record.delivered - start)
            if room > 0:
                extra = {"before_order": before} if before is not None else {}
                _submit(session, consumer_delivery.deliver(state, log, queue, room, host.now(), wanted=wanted, **extra))
            end = min(record.delivered, start + limit)
            if end == start and host.now() < deadline:
                log.waiters[waiter] = None
                state.queue_waiters(queue.id, queue.database_id)[waiter] = None
        if end > start or host.now() >= deadline:
            break
        try:
            yield Suspend(waiter, deadline, _WAIT_TYPE)
        finally:
            with state.mutex:
                log.waiters.pop(waiter, None)
                state.stop_waiting(queue.id, waiter)
        session.check_cancelled()
    age = _age(call, start)
    if end - start < argument(call, "minimum", int, 0) and age < float(request.get("delay") or 0.0):
        end = start
    most_bytes = request.get("most_bytes")
    if most_bytes is not None and end > start:
        end = start + _within(call, start, end, most_bytes)
    return {"end": end, "delivered": record.delivered, "age": age}


@operation("consumer.acknowledge")
def acknowledge(call: Call) -> Work:
    """Everything up to `through` is done for good. With `end_conversations`, a conversation that the other side has
    ended, and of which nothing is left, is ended here, too. Raises 49941, 49944."""
    yield from _acknowledge(call, argument(call, "through", int, required=True))
    return {}


def _acknowledge(call: Call, through: int) -> Work:
    session, state = call.session, call.session.instance.broker
    with state.mutex:
        log, queue = _attached(call, to_write=True)
        if through <= log.record.acknowledged:
            return
    if queue.is_retention_enabled:
        session.instance.store.fold()
    if call.request.get("end_conversations"):
        yield from _end_conversations(session, log, through)
    with state.mutex:
        log, queue = _attached(call, to_write=True)
        _submit(session, consumers.acknowledge(state, log, queue, through, session.instance.host.now()))
    session.instance.transaction_ended()


def _end_conversations(session: Session, log: DeliveryLog, through: int) -> Work:
    """Before they are acknowledged: a crash in between finds the conversation ended, and
    the range is acknowledged again."""
    state, database_id = session.instance.broker, log.record.database_id
    with state.mutex:
        handles = dict.fromkeys(run.handle for run in log.runs if run.last <= through)
        for run in log.runs:
            if run.last > through:
                handles.pop(run.handle, None)
    for handle in handles:
        with state.mutex:
            found = state.find(database_id, handle)
            if found is None or found.removed or found.endpoint.state not in ("DI", "ER") or found.first_order() >= 0:
                continue
        end = partial(end_conversation, database_id=database_id, handle=handle)
        with suppress(SqlError), session.statement() as transaction:  # somebody else has ended it meanwhile
            yield from broker_effect(session, transaction, end)


@operation("consumer.begin_range")
def begin_range(call: Call) -> dict[str, Any]:
    """A reader begins to work on the messages after `start` up to `end`. Returns how many there are in each of
    `partitions`, and `failures`: so many readers in a row before it have not finished. Raises 49941, 49944, 49943 (with
    `allow_loss`: a smaller number of messages)."""
    session, state = call.session, call.session.instance.broker
    start, end = _bounds(call)
    with state.mutex:
        log, queue = _attached(call, to_write=True)
        allow_loss = bool(call.request.get("allow_loss"))
        _submit(session, consumers.begin_reading(state, log, queue, start, end, allow_loss=allow_loss))
        partitions = argument(call, "partitions", int, 1)
        counts = [0] * partitions
        for run in consumers.ranges(log, start, end):
            counts[run.group_id.int % partitions] += min(end, run.last) - max(start + 1, run.first) + 1
        found = {"counts": counts, "failures": log.record.failures}
    session.instance.transaction_ended()
    return found


@operation("consumer.read", kind="read")
def read(call: Call) -> Any:
    """The messages after `start` up to `end` that belong to `partition` of `partitions`, in the order of their numbers:
    always the same ones. Columns are those that differ from message to message; `consumer.names` has the rest. With
    `with_numbers` their number in the log, too."""
    parts, _, _ = _parts(call, *_bounds(call), *_partition(call))
    return call.session.instance.store.bulk.read(parts, with_numbers=bool(call.request.get("with_numbers")))


@operation("consumer.names")
def names(call: Call) -> dict[str, Any]:
    """Of the same messages: `firsts`, the first numbers of their ranges, with `handles` and `groups` of each;
    `services` and `contracts`, ids and names."""
    parts, services, contracts = _parts(call, *_bounds(call), *_partition(call))
    return {
        "firsts": [part[4] for part in parts],
        "handles": [str(part[1]).upper() for part in parts],
        "groups": [str(part[5]).upper() for part in parts],
        "services": [list(pair) for pair in services],
        "contracts": [list(pair) for pair in contracts],
    }


@operation("consumer.lag")
def lag(call: Call) -> dict[str, Any]:
    """`delivered`: the last number that was given; `waiting`: so many messages of the queue, or of `wanted` there, are
    not delivered to anybody; `next_order`: what comes later than now has this queuing order or a higher one. The counts
    are of the last moment that is on disk, that of `wanted` is of now."""
    session, state = call.session, call.session.instance.broker
    with state.mutex:
        log, queue = _attached(call)
        held = sum(other.held for other in state.logs.values() if other.record.queue_id == queue.id)
        delivered, next_order = log.record.delivered, state.queue(queue.id, queue.database_id).next_order
        wanted = named_choice(call)
        if wanted is not None:
            return {"delivered": delivered, "waiting": waiting_for(state, queue, wanted), "next_order": next_order}
    session.instance.store.fold()
    stored = session.instance.store.bulk.count(queue.database_id, queue.id)
    return {"delivered": delivered, "waiting": max(0, stored - held), "next_order": next_order}


def release_consumer(session: Session, queue: Queue, name: str, *, drop: bool) -> None:
    """Give back what a consumer holds; its reader is not heard any more. `drop`: the
    consumer goes, too. Raises 49945."""
    state, now = session.instance.broker, session.instance.host.now()
    session.instance.store.fold()
    with state.mutex:
        log = consumers.find_consumer(state, queue, name)
        if log is None:
            known = ", ".join(sorted(x.record.name for x in state.logs.values() if x.record.queue_id == queue.id))
            raise sql_error(49945, queue.name, name).advise(f"Its consumers: {known}." if known else "It has none.")
        _submit(session, (consumers.remove if drop else consumers.release)(state, log, now))
    session.instance.transaction_ended()


# --- shared ------------------------------------------------------------------------------------------------


def _queue(session: Session, name: str) -> Queue:
    """Raises 208, 3906, 8442, 229."""
    queue = find_queue(session, parse_object_name(name))
    check_writable(session, queue.database_id)
    session.instance.broker.index(session.catalog).require_broker(queue.database_id)
    session.rights.require("RECEIVE", queue)
    return queue


def _attached(call: Call, *, to_write: bool = False) -> tuple[DeliveryLog, Queue]:
    """The log that a request means, and its queue. With the mutex. The database may have changed its state since
    `consumer.open`. Raises 49941, 49944, 229, for a database that is not open 942 and others of `check_open`,
    `to_write` 3906 for one that is read-only."""
    session = call.session
    name = argument(call, "log", str, required=True)
    try:
        log_id = UUID(name)
    except ValueError:
        raise sql_error(49944, name) from None
    log = consumers.attached(session.instance.broker, log_id, argument(call, "epoch", int, required=True))
    queue = session.catalog.get(Queue, log.record.database_id, log.record.queue_id)
    database = session.catalog.get(Database, 0, log.record.database_id)
    if queue is None or database is None:
        raise sql_error(49944, name)
    check_open(session, database)
    if to_write:
        check_writable(session, database.id)
    session.rights.require("RECEIVE", queue)
    return log, queue


def _bounds(call: Call) -> tuple[int, int]:
    return argument(call, "start", int, required=True), argument(call, "end", int, required=True)


def _partition(call: Call) -> tuple[int, int]:
    return argument(call, "partition", int, 0), argument(call, "partitions", int, 1)


def _submit(session: Session, changes: list[BrokerChange]) -> None:
    """With the mutex: the records have their place in the journal. The session waits for it before it answers."""
    if changes:
        session.note_commit(session.instance.store.submit(changes))


def _parts(
    call: Call, start: int, end: int, partition: int = 0, partitions: int = 1
) -> tuple[list[MessageRange], list[tuple[int, str]], list[tuple[int, str]]]:
    """What the store needs to read messages: ranges, names of services and of contracts. They are folded then."""
    session, state = call.session, call.session.instance.broker
    with state.mutex:
        log, queue = _attached(call)
        runs = consumers.ranges(log, start, end, partition, partitions)
        parts = [_part(run, start, end) for run in runs]
        found = (state.find(run.database_id, run.handle) for run in runs)
        agreed = {c.endpoint.contract_id: c.endpoint.contract_name for c in found if c is not None}
    if any(not run.is_folded for run in runs):
        session.instance.store.fold()
        for run in runs:
            run.is_folded = True
    services = [(s.id, s.name) for s in session.catalog.all(Service, queue.database_id)]
    contracts = {c.id: c.name for c in session.catalog.all(Contract, queue.database_id)}
    return parts, services, list({**agreed, **contracts}.items())


def _part(run: HeldRun, start: int, end: int) -> MessageRange:
    first = max(start + 1, run.first)
    return (run.database_id, run.handle, *run.keys(first, end), first, run.group_id)


def _age(call: Call, start: int) -> float:
    """Seconds since the first message after `start` was delivered."""
    state = call.session.instance.broker
    with state.mutex:
        log, _ = _attached(call)
        first = next((run for run in log.runs if run.last > start), None)
        return 0.0 if first is None else call.session.instance.host.now() - first.delivery_time


def _within(call: Call, start: int, end: int, most_bytes: int) -> int:
    """So many of the messages after `start` have bodies of `most_bytes` together, one at least."""
    parts, _, _ = _parts(call, start, end)
    return call.session.instance.store.bulk.count_within(parts, most_bytes)
