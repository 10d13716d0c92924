"""A batch that is sent in bulk, with each call of the store failing in turn, in each way: all of it is there, or
nothing, and who asks again has it sent once."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import pytest
from faulty_port import FAULTS, FaultyPort

from sbql.grammar.errors import SqlError

sys.path.insert(0, str(Path(__file__).parents[1] / "unit" / "streaming"))
from consumer_bench import Bench
from test_sink import Writer, row

BEFORE = [f"before {n}" for n in range(2)]
ROWS = [row(f"{'ab'[n % 2]}={n}", end_conversation=n == 2) for n in range(4)]
BATCH = ["0", "1", "2", None, "3"]
"""What the rows become: an end has no body."""


@pytest.mark.parametrize("fault", FAULTS)
def test_all_or_nothing_whatever_fails(fault: str, tmp_path: Path) -> None:
    failed = set()
    for call in range(1, 40, 3 if fault in ("full", "input/output", "memory") else 1):
        port = FaultyPort()
        bench = Bench(str(tmp_path / f"{call}.duckdb"), port)
        bench.instance.store.bulk.many = 3
        writer = Writer(bench)
        writer.write(0, *(f"a={text}" for text in BEFORE))
        key = writer.bring(1, *ROWS)
        port.fail_at(call, fault)
        try:
            writer.commit(1, key)
            is_told = True
        except SqlError:
            is_told = False
        hit = port.hit
        port.heal()
        if hit is None:
            assert is_told
            bench.instance.close()
            break
        failed.add(hit)
        if not fault.startswith("unknown") and bench.instance.store.failure is None:
            assert bench.peek() == BEFORE + BATCH * is_told, f"{fault} at call {call} ({hit})"
        with suppress(SqlError):
            bench.instance.close()
        bench.open("d")
        bench.instance.store.bulk.many = 3
        found = bench.peek()
        assert found in ([BEFORE + BATCH] if is_told else [BEFORE, BEFORE + BATCH]), f"{fault} at call {call} ({hit})"
        key = writer.bring(1, *ROWS)
        assert writer.commit(1, key) == (found == BEFORE)
        assert bench.peek() == BEFORE + BATCH
        bench.instance.close()
    assert failed
