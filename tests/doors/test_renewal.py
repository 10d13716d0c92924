"""SIGHUP: a server takes other certificates and tokens without an end of what runs."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import IO

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import PATIENCE, SA_PASSWORD, ServerProcess, free_port

import sbql
from sbql.engine.host import SystemHost
from sbql.engine.server.certificates import make_certificate

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")

OLD_TOKEN, NEW_TOKEN = "old-0123456789abcdef", "new-0123456789abcdef"


def write_keys(folder: Path, name: str) -> Path:
    """A new certificate in the place of the server's, and a copy of it for clients."""
    certificate, key = make_certificate(SystemHost(), ["127.0.0.1"])
    (folder / "server.pem").write_bytes(certificate)
    (folder / "server.key").write_bytes(key)
    return Path(shutil.copy(folder / "server.pem", folder / f"{name}.pem"))


def write_tokens(folder: Path, token: str) -> None:
    (folder / "tokens").write_text(f"reader sa {token}\n", encoding="ascii")
    (folder / "tokens").chmod(0o600)


class Log:
    """What the server says on standard error, line by line."""

    def __init__(self, server: ServerProcess) -> None:
        self._lines: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._read, args=(server.process.stderr,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self._lines.put(line)

    def next_with(self, *words: str) -> str:
        while True:
            line = self._lines.get(timeout=PATIENCE)
            if any(word in line for word in words):
                return line


def test_certificates_and_tokens_are_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MSSQL_SA_PASSWORD", SA_PASSWORD)
    old, port = write_keys(tmp_path, "old"), free_port()
    write_tokens(tmp_path, OLD_TOKEN)
    server = ServerProcess(
        "--store", tmp_path / "s.duckdb", "--listen", f"127.0.0.1:{port}", "--certificate", tmp_path / "server.pem",
        "--key", tmp_path / "server.key", "--tokens", tmp_path / "tokens",
    )  # fmt: skip
    log = Log(server)

    def by_tds(certificate: Path) -> sbql.Connection:
        return sbql.connect(
            server=f"127.0.0.1,{port}", user="sa", password=SA_PASSWORD, encryption="mandatory", certificate=certificate
        )

    def by_token(token: str) -> sbql.Connection:
        return sbql.connect(endpoint=server.url, token=token, certificate=old)

    def hang_up(change: Callable[[], object]) -> str:
        change()
        os.kill(server.pid, signal.SIGHUP)
        return log.next_with("read anew", "SIGHUP")

    try:
        before, with_old_token = by_tds(old), by_token(OLD_TOKEN)
        new = tmp_path / "new.pem"
        line = hang_up(lambda: (write_keys(tmp_path, "new"), write_tokens(tmp_path, NEW_TOKEN)))
        assert "The first door keeps its certificate until the next start." in line
        by_tds(new).close()
        by_token(NEW_TOKEN).close()
        with pytest.raises(sbql.OperationalError, match="certificate"):
            by_tds(old)
        for connection in (before, with_old_token):
            assert connection.execute("SELECT 1").fetchall() == [(1,)]
            connection.close()
        with pytest.raises(sbql.OperationalError, match="does not know this token"):
            by_token(OLD_TOKEN)
        for spoil in (
            lambda: (tmp_path / "server.pem").write_text("no certificate"),
            lambda: (tmp_path / "server.pem").unlink(),
        ):
            assert "Everything stays as it was." in hang_up(spoil)
            by_tds(new).close()
            by_token(NEW_TOKEN).close()
    finally:
        server.kill()
