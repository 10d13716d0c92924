"""RECEIVE, GET CONVERSATION GROUP, and WAITFOR around them.

The broker chooses the messages; here they become rows: columns and expressions over them, assignments, INTO a table
variable. A column of the queue is compiled as a hidden variable of the frame, so that any scalar expression works over
it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from sbql.catalog.records import Queue
from sbql.engine.broker.get_conversation_group import get_conversation_group
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.queue_monitor import hears_receive
from sbql.engine.broker.receive import Received, executed, receive
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.conversation.dialogs import argument, output_argument
from sbql.engine.conversation.receive_into import compile_into
from sbql.engine.definition.queues import find_queue
from sbql.engine.describe.queue_columns import QUEUE_COLUMNS, RECEIVE_COLUMNS, column_reader, column_values
from sbql.engine.outcomes import ResultColumn, ResultSet, RowsAffected
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler, assignment
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import check_writable
from sbql.engine.steps import LateBound, Step, handles
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.ast import (
    ColumnReference,
    Exists,
    Expression,
    GetConversationGroupStatement,
    Identifier,
    InSubquery,
    Node,
    ObjectName,
    QuantifiedComparison,
    ReceiveStatement,
    ScalarSubquery,
    SelectAssign,
    SelectColumn,
    SelectStar,
    VariableReference,
    WaitForStatement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import rewrite
from sbql.grammar.types import BIGINT, INT, UNIQUEIDENTIFIER

_WAIT_TYPE = "BROKER_RECEIVE_WAITFOR"
_NOT_HERE = (8426, 8436)
"""The conversation, or group, that was waited for is not on this queue."""
_NO_QUEUE = (9617, 208)
_Delivery = Callable[[Frame, Sequence[Received]], int | RowsAffected]
_SUBQUERIES = (ScalarSubquery, Exists, InSubquery, QuantifiedComparison)


class _Columns:
    """The queue columns that a RECEIVE names, as hidden variables: `@$name` in a slot of the frame."""

    def __init__(self, compiler: Compiler) -> None:
        self._compiler = compiler
        self.readers: dict[str, tuple[int, Callable[..., Any]]] = {}

    def rewrite(self, expression: Expression) -> Expression:
        """The expression with each ColumnReference replaced. Raises 207 for a column that queues do not have, 1046 for
        a subquery."""
        return rewrite(expression, self._replace)

    def _replace(self, node: Node) -> Node | None:
        if isinstance(node, _SUBQUERIES):
            raise sql_error(1046, span=node.span)
        return VariableReference(self._variable(node), span=node.span) if isinstance(node, ColumnReference) else None

    def _variable(self, node: ColumnReference) -> str:
        name = node.name.lower()
        sql_type = QUEUE_COLUMNS.get(name)
        if sql_type is None:
            raise sql_error(207, node.name, span=node.span)
        hidden = f"@${name}"
        if name not in self.readers:
            slot = self._compiler.scope.declare_hidden(hidden, sql_type)
            self.readers[name] = (slot, column_reader(name))
        return hidden

    def loader(self) -> Callable[[Frame, Received, Any], None]:
        """Puts one message's columns into their slots."""
        parts = tuple(self.readers.values())

        def load(frame: Frame, received: Received, session: Session) -> None:
            variables = frame.variables
            for slot, read in parts:
                variables[slot] = read(received, session)

        return load


@handles(ReceiveStatement)
def compile_receive(node: ReceiveStatement, compiler: Compiler) -> Step:
    return Step(_without_waiting(_compile_attempt(node, compiler)), waits=True)


@handles(GetConversationGroupStatement)
def compile_get_conversation_group(node: GetConversationGroupStatement, compiler: Compiler) -> Step:
    return Step(_without_waiting(_compile_group_attempt(node, compiler)), waits=True)


