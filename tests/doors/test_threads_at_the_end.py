"""No thread of ours is left when the command line ends, however it ends.

What a thread holds is still there when Python takes DuckDB's module down, which then
reports it as leaked on standard error.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from serving import SA_PASSWORD, address_of_tds

from sbql import serve

_WRAPPED = """\
import atexit, sys, threading

def look():
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            print("left:", thread.name, file=sys.stderr)

atexit.register(look)  # the first that is registered runs last
from sbql.repl.cli import main
sys.exit(main(sys.argv[1:]))
"""

_SPIN = "WHILE 1 = 1 SELECT 1"
_ACTIVATED = """
CREATE DATABASE shop;
GO
USE shop;
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Sesame, 1 open';
CREATE QUEUE q;
CREATE SERVICE s ON QUEUE q ([DEFAULT]);
GO
CREATE PROCEDURE p AS WHILE 1 = 1 DECLARE @i int = 1;
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (0x00);
"""


@pytest.fixture(scope="module", params=["here", "Flight", "TDS"])
def where(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The arguments that say whose store it is: the process' own one, or a server's."""
    if request.param == "here":
        yield []
        return
    store = tmp_path_factory.mktemp("served") / "s.duckdb"
    listens = request.param == "TDS"
    with serve(store, **({"listen": "127.0.0.1:0", "sa_password": SA_PASSWORD} if listens else {})) as server:
        yield (
            ["-S", address_of_tds(server), "-U", "sa", "-P", SA_PASSWORD, "-C"] if listens else ["--store", str(store)]
        )


def start(*arguments: str, **streams: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WRAPPED, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=streams.get("stdout", subprocess.PIPE),
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("text", ["SELECT 1", "THROW 50000, 'no', 1", "SELEC 1"])
def test_when_all_has_run(where: list[str], text: str) -> None:
    _, err = start(*where, "-b", "-Q", text).communicate(timeout=60)
    assert "left:" not in err and "leaked" not in err


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("text", ["PRINT 'on'; WAITFOR DELAY '00:01:00'", f"PRINT 'on'; {_SPIN}"])
def test_when_it_is_interrupted(where: list[str], text: str) -> None:
    process = start(*where, "-Q", text)
    assert process.stdout is not None and process.stdout.readline() == "on\n"
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "The batch was cancelled.\n")


def test_when_nobody_reads_on(where: list[str]) -> None:
    process = start(*where, "-h", "-1", "-Q", _SPIN)
    assert process.stdout is not None and process.stdout.readline().strip() == "1"
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.wait(60)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux'")
def test_when_the_disk_of_the_output_is_full(where: list[str]) -> None:
    with open("/dev/full", "w") as full:
        _, err = start(*where, "-Q", _SPIN, stdout=full.fileno()).communicate(timeout=60)
    assert err == "sbql: cannot write the output: No space left on device\n"


@pytest.mark.parametrize("clock", ["virtual", "system"])
def test_when_activated_procedures_do_not_end(clock: str) -> None:
    process = start("--clock", clock, "--wait", "0.5", "-Q", _ACTIVATED)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 3, err
    assert "left:" not in err and "leaked" not in err


def test_after_a_time_limit() -> None:
    _, err = start("-t", "1", "-Q", _SPIN).communicate(timeout=60)
    assert err == "The batch has taken more than 1 s and was stopped (-t).\n"


_LEFT_OPEN = {
    "a prepared application": "p = sbql.prepare(str(setup))",
    "a copy of it": "p = sbql.prepare(str(setup)); c = p.connect()",
    "a copy that was closed": "p = sbql.prepare(str(setup)); p.connect().close(); c = p.connect()",
    "a copy whose original was closed": "p = sbql.prepare(str(setup)); c = p.connect(); p.close()",
    "a connection": "c = sbql.connect()",
    "a connection in a transaction": "c = sbql.connect(str(setup.with_suffix('.duckdb')), autocommit=False); c.cursor().execute('SELECT 1')",
    "a connection in a circle": "import gc; gc.freeze(); c = sbql.connect(); c.me = c; del c",
}


@pytest.mark.parametrize("left", _LEFT_OPEN.values(), ids=_LEFT_OPEN)
def test_when_a_program_leaves_something_open(left: str, tmp_path: Path) -> None:
    setup = tmp_path / "setup.sql"
    setup.write_text("CREATE DATABASE shop;\nGO\nUSE shop;\nCREATE TABLE t (a int);\n")
    text = f"import sbql, pathlib; setup = pathlib.Path({str(setup)!r}); {left}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_after_scripts_with_expectations(tmp_path: Path) -> None:
    setup, script = tmp_path / "setup.sql", tmp_path / "test.sql"
    setup.write_text("CREATE DATABASE shop;\n")
    script.write_text("SELECT COUNT(*) FROM sys.databases WHERE name = 'shop';\nGO\n--! rows\n--! 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "sbql", "test", "--setup", setup, script], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
