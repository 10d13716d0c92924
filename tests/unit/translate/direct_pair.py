"""Two instances with the same rows, of which one leaves every query to DuckDB, for tests of queries that need none."""

from __future__ import annotations

from typing import Any

import pytest
from told import told

from sbql.engine.direct import queries, searches
from sbql.engine.instance import Instance
from sbql.engine.query.translation import DIRECT
from sbql.engine.session import Session
from sbql.engine.tables import grouped_rows

__all__ = ["Pair"]


class Pair:
    """Two instances, of which the second leaves every query to DuckDB. `direct`: joins of the first that do
    not, `rendered`: its FOR clauses."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.instances = Instance.open(clock="virtual", seed=1), Instance.open(clock="virtual", seed=1)
        self.sessions: list[Session] = []
        for instance in self.instances:
            told(instance.connect("master"), "CREATE DATABASE shop")
            self.sessions.append(instance.connect("shop"))
        self.direct = self.rendered = 0
        joined, read, searched = queries.joined_rows, DIRECT["query"], DIRECT["target"]

        def counted(*given: Any) -> Any:
            found = joined(*given)
            self.direct += found is not None
            return found

        def of_first(make: Any, translated: int, session: int) -> Any:
            return lambda *given: given[translated] if given[session].instance is self.instances[1] else make(*given)

        render = queries.with_rendered_rows

        def rendered(*given: Any) -> Any:
            found = render(*given)
            self.rendered += found.direct is not None
            return found

        patch.setattr(grouped_rows, "_PATIENCE", 0)
        for module in (queries, searches):
            patch.setattr(module, "joined_rows", counted)
        patch.setattr(queries, "with_rendered_rows", rendered)
        patch.setitem(DIRECT._known, "query", of_first(read, 2, 4))
        patch.setitem(DIRECT._known, "target", of_first(searched, 5, 7))

    def both(self, text: str) -> list[Any]:
        """What each of the two says, rows of a result in any order."""
        return [sorted(map(repr, told(session, text))) for session in self.sessions]
