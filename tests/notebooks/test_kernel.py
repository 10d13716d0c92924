"""The magics in a kernel of their own: cells that are interrupted, a kernel that is started again or dies, and what
stays of its session. No cell is cut short by a time that it would need anyway: each would run for minutes."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from jupyter_client.manager import KernelManager
from serving import server

PATIENCE = 60
ENDLESS = {
    "a wait": "WAITFOR DELAY '00:10:00'",
    "a loop": "DECLARE @i int = 0; WHILE 1 = 1 SET @i = @i % 7",
    "a query": "SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 1000000) AS a CROSS JOIN GENERATE_SERIES(1, 1000000) AS b "
    "WHERE a.value % 7 = b.value % 11",
    "a RECEIVE": "WAITFOR (RECEIVE * FROM q), TIMEOUT 600000",
}


class Kernel:
    """A kernel in its own process, and what its cells show."""

    def __init__(self, folder: Path) -> None:
        self.manager = KernelManager()
        arguments = ["-m", "ipykernel_launcher", "-f", "{connection_file}", "--HistoryManager.enabled=False"]
        self.manager.kernel_cmd = [sys.executable, *arguments]
        self.manager.start_kernel(cwd=str(folder), env={**os.environ, "PYDEVD_DISABLE_FILE_VALIDATION": "1"})
        self.client: Any = self.manager.client()
        self.client.start_channels()
        self._begin()

    def begin(self, cell: str) -> str:
        """Run a cell, and come back when it has begun."""
        sent: str = self.client.execute(cell)
        while (said := self._said(sent))[0] != "execute_input":
            pass
        assert said[1]["code"] == cell
        return sent

    def end(self, sent: str) -> str:
        """What a cell has shown, errors as `name: text`, when it is done."""
        shown = []
        while True:
            kind, content = self._said(sent)
            if kind == "status" and content["execution_state"] == "idle":
                return "\n".join(shown)
            if kind == "stream":
                shown.append(content["text"])
            elif kind in ("display_data", "execute_result"):
                shown.append(content["data"]["text/plain"])
            elif kind == "error":
                shown.append(f"{content['ename']}: {content['evalue']}")

    def run(self, cell: str) -> str:
        return self.end(self.begin(cell))

    def _said(self, sent: str) -> tuple[str, Any]:
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE)
            if message["parent_header"].get("msg_id") == sent:
                return message["msg_type"], message["content"]

    def restart(self, *, at_once: bool) -> None:
        """`at_once`: it is killed."""
        self.manager.restart_kernel(now=at_once)
        self._begin()

    def _begin(self) -> None:
        """When it answers, what it shows may not come yet: that is another connection, which nobody waits for."""
        self.client.wait_for_ready(timeout=PATIENCE)
        while not self._shows(self.client.kernel_info()):
            pass
        self.run("%load_ext sbql.spark_udfs")

    def _shows(self, sent: str) -> bool:
        try:
            while self.client.get_iopub_msg(timeout=1)["parent_header"].get("msg_id") != sent:
                pass
        except Empty:
            return False
        return True

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    kernel = Kernel(tmp_path_factory.mktemp("kernel"))
    yield kernel
    kernel.close()


@pytest.mark.parametrize("place", ["in the kernel", "in a server"])
def test_an_interrupted_cell_ends_and_the_session_goes_on(kernel: Kernel, tmp_path: Path, place: str) -> None:
    """The transaction stays open, as after the Cancel of any client, and what it did stays in it."""
    store = tmp_path / "shop.duckdb"
    with server("--store", store) if place == "in a server" else open(os.devnull):
        assert kernel.run(f"%sbql --store {store}") == ""
        kernel.run("%%sbql\nCREATE DATABASE Shop\nGO\nUSE Shop\nGO\nCREATE QUEUE q; CREATE TABLE t (i int)")
        kernel.run("%%sbql\nBEGIN TRANSACTION; INSERT t VALUES (1)")
        for name, text in ENDLESS.items():
            sent = kernel.begin(f"%%sbql\n{text}")
            time.sleep(0.5)
            kernel.manager.interrupt_kernel()
            assert kernel.end(sent).startswith("KeyboardInterrupt"), name
            assert "1 1" in kernel.run("%sbql SELECT CONCAT(@@TRANCOUNT, ' ', COUNT(*)) FROM t"), name
        kernel.run("%sbql --store other.duckdb")  # the session in `store` ends


@pytest.mark.parametrize("at_once", [True, False], ids=["killed", "asked to end"])
@pytest.mark.parametrize("place", ["in the kernel", "in a server"])
def test_a_new_kernel_finds_the_store_free_and_the_transaction_undone(
    kernel: Kernel, tmp_path: Path, place: str, at_once: bool
) -> None:
    store = tmp_path / "shop.duckdb"
    with server("--store", store) if place == "in a server" else open(os.devnull):
        kernel.run(f"%sbql --store {store}")
        kernel.run("%%sbql\nCREATE TABLE t (i int); INSERT t VALUES (1)\nGO\nBEGIN TRANSACTION; UPDATE t SET i = 2")
        kernel.restart(at_once=at_once)
        assert kernel.run(f"%sbql --store {store}") == ""
        assert "1 0" in kernel.run("%sbql SET LOCK_TIMEOUT 20000; SELECT CONCAT(i, ' ', @@TRANCOUNT) FROM t")
        kernel.run("%sbql --store other.duckdb")
