"""`sbql pair`: two services of different instances talk afterwards, over TCP, with full dialog security."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from serving import endpoint_ports

import sbql
from sbql.repl.cli import main

SHOP = """CREATE DATABASE {database}
GO
USE {database}
CREATE QUEUE desk; CREATE SERVICE [//Shop/{me}] ON QUEUE desk ([DEFAULT])
"""
SEND = """USE {database}; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//Shop/{me}] TO SERVICE '//Shop/{you}';
SEND ON CONVERSATION @h (N'from {me}')"""
RECEIVE = "USE {database}; WAITFOR (RECEIVE CAST(message_body AS nvarchar(50)) FROM desk), TIMEOUT 60000"


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    """Two stores with a service each; what the command line says of them."""
    found = []
    for (me, database), port in zip((("Trader", "Trading"), ("DM-Broker", "Deals")), endpoint_ports(), strict=True):
        with sbql.connect(tmp_path / f"{me}.duckdb") as connection:
            sbql.run_script(connection, SHOP.format(me=me, database=database))
        found.append(f"{me}@127.0.0.1:{port}/{database}///Shop/{me}")
    return found


@pytest.mark.spec("NETWORK-19")
def test_two_instances_that_were_paired_exchange_messages_with_full_dialog_security(
    tmp_path: Path, sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    stores = [str(tmp_path / f"{name}.duckdb") for name in ("Trader", "DM-Broker")]
    assert main(["pair", *sides, "--folder", str(tmp_path / "files"), "--stores", *stores]) == 0
    assert "can talk" in capsys.readouterr().out
    with sbql.connect(stores[0]) as trader, sbql.connect(stores[1]) as broker:
        trader.execute(SEND.format(me="Trader", you="DM-Broker", database="Trading"))
        assert broker.execute(RECEIVE.format(database="Deals")).fetchall() == [("from Trader",)]
        broker.execute(SEND.format(me="DM-Broker", you="Trader", database="Deals"))
        assert trader.execute(RECEIVE.format(database="Trading")).fetchall() == [("from DM-Broker",)]
        for connection, database in (trader, "Trading"), (broker, "Deals"):
            keys = f"""SELECT COUNT(*) FROM {database}.sys.conversation_endpoints
                WHERE outbound_session_key_identifier <> '00000000-0000-0000-0000-000000000000' AND far_principal_id > 0 AND principal_id > 0"""
            assert connection.execute(keys).fetchone() == (2,)
            ways = "SELECT DISTINCT authentication_method, encryption_algorithm_desc FROM sys.dm_broker_connections WHERE login_state_desc = 'ONLINE'"
            assert connection.execute(ways).fetchall() == [("CERTIFICATE", "AES")]


def test_the_scripts_run_by_hand_and_again_for_another_pair(tmp_path: Path, sides: list[str]) -> None:
    """What a first pairing has made (endpoint, master keys, certificates, logins) is used by the next."""
    folders = [str(tmp_path / name) for name in ("first", "second")]
    for folder in folders:
        assert main(["pair", *sides, "--folder", folder, "--until", "2040-01-01"]) == 0
        for step in "1-identity", "2-partner":
            for name in "Trader", "DM-Broker":
                script = Path(folder, f"{name}.{step}.sql")
                assert stat.S_IMODE(script.stat().st_mode) == 0o600
                assert main(["--store", str(tmp_path / f"{name}.duckdb"), "-b", str(script)]) == 0
    with sbql.connect(tmp_path / "Trader.duckdb") as trader:
        counts = "SELECT (SELECT COUNT(*) FROM sys.service_broker_endpoints), (SELECT COUNT(*) FROM Trading.sys.remote_service_bindings), (SELECT COUNT(*) FROM Trading.sys.certificates)"
        assert trader.execute(counts).fetchone() == (1, 1, 2)
        dates = "SELECT YEAR(expiry_date) FROM Trading.sys.certificates WHERE pvt_key_encryption_type = 'MK'"
        assert trader.execute(dates).fetchone() == (2040,)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["Trader", "B@h:4022/d/s"], "NAME@HOST:PORT/DATABASE/SERVICE"),
        (["A@h:99/d/s", "B@h:4022/d/s"], "1024 to 32767"),
        (["A@h:4022/d/s", "a@h:4023/d/s"], "both sides are called"),
        (["A'@h:4022/d/s", "B@h:4023/d/s"], "quotes"),
        (["A@h:4022/d/s", "B@h:4023/d/s", "--until", "soon"], "--until"),
        (["A@h:4022/d/s"], "required"),
    ],
)
def test_what_cannot_be_is_one_line(
    tmp_path: Path, arguments: list[str], text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pair", *arguments, "--folder", str(tmp_path / "files")]) == 1
    assert text in capsys.readouterr().err and not (tmp_path / "files").exists()


def test_a_folder_with_files_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.cer").touch()
    assert main(["pair", "A@h:4022/d/s", "B@h:4023/d/s", "--folder", str(tmp_path)]) == 1
    assert "not empty" in capsys.readouterr().err


def test_a_service_that_is_missing_is_told_with_script_and_store(
    tmp_path: Path, sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    stores = [str(tmp_path / f"{name}.duckdb") for name in ("Trader", "DM-Broker")]
    wrong = [sides[0].replace("///Shop/Trader", "///Shop/Nobody"), sides[1]]
    assert main(["pair", *wrong, "--folder", str(tmp_path / "files"), "--stores", *stores]) == 1
    assert "Trader.2-partner.sql" in (said := capsys.readouterr().err) and "Msg 15151" in said
