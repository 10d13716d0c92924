"""Server cursors of clients: sp_cursoropen, sp_cursorfetch, sp_cursorclose and their kin, which
drivers make scrollable results of.

Decides which rows a fetch shows. Every cursor is static: its result is read when it is opened, whatever kind was asked
for, and the answer says so. It must not know what a driver does with them; cursors of T-SQL are `batch.cursors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct

from sbql.engine.batch.execute import Argument, converted_argument
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.outcomes import Outcome, ResultColumn, ResultSet, RowsAffected
from sbql.engine.system.dynamic import sp_executesql
from sbql.engine.system.prepared import keep
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX


class Fetch(IntEnum):
    """What sp_cursorfetch does. PREVIOUS shows a whole window where there are rows enough,
    PREVIOUS_AS_FAR only what lies before."""

    FIRST = 0x01
    NEXT = 0x02
    PREVIOUS = 0x04
    LAST = 0x08
    ABSOLUTE = 0x10
    RELATIVE = 0x20
    REFRESH = 0x80
    INFO = 0x100
    PREVIOUS_AS_FAR = 0x200


STATIC: Final = 0x08
ONE_WAY: Final = 0x14
"""FORWARD_ONLY and FAST_FORWARD: a static cursor is as good, and the client need not know."""
READ_ONLY: Final = 0x01
DIRECT: Final = 0x2000
"""What no cursor can be opened over is to be run, and its results sent as they are."""
_FIRST_HANDLE: Final = 180150001
_OPTIONS: Final = range(1, 4)
_FOUND: Final = 1
_ROWSTAT: Final = ResultColumn("ROWSTAT", INT)


class ClientCursor(Struct):
    """Rows, and the window that the last fetch showed: `size` rows from `start` on. Before the first row: 0, 0;
    behind the last one: their number, 0."""

    columns: Sequence[ResultColumn]
    rows: list[tuple[Any, ...]]
    start: int = 0
    size: int = 0

    def move(self, kind: Fetch, row: int, count: int) -> list[tuple[Any, ...]]:
        """Show another window of at most `count` rows."""
        end = self.start + self.size
        stop = None
        match kind:
            case Fetch.FIRST:
                start = 0
            case Fetch.NEXT:
                start = end
            case Fetch.PREVIOUS:
                start = max(0, self.start - count) if self.start else -1
            case Fetch.PREVIOUS_AS_FAR:
                start, stop = (max(0, self.start - count), self.start) if self.start else (-1, None)
            case Fetch.LAST:
                start = max(0, len(self.rows) - count)
            case Fetch.ABSOLUTE:
                start = row - 1 if row >= 0 else max(0, len(self.rows) + row)
            case Fetch.RELATIVE:
                start = self.start + row if end else row - 1
            case Fetch.REFRESH:
                start, stop = self.start, end
        if start < 0:
            self.start = self.size = 0
            return []
        self.start = min(start, len(self.rows))
        shown = self.rows[self.start : self.start + count if stop is None else stop]
        self.size = len(shown)
        return shown


class _Prepared(NamedTuple):
    """A statement of sp_cursorprepare, among the prepared ones."""

    declarations: str | None
    text: str
    scroll: int
    concurrency: int


class _Wanted(NamedTuple):
    """How a cursor is asked for, and where it says what came of it."""

    handle: Argument
    scroll: Argument | None
    concurrency: Argument | None
    rows: Argument | None


def _number(argument: Argument | None, missing: int = 0) -> int:
    value = converted_argument(argument, INT) if argument is not None else None
    return missing if value is None else int(value)


def _give(argument: Argument | None, value: int) -> None:
    if argument is not None and argument.assign is not None:
        argument.assign(value, INT)


def _at(arguments: Sequence[Argument], place: int) -> Argument | None:
    return arguments[place] if place < len(arguments) else None


def _required(call: ProcedureCall, count: int, last: str) -> Sequence[Argument]:
    """All arguments, of which `count` have to be there. Raises 201 with the name of the last one of these."""
    if len(call.arguments) < count:
        raise sql_error(201, call.name, last)
    return call.arguments


def _wanted(handle: Argument, rest: Sequence[Argument]) -> _Wanted:
    return _Wanted(handle, _at(rest, 0), _at(rest, 1), _at(rest, 2))


# --- opening -----------------------------------------------------------------------------------------------


@procedure("sp_cursoropen")
def sp_cursoropen(call: ProcedureCall) -> Work:
    """sp_cursoropen @cursor OUTPUT, @stmt [, @scrollopt OUTPUT [, @ccopt OUTPUT [, @rowcount OUTPUT [,
    @paramdef, values …]]]]. Raises 16937."""
    given = _required(call, 2, "@stmt")
    wanted = _wanted(given[0], given[2:])
    return (yield from _open(call, wanted, given[1], given[5:]))


@procedure("sp_cursorprepare")
def sp_cursorprepare(call: ProcedureCall) -> Work:
    """sp_cursorprepare @handle OUTPUT, @params, @stmt, @options [, @scrollopt OUTPUT [, @ccopt OUTPUT]]."""
    given = _required(call, 3, "@stmt")
    scroll, concurrency = _at(given, 4), _at(given, 5)
    _keep(call, given[1], given[2], scroll, concurrency)
    _give(scroll, _granted(scroll))
    _give(concurrency, READ_ONLY)
    return 0
    yield


@procedure("sp_cursorexecute")
def sp_cursorexecute(call: ProcedureCall) -> Work:
    """sp_cursorexecute @handle, @cursor OUTPUT [, @scrollopt OUTPUT [, @ccopt OUTPUT [, @rowcount OUTPUT [,
    values …]]]]. Raises 8179, 16937."""
    given = _required(call, 2, "@cursor")
    number = _number(given[0])
    known: Any = call.session.prepared.get(number)
    if not isinstance(known, _Prepared):
        raise sql_error(8179, number)
    wanted = _wanted(given[1], given[2:])
    text, declared = _text(given[0], known.text), _text(given[0], known.declarations)
    return (yield from _open(call, wanted, text, (declared, *given[5:])))


@procedure("sp_cursorprepexec")
def sp_cursorprepexec(call: ProcedureCall) -> Work:
    """sp_cursorprepexec @handle OUTPUT, @cursor OUTPUT, @params, @stmt [, @scrollopt OUTPUT [, @ccopt OUTPUT [,
    @rowcount OUTPUT [, values …]]]]."""
    given = _required(call, 4, "@stmt")
    wanted = _wanted(given[1], given[4:])
    _keep(call, given[2], given[3], wanted.scroll, wanted.concurrency)
    return (yield from _open(call, wanted, given[3], (given[2], *given[7:])))


def _keep(
    call: ProcedureCall, declared: Argument, text: Argument, scroll: Argument | None, concurrency: Argument | None
) -> None:
    call.session.instance.modules.parse(str(text.value or ""))
    keep(call, _Prepared(declared.value, str(text.value or ""), _number(scroll), _number(concurrency)))


def _text(like: Argument, value: str | None) -> Argument:
    return msgspec.structs.replace(like, value=value, type=NVARCHAR_MAX, name=None, assign=None)


def _granted(scroll: Argument | None) -> int:
    """The kind of cursor that is opened."""
    return _number(scroll, STATIC) & ONE_WAY or STATIC


def _open(call: ProcedureCall, wanted: _Wanted, text: Argument, values: Sequence[Argument]) -> Work:
    """Run the statement; its rows stay here. `values`: the declarations of the parameters, and these."""
    session, outer = call.session, call.session.sink
    said: list[Outcome] = []

    def hear(outcome: Outcome) -> None:
        if isinstance(outcome, ResultSet | RowsAffected):
            said.append(outcome)
        elif outer is not None:
            outer(outcome)

    statement = msgspec.structs.replace(text, name=None, assign=None)
    with session.told_to(hear):
        code = yield from sp_executesql(ProcedureCall("sp_executesql", (statement, *values), call.frame))
    results = [outcome for outcome in said if isinstance(outcome, ResultSet)]
    if len(results) != 1:
        if not _number(wanted.concurrency) & DIRECT:
            raise sql_error(16937)
        for outcome in said:
            session.emit(outcome)
        _give(wanted.handle, 0)
        return code
    cursors = session.client_cursors
    handle = max(cursors, default=_FIRST_HANDLE) + 2
    cursors[handle] = found = ClientCursor((*results[0].columns, _ROWSTAT), results[0].rows)
    session.emit(ResultSet(found.columns, []))
    _give(wanted.handle, handle)
    _give(wanted.scroll, _granted(wanted.scroll))
    _give(wanted.concurrency, READ_ONLY)
    _give(wanted.rows, len(found.rows))
    return 0


# --- using -------------------------------------------------------------------------------------------------


def _found(call: ProcedureCall) -> ClientCursor:
    """Raises 201, 16909."""
    number = _number(_required(call, 1, "@cursor")[0])
    found: ClientCursor | None = call.session.client_cursors.get(number)
    if found is None:
        raise sql_error(16909, call.name, f"{number:x}")
    return found


@procedure("sp_cursorfetch")
def sp_cursorfetch(call: ProcedureCall) -> Work:
    """sp_cursorfetch @cursor [, @fetchtype [, @rownum OUTPUT [, @nrows OUTPUT]]]. Raises 16909, 16902."""
    found, given = _found(call), call.arguments
    row, count = _at(given, 2), _at(given, 3)
    try:
        kind = Fetch(_number(_at(given, 1), Fetch.NEXT))
    except ValueError:
        raise sql_error(16902, call.name, "fetchtype") from None
    if kind is Fetch.INFO:
        _give(row, found.start + 1 if found.size else 0 if not found.start else -1)
        _give(count, len(found.rows))
        return 0
    rows = found.move(kind, _number(row), max(0, _number(count, 20)))
    call.session.emit(ResultSet(found.columns, [(*one, _FOUND) for one in rows]))
    return 0
    yield


@procedure("sp_cursorclose")
def sp_cursorclose(call: ProcedureCall) -> Work:
    """sp_cursorclose @cursor; -1 closes all. Raises 16909."""
    if call.arguments and _number(call.arguments[0]) == -1:
        call.session.client_cursors.clear()
        return 0
    _found(call)
    del call.session.client_cursors[_number(call.arguments[0])]
    return 0
    yield


@procedure("sp_cursoroption")
def sp_cursoroption(call: ProcedureCall) -> Work:
    """sp_cursoroption @cursor, @code, @value: text pointers, a name for the cursor and the like have no meaning
    for a copy. Raises 16909, 16902."""
    _found(call)
    if _number(_at(call.arguments, 1)) not in _OPTIONS:
        raise sql_error(16902, call.name, "code")
    return 0
    yield


@procedure("sp_cursorunprepare")
def sp_cursorunprepare(call: ProcedureCall) -> Work:
    """sp_cursorunprepare @handle. Raises 8179."""
    number = _number(_at(call.arguments, 0))
    if call.session.prepared.pop(number, None) is None:
        raise sql_error(8179, number)
    return 0
    yield


@procedure("sp_cursor")
def sp_cursor(call: ProcedureCall) -> Work:
    """sp_cursor @cursor, @optype, @rownum, @table, values …: changes through a cursor. Raises
    16909, 16929: cursors are read-only."""
    _found(call)
    raise sql_error(16929)
    yield
