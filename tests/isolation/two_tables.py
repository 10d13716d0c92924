"""An instance with two small tables, T of (1, 10), (2, 20), (3, 30) and U, for sessions that meet there."""

from __future__ import annotations

from typing import Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet, RowsAffected

__all__ = ["World", "told"]


class World:
    def __init__(self) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        self.instance.connect().run("CREATE DATABASE D")
        self.admin = self.session()
        self.admin.run("CREATE TABLE T (id int PRIMARY KEY, v int); CREATE TABLE U (id int PRIMARY KEY, v int)")
        self.admin.run("CREATE VIEW V AS SELECT id, v FROM T")
        self.made: dict[str, int] = {}
        self.reset()

    def session(self) -> Any:
        return self.instance.connect(database="D")

    def reset(self) -> None:
        self.admin.run(
            "DELETE T; DELETE U; INSERT T VALUES (1, 10), (2, 20), (3, 30); INSERT U VALUES (1, 1), (2, 2), (3, 3)"
        )

    def start(self, session: Any, text: str) -> Any:
        task = self.instance.loop.start(session, text)
        self.instance.loop.settle()
        return task

    def goes_on(self) -> None:
        self.instance.loop.settle()

    def module(self, text: str) -> int:
        """The number of the module that this text makes, with {n} in the place of it."""
        if text not in self.made:
            self.made[text] = len(self.made)
            assert told(self.admin.run(text.replace("{n}", str(self.made[text])))) == []
        return self.made[text]

    def tables(self) -> list[Any]:
        return told(self.admin.run("SELECT id, v FROM T ORDER BY id; SELECT id, v FROM U ORDER BY id"))


def told(outcomes: list[Any]) -> list[Any]:
    found: list[Any] = []
    for outcome in outcomes:
        if isinstance(outcome, ResultSet):
            found.append([tuple(row) for row in outcome.rows])
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
        elif isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
    return found
