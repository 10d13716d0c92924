"""BEGIN DIALOG, SEND, END CONVERSATION, BEGIN CONVERSATION TIMER, MOVE CONVERSATION.

Each evaluates its arguments, then calls the broker's rule under the broker's mutex; what has to wait for a conversation
group is waited for here, and tried again.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, TypeVar
from uuid import UUID

from sbql.engine.broker.begin_dialog import DEFAULT_LIFETIME, begin_dialog
from sbql.engine.broker.conversation_timer import begin_conversation_timer
from sbql.engine.broker.end_conversation import (
    end_conversation,
    end_conversation_with_cleanup,
    end_conversation_with_error,
)
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.move_conversation import move_conversation
from sbql.engine.broker.send import send, send_to_all
from sbql.engine.broker.system_messages import DEFAULT_CONTRACT, DEFAULT_TYPE
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar, converter
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import check_writable
from sbql.engine.steps import Step, handles
from sbql.engine.work import Suspend, Work
from sbql.grammar.ast import (
    BeginConversationTimerStatement,
    BeginDialogStatement,
    EndConversationStatement,
    Expression,
    Identifier,
    MoveConversationStatement,
    NameOrVariable,
    SendStatement,
    Span,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import BIGINT, INT, NVARCHAR_MAX, UNIQUEIDENTIFIER, SqlType, nvarchar
from sbql.grammar.values.binary import encode_body

__all__ = ["argument", "broker_call", "name_argument", "output_argument", "text_argument"]

T = TypeVar("T")

_BEGIN_DIALOG = "BEGIN DIALOG"
_HANDLE = "conversation handle"
_GROUP = "conversation group"
_NO_CONVERSION = (206, 257, 529)
_NAMES_ARE = frozenset({"char", "varchar", "nchar", "nvarchar", "null"})
_NO_BODY_TYPES = frozenset({"sql_variant", "text", "ntext", "image"})


def broker_call(session: Session, operation: Callable[[BrokerTransaction], T]) -> Generator[Suspend, None, T]:
    """Run one broker operation as (part of) a statement, waiting for conversation groups that others hold."""
    check_writable(session, session.database_id)
    with session.statement() as transaction:
        while True:
            try:
                with session.instance.broker.mutex:
                    return operation(transaction.broker)
            except MustWait as wait:
                resource = wait.resource
            yield from transaction.lock(resource, "X", "LCK_M_X")


def argument(
    compiler: Compiler, node: Expression, wanted: SqlType, what: str, statement: str
) -> Callable[[Frame], Any]:
    """An argument of a broker statement: anything that converts implicitly to `wanted`, 8402 for what does not."""
    scalar = compiler.scalar(node)
    try:
        return convert_scalar(scalar, wanted).run
    except SqlError as problem:
        if problem.number not in _NO_CONVERSION:
            raise
    raise sql_error(8402, what, statement, wanted.name, scalar.type.name, span=node.span)


def output_argument(
    compiler: Compiler, name: str, span: Span, what: str, statement: str
) -> tuple[int, Callable[[Any], Any]]:
    """The variable that a statement fills with a GUID, and what it stores: 8402 for any other type than
    uniqueidentifier."""
    slot, target = compiler.scope.lookup(name, span)
    if target.name != "uniqueidentifier":
        raise sql_error(8402, what, statement, "uniqueidentifier", target.name, span=span)
    return slot, converter(UNIQUEIDENTIFIER, target)


def _handle(compiler: Compiler, node: Expression, statement: str) -> Callable[[Frame], UUID]:
    run = argument(compiler, node, UNIQUEIDENTIFIER, _HANDLE, statement)

    def checked(frame: Frame) -> UUID:
        handle: UUID | None = run(frame)
        if handle is None:
            raise sql_error(8418)
        return handle

    return checked


def name_argument(
    compiler: Compiler, node: NameOrVariable | None, default: str, what: str, statement: str
) -> Callable[[Frame], str | None]:
    """What gives the value of a name, of a variable in its place, or `default` where nothing stands. 8402 for a
    variable that holds no text."""
    if node is None:
        return lambda frame: default
    if isinstance(node, Identifier):
        fixed = node.value
        return lambda frame: fixed
    return text_argument(compiler, node, nvarchar(256), what, statement)


def text_argument(
    compiler: Compiler, node: Expression, wanted: SqlType, what: str, statement: str
) -> Callable[[Frame], str | None]:
    """A name as a string or a variable: 8402 for any other type than text, though it would convert."""
    scalar = compiler.scalar(node)
    if scalar.type.name not in _NAMES_ARE:
        raise sql_error(8402, what, statement, "nvarchar", scalar.type.name, span=node.span)
    return convert_scalar(scalar, wanted).run


@handles(BeginDialogStatement)
def compile_begin_dialog(node: BeginDialogStatement, compiler: Compiler) -> Step:
    slot, assign = output_argument(compiler, node.handle.name, node.handle.span, "dialog handle", _BEGIN_DIALOG)
    from_service = name_argument(compiler, node.from_service, "", "FROM SERVICE", _BEGIN_DIALOG)
    to_service = text_argument(compiler, node.to_service, NVARCHAR_MAX, "TO SERVICE", _BEGIN_DIALOG)
    contract = name_argument(compiler, node.contract, DEFAULT_CONTRACT, "ON CONTRACT", _BEGIN_DIALOG)
    instance = None
    if node.broker_instance is not None:
        instance = convert_scalar(compiler.scalar(node.broker_instance), NVARCHAR_MAX).run
    lifetime = (
        argument(compiler, node.lifetime, BIGINT, "LIFETIME", _BEGIN_DIALOG) if node.lifetime is not None else None
    )
    related, group = (
        argument(compiler, option, UNIQUEIDENTIFIER, what, _BEGIN_DIALOG) if option is not None else None
        for option, what in ((node.related_conversation, _HANDLE), (node.related_conversation_group, _GROUP))
    )
    encryption = node.encryption is not False

    def run(frame: Frame) -> Work:
        session = frame.session
        related_handle = related(frame) if related is not None else None
        group_id = group(frame) if group is not None else None
        if related is not None and related_handle is None:
            raise sql_error(8418)
        if group is not None and group_id is None:
            raise sql_error(8420)
        arguments = (from_service(frame), to_service(frame), instance(frame) if instance is not None else None)
        agreed = contract(frame)
        seconds = lifetime(frame) if lifetime is not None else DEFAULT_LIFETIME

        def operation(transaction: BrokerTransaction) -> UUID:
            return begin_dialog(
                transaction, session.database_id, *arguments, contract=agreed, related_conversation=related_handle,
                related_conversation_group=group_id, lifetime=seconds, encryption=encryption,
            )  # fmt: skip

        handle = yield from broker_call(session, operation)
        frame.variables[slot] = assign(handle)
        return 0

    return Step(run, waits=True)


def _body(compiler: Compiler, node: Expression | None) -> Callable[[Frame], bytes | None] | None:
    """The message body as bytes: strings by their code page or UTF-16, xml as UTF-16, anything that converts to
    varbinary."""
    if node is None:
        return None
    scalar = compiler.scalar(node)
    source: SqlType = scalar.type
    if source.name in _NO_BODY_TYPES:
        raise sql_error(8402, "message body", "SEND", "varbinary(max)", source.name, span=node.span)
    value = scalar.run
    if source.name == "varbinary":
        return value

    def run(frame: Frame) -> bytes | None:
        given = value(frame)
        return None if given is None else encode_body(given, source) or b""

    return run


@handles(SendStatement)
def compile_send(node: SendStatement, compiler: Compiler) -> Step:
    """SEND without a body sends NULL; a body that evaluates to NULL is 8433."""
    message_type = name_argument(compiler, node.message_type, DEFAULT_TYPE, "MESSAGE TYPE", "SEND")
    body = _body(compiler, node.body)
    if len(node.handles) == 1:
        return Step(_send_one(_handle(compiler, node.handles[0], "SEND"), message_type, body), waits=True)
    handles_of = [argument(compiler, h, UNIQUEIDENTIFIER, _HANDLE, "SEND") for h in node.handles]

    def run(frame: Frame) -> Work:
        session = frame.session
        given = [h(frame) for h in handles_of]
        name = message_type(frame) or ""
        content = body(frame) if body is not None else b""
        yield from broker_call(
            session, lambda t: send_to_all(t, session.database_id, given, name, content, is_null=content is None)
        )
        return 0

    return Step(run, waits=True)


def _send_one(
    handle: Callable[[Frame], UUID],
    message_type: Callable[[Frame], str | None],
    body: Callable[[Frame], bytes | None] | None,
) -> Callable[[Frame], Work]:
    """The hot path: one handle."""

    def run(frame: Frame) -> Work:
        session = frame.session
        given = handle(frame)
        name = message_type(frame) or ""
        content = body(frame) if body is not None else b""
        check_writable(session, session.database_id)
        with session.statement() as transaction:
            while True:
                try:
                    with session.instance.broker.mutex:
                        send(transaction.broker, session.database_id, given, name, content, is_null=content is None)
                    break
                except MustWait as wait:
                    resource = wait.resource
                yield from transaction.lock(resource)
        return 0

    return run


@handles(EndConversationStatement)
def compile_end_conversation(node: EndConversationStatement, compiler: Compiler) -> Step:
    statement = "END CONVERSATION"
    handle = _handle(compiler, node.handle, statement)
    code = argument(compiler, node.error, INT, "error code", statement) if node.error is not None else None
    text = None
    if node.description is not None:
        text = argument(compiler, node.description, nvarchar(3000), "error description", statement)

    def run(frame: Frame) -> Work:
        session = frame.session
        given = handle(frame)
        if node.cleanup:
            yield from broker_call(session, lambda t: end_conversation_with_cleanup(t, session.database_id, given))
        elif code is not None and text is not None:
            number, description = code(frame), text(frame)
            if number is not None and number <= 0:
                raise sql_error(8419)
            yield from broker_call(
                session, lambda t: end_conversation_with_error(t, session.database_id, given, number, description)
            )
        else:
            yield from broker_call(session, lambda t: end_conversation(t, session.database_id, given))
        return 0

    return Step(run, waits=True)


@handles(BeginConversationTimerStatement)
def compile_timer(node: BeginConversationTimerStatement, compiler: Compiler) -> Step:
    """TIMEOUT is in seconds."""
    statement = "BEGIN CONVERSATION TIMER"
    handle = _handle(compiler, node.handle, statement)
    timeout = argument(compiler, node.timeout, INT, "TIMEOUT", statement)

    def run(frame: Frame) -> Work:
        session = frame.session
        given, seconds = handle(frame), timeout(frame)
        if seconds is None:
            missing = sql_error(8402, "TIMEOUT", statement, "int", "NULL")
            missing.batch_aborting = False  # a value, as every other NULL; that of a type is of the text
            raise missing
        yield from broker_call(session, lambda t: begin_conversation_timer(t, session.database_id, given, seconds))
        return 0

    return Step(run, waits=True)


@handles(MoveConversationStatement)
def compile_move(node: MoveConversationStatement, compiler: Compiler) -> Step:
    statement = "MOVE CONVERSATION"
    handle = _handle(compiler, node.handle, statement)
    group = argument(compiler, node.group, UNIQUEIDENTIFIER, _GROUP, statement)

    def run(frame: Frame) -> Work:
        session = frame.session
        given = handle(frame)
        target = group(frame)
        if target is None:
            raise sql_error(8420)
        yield from broker_call(session, lambda t: move_conversation(t, session.database_id, given, target))
        return 0

    return Step(run, waits=True)
