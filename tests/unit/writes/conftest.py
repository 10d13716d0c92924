"""What tests of writes begin with, unless they say otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.catalog.changes import DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.engine.instance import Instance
from sbql.engine.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


@pytest.fixture
def by_sets(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each change of a table, whether it is a set."""
    found: list[bool] = []
    apply = UnitOfWork.apply

    def noted(self: UnitOfWork, change: RowChange) -> None:
        if isinstance(change, InsertRows | UpdateRows | DeleteRows):
            found.append(found_of(change) is not None)
        apply(self, change)

    monkeypatch.setattr(UnitOfWork, "apply", noted)
    return found
