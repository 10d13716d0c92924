"""Executes the notebooks of docs/notebooks: for their test, and with
`python tests/notebooks/executing.py` anew for readers.

Outputs are stored without what changes from run to run and machine to machine: counts of
execution, times, streams of warnings.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

__all__ = ["FOLDER", "executed", "outputs"]

FOLDER = Path(__file__).parents[2] / "docs" / "notebooks"


def executed(path: Path, timeout: int = 110) -> Any:
    """The notebook after a run in a kernel of this Python. Raises CellExecutionError
    for an error that no tag expects."""
    notebook = nbformat.read(path, as_version=4)
    environment = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    command = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.enabled=False"]
    client = NotebookClient(notebook, timeout=timeout, resources={"metadata": {"path": str(path.parent)}})
    client.km = client.create_kernel_manager()
    client.km.kernel_cmd = command
    client.execute(env=environment)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.outputs = [o for o in cell.outputs if not (o.output_type == "stream" and o.name == "stderr")]
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = None
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def outputs(notebook: Any, start: str) -> list[Any]:
    """The outputs of the code cell whose source begins with `start`."""
    return next(c.outputs for c in notebook.cells if c.cell_type == "code" and c.source.startswith(start))


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.ipynb")):
        nbformat.write(executed(path), path)
