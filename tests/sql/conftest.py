"""Collects nothing by itself: test_scripts.py finds the scripts. This file only gives each script a short test id."""

from __future__ import annotations

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "script" in metafunc.fixturenames:
        scripts = sorted(HERE.rglob("*.sql"))
        metafunc.parametrize("script", scripts, ids=[str(path.relative_to(HERE).with_suffix("")) for path in scripts])