@handles(WaitForStatement)
def compile_waitfor(node: WaitForStatement, compiler: Compiler) -> Step:
    """TIMEOUT in milliseconds; left out or -1: wait for ever. Ends with an empty result when the time is over."""
    inner = node.statement
    if isinstance(inner, ReceiveStatement):
        attempt = _compile_attempt(inner, compiler)
    else:
        attempt = _compile_group_attempt(inner, compiler)
    timeout = convert_scalar(compiler.scalar(node.timeout), INT).run if node.timeout is not None else None

    def run(frame: Frame) -> Work:
        milliseconds = timeout(frame) if timeout is not None else -1
        host = frame.session.instance.host
        forever = milliseconds is None or milliseconds < 0
        return (yield from attempt.wait(frame, None if forever else host.now() + milliseconds / 1000))

    return Step(run, waits=True)


class _Attempt:
    """One way of looking into a queue. `take(frame, broker, queue)` under the mutex returns what was found (falsy:
    nothing); `deliver(frame, found)` puts it where the statement wants it, inside the same statement, and returns the
    rows. `wants(frame, state, queue)` tells what is waited for, None for any message."""

    def __init__(
        self,
        queue: LateBound[Queue],
        take: Callable[[Frame, BrokerTransaction, Queue], Any],
        deliver: Callable[[Frame, Any], int | RowsAffected],
        wants: Callable[[Frame, BrokerState, Queue], Callable[[], bool] | None] = lambda frame, state, queue: None,
        *,
        is_receive: bool = True,
    ) -> None:
        self.is_receive = is_receive
        self.nothing: Any = () if is_receive else None
        self.queue = queue
        self.take = take
        self.deliver = deliver
        self.wants = wants

    def once(self, frame: Frame, *, last: bool, deadline: float | None = None) -> Work:
        """Try once. An empty result is delivered only on the `last` try, which it is, too, when somebody else has the
        group locked until the `deadline` of WAITFOR has passed. Returns the rows that were delivered, None when
        nothing was."""
        delivered: int | RowsAffected | None = None
        session = frame.session
        queue = self.queue.get(session)
        with session.statement() as transaction:
            while True:
                try:
                    with session.instance.broker.mutex:
                        found = self.take(frame, transaction.broker, queue)
                    break
                except MustWait as wait:
                    resource = wait.resource
                if not (yield from _lock_until(transaction, resource, deadline)):
                    found, last = self.nothing, True
                    break
            if found or last:
                delivered = self.deliver(frame, found)
        self._executed(session, transaction, queue, bool(found))
        return delivered

    def _executed(self, session: Session, transaction: Transaction, queue: Queue, found: bool) -> None:
        """Only now, after its expressions and its own commit, has it been a RECEIVE: one that fails leaves the queue's
        monitor NOTIFIED (docs/spec: MONITOR) and no trace for poison. GET CONVERSATION GROUP counts when it finds none:
        otherwise the RECEIVE is still to come."""
        if found and not self.is_receive:
            return
        instance = session.instance
        if found and session.transaction is transaction:
            transaction.broker.returned_queues.add(queue.id)
        if hears_receive(instance.broker, queue.id, found):
            with instance.broker.mutex:
                executed(instance.broker, queue.id, found, instance.host.now())

    def wait(self, frame: Frame, deadline: float | None) -> Work:
        """Try until something is found or `deadline` passes, woken by what happens on the queue."""
        session = frame.session
        host, state = session.instance.host, session.instance.broker
        try:
            store = state.queues.get(self.queue.get(session).id)
            moved = store.services_moved if store is not None else 0
            # Unregistered: on a busy queue there mostly is something, and the mutex is taken once instead of three
            # times.
            is_last = deadline is not None and host.now() >= deadline
            delivered = yield from self.once(frame, last=is_last, deadline=deadline)
            while delivered is None:
                delivered = yield from self._next_look(frame, deadline, moved)
        except SqlError as error:
            _tell_task(session, error)
            raise
        return delivered

    def _next_look(self, frame: Frame, deadline: float | None, moved: int) -> Work:
        """As `once`, and if it finds nothing, wait for a reason to look again. `moved`: the queue's
        `services_moved` when the statement began."""
        session = frame.session
        instance = session.instance
        state = instance.broker
        is_last = deadline is not None and instance.host.now() >= deadline
        waiter = Waiter()
        queue = self.queue.get(session)
        # Registered before looking: a message that comes in between must not be missed.
        with state.mutex:
            state.queue_waiters(queue.id, queue.database_id)[waiter] = self.wants(frame, state, queue)
            store = state.queue(queue.id, queue.database_id)
        try:
            delivered = yield from self.once(frame, last=is_last, deadline=deadline)
            if delivered is None:
                instance.scheduler.reader_waits()
                yield Suspend(waiter, deadline, _WAIT_TYPE)
        except SqlError as error:
            if error.number in _NOT_HERE and store.services_moved != moved:
                raise sql_error(8468) from None
            raise
        finally:
            with state.mutex:
                state.stop_waiting(queue.id, waiter)
        if delivered is None:
            session.check_cancelled()
        return delivered


