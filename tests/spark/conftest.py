"""One Spark for all tests of this folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "4",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    """Two tasks at once, each with a Python worker; a task may fail three times."""
    sql = pytest.importorskip("pyspark.sql")
    environment = pytest.MonkeyPatch()
    environment.setenv("PYSPARK_PYTHON", sys.executable)
    environment.setenv("PYTHONPATH", str(Path(__file__).parents[1]), prepend=os.pathsep)
    builder = sql.SparkSession.builder.master("local[2,4]")
    builder = builder.config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("house")))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    environment.undo()
