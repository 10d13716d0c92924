"""Spark and notebooks: queues as streams, T-SQL from a PySpark program or a notebook with its result as a DataFrame.

It decides how messages and results become rows of Spark and what a notebook shows. PySpark and IPython are imported
when a function is called that needs them, not when this package is. It must not know how statements run.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sbql.spark_udfs.activation import activate
    from sbql.spark_udfs.data_source import SbqlDataSource
    from sbql.spark_udfs.engine_client import sql_error
    from sbql.spark_udfs.engines import engine_session, release, use
    from sbql.spark_udfs.frames import sql
    from sbql.spark_udfs.functions import decode_body, invalid_xml, is_well_formed, register, xml_value
    from sbql.spark_udfs.hook import install, uninstall
    from sbql.spark_udfs.pipelines import foreach_batch, transaction
    from sbql.spark_udfs.schema_collections import schema_of
    from sbql.spark_udfs.stream_source import lag
    from sbql.spark_udfs.table_functions import register_table_functions

_HOMES = {
    "SbqlDataSource": "data_source",
    "activate": "activation",
    "decode_body": "functions",
    "engine_session": "engines",
    "foreach_batch": "pipelines",
    "install": "hook",
    "invalid_xml": "functions",
    "is_well_formed": "functions",
    "register": "functions",
    "register_table_functions": "table_functions",
    "lag": "stream_source",
    "release": "engines",
    "schema_of": "schema_collections",
    "sql": "frames",
    "sql_error": "engine_client",
    "transaction": "pipelines",
    "uninstall": "hook",
    "use": "engines",
    "xml_value": "functions",
}

__all__ = [
    "SbqlDataSource", "activate", "decode_body", "engine_session", "foreach_batch", "install", "invalid_xml", "is_well_formed", "lag", "load_ipython_extension", "register",
    "register_table_functions", "release", "schema_of",
    "sql", "sql_error", "transaction", "uninstall", "unload_ipython_extension", "use", "xml_value",
]  # fmt: skip


def load_ipython_extension(ipython: Any) -> None:
    """`%load_ext sbql.spark_udfs`: the magics %sbql and %%sbql."""
    ipython.register_magics(import_module("sbql.spark_udfs.magics").SbqlMagics)


def unload_ipython_extension(ipython: Any) -> None:
    """`%unload_ext sbql.spark_udfs`: what was opened for the notebook is closed. The
    magics stay until the kernel ends."""
    import_module("sbql.spark_udfs.engines").release()


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'sbql.spark_udfs' has no attribute {name!r}")
    return getattr(import_module(f"sbql.spark_udfs.{home}"), name)
