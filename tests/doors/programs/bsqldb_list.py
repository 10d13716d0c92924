"""The common list, for FreeTDS' bsqldb (DB-Library): run by test_tds_programs.py, prints a line for each item.

It has no parameters: what it can show is what comes. `python bsqldb_list.py port password types.tsv rows`
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PORT, PASSWORD, TYPES, ROWS = sys.argv[1:]
_PLAIN = (
    "tinyint",
    "smallint",
    "int",
    "bigint",
    "bit",
    "decimal(5,2)",
    "money",
    "smallmoney",
    "varchar(20)",
    "char(5)",
    "nvarchar(20)",
    "nchar(4)",
    "text",
    "ntext",
)
"""Types that bsqldb writes as they are. It does not know uniqueidentifier, date, time and datetime2, ends with a
decimal of 38 digits, and writes others in forms of its own: of those it is shown a text that the server makes."""


def configuration(folder: Path) -> Path:
    path = folder / "freetds.conf"
    common = f"host = 127.0.0.1\nport = {PORT}\ntds version = 7.4\nclient charset = UTF-8\ntext size = 4294967295\n"
    path.write_text(f"[plain]\n{common}encryption = off\n[encrypted]\n{common}encryption = require\n", encoding="utf-8")
    return path


class Bsqldb:
    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "FREETDSCONF": str(configuration(folder)), "LC_ALL": "C.UTF-8"}

    def start(self, *, server: str = "plain", password: str = PASSWORD) -> subprocess.Popen[str]:
        command = ["bsqldb", "-S", server, "-U", "sa", "-P", password, "-D", "shop", "-t", "|"]
        return subprocess.Popen(
            [*command, "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self._environment
        )  # fmt: skip

    def run(self, text: str, **how: str) -> tuple[str, str]:
        """What it writes on standard output and standard error."""
        out, errors = self.start(**how).communicate(text + "\ngo\n", timeout=60)
        return out, errors

    def rows(self, text: str, **how: str) -> str:
        out, errors = self.run(text, **how)
        return "; ".join(" ".join(part.strip() for part in line.split("|")) for line in out.splitlines()) or errors

    def every_type_comes(self) -> str:
        faults = []
        for line in Path(TYPES).read_text(encoding="utf-8").splitlines():
            sql_type, kind, text, literal, comparable = line.split("\t")
            shown = f"CAST({literal} AS {sql_type})"
            if sql_type not in _PLAIN:
                inner = f"CAST({shown} AS {comparable})" if comparable != sql_type else shown
                shown = f"CONVERT(nvarchar(4000), {inner}, {2 if kind == 'bytes' else 121 if 'date' in sql_type or kind == 'time' else 0})"
            out, errors = self.run(f"SELECT {shown}")
            value = out.rstrip("\n")
            if kind == "bytes":
                value = value.lower()
            if kind in ("datetime", "time") and "." in value:
                value = value.rstrip("0").rstrip(".")
            if value.rstrip() != text[:4000].rstrip():
                faults.append(f"{sql_type} {out[:80]!r} {errors}")
        return "; ".join(faults) or "all"

    def cancels(self) -> str:
        """It has no cancel but its end, which has to end what it waits for."""
        process = self.start()
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(
            "RAISERROR('begun', 5, 1) WITH NOWAIT; EXEC sp_getapplock N'held', N'Exclusive', N'Session'; WAITFOR DELAY '00:01:00'\ngo\n"
        )
        process.stdin.close()
        while "begun" not in (line := process.stderr.readline()):
            assert line
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(30)
        out = self.rows(
            "DECLARE @r int; EXEC @r = sp_getapplock N'held', N'Exclusive', N'Session', 20000; SELECT IIF(@r >= 0, 7, @r)"
        )
        return f"{'soon' if time.monotonic() - began < 10 else 'late'} {out}"

    def receives(self) -> str:
        receiver = self.start()
        assert receiver.stdin is not None
        receiver.stdin.write(
            "WAITFOR (RECEIVE TOP (1) CAST(message_body AS nvarchar(100)) AS body FROM WireQueue), TIMEOUT 20000\ngo\n"
        )
        receiver.stdin.flush()
        self.run(
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Wire TO SERVICE 'Wire' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'ж')"
        )
        return receiver.communicate(timeout=60)[0].strip()

    def errors(self) -> str:
        seen = [word for text in ("SELECT 1/0", "SELECT * FROM nowhere") for word in _numbers(self.run(text)[1])]
        return " ".join([*seen, self.rows("SELECT 5")])

    def items(self) -> dict[str, Callable[[], str]]:
        tx = "CREATE TABLE tx (a int); BEGIN TRAN; INSERT tx VALUES (1); ROLLBACK; BEGIN TRAN; INSERT tx VALUES (2); COMMIT; BEGIN TRAN; INSERT tx VALUES (3); SELECT 0"
        after = "SELECT COUNT(*), MAX(a) FROM tx; DROP TABLE tx"
        option = (
            "SELECT encrypt_option, LEN(REPLICATE('x', 8000)) FROM sys.dm_exec_connections WHERE session_id = @@SPID"
        )
        return {
            "connects": lambda: self.rows("SELECT DB_NAME(), SUSER_SNAME(), N'ж漢'"),
            "encrypted": lambda: self.rows(option, server="encrypted"),
            "refuses_a_wrong_password": lambda: _numbers(self.run("SELECT 1", password="no")[1])[0],
            "every_type_comes": self.every_type_comes,
            "several_results": lambda: self.rows("SELECT 1 AS a; SELECT N'two' AS b, 3 AS c"),
            "errors": self.errors,
            "numbers_of_errors": lambda: _told(self.run("\nRAISERROR('bad', 16, 3)")[1]),
            "messages": lambda: " ".join(line.strip() for line in self.run("PRINT N'hello ж'; RAISERROR('note', 5, 1)")[1].splitlines()[::3]),
            "transactions": lambda: (self.run(tx), self.rows(after))[1],
            "many_rows": lambda: _summed(self.run(f"SELECT value, CAST(NEWID() AS char(36)), CAST('x' AS varchar(20)) FROM GENERATE_SERIES(1, {ROWS})")[0]),
            "cancels": self.cancels,
            "receives_what_another_connection_sends": self.receives,
        }  # fmt: skip


def _numbers(errors: str) -> list[str]:
    """Numbers of the messages that it tells: `Msg 8134, Level 16, State 1`."""
    return [line.split()[1].rstrip(",") for line in errors.splitlines() if line.startswith("Msg ")]


def _told(errors: str) -> str:
    """The numbers of an error: its own, the severity, the state, the line."""
    return " ".join(re.findall(r"\d+", errors.partition("\tbad")[0]))


def _summed(out: str) -> str:
    first = [int(line.split("|")[0]) for line in out.splitlines()]
    return f"{len(first)} {sum(first)}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, item in Bsqldb(Path(folder)).items().items():
            try:
                found = item()
            except Exception as error:  # an item that fails is told, and the next one is done
                found = f"failed: {error!r}"
            print(name, found, sep="\t", flush=True)


if __name__ == "__main__":
    main()
