"""Compiler: turns the statements of a batch or module into one Step.

What it decides: what is compiled now and what when it runs; where GOTO may jump. It must not know any single statement:
the passes make a step of each (`passes.py`), and `running.py` runs them in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sbql.engine.batch.batch_facts import NO_FACTS, BatchFacts
from sbql.engine.batch.early_binding import Bindings
from sbql.engine.batch.passes import COMPOUND, compile_statement
from sbql.engine.batch.running import Item, sequence
from sbql.engine.ports import Session
from sbql.engine.running_lines import Tell
from sbql.engine.scalars.expressions import Scalar, compile_condition, compile_scalar, constant, convert_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.steps import LateBound, Step, note_place
from sbql.grammar.ast import (
    Condition,
    Expression,
    GotoStatement,
    LabelStatement,
    Statement,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import NVARCHAR_MAX, SqlType

__all__ = ["Compiler"]


_Path = tuple[tuple[int, bool], ...]
"""The blocks around a statement, outermost first: a number for each, and whether it is a TRY or CATCH."""


class Compiler:
    """Compiles one batch or module. `session` is asked only for what the text needs at once: user types and options.

    `in_module` is the kind of module being compiled ('' for a batch, else P, FN, TF, TR): it decides what RETURN
    means, and `returns` what a function's RETURN converts to. `text` is the batch as written, which CREATE PROCEDURE
    keeps as the definition; `facts` what its tree holds. `tell_line` gets the line of each statement that runs, if
    somebody wants to know (running_lines).
    """

    def __init__(
        self, scope: Scope, session: Session, in_module: str = "", text: str = "", facts: BatchFacts = NO_FACTS,
        tell_line: Tell | None = None,
    ) -> None:  # fmt: skip
        self.scope = scope
        self.session = session
        self.in_module = in_module
        self.text = text
        self.returns: SqlType | None = None
        self.loop_depth = 0
        self.catch_depth = 0
        self.bindings = Bindings()
        self._gotos: list[tuple[GotoStatement, _Path]] = []
        self._labels: dict[str, _Path] = {}
        self._path: _Path = ()
        self._blocks = 0
        self.facts = facts
        self.tell_line = tell_line
        self.heeds_options = session.options.deviations != 0 or facts.switches_meaning

    def scalar(self, node: Expression) -> Scalar:
        """A whole expression. One over tables that this batch has yet to make is compiled again when it runs."""
        scope, before = self.scope, self.scope.guesses
        try:
            scalar = compile_scalar(node, scope)
        except SqlError:
            if scope.guesses == before:
                raise
            scalar = constant(None, NVARCHAR_MAX)  # the error may be the guess's
        if scope.guesses == before and not self.heeds_options:
            return scalar
        bound = LateBound(lambda session: compile_scalar(node, scope.of(session)))
        shown = convert_scalar(Scalar(scalar.type, scalar.run, late=bound.get), scalar.type)
        return Scalar(scalar.type, shown.run, late=bound.get)

    def condition(self, node: Condition) -> Callable[[Frame], bool | None]:
        scope, before = self.scope, self.scope.guesses
        try:
            condition = compile_condition(node, scope)
        except SqlError:
            if scope.guesses == before:
                raise
        else:
            if scope.guesses == before and not self.heeds_options:
                return condition
        bound = LateBound(lambda session: compile_condition(node, scope.of(session)))

        def run(frame: Frame) -> bool | None:
            found = bound.get(frame.session)(frame)
            tell_warnings(frame.session)  # the statement that asks may be a loop
            return found

        return run

    def statement(self, node: Statement) -> Step:
        """The step of one statement. Raises SqlError for what its text alone shows to be wrong."""
        try:
            with self.bindings.of(node):
                return compile_statement(node, self)
        except SqlError:
            raise
        except Exception as error:
            note_place(error, node.span)
            raise

    def whole(self, nodes: Iterable[Statement]) -> Step:
        """The step of a whole batch or module body. Raises 133 for a GOTO to a label that is nowhere in it, 1026 for
        one into TRY or CATCH."""
        step = self.block(nodes)
        for goto, path in self._gotos:
            place = self._labels.get(goto.label.lower())
            if place is None:
                raise sql_error(133, goto.label, span=goto.span)
            if path[: len(place)] != place:
                if any(is_try for block, is_try in place if (block, is_try) not in path):
                    raise sql_error(1026, span=goto.span)
        return step

    def goto(self, node: GotoStatement) -> None:
        """Note a GOTO where it stands; `whole` knows all labels."""
        self._gotos.append((node, self._path))

    def block(self, nodes: Iterable[Statement], *, is_try: bool = False) -> Step:
        """The step of a list of statements, one after the other. `is_try`: of a TRY or CATCH."""
        outer = self._path
        self._blocks += 1
        self._path = (*outer, (self._blocks, is_try))
        try:
            return self._block(nodes)
        finally:
            self._path = outer

    def _block(self, nodes: Iterable[Statement]) -> Step:
        items: list[Item] = []
        labels: dict[str, int] = {}
        for node in nodes:
            if isinstance(node, LabelStatement):
                label = node.label.lower()
                if label in self._labels:
                    raise sql_error(132, node.label, span=node.span)
                labels[label] = len(items)
                self._labels[label] = self._path
                continue
            step = self.statement(node)
            resets = not isinstance(node, COMPOUND)  # they leave @@ERROR as those inside set it
            items.append(Item(step.run, step.waits, node, resets, step.labels, step.enter))
        return sequence(items, labels)