def _tell_task(session: Session, error: SqlError) -> None:
    """A RECEIVE was refused. Raises Cancelled when it was that of an activated task whose queue is OFF or gone, and
    which knows that already."""
    if error.number in _NO_QUEUE and (task := session.instance.scheduler.tasks.get(session.spid)) is not None:
        task.refused()
        session.check_cancelled()


def _lock_until(transaction: Transaction, resource: Hashable, deadline: float | None) -> Work:
    """Take the lock of a group. False when `deadline` passes first. Raises 1222 when LOCK_TIMEOUT is over before,
    1205."""
    broker = transaction.broker
    timeout = broker.owner.lock_timeout
    if deadline is None or (timeout is not None and broker.host.now() + timeout < deadline):
        yield from transaction.lock(resource)
        return True
    return (yield from broker.locks.acquire(broker.owner, resource, "X", deadline))


def _writable_queue(session: Session, name: ObjectName) -> Queue:
    """Raises 208, 3906."""
    queue = find_queue(session, name)
    check_writable(session, queue.database_id)
    return queue


def _without_waiting(attempt: _Attempt) -> Callable[[Frame], Work]:
    def run(frame: Frame) -> Work:
        try:
            return (yield from attempt.once(frame, last=True))
        except SqlError as error:
            _tell_task(frame.session, error)
            raise

    return run


def _compile_group_attempt(node: GetConversationGroupStatement, compiler: Compiler) -> _Attempt:
    """No group available: the variable becomes NULL (docs/differences.md)."""
    slot, assign = output_argument(
        compiler, node.variable.name, node.variable.span, "conversation group", "GET CONVERSATION GROUP"
    )

    def take(frame: Frame, broker: BrokerTransaction, queue: Queue) -> UUID | None:
        return get_conversation_group(broker, queue.id)

    def deliver(frame: Frame, found: UUID | None) -> int:
        frame.variables[slot] = assign(found)
        return 1 if found is not None else 0

    return _Attempt(LateBound(lambda session: _writable_queue(session, node.queue)), take, deliver, is_receive=False)


def _compile_attempt(node: ReceiveStatement, compiler: Compiler) -> _Attempt:
    top = convert_scalar(compiler.scalar(node.top), BIGINT).run if node.top is not None else None
    column = node.where.column if node.where is not None else ""
    value = (
        argument(compiler, node.where.value, UNIQUEIDENTIFIER, column, "RECEIVE") if node.where is not None else None
    )
    deliver = _compile_delivery(node, compiler)

    def take(frame: Frame, broker: BrokerTransaction, queue: Queue) -> Sequence[Received]:
        limit = top(frame) if top is not None else None
        if top is not None and (limit is None or limit < 0):
            raise sql_error(1014)
        if value is None:
            return receive(broker, queue.id, limit)
        wanted: UUID | None = value(frame)
        if wanted is None:
            raise sql_error(8418 if column == "conversation_handle" else 8420)
        if column == "conversation_handle":
            return receive(broker, queue.id, limit, conversation_handle=wanted)
        return receive(broker, queue.id, limit, conversation_group_id=wanted)

    def wants(frame: Frame, state: BrokerState, queue: Queue) -> Callable[[], bool] | None:
        wanted: UUID | None = value(frame) if value is not None else None
        if wanted is None:
            return None
        is_there = state.has_message if column == "conversation_handle" else state.group_has_message
        return partial(is_there, queue.database_id, wanted)

    def end(frame: Frame, found: Sequence[Received]) -> int | RowsAffected:
        frame.session.instance.broker.counters.receives += 1
        return deliver(frame, found)

    return _Attempt(LateBound(lambda session: _writable_queue(session, node.queue)), take, end, wants)


