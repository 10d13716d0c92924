"""SqlError: the one exception a user can cause, with the number, severity and state that SQL Server would give.

Bugs are `assert`s and ordinary Python exceptions. Whatever a script, a file or an argument can cause is a SqlError
made by `sql_error(number, …)`, so that ERROR_NUMBER(), the command line and DB-API all see the same thing.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar.ast.base import Span
from sbql.grammar.error_states import state_of
from sbql.grammar.messages import message

__all__ = ["CANCELLED", "SqlError", "sql_error"]

CANCELLED: Final = 3617
"""The number of the error of a statement that somebody cancelled: nobody goes on by another way then."""


class SqlError(Exception):
    """A T-SQL error (severity 11 and above).

    What it says:
        number, severity, state: as ERROR_NUMBER(), ERROR_SEVERITY(), ERROR_STATE().
        message: the formatted text.
        arguments: what the text was formatted with, until the statement runner has seen it: names that nothing has,
            for advice.
        before: errors that are told in front of this one, which is what they led to (5074 and 4922).

    Where it is:
        line: 1-based line within the batch or module; 0 when unknown (the statement runner fills it in).
        column: 1-based, 0 when unknown. SQL Server has no such thing; the caret of the command line stands there.
        column_line: the line that `column` counts in, where that is not `line`: a word further down in its statement.
            Else 0.
        procedure: schema-qualified name of the module, or None in a batch.
        call_line: None for most errors. When the arguments or rights of a call are wrong, `procedure` is the one that
            was called, and this is the line that is told, whatever line the call stands on: mostly 0. `column_line` is
            then where the client's text calls it. For an error in the text that defines a module it is the module's
            line in the batch, for one in a dynamic text its line there.
        inside: a text that the statement holds (an XQuery in a literal, the name of a column) and the character of it
            that is at fault. The statement runner turns it into a place of the batch.

    What it does:
        batch_aborting: ends the batch even under XACT_ABORT OFF, outside TRY (parse errors, 1205, conversion 245 …).
        dooms_transaction: leaves an open transaction uncommittable when caught (XACT_STATE() = -1).
        rolls_back: undoes the open transaction when it ends the batch.
        is_binding: a name did not resolve when the statement bound it. It ends the module that it stands in, past that
            module's own CATCH (the vendor's page on TRY...CATCH, "Errors Unaffected by a TRY...CATCH Construct").
        ends_module: the call frame that a binding error ends, set by the statement runner.
        ignores_xact_abort: does not heed XACT_ABORT, as RAISERROR.
        ends_write: it ended an INSERT, UPDATE, DELETE or MERGE, which 3621 tells.
        is_logged: the error log has it already.
    """

    def __init__(
        self,
        number: int,
        message: str,
        *,
        severity: int = 16,
        state: int = 1,
        line: int = 0,
        column: int = 0,
        column_line: int = 0,
        procedure: str | None = None,
        call_line: int | None = None,
        batch_aborting: bool = False,
        dooms_transaction: bool = False,
    ) -> None:
        super().__init__(message)
        self.number = number
        self.message = message
        self.severity = severity
        self.state = state
        self.line = line
        self.column = column
        self.column_line = column_line
        self.procedure = procedure
        self.call_line = call_line
        self.is_placed = False
        self.batch_aborting = batch_aborting
        self.dooms_transaction = dooms_transaction
        self.is_binding = False
        self.ends_module: object | None = None
        self.rolls_back = False
        self.is_logged = False
        self.ends_write = False
        self.ignores_xact_abort = False
        self.before: tuple[SqlError, ...] = ()
        self.arguments: tuple[object, ...] = ()
        self.inside: tuple[str, int] | None = None

    def at(self, span: Span) -> SqlError:
        """Set line and column from a node, unless they are known already. Returns self, to `raise error.at(span)`."""
        if self.line == 0:
            self.line, self.column = span.line, span.column
        return self

    def of_call(self, procedure: str | None, line: int = 0) -> SqlError:
        """It is about the call of `procedure` (None: of a text that has no name), which did not begin. Returns self."""
        if self.call_line is None:
            self.procedure, self.call_line = procedure, line
        return self

    def of_definition(self, module: str, line: int = 0) -> SqlError:
        """It is about the text that defines `module` ('': none), at `line` unless it knows better: the batch's own
        text, told of the module. Returns self."""
        if module and self.procedure is None and self.call_line is None and not self.is_placed:
            self.line = self.line or line
            self.procedure, self.call_line = module, self.line
            if self.column and not self.column_line:
                self.column_line = self.line
            for cause in self.before:
                cause.of_definition(module, self.line)
        return self

    def tell_place(self, line: int, module: str | None, is_nested: bool) -> None:
        """The statement at `line` of a module, or of a batch, has failed with it: say so, unless its place is known.
        `is_nested`: not the batch that the client has."""
        if self.call_line is None:
            if not self.is_placed:  # else a dynamic text has failed, which has no name
                self.line = self.line or line
                self.procedure = self.procedure or module
            if is_nested and self.procedure is None:
                self.column = 0  # it counts in a dynamic text, which the client does not have, and so does the line
                self.call_line = self.line
        elif not self.is_placed:
            is_shown = module is None and not is_nested
            self.column_line = (self.column_line or self.line or line) if is_shown else 0
            self.column = self.column if is_shown else 0
            self.line = self.call_line
        self.is_placed = True

    @property
    def is_in_batch(self) -> bool:
        """Its line and column count in the text that the client has sent."""
        return self.procedure is None if self.call_line is None else self.column_line > 0

    def within(self, text: str, at: int = 0) -> SqlError:
        """It is about the character `at` of a text that the statement holds; what
        was said first stays. Returns self."""
        if self.inside is None:
            self.inside = text, at
        return self

    def advise(self, sentence: str) -> SqlError:
        """Add a sentence that says what to do next ('': none). Returns self, to `raise error.advise(…)`."""
        if sentence:
            self.message = f"{self.message} {sentence}"
            self.args = (self.message,)
        return self

    def again(self) -> SqlError:
        """The same error to be raised once more, its place not known yet: one error can end many statements."""
        result = SqlError(
            self.number, self.message, severity=self.severity, state=self.state,
            batch_aborting=self.batch_aborting, dooms_transaction=self.dooms_transaction,
        )  # fmt: skip
        result.rolls_back, result.is_logged, result.inside = self.rolls_back, self.is_logged, self.inside
        result.call_line, result.procedure = self.call_line, None if self.call_line is None else self.procedure
        return result

    def with_causes(self) -> tuple[SqlError, ...]:
        """The errors before it, and itself: all in the place of this one, unless they have their own."""
        for cause in self.before:
            if cause.procedure is not None and cause.procedure != self.procedure:
                continue  # of the text of a view, say
            cause.procedure = self.procedure
            if not cause.line:
                cause.line, cause.column, cause.column_line = self.line, self.column, self.column_line
            elif not self.column:
                cause.column, cause.column_line = 0, cause.column_line if self.column_line else 0
        return (*self.before, self)

    def __str__(self) -> str:
        place = f", Procedure {self.procedure}" if self.procedure else ""
        return f"Msg {self.number}, Level {self.severity}, State {self.state}{place}, Line {self.line}\n{self.message}"


def sql_error(number: int, *arguments: object, state: int | None = None, span: Span | None = None) -> SqlError:
    """Make the error `number` of messages.tsv, its text formatted with `arguments` (printf style).
    Its state is that of error_states.py unless it is given.

    Raises KeyError for a number that the catalogue does not have: that is a bug here, not in the script.
    """
    entry = message(number)
    error = SqlError(
        number,
        entry.format(*arguments),
        severity=entry.severity,
        state=state_of(number, arguments) if state is None else state,
        batch_aborting=entry.batch_aborting,
        dooms_transaction=entry.dooms_transaction,
    )
    error.arguments = arguments
    return error.at(span) if span is not None else error
