"""What a new row image must satisfy by itself: computed columns filled in, NOT NULL, CHECK.

All of it is Python on the image, so the common mistakes of a script never reach DuckDB. Keys and foreign keys, which
need other rows, are in `keys.py` and `foreign_keys.py`. A CHECK whose function reads tables is asked last, when the
statement's rows are there for the function to see.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable, Check
from sbql.engine.tables.row_images import Image, RowImages
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checked_rows

__all__ = ["check_images", "check_late", "check_row", "complete_row", "constraint_conflict", "database_name"]


def complete_row(frame: Frame, bound: BoundTable, row: Image) -> None:
    """Fill in what nobody may give: computed columns and the row version."""
    if bound.row_version is not None:
        session = frame.session
        transaction = session.transaction
        if transaction is not None:
            transaction.has_row_versions = True
        version = session.instance.tables.next_row_versions(1, None if transaction is None else transaction.id)
        row[bound.row_version] = version.to_bytes(8, "big")
    for position, run, convert in bound.computed:
        value = run(frame, row)
        row[position] = value if convert is None else convert(value)


def check_images(frame: Frame, bound: BoundTable, images: RowImages) -> None:
    """Check all new images of a statement. Raises 515, 547."""
    if not (bound.not_null or bound.checks):
        return
    if images.inserted:
        verb = "INSERT" if images.verb != "MERGE" else "MERGE"
        for inserted in checked_rows(images.inserted):
            check_row(frame, bound, inserted.new, verb)
    if images.updated:
        verb = "UPDATE" if images.verb != "MERGE" else "MERGE"
        for updated in checked_rows(images.updated):
            check_row(frame, bound, updated.new, verb)


def check_row(frame: Frame, bound: BoundTable, row: Image, verb: str) -> None:
    """Raises 515 for NULL in a column that takes none, 547 for a CHECK that is false. `verb`: INSERT, UPDATE or
    MERGE."""
    for position in bound.not_null:
        if row[position] is None:
            column = bound.table.columns[position]
            action = "UPDATE" if verb == "UPDATE" else "INSERT"
            raise sql_error(515, column.name, bound.full_name, action)
    for check in bound.checks:
        if check.test(frame, row) is False:
            raise check_failed(bound, check, verb)


def check_late(frame: Frame, bound: BoundTable, images: RowImages) -> None:
    """CHECK constraints whose functions read tables, of rows that are written. A change of columns that such a
    constraint does not name is not its business. Raises 547."""
    for check in bound.late_checks:
        for inserted in checked_rows(images.inserted):
            if check.test(frame, inserted.new) is False:
                raise check_failed(bound, check, "INSERT" if images.verb != "MERGE" else "MERGE")
        positions = {bound.index_of[name.lower()] for name in check.columns}
        changed = images.columns.union(position for position, _, _ in bound.computed)
        if positions and positions.isdisjoint(changed):
            continue
        for updated in checked_rows(images.updated):
            if check.test(frame, updated.new) is False:
                raise check_failed(bound, check, "UPDATE" if images.verb != "MERGE" else "MERGE")


def check_failed(bound: BoundTable, check: Check, verb: str) -> SqlError:
    return constraint_conflict(verb, "CHECK", check.constraint.name, bound, check.columns)


def constraint_conflict(verb: str, kind: str, name: str, bound: BoundTable, columns: Any) -> SqlError:
    """Error 547, and what to do about a conflict of this kind. `bound` and `columns` are those where the conflict is:
    the parent of a FOREIGN KEY, the child of a REFERENCE."""
    error = sql_error(547, verb, kind, name, database_name(bound), bound.display, *column_part(columns))
    if kind == "CHECK":
        return error.advise("sp_helpconstraint shows what the CHECK asks for.")
    if kind.startswith("FOREIGN KEY"):
        return error.advise("The row that it refers to has to be there first.")
    actions = f"ON {verb}" if verb in ("DELETE", "UPDATE") else "ON DELETE or ON UPDATE"
    return error.advise(
        f"Rows there refer to this one: delete or change them first, or give the constraint {actions} CASCADE."
    )


def database_name(bound: BoundTable) -> str:
    """The database a table is in, as messages name it. A table variable is in tempdb."""
    if bound.display.startswith("@"):
        return "tempdb"
    return bound.full_name.removesuffix("." + bound.display)


def column_part(columns: Any) -> tuple[str, str, str]:
    """The end of message 547: the column, when the constraint is about exactly one."""
    names = [getattr(c, "name", c) for c in columns]
    return (", column '", names[0], "'") if len(names) == 1 else ("", "", "")
