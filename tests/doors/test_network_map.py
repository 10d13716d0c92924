"""Scripts with the names of two machines run unchanged on one, each in a process of its own: `sbql --map`."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from serving import SBQL, endpoint_ports, line_of

SHOP = r"""CREATE DATABASE shop
GO
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)
CREATE LOGIN [DOMAIN\{you}] FROM WINDOWS; GRANT CONNECT ON ENDPOINT::broker TO [DOMAIN\{you}]
USE shop
GO
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
GO
"""
TRADER = """DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE [//Trader] TO SERVICE '//DMBroker' WITH ENCRYPTION = OFF
SEND ON CONVERSATION @h ('100 shares')
WAITFOR (RECEIVE CAST(message_body AS varchar(50)) FROM desk), TIMEOUT 60000
SELECT DISTINCT principal_name FROM sys.dm_broker_connections WHERE login_state_desc = 'ONLINE'
"""
BROKER = """DECLARE @h uniqueidentifier, @text varchar(50)
WAITFOR (RECEIVE @h = conversation_handle, @text = CAST(message_body AS varchar(50)) FROM desk), TIMEOUT 60000
SET @text = 'bought ' + @text;
SEND ON CONVERSATION @h (@text)
WHILE EXISTS (SELECT * FROM sys.transmission_queue) WAITFOR DELAY '00:00:00.05'
"""


@pytest.mark.spec("NETWORK-15", "WIRE-16")
def test_scripts_with_names_of_machines_run_on_one(tmp_path: Path) -> None:
    """Each machine with an account of its own, for which the other one has a login."""
    ports = dict(zip(("Trader", "DMBroker"), endpoint_ports(), strict=True))

    def start(me: str, you: str, text: str) -> subprocess.Popen[str]:
        (tmp_path / f"{me}.sql").write_text(SHOP.format(me=me, you=you) + text, encoding="utf-8")
        maps = ["--map", f":4022=127.0.0.1:{ports[me]}", "--map", f"{you}:4022=127.0.0.1:{ports[you]}"]
        return subprocess.Popen(
            [*SBQL, "--store", f"{me}.duckdb", *maps, f"{me}.sql"], cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "SBQL_DOMAIN": str(tmp_path / "domain.key"), "SBQL_ACCOUNT": me},
        )  # fmt: skip

    broker = start("DMBroker", "Trader", BROKER)
    assert broker.stdout is not None
    while "listening" not in (
        line := line_of(broker.stdout)
    ):  # who is refused leaves the other side alone for a minute
        assert line
    trader = start("Trader", "DMBroker", TRADER)
    said = [process.communicate(timeout=90)[0] for process in (trader, broker)]
    assert (trader.returncode, broker.returncode) == (0, 0), said
    assert "bought 100 shares" in said[0] and "DOMAIN\\DMBroker" in said[0]
