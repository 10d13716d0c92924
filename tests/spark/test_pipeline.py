"""The trade pipeline of scripts/pipeline with a few entries: its account is balanced, also when a
batch fails after it has landed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "pipeline"))

from account import KINDS, account, expected_rows
from entries import SYMBOLS, entries
from queries import answering
from run_demo import Run, Sample

pytestmark = [pytest.mark.spark, pytest.mark.timeout(600)]
TOTAL = 400


def test_every_entry_is_answered_once_and_the_account_is_balanced(spark: Any, tmp_path: Path) -> None:
    with Run(spark, tmp_path / "run", TOTAL) as run:
        run.prepare()
        run.chunk = TOTAL // 2
        answer, failed = answering(str(run.store)), []

        def failing(landed: Any, query: str, batch: int) -> None:
            """One batch fails when it has landed and is not answered, one when it is answered and not committed."""
            if not failed:
                failed.append("before")
                raise RuntimeError("before the answers")
            answer(landed, query, batch)
            if failed == ["before"]:
                failed.append("after")
                raise RuntimeError("after the answers")

        run.flow(run.landing(failing))
        lines = account(spark, run.connection, run.folder, TOTAL)
        assert [line for line in lines if not line.holds] == []
        assert {line.what for line in lines} >= {*KINDS, "entries answered"}
        assert len(lines) > len(SYMBOLS)
        assert len(run.kept[0].failures) >= 2, "both were started again"
        assert (run.samples[-1].sent, run.samples[-1].settled) == (TOTAL, TOTAL)

        # The account tells when something is wrong: a row that is gone, and one that is another.
        run.connection.execute("DELETE TOP (1) FROM Desk.dbo.settlements WHERE code IS NULL")
        run.connection.execute("UPDATE TOP (1) Desk.dbo.settlements SET reason = NULL WHERE code IS NOT NULL")
        wrong = {line.what for line in account(spark, run.connection, run.folder, TOTAL) if not line.holds}
        assert wrong >= {"entries answered", "accepted", "refused without a reason"}
        assert any(what.endswith(" *") for what in wrong), "the totals of a symbol"


def test_entries_are_the_same_in_every_run_and_of_every_kind(spark: Any) -> None:
    whole = entries(spark, 0, 3000, 3000).selectExpr("entry", "order_id", "message_body").collect()
    parts = [
        row
        for first in (0, 1000, 2000)
        for row in entries(spark, first, first + 1000, 3000).selectExpr("entry", "order_id", "message_body").collect()
    ]
    assert whole == parts
    assert all(row.order_id <= row.entry for row in whole)
    by_kind = {row.kind: row["count"] for row in expected_rows(spark, 3000).groupBy("kind").count().collect()}
    assert set(by_kind) == set(KINDS) and sum(by_kind.values()) == 3000


@pytest.mark.parametrize("total", [75_000, 1_000_000, 2_000_000_000])
def test_the_last_entries_of_many_are_made_too(spark: Any, total: int) -> None:
    """The number of an entry times the seconds of a day does not fit into an INT from 74,566 on."""
    last = (
        entries(spark, total - 100, total, total)
        .selectExpr("order_id", "CAST(traded_at AS STRING) AS traded_at")
        .collect()
    )
    assert len(last) == 100
    assert all(row.order_id >= total - 150 for row in last)
    assert {row.traded_at[:-3] for row in last} == {"2026-01-05 16:59"}


def test_rates_are_those_of_the_last_seconds() -> None:
    from plots import rates

    samples = [Sample(second, 10 * second, 0, 0, 0) for second in range(10)]
    assert rates(samples, "sent") == [0.0] + [10.0] * 9
    assert rates([replace(sample, sent=5) for sample in samples], "sent") == [0.0] * 10


def test_the_plot_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    from plots import plot

    drawn = plot([Sample(second, 10 * second, 9 * second, 8 * second, second) for second in range(10)], tmp_path)
    assert drawn.read_text("utf-8").startswith("<?xml")
