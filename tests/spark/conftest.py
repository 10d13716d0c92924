"""One local Spark session for all tests here; without Java or PySpark they are skipped."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from spark_session import new_session

sys.path.insert(0, str(Path(__file__).parent))

from serving_owner import Owner


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    session = new_session(tmp_path_factory.mktemp("warehouse"))
    yield session
    session.stop()


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[Owner]:
    found = Owner(str(tmp_path / "store.duckdb"))
    yield found
    found.close()
