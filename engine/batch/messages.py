"""PRINT, RAISERROR and THROW."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.outcomes import ErrorSet, InfoMessage
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import Expression, MethodCall, PrintStatement, QueryExpression, RaiserrorStatement, ThrowStatement
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import all_messages
from sbql.grammar.tree import find_all, walk
from sbql.grammar.types import INT, NVARCHAR_MAX
from sbql.grammar.values.printf import format_message

_PRINT_MAX = 8000
_TEXT_MAX = 2047
_CUT_AT = 2044
_ARGUMENTS_MAX = 20
_THROW_MAX = 2048


def _number(node: Expression, compiler: Compiler) -> Callable[[Frame], int]:
    """A whole number; NULL counts as 0. Raises 245 for anything else."""
    run = convert_scalar(compiler.scalar(node), INT).run
    return lambda frame: run(frame) or 0


@handles(PrintStatement)
def compile_print(node: PrintStatement, compiler: Compiler) -> Step:
    if any(isinstance(part, MethodCall) for part in walk(node.value)):
        raise sql_error(2722, span=node.value.span)
    query = next(find_all(node.value, QueryExpression), None)
    if query is not None:
        raise sql_error(1046, span=query.span)
    value = convert_scalar(compiler.scalar(node.value), NVARCHAR_MAX).run
    line = node.span.line

    def run(frame: Frame) -> int:
        text = value(frame)
        # A NULL prints as an empty line (an NULL argument is allowed since 2005).
        said = ("" if text is None else text)[:_PRINT_MAX]
        frame.session.emit(InfoMessage(said, line=line, procedure=frame.module_name or None))
        return 0

    return Step(run)


@handles(RaiserrorStatement)
def compile_raiserror(node: RaiserrorStatement, compiler: Compiler) -> Step:
    """Severity 0 to 10 is a message, 11 to 19 an error; 20 and above also ends the connection. Does not heed
    XACT_ABORT."""
    message = compiler.scalar(node.message)
    severity, state = _number(node.severity, compiler), _number(node.state, compiler)
    arguments = [compiler.scalar(a).run for a in node.arguments]
    if len(arguments) > _ARGUMENTS_MAX:
        raise sql_error(2747, _ARGUMENTS_MAX)
    by_number = message.type.name in ("int", "bigint", "smallint", "tinyint")

    def run(frame: Frame) -> int | ErrorSet:
        session = frame.session
        wanted, given_state = severity(frame), state(frame)
        number, template = _template(message.run(frame), by_number, session, wanted, given_state)
        text = format_message(template, [a(frame) for a in arguments])
        if len(text) > _TEXT_MAX:
            text = text[:_CUT_AT] + "..."
        level = _checked_severity(number, wanted, node.options)
        shown_state = 1 if given_state < 0 else min(given_state, 255)
        if "LOG" in node.options or session.instance.is_logged(number):
            session.instance.log(number, text, source=f"spid {session.spid}")
        if level <= 10:
            session.emit(InfoMessage(text, number, level, shown_state, node.span.line, frame.module_name or None))
            return ErrorSet(number) if "SETERROR" in node.options else 0
        error = SqlError(number, text, severity=level, state=shown_state)
        error.ignores_xact_abort = True
        error.batch_aborting = level >= 20
        error.is_logged = "LOG" in node.options
        if level >= 20:
            error.before = (_process_ends(session, number, level),)
        raise error

    return Step(run)


def _process_ends(session: Session, number: int, level: int) -> SqlError:
    """What is told in front of an error that ends the session; its severity is 16 then."""
    told = sql_error(2745, session.spid, number, level, state=2)
    told.severity = 16
    return told


def _template(given: Any, by_number: bool, session: Session, severity: int, state: int) -> tuple[int, str]:
    """Number and text. Raises 2732 for a number that cannot be one of RAISERROR, 18054 for one without a message."""
    if given is None:
        return 50000, ""
    if not by_number:
        return 50000, str(given)
    number = int(given)
    if not 13000 <= number <= 2147483647 or number == 50000:
        raise sql_error(2732, number, 13000, 2147483647)
    user_message = session.instance.user_message(number)
    if user_message is not None:
        return number, user_message
    known = all_messages().get(number)
    if known is None:
        raise sql_error(18054, number, severity, state)
    return number, known.text


def _checked_severity(number: int, level: int, options: tuple[str, ...]) -> int:
    """-1 is the severity that the message itself has. Raises 2754 for 19 and more without LOG."""
    known = all_messages().get(number) if level == -1 else None
    if known is not None:
        return known.severity
    if level < 0:
        return 0
    if level > 18 and "LOG" not in options:
        raise sql_error(2754)
    return min(level, 25)


@handles(ThrowStatement)
def compile_throw(node: ThrowStatement, compiler: Compiler) -> Step:
    """Ends the batch unless caught, severity 16; without arguments the caught error goes on, its line included."""
    if node.number is None:
        if compiler.catch_depth == 0:
            raise sql_error(10704)

        def rethrow(frame: Frame) -> None:
            caught: SqlError = frame.session.errors[-1]
            again = SqlError(
                caught.number, caught.message, severity=caught.severity, state=caught.state, line=caught.line,
                procedure=caught.procedure, call_line=caught.call_line, batch_aborting=True, dooms_transaction=caught.dooms_transaction,
            )  # fmt: skip
            again.is_placed = caught.procedure is None and not caught.is_in_batch  # the line is that of a dynamic text
            raise again

        return Step(rethrow)
    assert node.message is not None and node.state is not None
    number, state = _number(node.number, compiler), _number(node.state, compiler)
    message = convert_scalar(compiler.scalar(node.message), NVARCHAR_MAX).run

    def run(frame: Frame) -> None:
        value = number(frame)
        if not 50000 <= value <= 2147483647:
            raise sql_error(35100, value, state=10)
        text = message(frame) or ""
        # THROW formats nothing, but %% stands for one percent sign, as in every message text.
        raise SqlError(
            value, text.replace("%%", "%")[:_THROW_MAX], severity=16, state=state(frame) & 255, batch_aborting=True
        )

    return Step(run)
