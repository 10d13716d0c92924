"""The overlay: broker relations as a transaction that changed broker state sees them.

Decides how a transaction's own changes are laid over the stored tables in the SQL of a query. It must not know which
query it is: a marked name `broker_<table>` becomes a subquery that leaves out every key the transaction changed
and adds the rows as they are now, both handed over as local tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.catalog.broker_tables import BROKER_TABLES, COLUMN_TYPES, row_of
from sbql.catalog.changes import LocalTable
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.net_effect import NetEffect
from sbql.catalog.records.broker import BrokerChange

__all__ = ["BROKER_RELATIONS", "overlay"]

BROKER_RELATIONS: Final = frozenset(f"broker_{table}" for table in BROKER_TABLES)
"""Names that the SQL of queues and views may mark."""


def overlay(sql: MarkedSql, changes: Sequence[BrokerChange]) -> tuple[str, list[LocalTable]]:
    """`sql` reading the broker relations with `changes` laid over them, and the local tables that it then needs."""
    if not changes:
        return sql.plain(), []
    effect = NetEffect(changes)
    tables = [name.removeprefix("broker_") for name in sorted(sql.names & BROKER_RELATIONS)]
    used = [table for table in tables if effect.tables[table]]
    locals = [local for table in used for local in _locals(table, effect.tables[table])]
    return sql.with_names({f"broker_{table}": _subquery(table) for table in used}).plain(), locals


def _subquery(table: str) -> str:
    keys = ", ".join(BROKER_TABLES[table][1])
    return (
        f"(SELECT * FROM sbql.{table} ANTI JOIN temp.main.overlay_{table}_keys USING ({keys})"
        f" UNION ALL SELECT * FROM temp.main.overlay_{table})"
    )


def _locals(table: str, changes: dict[Any, Any]) -> list[LocalTable]:
    columns, key = COLUMN_TYPES[table], BROKER_TABLES[table][1]
    types = dict(columns)
    rows = [row_of(record) for record in changes.values() if record is not None]
    keys = [k if isinstance(k, tuple) else (k,) for k in changes]
    version = object()
    return [
        LocalTable(f"overlay_{table}", columns, rows, version),
        LocalTable(f"overlay_{table}_keys", tuple((name, types[name]) for name in key), keys, version),
    ]
