"""Control flow: blocks, IF, WHILE, BREAK, CONTINUE, RETURN, GOTO, WAITFOR DELAY and TIME, TRY/CATCH."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

from sbql.engine.batch.one_moment import condition_in_one_moment
from sbql.engine.batch.running import Ask, AskLocked, branch
from sbql.engine.outcomes import InfoMessage
from sbql.engine.query.reading_locks import condition_with_locks
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import BREAK, CONTINUE, Goto, Return, Step, handles
from sbql.engine.work import Suspend, Waiter, Work
from sbql.grammar.ast import (
    BeginEndBlock,
    BreakStatement,
    ContinueStatement,
    GotoStatement,
    IfStatement,
    ReturnStatement,
    TryCatchStatement,
    WaitForDelayStatement,
    WhileStatement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import message
from sbql.grammar.types import INT


@handles(BeginEndBlock)
def compile_block(node: BeginEndBlock, compiler: Compiler) -> Step:
    return compiler.block(node.statements)


@handles(IfStatement)
def compile_if(node: IfStatement, compiler: Compiler) -> Step:
    condition = _condition(node, compiler)
    then = compiler.block([node.then])
    otherwise = compiler.block([node.otherwise]) if node.otherwise is not None else Step(_nothing)
    return branch(condition, then, otherwise, _locks(node, condition, compiler))


def _condition(node: IfStatement | WhileStatement, compiler: Compiler) -> Ask:
    """Whoever measures which branches are taken is told."""
    condition = condition_in_one_moment(node.condition, compiler.condition(node.condition), compiler.facts)
    tell = compiler.tell_line
    if tell is None:
        return condition

    def told(frame: Frame) -> bool | None:
        holds = condition(frame)
        tell(node.span.line, bool(holds))
        return holds

    return told


def _locks(node: IfStatement | WhileStatement, condition: Ask, compiler: Compiler) -> AskLocked | None:
    return condition_with_locks(node, condition, compiler.scope, compiler.session, compiler.in_module)


def _enter(step: Step, frame: Frame, label: str) -> Any:
    """Begin a step at a label in it, as GOTO does."""
    assert step.enter is not None
    return step.enter(frame, label)


def _nothing(frame: Frame) -> None:
    return None


@handles(WhileStatement)
def compile_while(node: WhileStatement, compiler: Compiler) -> Step:
    condition = _condition(node, compiler)
    compiler.loop_depth += 1
    body = compiler.block([node.body])
    compiler.loop_depth -= 1
    locks = _locks(node, condition, compiler)
    waits = body.waits or locks is not None
    run: Callable[..., Any] = _waiting_loop(condition, body, locks) if waits else _plain_loop(condition, body)
    return Step(run, waits=waits, labels=body.labels, enter=run)


def _plain_loop(condition: Ask, body: Step) -> Callable[..., Any]:
    """`label`: GOTO into the body; the condition is asked after that round."""
    once = body.run

    def run(frame: Frame, label: str | None = None) -> Any:
        session = frame.session
        while label is not None or condition(frame):
            if label is None:
                signal = once(frame)
            else:
                signal, label = _enter(body, frame, label), None
            if session.cancel_requested:
                session.check_cancelled()
            if signal is not None and signal is not CONTINUE:
                return None if signal is BREAK else signal
        return 0

    return run


def _waiting_loop(condition: Ask, body: Step, locks: AskLocked | None) -> Callable[..., Work]:
    def run(frame: Frame, label: str | None = None) -> Work:
        session = frame.session
        while True:
            if label is None:
                asked = locks(frame) if locks is not None else None
                if not (condition(frame) if asked is None else (yield from asked)):
                    break
            done = body.run(frame) if label is None else _enter(body, frame, label)
            label = None
            signal = (yield from done) if body.waits else done
            if session.cancel_requested:
                session.check_cancelled()
            if signal is not None and signal is not CONTINUE:
                return None if signal is BREAK else signal
        return 0

    return run


@handles(BreakStatement)
def compile_break(node: BreakStatement, compiler: Compiler) -> Step:
    if compiler.loop_depth == 0:
        raise sql_error(135)
    return Step(lambda frame: BREAK)


@handles(ContinueStatement)
def compile_continue(node: ContinueStatement, compiler: Compiler) -> Step:
    if compiler.loop_depth == 0:
        raise sql_error(136)
    return Step(lambda frame: CONTINUE)


@handles(GotoStatement)
def compile_goto(node: GotoStatement, compiler: Compiler) -> Step:
    compiler.goto(node)
    signal = Goto(label=node.label.lower())
    return Step(lambda frame: signal)


@handles(ReturnStatement)
def compile_return(node: ReturnStatement, compiler: Compiler) -> Step:
    """RETURN n: the return code of a procedure (NULL is 0, as on SQL Server), the result of a scalar function."""
    if node.value is None:
        plain = Return(value=None)
        return Step(lambda frame: plain)
    if compiler.in_module in ("", "TR", "TF"):
        raise sql_error(178)
    value = convert_scalar(compiler.scalar(node.value), compiler.returns or INT).run
    if compiler.in_module == "FN":
        return Step(lambda frame: Return(value=value(frame)))

    def run(frame: Frame) -> Return:
        code = value(frame)
        if code is None and frame.module is not None:
            told = message(282)
            frame.session.emit(InfoMessage(told.format(frame.module.name), told.number, told.severity))
        return Return(value=0 if code is None else code)

    return Step(run)


_TIMES = frozenset({"char", "varchar", "nchar", "nvarchar", "datetime", "smalldatetime"})
_DELAY = re.compile(r"(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:[.:](\d{1,9}))?)?")


def _seconds(text: str) -> float:
    found = _DELAY.fullmatch(text.strip())
    if found is None:
        raise sql_error(148, text)
    hours, minutes, seconds = (int(g or 0) for g in found.groups()[:3])
    if hours > 23 or minutes > 59 or seconds > 59:
        raise sql_error(148, text)
    fraction = float("0." + found.group(4)) if found.group(4) else 0.0
    return hours * 3600 + minutes * 60 + seconds + fraction


@handles(WaitForDelayStatement)
def compile_waitfor_delay(node: WaitForDelayStatement, compiler: Compiler) -> Step:
    """WAITFOR DELAY 'hh:mm:ss.mmm' and WAITFOR TIME 'hh:mm:ss' (local time, the next such moment)."""
    compiled = compiler.scalar(node.value)
    value = compiled.run

    def run(frame: Frame) -> Work:
        session = frame.session
        if compiled.type.name not in _TIMES:
            raise sql_error(9815, compiled.type.name, state=0)
        given = value(frame)
        if isinstance(given, datetime.datetime):
            given = given.time()
        seconds = _seconds(
            given.isoformat() if isinstance(given, datetime.time) else "" if given is None else str(given)
        )
        host = session.instance.host
        now = host.now()
        if node.kind == "TIME":
            local = (now + host.utc_offset_minutes() * 60) % 86400
            seconds = (seconds - local) % 86400
        while host.now() < now + seconds:
            yield Suspend(Waiter(), now + seconds, "WAITFOR")
            session.check_cancelled()
        return 0

    return Step(run, waits=True)


@handles(TryCatchStatement)
def compile_try(node: TryCatchStatement, compiler: Compiler) -> Step:
    attempt = compiler.block(node.try_block, is_try=True)
    compiler.catch_depth += 1
    catch = compiler.block(node.catch_block, is_try=True)
    compiler.catch_depth -= 1
    if attempt.waits or catch.waits:
        return Step(_waiting_try(attempt, catch), waits=True)

    def run(frame: Frame) -> Any:
        session = frame.session
        session.enter_try()
        try:
            return attempt.run(frame)
        except SqlError as error:
            caught = _caught(error, frame)
        finally:
            session.leave_try()
        session.instance.notified.error(session, caught, is_told=False)
        with session.catching(caught):
            return catch.run(frame)

    return Step(run)


def _waiting_try(attempt: Step, catch: Step) -> Callable[[Frame], Work]:
    def run(frame: Frame) -> Work:
        session = frame.session
        session.enter_try()
        try:
            return (yield from attempt.run(frame)) if attempt.waits else attempt.run(frame)
        except SqlError as error:
            caught = _caught(error, frame)
        finally:
            session.leave_try()
        session.instance.notified.error(session, caught, is_told=False)
        with session.catching(caught):
            return (yield from catch.run(frame)) if catch.waits else catch.run(frame)

    return run


def _caught(error: SqlError, frame: Frame) -> SqlError:
    """The error, if a CATCH of this frame may have it; else it goes on (20 and above, binding errors of this level)."""
    if error.severity >= 20 or error.ends_module is frame:
        raise error
    return error