def _compile_delivery(node: ReceiveStatement, compiler: Compiler) -> _Delivery:
    assigns = [item for item in node.items if isinstance(item, SelectAssign)]
    if assigns and len(assigns) != len(node.items):
        raise sql_error(8447, span=node.span)
    if assigns and node.into is not None:
        raise sql_error(8450, span=node.span)
    columns = _Columns(compiler)
    if assigns:
        return _compile_assignments(assigns, columns, compiler)
    return _compile_rows(node, columns, compiler)


def _compile_assignments(items: Sequence[SelectAssign], columns: _Columns, compiler: Compiler) -> _Delivery:
    """`@v = expr`: nothing received leaves the variables as they are, several rows leave the last one's values."""
    parts = []
    for item in items:
        slot, scalar = assignment(compiler, item.variable, columns.rewrite(item.expression), item.op, item)
        parts.append((slot, scalar.run))
    load = columns.loader()

    def deliver(frame: Frame, found: Sequence[Received]) -> int:
        session = frame.session
        variables = frame.variables
        for received in found:
            load(frame, received, session)
            for slot, run in parts:
                variables[slot] = run(frame)
        return len(found)

    return deliver


def _row_maker(
    expressions: Sequence[Expression], runs: Sequence[Callable[[Frame], Any]], columns: _Columns
) -> Callable[[Frame, Sequence[Received], Session], list[tuple[Any, ...]]]:
    """What makes the rows of a result: of columns alone, as nearly every RECEIVE has
    them, one column after the other."""
    names = [expression.name.lower() for expression in expressions if isinstance(expression, ColumnReference)]
    if len(names) == len(expressions):
        readers = [column_values(name) for name in names]
        return lambda frame, found, session: list(zip(*[read(found, session) for read in readers], strict=True))
    load = columns.loader()

    def make(frame: Frame, found: Sequence[Received], session: Session) -> list[tuple[Any, ...]]:
        rows = []
        for received in found:
            load(frame, received, session)
            rows.append(tuple([run(frame) for run in runs]))
        return rows

    return make


def _compile_rows(node: ReceiveStatement, columns: _Columns, compiler: Compiler) -> _Delivery:
    outputs: list[tuple[str, Expression]] = []
    for item in node.items:
        if isinstance(item, SelectStar):
            names = [ColumnReference((Identifier(name),), span=item.span) for name in RECEIVE_COLUMNS]
            outputs += [(reference.name, reference) for reference in names]
        elif isinstance(item, SelectColumn):
            expression = item.expression
            name = (
                item.alias.value if item.alias else expression.name if isinstance(expression, ColumnReference) else ""
            )
            outputs.append((name, expression))
    scalars = [compiler.scalar(columns.rewrite(expression)) for _, expression in outputs]
    header = [ResultColumn(name, scalar.type) for (name, _), scalar in zip(outputs, scalars, strict=True)]
    make = _row_maker([expression for _, expression in outputs], [scalar.run for scalar in scalars], columns)
    into = None
    if node.into is not None:
        variable = compiler.scope.table_variable(node.into.name, node.into.span)
        into = compile_into(variable, [column.type for column in header], node.span)

    def deliver(frame: Frame, found: Sequence[Received]) -> RowsAffected:
        session = frame.session
        rows = make(frame, found, session)
        if into is not None:
            into(frame, rows)
        else:
            session.emit(ResultSet(header, rows))
        return RowsAffected(len(rows), "SELECT")

    return deliver
