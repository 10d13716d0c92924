"""The benchmark runs, and every figure is there. What the figures are is docs/performance.md's business."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
SCRIPT = pathlib.Path(__file__).parent / "bench_broker.py"
BACKLOG = pathlib.Path(__file__).parent / "backlog.py"


def test_the_backlog_is_measured():
    done = subprocess.run(
        [sys.executable, BACKLOG, "--messages", "10", "200", "--conversations", "1", "20"],
        check=True, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    rows = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    assert len(rows) == 4  # the head, and a line for each size that has a message for each conversation


def test_idle_dialogs_are_measured():
    script = pathlib.Path(__file__).parent / "idle_dialogs.py"
    done = subprocess.run(
        [sys.executable, script, "--dialogs", "50"], check=True, capture_output=True, text=True, timeout=100
    )
    names, _, figures = (line.split("|") for line in done.stdout.splitlines()[-3:])
    assert len(figures) == len(names) and all(float(figure.replace(",", "")) > 0 for figure in figures[1:-1])


def test_sends_beside_writes_are_measured():
    script = pathlib.Path(__file__).parent / "bench_beside.py"
    done = subprocess.run(
        [sys.executable, script, "--rows", "2000", "--rounds", "1", "--alone", "0.1", "--only", "UPDATE"],
        check=True, capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    head, figures = (line for line in done.stdout.splitlines() if line.startswith("| "))
    assert figures.count("|") == head.count("|")


def test_writes_as_sets_are_measured():
    script = pathlib.Path(__file__).parent / "bench_sets.py"
    for how in ([], ["--memory"]):
        done = subprocess.run(
            [sys.executable, script, "3000", "1", "--only", "MERGE", *how],
            check=True, capture_output=True, text=True, timeout=100,
        )  # fmt: skip
        head, figures = (line for line in done.stdout.splitlines() if line.startswith("| "))
        assert figures.count("|") == head.count("|") and all(figures.split("|")[2:4])


def test_written_queries_are_measured():
    script = pathlib.Path(__file__).parent / "bench_queries.py"
    done = subprocess.run(
        [sys.executable, script, "--rows", "5000"], check=True, capture_output=True, text=True, timeout=100
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    assert len(lines) > 100 and len({line.split("|")[1] for line in lines}) == len(lines)


def test_every_function_is_measured():
    script = pathlib.Path(__file__).parent / "bench_functions.py"
    done = subprocess.run(
        [sys.executable, script, "--rows", "300", "--runs", "1"],
        check=True,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert len(done.stdout.splitlines()) > 60


def test_the_benchmark_runs(tmp_path):
    figures = tmp_path / "figures.json"
    subprocess.run(
        [sys.executable, SCRIPT, "--scale", "0.02", "--json", figures], check=True, capture_output=True, timeout=100
    )
    found = json.loads(figures.read_text())
    assert len(found) > 20
    assert all(value > 0 for value, _ in found.values())


def test_durable_calls_are_measured_in_turn():
    script = pathlib.Path(__file__).parent / "bench_durable.py"
    done = subprocess.run([sys.executable, script, "2", "10"], check=True, capture_output=True, text=True, timeout=100)
    rows = [line.split("|")[1:-1] for line in done.stdout.splitlines()[2:]]
    assert len(rows) >= 3 and all(float(figure) > 0 for row in rows for figure in row[1:])


def test_small_statements_are_measured(tmp_path):
    figures = tmp_path / "small.json"
    script = pathlib.Path(__file__).parent / "bench_small.py"
    subprocess.run(
        [sys.executable, script, "100", "--rounds", "1", "--statements", "20", "--json", figures],
        check=True, capture_output=True, timeout=100,
    )  # fmt: skip
    found = json.loads(figures.read_text())
    assert len(found) > 15
    assert all(form["sbql"] is not None for form in found.values())


PROGRAMS = sorted(
    {
        name
        for page in (ROOT / "docs").glob("*.md")
        for name in re.findall(r"python (tests/(?:bench|fuzz)/\w+\.py)", page.read_text(encoding="utf-8"))
    }
)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_documents_name_says_how_it_is_called(program: str) -> None:
    done = subprocess.run([sys.executable, ROOT / program, "--help"], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {pathlib.Path(program).name}")
