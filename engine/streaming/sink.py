"""The operations of a writer: bring rows, send them all in one transaction, once.

`sink.stage` keeps what a task has brought, `sink.commit` sends the rows of the tasks that it names, in one engine
transaction together with the note that the batch is done, `sink.abort` forgets what was brought. A batch is known by
its writer (a query's id, or what an application calls itself) and a version that grows: one that is done is not sent
again. What is committed is never undone.

The rules of SEND, BEGIN DIALOG and END CONVERSATION are the broker's. It must not know who writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final
from uuid import UUID

from sbql.catalog.records import Database, DeleteSinkDialog, SentBatch, SinkDialog
from sbql.catalog.staged_batch import RowKind, StagedBatch
from sbql.engine.broker.arrival import NotInBulk
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.bulk_send import BulkSend
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.send import send
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.system_messages import DEFAULT_CONTRACT, DEFAULT_TYPE
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.operations import Call, argument, operation
from sbql.engine.security.database_access import check_writable
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

_KEPT: Final = 3600.0
"""Seconds that rows wait for a commit."""
_AT_ONCE: Final = 500
"""Rows that are sent before others get a turn at the broker."""


@operation("sink.stage", kind="write")
def stage(call: Call) -> dict[str, Any]:
    """Keep the rows that come along for the batch `version` of `writer`, until it is committed or
    aborted. Returns `key` and `count`."""
    instance = call.instance
    key, count = instance.store.bulk.staging.put(_batch(call), call.rows, instance.host.now())
    return {"key": key, "count": count}


@operation("sink.abort")
def abort(call: Call) -> dict[str, Any]:
    """Forget what was brought for a batch. One that is committed stays committed."""
    call.instance.store.bulk.staging.drop(_batch(call), call.instance.host.now() - _KEPT)
    return {}


@operation("sink.commit")
def commit(call: Call) -> Work:
    """Send the rows of `keys`, in this order, in one transaction. `database` is that of the dialogs; `dialogs` (from,
    to, contract, encryption, lifetime) says how one is begun for a key that has none, `message_type` what a row
    without one is, `end_conversations` that the dialogs that this batch has used by key are ended. Returns `is_new`:
    False when the batch was done before.

    Raises what SEND, BEGIN DIALOG and END CONVERSATION raise, with the number of the
    row; 49946 for a key that is not there.
    """
    staging = call.instance.store.bulk.staging
    keys: list[str] = argument(call, "keys", list, [])
    found = None
    if _is_worth_bulk(call, keys):
        with suppress(NotInBulk), staging.batch(keys) as rows:
            found = yield from _commit(call, partial(_send_in_bulk, call, rows))
    if found is None:
        found = yield from _commit(call, partial(_send_one_by_one, call, keys))
    if found["is_new"]:
        staging.drop(_batch(call), call.instance.host.now() - _KEPT)
    return found


def _is_worth_bulk(call: Call, keys: list[str]) -> bool:
    """There are many rows, and all that is asked for is there; the commit is this call's own."""
    bulk = call.instance.store.bulk
    is_there = all(bulk.staging.has(key) for key in keys) and not call.session.options.implicit_transactions
    return is_there and bulk.staging.count(keys) >= bulk.many


def _commit(call: Call, send: Callable[[Any, _Batch], Work]) -> Work:
    """One transaction: `send` sends the rows. Raises NotInBulk with nothing done."""
    session, instance = call.session, call.instance
    name = argument(call, "database", str, session.database_name)
    database = session.catalog.find(Database, 0, name)
    if database is None:
        raise sql_error(911, name)
    if session.trancount:
        raise sql_error(574, "sink.commit")
    before = session.database_name
    session.use(database.name)
    try:
        check_writable(session, database.id)
        with session.statement() as transaction:
            yield from transaction.lock(("sink", database.id, argument(call, "writer", str, required=True)))
            batch = _Batch(call, instance.broker, database.id)
            if batch.is_done:
                return {"is_new": False}
            yield from send(transaction, batch)
            while True:
                try:
                    with instance.broker.mutex:
                        batch.finish(transaction.broker, instance.host.now())
                    break
                except MustWait as wait:
                    resource = wait.resource
                yield from transaction.lock(resource)
            transaction.on_commit(batch.remember)
    finally:
        session.use(before)
    return {"is_new": True}


def _batch(call: Call) -> str:
    return f"{argument(call, 'writer', str, required=True)} {argument(call, 'version', int, required=True)}"


def _send_in_bulk(call: Call, rows: StagedBatch, transaction: Any, batch: _Batch) -> Work:
    """All rows at once, by the dialogs and message types that they name. Raises NotInBulk
    with everything undone but locks."""
    state: BrokerState = call.instance.broker
    try:
        kinds = rows.kinds()
        steps = sorted(
            (*((k.first, 0, k) for k in kinds), *((k.end, 1, k) for k in kinds if k.end is not None)), key=_when
        )
        with state.mutex:
            bulk = BulkSend(transaction.broker, rows)
        done = 0
        while done < len(steps):
            try:
                with state.mutex:
                    for _, is_end, kind in steps[done : done + _AT_ONCE]:
                        (batch.end if is_end else batch.add)(bulk, kind)
                        done += 1
            except MustWait as wait:
                yield from transaction.lock(wait.resource)
            except SqlError as error:
                row = steps[done][0]
                with state.mutex:
                    bulk.require_no_doubt()
                    state.counters.sends += row  # the rows before it were sent, and are rolled back
                raise error.advise(f"(row {row + 1} of the batch; nothing of it was sent)") from None
        with state.mutex:
            checks = bulk.checks()
        bulk.place()
        bulk.validate(checks)
        with state.mutex:
            bulk.send()
            has_to_fold = bulk.before_fold()
    except NotInBulk:
        with state.mutex:
            transaction.broker.rollback_to(0)
        raise
    if has_to_fold:
        call.instance.store.fold()


