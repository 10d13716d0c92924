"""The benchmark runs, and every figure is there. What the figures are is docs/performance.md's business."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).parent / "bench_broker.py"


def test_the_benchmark_runs(tmp_path):
    figures = tmp_path / "figures.json"
    subprocess.run(
        [sys.executable, SCRIPT, "--scale", "0.02", "--json", figures], check=True, capture_output=True, timeout=100
    )
    found = json.loads(figures.read_text())
    assert len(found) > 20
    assert all(value > 0 for value, _ in found.values())
