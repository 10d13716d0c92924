"""Spark as the tests start it: local, small, quiet, its workers with this Python."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

__all__ = ["new_session"]

CONFIGURATION = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.default.parallelism": "1",
    "spark.sql.session.timeZone": "UTC",
    "spark.python.authenticate.socketTimeout": "120s",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC -XX:TieredStopAtLevel=1",
}


def new_session(warehouse: Path) -> Any:
    """Of this process; `warehouse` is where its tables would be."""
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable  # workers are to find what this Python has
    builder = SparkSession.builder.master("local[2]").appName("sbql tests")
    builder = builder.config("spark.sql.warehouse.dir", str(warehouse))
    for key, value in CONFIGURATION.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    logging.getLogger("SQLQueryContextLogger").setLevel(logging.CRITICAL)  # a page for every error that a test expects
    return session
