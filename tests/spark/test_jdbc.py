"""Spark's own JDBC reader and writer over SQL Server's protocol, with Microsoft's driver."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")
pytest.importorskip("pyspark", reason="PySpark is not installed here")

import sbql

PASSWORD = "Secret-1234"
pytestmark = pytest.mark.spark


def test_spark_writes_and_reads_by_jdbc() -> None:
    jar = os.environ.get("MSSQL_JDBC", "")
    if shutil.which("java") is None or not os.path.isfile(jar):
        pytest.skip("Java or mssql-jdbc.jar is not here (npm pack liquibase@4.28.1 has the jar; MSSQL_JDBC says where)")
    program = Path(__file__).with_name("jdbc_program.py")
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        url = f"jdbc:sqlserver://127.0.0.1:{server.endpoints[1].port};encrypt=false"
        command = [sys.executable, str(program), jar, url, PASSWORD]
        done = subprocess.run(command, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.rpartition("FOUND ")[2]) == {
        "schema": {
            "n": "int", "s": "string", "d": "decimal(9,2)", "f": "double", "b": "boolean", "day": "date", "at": "timestamp", "raw": "binary",
            "nothing": "bigint",
        },
        "count": 200, "same": True, "pushed": 20, "partitions": [4, 200], "grouped": [[False, 5000], [True, 4900]], "limited": 7, "truncated": 3,
    }  # fmt: skip