def _when(step: tuple[int, int, RowKind]) -> tuple[int, int]:
    """Rows in their order, the end of a dialog behind its row."""
    return step[0], step[1]


def _send_one_by_one(call: Call, keys: list[str], transaction: Any, batch: _Batch) -> Work:
    staging = call.instance.store.bulk.staging
    number = 0
    for key in keys:
        if not staging.has(key):
            raise sql_error(49946, key)
        for rows in staging.rows(key):
            for start in range(0, len(rows), _AT_ONCE):
                part = rows[start : start + _AT_ONCE]
                yield from _send(call, transaction, batch, part, number)
                number += len(part)


def _send(call: Call, transaction: Any, batch: _Batch, rows: Sequence[tuple[Any, ...]], number: int) -> Work:
    """Send some rows; `number` is that of the first."""
    done = 0
    while done < len(rows):
        try:
            with call.instance.broker.mutex:
                broker = transaction.broker
                while done < len(rows):
                    batch.send(broker, rows[done])
                    done += 1
        except MustWait as wait:
            yield from transaction.lock(wait.resource)
        except SqlError as error:
            raise error.advise(f"(row {number + done + 1} of the batch; nothing of it was sent)") from None


class _Batch:
    """What one commit does: the dialogs that it uses by key, and those that it begins and ends."""

    def __init__(self, call: Call, state: BrokerState, database_id: int) -> None:
        self.state = state
        self.database_id = database_id
        self.writer: str = argument(call, "writer", str, required=True)
        self.version: int = argument(call, "version", int, required=True)
        self.how: dict[str, Any] = argument(call, "dialogs", dict, {})
        self.message_type: str = argument(call, "message_type", str, None) or DEFAULT_TYPE
        self.ends_all = bool(call.request.get("end_conversations"))
        self.used: dict[str, UUID | None] = {}
        """The dialog of each key that was used; None: it was ended."""

    @property
    def is_done(self) -> bool:
        last = self.state.sent_batches.get((self.database_id, self.writer))
        return last is not None and last.version >= self.version

    def send(self, broker: BrokerTransaction, row: tuple[Any, ...]) -> None:
        """One row of STAGED_COLUMNS. Raises MustWait before any change, and SqlError."""
        text, key, kind, body, is_last = row
        handle = self._handle(broker, text, key)
        send(broker, self.database_id, handle, kind or self.message_type, body)
        if is_last:
            end_conversation(broker, self.database_id, handle)
            if text is None:
                self.used[key or ""] = None

    def add(self, bulk: BulkSend, kind: RowKind) -> None:
        """Rows that are alike. Raises MustWait, NotInBulk, and SqlError."""
        handle = self._handle(bulk.transaction, kind.conversation_handle, kind.conversation_key)
        bulk.add(self.database_id, handle, kind, kind.message_type_name or self.message_type)

    def end(self, bulk: BulkSend, kind: RowKind) -> None:
        """What `send` does behind a row that ends its dialog."""
        bulk.end(kind)
        if kind.conversation_handle is None:
            self.used[kind.conversation_key or ""] = None

    def _handle(self, broker: BrokerTransaction, text: str | None, key: str | None) -> UUID:
        if text is None:
            return self._dialog(broker, key or "")
        try:
            return UUID(text)
        except ValueError:
            raise sql_error(8426, text) from None

    def _dialog(self, broker: BrokerTransaction, key: str) -> UUID:
        """That of a key: the one that it has, or a new one when it has none that can be sent on.
        Raises 8418 when nobody said to whom."""
        handle = self.used.get(key)
        if handle is not None:
            return handle
        known = self.state.sink_dialogs.get((self.database_id, self.writer, key)) if key not in self.used else None
        if known is not None and self._is_open(broker, known):
            handle = known
        else:
            how = self.how
            if not how:
                raise sql_error(8418).advise(
                    "Give each row a conversation_handle, or say with fromService and toService where dialogs go."
                )
            handle = begin_dialog(
                broker, self.database_id, how.get("from"), how.get("to"), contract=how.get("contract", DEFAULT_CONTRACT),
                encryption=bool(how.get("encryption", True)), **({"lifetime": how["lifetime"]} if how.get("lifetime") else {}),
            )  # fmt: skip
        self.used[key] = handle
        return handle

    def _is_open(self, broker: BrokerTransaction, handle: UUID) -> bool:
        found = self.state.find(self.database_id, handle)
        if found is None or found.removed:
            return False
        broker.lock(found.group)
        return found.endpoint.state in ("SO", "CO")

    def finish(self, broker: BrokerTransaction, now: float) -> None:
        """End what is to be ended, and note that the batch is done, in the same transaction."""
        for key, handle in self.used.items():
            if self.ends_all and handle is not None:
                end_conversation(broker, self.database_id, handle)
                self.used[key] = handle = None
        for key, handle in self.used.items():
            known = self.state.sink_dialogs.get((self.database_id, self.writer, key))
            if handle is not None and handle != known:
                broker.deliveries.append(SinkDialog(self.database_id, self.writer, key, handle))
            elif handle is None and known is not None:
                broker.deliveries.append(DeleteSinkDialog(self.database_id, self.writer, key))
        self.record = SentBatch(self.database_id, self.writer, self.version, now)
        broker.deliveries.append(self.record)

    def remember(self) -> None:
        """It is committed."""
        with self.state.mutex:
            self.state.sent_batches[self.database_id, self.writer] = self.record
            for key, handle in self.used.items():
                place = self.database_id, self.writer, key
                if handle is None:
                    self.state.sink_dialogs.pop(place, None)
                else:
                    self.state.sink_dialogs[place] = handle
