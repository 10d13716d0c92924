"""Spark Connect with a real local server: hook, table function, data source, foreachBatch;
and a run of Declarative Pipelines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from importlib.util import find_spec
from pathlib import Path

import pytest
from serving_owner import Owner

NEEDED = ("pyspark", "pandas", "grpc", "grpc_status", "zstandard", "google.rpc")


if os.environ.get("SPARK") != "all":
    pytest.skip("servers and runs of their own take two minutes: `make spark` does it", allow_module_level=True)


def missing(*names: str) -> list[str]:
    found = []
    for name in names:
        try:
            is_there = find_spec(name) is not None
        except ModuleNotFoundError:
            is_there = False
        found += [] if is_there else [name]
    return found


pytestmark = [
    pytest.mark.spark,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        bool(missing(*NEEDED)),
        reason=f"Spark Connect needs what `pip install 'sbql[connect]'` brings: {missing(*NEEDED)}",
    ),
]


def run(command: list[str], **more: str) -> str:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        env={**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", **more},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


def test_a_client_of_spark_connect(owner: Owner, tmp_path: Path) -> None:
    endpoint = owner.server.endpoint
    program = Path(__file__).with_name("connect_program.py")
    said = run([sys.executable, str(program), owner.path, endpoint.url, endpoint.token, str(tmp_path)])
    found = json.loads(said.splitlines()[-1])
    assert found == {
        "kind": "pyspark.sql.connect.session", "hook": [["1:0"], ["1:0"]], "results": 1, "function": [["1:1"], ["1:1"]],
        "waiting": 4, "nulls": [[3, None]], "functions": [['<a b="x"/>', "x"], [None, None]],
    }  # fmt: skip
    sent = owner.sql("SELECT CAST(message_body AS nvarchar(9)) FROM d.dbo.results ORDER BY queuing_order")
    assert [text for (text,) in sent] == ["1:2", "1:3", "1:4", "1:5"]
    assert owner.count() == 0 and owner.count("replies") == 2
    assert owner.sql("SELECT query_id, batch_id FROM d.dbo.sbql_batches") == [("replies", 0)]


DEFINITIONS = """
from pyspark import pipelines as dp
from pyspark.sql import SparkSession
from sbql.spark_udfs import SbqlDataSource
from sbql.spark_udfs.declarative import patch_pipelines

patch_pipelines()
spark = SparkSession.active()
spark.dataSource.register(SbqlDataSource)

@dp.table
def landed():
    return spark.readStream.format("sbql").option("database", {store!r}).option("queue", "d.dbo.work").load()

dp.create_sink(name="answers", format="sbql", options={{
    "database": {store!r}, "inDatabase": "d", "fromService": "front", "toService": "//results", "encryption": "false"}})

@dp.append_flow(target="answers")
def send():
    return spark.readStream.table("landed").selectExpr("conversation_handle AS conversation_key", "message_body")
"""

SPECIFICATION = """
name: orders
storage: {folder}/storage
libraries:
  - glob:
      include: definitions.py
"""


@pytest.mark.skipif(bool(missing("yaml")), reason="spark-pipelines needs PyYAML")
def test_declarative_pipelines_land_and_send_once(owner: Owner, tmp_path: Path) -> None:
    (tmp_path / "definitions.py").write_text(textwrap.dedent(DEFINITIONS).format(store=owner.path))
    (tmp_path / "spark-pipeline.yml").write_text(SPECIFICATION.format(folder=tmp_path.as_uri()))
    command = [
        str(Path(sys.executable).with_name("spark-pipelines")), "run", "--spec", str(tmp_path / "spark-pipeline.yml"),
        "--conf", "spark.ui.enabled=false", "--conf", "spark.sql.catalogImplementation=hive",
        "--conf", f"spark.sql.warehouse.dir={tmp_path}/warehouse",
        "--conf", f"spark.hadoop.javax.jdo.option.ConnectionURL=jdbc:derby:;databaseName={tmp_path}/metastore;create=true",
    ]  # fmt: skip
    for number in (1, 2):
        owner.sql("EXEC d.dbo.talk 2, 3")
        run(command, PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable)
        assert owner.count() == 0
        assert owner.count("results") == 6 * number
