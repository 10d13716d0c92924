"""Procedure calls of TDS clients: a call becomes a statement of a session, its parameters typed values both ways.

It decides what a call returns: results as they arise, then the return code and OUTPUT parameters. It must not know what
a procedure does: names are looked up and called as EXECUTE does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.batch.execute import Argument, call_procedure
from sbql.engine.batch.running import Item, sequence
from sbql.engine.describe.procedures import find_procedure
from sbql.engine.outcomes import Outcome
from sbql.engine.scalars.conversion import converter
from sbql.engine.scalars.scope import Frame
from sbql.engine.server.tds_answer import Answer, Wire
from sbql.engine.server.tds_tables import table_argument, taker
from sbql.engine.session import Session
from sbql.engine.steps import Step
from sbql.engine.tds import tokens
from sbql.engine.tds.requests import Parameter, RpcCall
from sbql.engine.tds.table_values import TableValue
from sbql.engine.work import Work
from sbql.grammar.ast import ExecuteStatement, Identifier, ObjectName, Span
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import SqlType

__all__ = ["ProcedureCall"]

_FIRST_LINE = Span(1, 1, 1, 1, 0, 0)


class ProcedureCall:
    """One call of a message."""

    def __init__(self, call: RpcCall) -> None:
        self._call = call
        self._code: Any = None
        self._outputs: dict[int, Any] = {}

    @property
    def shows_metadata(self) -> bool:
        """The client may say that it knows the columns; a cursor's fetches then must not repeat
        them. Elsewhere they do no harm."""
        return not (self._call.wants_no_metadata and self._call.procedure.lower() == "sp_cursorfetch")

    def work(self, session: Session, sink: Callable[[Outcome], None]) -> Work:
        """What a driver runs."""
        name = self._call.procedure

        def prepare() -> tuple[Step, Frame]:
            called = ObjectName((Identifier(name, True),))
            node = ExecuteStatement(called, span=_FIRST_LINE)
            return sequence([Item(self._run, True, node, True)], {}), Frame(session, 0)

        return session.perform(f"EXEC {name}", sink, prepare)

    def _run(self, frame: Frame) -> Work:
        session = frame.session
        found = find_procedure(session, parse_object_name(self._call.procedure.split(";")[0]))
        arguments = []
        for place, given in enumerate(self._call.parameters):
            if isinstance(given.value, TableValue):
                called, before = taker(session, found, self._call.parameters)
                arguments.append((yield from table_argument(session, called, place - before, given.name, given.value)))
            else:
                arguments.append(self._argument(place, given))
        self._code, _ = yield from call_procedure(found, arguments, frame)
        return None

    def _argument(self, place: int, given: Parameter) -> Argument:
        name = given.name or None
        if given.is_default:
            return Argument(None, given.type, name, is_default=True)
        if not given.is_output:
            return Argument(given.value, given.type, name)
        self._outputs[place] = given.value

        def assign(value: Any, source: SqlType) -> None:
            self._outputs[place] = converter(source, given.type)(value)

        return Argument(given.value, given.type, name, assign=assign)

    def finish(self, answer: Answer, wire: Wire) -> None:
        """What stands at the end of a call. One that an error has ended returns nothing."""
        answer.end_rows()
        answer.tell_changes()  # behind the DONE of a procedure nothing more is awaited
        if self._code is not None:
            answer.add(tokens.return_status(self._code if isinstance(self._code, int) else 0))
            for place, value in self._outputs.items():
                given = self._call.parameters[place]
                answer.add(tokens.return_value(place, given.name, given.type, value, wire.version))
        answer.done(tokens.DONEPROC, 0, tokens.COMMANDS["EXECUTE"])
