"""The names that there are, for completion: asked of the catalog views in a session of their
own, and kept until a batch has run.

It decides the queries. They are asked aside, so that Tab changes nothing for whoever types; what an open transaction
has made is not offered. It must not know what the names are for.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.engine.scalars.function_registry import all_functions
from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed
from sbql.repl.side_session import SideSession
from sbql.repl.suggestions import Known

__all__ = ["KnownNames"]

_QUERIES: Final = """SELECT 'database' AS kind, name COLLATE Latin1_General_BIN AS name FROM sys.databases
UNION ALL SELECT 'service', name FROM {db}.sys.services
UNION ALL SELECT 'contract', name FROM {db}.sys.service_contracts
UNION ALL SELECT 'message type', name FROM {db}.sys.service_message_types
UNION ALL SELECT 'route', name FROM {db}.sys.routes
UNION ALL SELECT 'schema', name FROM {db}.sys.schemas
UNION ALL SELECT CASE type WHEN 'U' THEN 'table' WHEN 'V' THEN 'table' WHEN 'SQ' THEN 'queue' WHEN 'P' THEN 'procedure' ELSE 'function' END, name
    FROM {db}.sys.objects WHERE type IN ('U', 'V', 'SQ', 'P', 'FN', 'IF', 'TF')
UNION ALL SELECT 'procedure', name FROM sys.all_objects WHERE type IN ('P', 'X') AND is_ms_shipped = 1;
SELECT o.name, c.name FROM {db}.sys.columns AS c JOIN {db}.sys.objects AS o ON o.object_id = c.object_id WHERE o.type IN ('U', 'V', 'IF', 'TF') ORDER BY c.column_id;
SELECT o.name, p.name FROM {db}.sys.all_parameters AS p JOIN {db}.sys.all_objects AS o ON o.object_id = p.object_id WHERE p.name LIKE '@%' ORDER BY p.parameter_id;
SELECT c.name, t.name FROM {db}.sys.service_contract_message_usages AS u JOIN {db}.sys.service_contracts AS c ON c.service_contract_id = u.service_contract_id
    JOIN {db}.sys.service_message_types AS t ON t.message_type_id = u.message_type_id"""


class KnownNames:
    """Asks when it is asked, and not again before `forget`."""

    def __init__(self, aside: SideSession) -> None:
        self._aside = aside
        self._found: dict[str, Known] = {}

    def forget(self) -> None:
        """A batch has run: there may be other names."""
        self._found.clear()

    def of(self, database: str) -> Known:
        """What there is in a database. Without the right to see it, or without a server, there is nothing."""
        if database not in self._found:
            try:
                self._found[database] = self._ask(database)
            except SqlError:
                return Known()
        return self._found[database]

    def _ask(self, database: str) -> Known:
        names, columns, parameters, types = map(_grouped, self._aside.ask(_QUERIES.format(db=bracketed(database))))
        names.setdefault("function", []).extend(all_functions())
        return Known(names, _lower(columns), _lower(parameters), types)


def _grouped(rows: list[tuple[Any, ...]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in rows:
        found.setdefault(str(key), []).append(str(value))
    return found


def _lower(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {key.lower(): values for key, values in found.items()}
