"""What a translated query reads, and the check of it when the query runs.

A query is translated once and run by many, so it only lists what it needs: SELECT on tables, views, queues and
functions (with the columns that it names), VIEW SERVER STATE for dynamic views. Decides which of that is asked of whom:
nothing of sa, nothing where one owner holds both ends of the chain. It must not know queries.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from sbql.catalog.records import CatalogRecord, Database, Module, Permission, Schema, Table
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.ports import Session
from sbql.engine.security.checks import denied, has_right, may, no_way_in, same_owner, token
from sbql.engine.security.context import Token, has_access
from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error

__all__ = ["Read", "ServerState", "SystemRead", "check_columns", "check_reads"]


class Read(Struct, frozen=True):
    """SELECT (or EXECUTE) on an object. `inside` is the view or function whose text names it, None for the statement
    itself. `columns` fills while the query is translated."""

    record: CatalogRecord
    permission: str = "SELECT"
    inside: Module | None = None
    columns: set[str] = field(default_factory=set)

    def check(self, session: Session) -> None:
        caller = self.inside if self.inside is not None else session.running_module
        if not same_owner(session.catalog, caller, self.record):
            check_columns(session, self.permission, self.record, self.columns)


class SystemRead(Struct, frozen=True):
    """A system view of another database: the user must have a way in."""

    database: Database

    def check(self, session: Session) -> None:
        if not has_access(session.contexts[-1], session.catalog, self.database.id):
            raise no_way_in(session.contexts[-1], session.catalog, self.database)


class ServerState(Struct, frozen=True):
    """A dynamic management view: VIEW SERVER STATE, or VIEW DATABASE STATE for those of one database."""

    permission: str = "VIEW SERVER STATE"

    def check(self, session: Session) -> None:
        """Raises 297, in front of which 300 or 262 names the permission."""
        is_of_server = self.permission == "VIEW SERVER STATE"
        if has_right(session, self.permission, "SERVER" if is_of_server else "DATABASE"):
            return
        failed = sql_error(297)
        failed.before = (
            sql_error(300, self.permission, "server", "master")
            if is_of_server
            else sql_error(262, self.permission, session.database_name),
        )
        raise failed


def check_reads(session: Session, reads: Iterable[Read | SystemRead | ServerState]) -> None:
    """Raises 229, 230, 297, 916 for the first thing that the session's user may not read."""
    for read in reads:
        read.check(session)


def check_columns(
    session: Session, permission: str, record: CatalogRecord, columns: Iterable[str], span: Span | None = None
) -> None:
    """A permission on an object, or on each of the columns that are used: a grant or denial of a column is stronger
    than that of its table. Raises 229, or 230 for a column."""
    whole = may(session, permission, record)
    snapshot = session.catalog
    by_column = (
        _column_entries(snapshot).get((record.database_id, record.id, permission))
        if isinstance(record, Table)
        else None
    )
    if not by_column:
        if not whole:
            raise denied(session, permission, record, span)
        return
    who = token(session, record.database_id)
    if who is None or who.is_sysadmin or who.is_dbo:
        return
    assert isinstance(record, Table)
    states = {column: _state(entries, who) for column, entries in by_column.items()}
    ids = {c.name.lower(): c.column_id for c in record.columns}
    used = [name for name in columns if name in ids] or (list(ids) if not whole else [])
    if not whole and not any(states.values()):
        raise denied(session, permission, record, span)
    for name in sorted(used, key=lambda n: ids[n]):
        state = states.get(ids[name])
        if state == "D" or (state is None and not whole):
            database, schema = (
                snapshot.get(Database, 0, record.database_id),
                snapshot.get(Schema, record.database_id, record.schema_id),
            )
            raise sql_error(
                230, permission, next(c.name for c in record.columns if c.name.lower() == name), record.name,
                database.name if database else "", schema.name if schema else "dbo", span=span,
            )  # fmt: skip


def _state(entries: list[tuple[int, str]], who: Token) -> str | None:
    states = [state for grantee, state in entries if grantee in who.principals]
    return None if not states else "D" if "D" in states else "G"


def _column_entries(snapshot: CatalogSnapshot) -> dict[tuple[int, int, str], dict[int, list[tuple[int, str]]]]:
    """(database, table, permission) -> column -> (grantee, state)."""
    kept: dict[tuple[int, int, str], dict[int, list[tuple[int, str]]]] | None = snapshot.derived.get(
        "column permissions"
    )
    if kept is None:
        kept = {}
        for p in snapshot.all(Permission):
            if p.minor_id:
                columns = kept.setdefault((p.database_id, p.major_id, p.permission), {})
                columns.setdefault(p.minor_id, []).append((p.grantee_principal_id, p.state))
        snapshot.derived["column permissions"] = kept
    return kept
