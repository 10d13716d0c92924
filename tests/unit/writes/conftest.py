"""What tests of writes begin with, unless they say otherwise."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.session import Session


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()
