"""`sbql external-activator`: what its configuration may be, how many programs run,
and programs that it really starts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sbql
from sbql.repl.activator.configuration import Application, BadConfiguration, QueueName, read_configuration
from sbql.repl.activator.programs import RETRY, Programs
from sbql.repl.cli import main

CONFIG = """<?xml version="1.0" encoding="utf-8"?>
<Activator xmlns="http://schemas.microsoft.com/sqlserver/2008/10/servicebroker/externalactivator"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://schemas.microsoft.com/sqlserver/2008/10/servicebroker/externalactivator EAServiceConfig.xsd">
  <NotificationServiceList>
    <NotificationService name="Told" id="100" enabled="true">
      <Description>hears of orders</Description>
      <ConnectionString><Unencrypted>server=127.0.0.1,PORT;database=Shop;Application Name=EA;User ID=sa;Password=Secret-1234;</Unencrypted></ConnectionString>
    </NotificationService>
    <NotificationService name="Unused" id="101" enabled="false"><ConnectionString><Encrypted>x</Encrypted></ConnectionString></NotificationService>
  </NotificationServiceList>
  <ApplicationServiceList>
    <ApplicationService name="Worker" enabled="true">
      <OnNotification><ServerName>SBQL</ServerName><DatabaseName>shop</DatabaseName><SchemaName>dbo</SchemaName><QueueName>Orders</QueueName></OnNotification>
      <LaunchInfo><ImagePath>PROGRAM</ImagePath><CmdLineArgs>ARGUMENTS</CmdLineArgs><WorkDir>FOLDER</WorkDir></LaunchInfo>
      <Concurrency min="1" max="4" />
    </ApplicationService>
  </ApplicationServiceList>
  <LogSettings><LogFilter><TraceFlag>All Levels</TraceFlag><TraceFlag>All Modules</TraceFlag><TraceFlag>Verbose</TraceFlag></LogFilter></LogSettings>
</Activator>
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "EAService.config"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_configuration_as_microsofts_reads_it(tmp_path: Path) -> None:
    found = read_configuration(written(tmp_path, CONFIG))
    (service,), (application,) = found.services, found.applications
    assert (service.name, service.server, service.database, service.user, service.is_owner) == (
        "Told",
        "127.0.0.1,PORT",
        "Shop",
        "sa",
        False,
    )
    assert application == Application(
        "Worker", QueueName("SBQL", "shop", "dbo", "Orders"), "PROGRAM", "ARGUMENTS", "FOLDER", 1, 4
    )
    assert application.queue.key == QueueName("sbql", "Shop", "DBO", "orders").key
    assert found.flags == ("All Levels", "All Modules", "Verbose")


