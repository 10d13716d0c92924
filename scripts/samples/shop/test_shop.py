"""pytest in this folder runs them: pip install 'sbql[server]' pymssql sqlalchemy pytest."""

from __future__ import annotations

from typing import Any

from shop import Payments, place_order, status_of
from sqlalchemy import Engine


def test_an_order_that_is_paid(server: Any, engine: Engine, payments: Payments) -> None:
    place_order(engine, 1)
    assert status_of(engine, 1) == "waiting"
    assert payments.pay_next()
    server.advance(1)
    assert status_of(engine, 1) == "paid"


def test_an_order_that_nobody_pays_is_cancelled_after_an_hour(server: Any, engine: Engine) -> None:
    place_order(engine, 2)
    server.advance(3599)
    assert status_of(engine, 2) == "waiting"
    server.advance(1)
    assert status_of(engine, 2) == "cancelled"


def test_nobody_waits_for_a_payment(payments: Payments) -> None:
    assert not payments.pay_next()
