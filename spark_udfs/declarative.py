"""The workaround that Declarative Pipelines need with PySpark 4.3.0, and nothing else.

When Python workers have taken part in a run (a Python data source is one), the server sends a last answer with
accumulators. The client of 4.3.0 takes that for an error: the run is complete, but `spark-pipelines` ends with
UNKNOWN_RESPONSE and exit code 1. This is SPARK-59135, mended after 4.3.0. This module goes when 4.3.0 does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

__all__ = ["patch_pipelines"]

_AFFECTED = "4.3.0"


def patch_pipelines() -> bool:
    """Call it in the definitions file of a pipeline. Returns whether this PySpark needed it."""
    import pyspark

    if pyspark.__version__ != _AFFECTED:
        return False
    from pyspark.sql.connect.client.core import SparkConnectClient

    SparkConnectClient.execute_command_as_iterator = _known_responses
    return True


def _known_responses(client: Any, command: Any, observations: Any = None) -> Iterator[dict[str, Any]]:
    """What the server answers to a command, without what the client has no name for."""
    request = client._execute_plan_request_with_metadata()
    client._set_command_in_plan(request.plan, command)
    for response in client._execute_and_fetch_as_iterator(request, observations or {}):
        if isinstance(response, dict):
            yield response
