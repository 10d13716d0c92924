"""What a client asks for with a batch or a call: to hear of changes of what its queries have found.

Decides for each statement of the request whether it is watched. If it is not, the reason is told at once: it is no
query, the query does not qualify, or SET options or the isolation level forbid it. A session holds the request while it
runs, and statements tell it of themselves before they run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.records import Database, QuerySubscription
from sbql.engine.broker.query_notifications import Reason
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security import has_right
from sbql.engine.subscriptions.active_subscriptions import Due, Subscription
from sbql.engine.subscriptions.options import parse_options
from sbql.engine.subscriptions.qualifying import Part, parts_of
from sbql.engine.subscriptions.relevance import Watched
from sbql.engine.tables.bound_table import bind
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import columns_in, find_all

__all__ = ["QueryRequest"]

DEFAULT_TIMEOUT: Final = 432_000
"""Seconds: five days."""
_INVALID: Final[Reason] = ("subscribe", "statement", "invalid")
_OPTIONS: Final[Reason] = ("subscribe", "statement", "set options")
_ISOLATION: Final[Reason] = ("subscribe", "statement", "isolation")
_PERMISSION: Final = "SUBSCRIBE QUERY NOTIFICATIONS"


class _Place(Struct, frozen=True):
    """Where messages go: the service and its broker instance."""

    service: str
    broker_instance: str


class QueryRequest:
    """Of one session, for one request. Raises 9226 to 9235 for options that say nothing."""

    def __init__(self, message: str, options: str, timeout: int | None = None) -> None:
        """`timeout` in seconds; 0 takes an equal subscription back, None is the server's."""
        self._message = message.encode("utf-16-le", "surrogatepass")
        self._deployment = parse_options(options)
        self._timeout = DEFAULT_TIMEOUT if timeout is None else timeout

    def statement(self, session: Session) -> None:
        """A statement runs that is no query. Raises what `_place` raises."""
        if not session.running_triggers:
            self._tell(session, self._place(session), _INVALID)

    def query(self, frame: Frame, node: ast.SelectStatement, scope: Scope) -> None:
        """A query is about to run: it is watched from now on. Raises what `_place` raises."""
        session = frame.session
        if session.running_triggers or session.options.fmtonly:
            return
        place = self._place(session)
        try:
            parts = parts_of(node, session)
        except SqlError:
            return  # the query fails in a moment
        reason = (
            _OPTIONS
            if session.options.wrong_for_watching()
            else _isolation(session) or (_INVALID if not parts else None)
        )
        if reason is not None or not parts:
            self._tell(session, place, reason or _INVALID)
        else:
            self._subscribe(frame, node, scope, place, parts)

    # --- who and where -------------------------------------------------------------------------------------

    def _place(self, session: Session) -> _Place:
        """Raises 262 without the permission, 9236 for a local database that is none, 9237 for one without a broker."""
        if not has_right(session, _PERMISSION):
            raise sql_error(262, _PERMISSION, session.database_name)
        asked = self._deployment
        if not asked.local_database:
            return _Place(asked.service, asked.broker_instance)
        database = session.catalog.find(Database, 0, asked.local_database)
        if database is None:
            raise sql_error(9236, asked.local_database)
        if not database.is_broker_enabled:
            raise sql_error(9237, asked.local_database)
        return _Place(asked.service, str(database.service_broker_guid).upper())

    def _record(self, session: Session, place: _Place) -> QuerySubscription:
        instance = session.instance
        return QuerySubscription(
            instance.subscriptions.next_id(), session.database_id, session.login.sid or b"", session.user.id, place.service,
            place.broker_instance, self._message, self._timeout, instance.host.now(),
        )  # fmt: skip

    def _tell(self, session: Session, place: _Place, reason: Reason) -> None:
        due = Due(self._record(session, place), reason, has_waited=False)
        session.note_commit(session.instance.subscriptions.tell(due))

    # --- watching ------------------------------------------------------------------------------------------

    def _subscribe(
        self, frame: Frame, node: ast.SelectStatement, scope: Scope, place: _Place, parts: tuple[Part, ...]
    ) -> None:
        session = frame.session
        registry = session.instance.subscriptions
        variables = tuple(_value(frame, scope, name) for name in _variables(node))
        key = (session.database_id, session.login.sid, self._message, place, node, variables)
        lsn = registry.renew(key, self._timeout)
        if lsn is None and self._timeout:
            transaction = session.transaction
            earlier = transaction.unit.redo if transaction is not None and transaction.has_unit else ()
            subscription = Subscription(self._record(session, place), key, earlier)
            frozen = _frozen(frame)
            subscription.watched = tuple(_watched(subscription, part, session, scope, frozen) for part in parts)
            lsn = registry.add(subscription)
        if lsn:
            session.note_commit(lsn)


def _isolation(session: Session) -> Reason | None:
    is_refused = session.options.isolation_level in ("READ UNCOMMITTED", "SNAPSHOT")
    return _ISOLATION if is_refused else None


def _variables(node: ast.SelectStatement) -> list[str]:
    return sorted({reference.name for reference in find_all(node, ast.VariableReference)})


def _value(frame: Frame, scope: Scope, name: str) -> str:
    """For the key: what cannot be compared is told apart by its text."""
    slot, _ = scope.lookup(name, ast.NO_SPAN)
    return repr(frame.variables[slot])


def _frozen(frame: Frame) -> Frame:
    """The values of variables as they are now. Conditions ask the session for nothing."""
    found = Frame(frame.session, 0)
    found.variables = list(frame.variables)
    return found


def _watched(subscription: Subscription, part: Part, session: Session, scope: Scope, frozen: Frame) -> Watched:
    bound = bind(part.table, session)
    used = frozenset(place for name in part.columns if (place := bound.position(name)) is not None)
    layout = [RowColumn(part.alias, column.name, column.type) for column in part.table.columns]
    rows = RowScope(layout, session, scope)
    tests = [_test(condition, rows, frozen) for condition in part.conditions]
    return Watched(subscription, bound, used, tuple(test for test in tests if test is not None))


def _test(condition: ast.Condition, rows: RowScope, frozen: Frame) -> Callable[[Sequence[Any]], Any] | None:
    """A condition over a row; None for one that is not worked out here, and then any row may fulfil it."""
    calls = find_all(condition, ast.FunctionCall)
    if any(len(call.name.parts) > 1 for call in calls) or not columns_in(condition):
        return None
    try:
        return partial(rows.condition(condition), frozen)
    except SqlError:
        return None
