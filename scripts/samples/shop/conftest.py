"""One server for all tests, on a free port and a clock that the tests move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shop import Payments
from sqlalchemy import Engine, create_engine

import sbql

PASSWORD = "Secret-1234"


@pytest.fixture(scope="session")
def server() -> Iterator[Any]:
    connection = sbql.connect(clock="virtual")
    sbql.run_file(connection, Path(__file__).with_name("shop.sql"))
    with sbql.serve(connection, listen="127.0.0.1:0", sa_password=PASSWORD) as served:
        yield served
    connection.close()


@pytest.fixture(scope="session")
def engine(server: Any) -> Iterator[Engine]:
    found = create_engine(f"mssql+pymssql://sa:{PASSWORD}@127.0.0.1:{server.endpoints[1].port}/Shop")
    yield found
    found.dispose()


@pytest.fixture(scope="session")
def payments(server: Any) -> Iterator[Payments]:
    found = Payments(server="127.0.0.1", port=str(server.endpoints[1].port), user="sa", password=PASSWORD)
    yield found
    found.close()


@pytest.fixture(autouse=True)
def tidy(payments: Payments) -> Iterator[None]:
    """What a test has left unpaid is no other test's business."""
    yield
    while payments.pay_next():
        pass
