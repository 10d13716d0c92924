"""Shops whose queries are watched, on a virtual clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from watched_shop import Shop

from sbql.engine.instance import Instance


@pytest.fixture
def shop() -> Iterator[Shop]:
    instance = Instance.open(clock="virtual")
    yield Shop(instance)
    instance.close()


@pytest.fixture(scope="module")
def shops() -> Iterator[Shop]:
    """One for many tests, which leave no subscription and no message behind."""
    instance = Instance.open(clock="virtual")
    yield Shop(instance)
    instance.close()
