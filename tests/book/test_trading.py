"""The trading application: step by step as a script, and the demo program with a part of its orders."""

from __future__ import annotations

import importlib.util
import io
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest

from sbql.repl.testing import ScriptFailure, run_script

TRADING = Path(__file__).parents[2] / "scripts" / "book" / "trading"


@pytest.fixture(scope="module")
def demo() -> ModuleType:
    specification = importlib.util.spec_from_file_location("run_demo", TRADING / "run_demo.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.timeout(60)
def test_walkthrough() -> None:
    """One order of each kind, with the expectations of the script."""
    try:
        run_script(TRADING / "walkthrough.sql")
    except ScriptFailure as failure:
        pytest.fail(str(failure), pytrace=failure.__cause__ is not None)


def test_orders_hold_the_three_that_go_wrong(demo: ModuleType) -> None:
    """300 orders: one of broken XML, one of an instrument that setup.sql does not list, one order number used twice."""
    orders = demo.read_orders(TRADING / "orders.csv")
    assert len(orders) == 300

    bodies = [order[6] for order in orders if order[6]]
    assert len(bodies) == 1
    with pytest.raises(ElementTree.ParseError):
        ElementTree.fromstring(bodies[0])

    setup = (TRADING / "setup.sql").read_text(encoding="utf-8")
    assert len({order[2] for order in orders if f"(N'{order[2]}'," not in setup}) == 1
    numbers = [order[0] for order in orders]
    assert len(numbers) - len(set(numbers)) == 1


@pytest.mark.timeout(120)
def test_demo(demo: ModuleType) -> None:
    """The program's own path: setup.sql, orders through the DB-API, waiting, the printed account."""
    from rich.console import Console

    import sbql

    everything = demo.read_orders(TRADING / "orders.csv")
    numbers: set[int] = set()
    bad = []
    for order in everything:
        if order[6] or order[0] in numbers or order[2] == "YUKN.O":
            bad.append(order)
        numbers.add(order[0])
    good = everything[:40]
    assert bad[2][0] in {order[0] for order in good}, "the first use of the number must be sent too"

    console = Console(file=io.StringIO(), width=160)
    connection: Any = sbql.connect()
    try:
        assert demo.run(connection, good + bad, console)

        outcomes = connection.execute(
            "SELECT status, refusal_code, COUNT(*) FROM Trader1.dbo.orders GROUP BY status, refusal_code "
            "ORDER BY status, refusal_code"
        ).fetchall()
        assert [tuple(row) for row in outcomes] == [
            ("acknowledged", None, 40),
            ("refused", -9615, 1),
            ("refused", 101, 1),
            ("refused", 102, 1),
        ]
        assert connection.execute("SELECT COUNT(*) FROM DMBrokerage.dbo.trades").fetchall()[0][0] == 40
        still_open = connection.execute(
            "SELECT COUNT(*) FROM Trader1.sys.conversation_endpoints WHERE state <> 'CD' UNION ALL "
            "SELECT COUNT(*) FROM DMBrokerage.sys.conversation_endpoints WHERE state <> 'CD'"
        ).fetchall()
        assert [row[0] for row in still_open] == [0, 0]
    finally:
        connection.close()

    account = console.file.getvalue()
    for text in (
        "43 orders sent and answered",
        "Orders by outcome",
        "Unknown instrument YUKN.O.",
        "was entered before.",
    ):
        assert text in account