def test_the_configuration_of_the_page_can_be_read(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs/external-activation.md"
    (text,) = re.findall(r"^```xml\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)
    (application,) = read_configuration(written(tmp_path, text)).applications
    assert application.program == "/srv/shop/worker" and (application.least, application.most) == (1, 4)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("</Activator>", "", "no XML"),
        ("Activator", "Configuration", "not Activator"),
        ("<LogSettings>", "<StoredProcedure>p</StoredProcedure><LogSettings>", "StoredProcedure"),
        ('name="Told" id="100" enabled="true"', 'name="Told" enabled="false"', "no NotificationService"),
        ('name="Worker" enabled="true"', 'name="Worker" enabled="maybe"', "'maybe'"),
        ('name="Worker" enabled="true"', 'enabled="true"', "no name"),
        ("<Unencrypted>", "<Encrypted>x</Encrypted><Unencrypted>", "Encrypted"),
        ("server=127.0.0.1,PORT;", "", "no server"),
        ("Application Name=EA", "Colour=red", "'Colour'"),
        ("User ID=sa;Password=Secret-1234;", "", "Integrated Security"),
        ("<QueueName>Orders</QueueName>", "", "no QueueName"),
        ("<ImagePath>PROGRAM</ImagePath>", "", "no ImagePath"),
        ('min="1" max="4"', 'min="3" max="2"', "min 3 and max 2"),
        ('min="1" max="4"', 'max="many"', "'many'"),
        ('min="1" max="4"', 'min="0" max="0"', "max 0"),
    ],
)
def test_what_is_wrong_with_a_configuration(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in CONFIG
    with pytest.raises(BadConfiguration, match=said):
        read_configuration(written(tmp_path, CONFIG.replace(old, new)))


class FakeProcess:
    def __init__(self, pid: int) -> None:
        self.pid, self.code = pid, None

    code: int | None

    def poll(self) -> int | None:
        return self.code


class Fakes:
    """Programs over processes that a test ends, and a clock that it moves."""

    def __init__(self, least: int, most: int) -> None:
        self.started: list[FakeProcess] = []
        self.lines: list[str] = []
        self.now, self.fails = 0.0, False
        one = Application("Worker", QueueName("s", "d", "dbo", "q"), "worker", least=least, most=most)
        self.programs = Programs(
            one, self._start, lambda level, text: self.lines.append(f"{level}: {text}"), lambda: self.now
        )

    def _start(self, application: Application) -> FakeProcess:
        if self.fails:
            raise FileNotFoundError(2, "No such file", application.program)
        self.started.append(FakeProcess(len(self.started) + 1))
        return self.started[-1]


def test_a_notification_starts_the_least_or_one_more_up_to_the_most() -> None:
    fakes = Fakes(2, 4)
    counts = []
    for _ in range(4):
        fakes.programs.notified()
        counts.append(len(fakes.started))
    assert counts == [2, 3, 4, 4]


def test_a_notification_that_found_no_room_is_kept_until_a_program_ends() -> None:
    fakes = Fakes(1, 1)
    fakes.programs.notified()
    fakes.programs.notified()
    fakes.programs.notified()
    fakes.programs.look()
    assert len(fakes.started) == 1
    fakes.started[0].code = 3
    fakes.programs.look()
    assert len(fakes.started) == 2 and "Warning: Worker: process 1 has ended with code 3." in fakes.lines
    fakes.started[1].code = 0
    fakes.programs.look()
    assert len(fakes.started) == 2 and fakes.programs.running == [], "one is enough for all that came meanwhile"


def test_a_program_that_cannot_be_started_is_tried_again() -> None:
    fakes = Fakes(1, 1)
    fakes.fails = True
    fakes.programs.notified()
    fakes.fails = False
    fakes.programs.look()
    assert fakes.started == [] and any(
        line.startswith("Error: Worker: worker cannot be started") for line in fakes.lines
    )
    fakes.now = RETRY
    fakes.programs.look()
    assert len(fakes.started) == 1


# --- with real processes -----------------------------------------------------------------------------------

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    "CREATE TABLE Done (body varchar(20))",
    "CREATE QUEUE Orders",
    "CREATE SERVICE Office ON QUEUE Orders ([DEFAULT])",
    "CREATE QUEUE Mail",
    "CREATE SERVICE Customer ON QUEUE Mail",
    "CREATE QUEUE Notes",
    "CREATE SERVICE Told ON QUEUE Notes ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    "CREATE EVENT NOTIFICATION Wake ON QUEUE Orders FOR QUEUE_ACTIVATION TO SERVICE 'Told', 'current database'",
)
ORDER = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Office' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('{}')"
WORKER = """
import sys, sbql
server, database = sys.argv[1:]
with sbql.connect(server=server, user="sa", password="Secret-1234", database=database) as connection:
    while True:
        rows = connection.execute("RECEIVE TOP (1) CAST(message_body AS varchar(20)) FROM Orders").fetchall()
        if not rows:
            break
        connection.execute("INSERT Done VALUES (?)", rows[0])
"""


def until(connection: sbql.Connection, text: str, wanted: int, log: Path, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while connection.execute(text).fetchall()[0][0] != wanted:
        assert time.monotonic() < end, log.read_text(encoding="utf-8")
        time.sleep(0.05)


@pytest.mark.skipif(os.name == "nt", reason="signals end it as on POSIX")
@pytest.mark.spec("EXTERNAL-1", "EXTERNAL-2")
def test_programs_are_started_as_messages_come(tmp_path: Path) -> None:
    """What a queue gets is received by a process that nobody but its messages has started; the
    next messages start another one."""
    pytest.importorskip("pyarrow", reason="a server needs pyarrow")
    script, log = tmp_path / "worker.py", tmp_path / "activator.log"
    script.write_text(WORKER, encoding="utf-8")
    with sbql.serve(listen="127.0.0.1:0", sa_password="Secret-1234") as server:
        port = server.endpoints[1].port
        connection = sbql.connect(server=f"127.0.0.1,{port}", user="sa", password="Secret-1234")
        for text in SETUP:
            connection.execute(text)
        config = CONFIG.replace("PORT", str(port)).replace("PROGRAM", sys.executable).replace("FOLDER", str(tmp_path))
        path = written(tmp_path, config.replace("ARGUMENTS", f"'{script}' 127.0.0.1,{port} Shop"))
        command = [sys.executable, "-m", "sbql", "external-activator", "--config", str(path), "--log", str(log)]
        with subprocess.Popen(command, env=os.environ) as activator:
            try:
                for count in (1, 2):
                    connection.execute(ORDER.format(count))
                    until(connection, "SELECT COUNT(*) FROM Done", count, log)
                    ended = "has ended with code 0"
                    end = time.monotonic() + 60
                    while log.read_text(encoding="utf-8").count(ended) < count:
                        assert time.monotonic() < end, log.read_text(encoding="utf-8")
                        time.sleep(0.05)
            finally:
                activator.send_signal(signal.SIGTERM)
            assert activator.wait(30) == 0
        said = log.read_text(encoding="utf-8")
        assert said.count("was started, 1 of 4") == 2 and "The external activator has ended." in said
        assert connection.execute("SELECT COUNT(*) FROM Notes").fetchall() == [(0,)]
        connection.close()


def test_integrated_security_needs_the_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIG.replace("User ID=sa;Password=Secret-1234;", "Integrated Security=true;")
    assert main(["external-activator", "--config", str(written(tmp_path, text))]) == 1
    assert "--store" in capsys.readouterr().err
