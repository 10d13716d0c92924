"""What the kill test of a streaming query is made of: the application, who feeds it, the query's
processes, and the account at the end.

`Feeder` sends and a rival of the stream receives, in transactions of T-SQL that note what they have done in the same
commit: the table `dialogs` says how many messages of each dialog there are, whatever was killed when. `faults` knows
nothing of all this but the two lists.
"""

from __future__ import annotations

import contextlib
import os
import queue
import random
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import sbql

__all__ = ["APPLICATION", "Feeder", "SparkProcess", "faults"]

APPLICATION = """
CREATE DATABASE Pipe
GO
USE Pipe
GO
CREATE QUEUE replies; CREATE QUEUE work; CREATE QUEUE results
CREATE SERVICE front ON QUEUE replies ([DEFAULT])
CREATE SERVICE back ON QUEUE work ([DEFAULT])
CREATE SERVICE results ON QUEUE results ([DEFAULT])
CREATE TABLE dialogs (label int NOT NULL PRIMARY KEY, handle uniqueidentifier NOT NULL, sent int NOT NULL, is_open bit NOT NULL)
CREATE TABLE rivals (label int NOT NULL PRIMARY KEY, handle uniqueidentifier NOT NULL)
CREATE TABLE forwarded (label int NOT NULL PRIMARY KEY, handle uniqueidentifier NOT NULL)
GO
CREATE PROCEDURE begin_one @label int AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE front TO SERVICE 'back' WITH ENCRYPTION = OFF;
    INSERT dialogs VALUES (@label, @h, 0, 1);
END
GO
CREATE PROCEDURE feed @label int AS
BEGIN
    -- the next message of a dialog
    DECLARE @h uniqueidentifier, @text nvarchar(50);
    UPDATE dialogs SET sent = sent + 1 WHERE label = @label;
    SELECT @h = handle, @text = CONCAT(label, ':', sent) FROM dialogs WHERE label = @label;
    SEND ON CONVERSATION @h (@text);
END
GO
CREATE PROCEDURE renew @label int AS
BEGIN
    -- this side has said all it has to say; a new dialog follows
    DECLARE @h uniqueidentifier;
    SELECT @h = handle FROM dialogs WHERE label = @label;
    END CONVERSATION @h;
    UPDATE dialogs SET is_open = 0 WHERE label = @label;
    SELECT @label = MAX(label) + 1 FROM dialogs;
    EXEC begin_one @label;
END
GO
CREATE PROCEDURE forward @body varbinary(max) AS
BEGIN
    -- what foreachBatch does with a message
    DECLARE @text nvarchar(50) = CAST(@body AS nvarchar(50)), @to uniqueidentifier;
    DECLARE @label int = CAST(LEFT(@text, CHARINDEX(':', @text) - 1) AS int);
    SELECT @to = handle FROM forwarded WHERE label = @label;
    IF @to IS NULL
    BEGIN
        BEGIN DIALOG @to FROM SERVICE front TO SERVICE 'results' WITH ENCRYPTION = OFF;
        INSERT forwarded VALUES (@label, @to);
    END;
    SEND ON CONVERSATION @to (@body);
END
GO
CREATE PROCEDURE compete AS
BEGIN
    -- what the stream does, in T-SQL: some messages of one group, sent on to the results in one transaction
    DECLARE @got TABLE (place bigint, handle uniqueidentifier, type sysname, body varbinary(max));
    DECLARE @place bigint, @h uniqueidentifier, @to uniqueidentifier, @type sysname, @body varbinary(max), @label int;
    BEGIN TRANSACTION;
    RECEIVE TOP (7) queuing_order, conversation_handle, message_type_name, message_body FROM work INTO @got;
    SELECT @place = MIN(place) FROM @got;
    WHILE @place IS NOT NULL
    BEGIN
        SELECT @h = handle, @type = type, @body = body FROM @got WHERE place = @place;
        IF @type = 'DEFAULT'
        BEGIN
            SET @label = CAST(LEFT(CAST(@body AS nvarchar(50)), CHARINDEX(':', CAST(@body AS nvarchar(50))) - 1) AS int);
            SET @to = NULL;
            SELECT @to = handle FROM rivals WHERE label = @label;
            IF @to IS NULL
            BEGIN
                BEGIN DIALOG @to FROM SERVICE front TO SERVICE 'results' WITH ENCRYPTION = OFF;
                INSERT rivals VALUES (@label, @to);
            END;
            SEND ON CONVERSATION @to (@body);
        END
        ELSE END CONVERSATION @h;
        SELECT @place = MIN(place) FROM @got WHERE place > @place;
    END;
    COMMIT TRANSACTION;
    SELECT COUNT(*) FROM @got;
END
"""
SHARED = 5
"""Groups with two dialogs each, which last; as many dialogs are alone in their group, and
are ended and followed by new ones."""
PATIENCE = 300.0
MANY = 1500
"""Messages that wait before the feeder pauses."""
LOST = (10054, 10061)
"""The owner is away."""


class Feeder:
    """Sends, and competes with the stream, until it is told to stop. Whoever starts an
    owner says where it is with `at`."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.competed = self.renewed = 0
        self._owner: tuple[str, str] | None = None
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._failure: BaseException | None = None

    def at(self, url: str, token: str) -> None:
        self._owner = url, token

    def prepare(self) -> None:
        """The application and its first dialogs: each two of the first ten are one group."""
        with self._connect("master") as connection:
            sbql.run_script(connection, APPLICATION)
            for label in range(3 * SHARED):
                connection.execute("EXEC begin_one ?; EXEC feed ?", (label, label))
            for first in range(0, 2 * SHARED, 2):
                rows = connection.execute(
                    "SELECT conversation_handle, conversation_group_id FROM work WHERE CAST(message_body AS nvarchar(50)) IN (?, ?)",
                    (f"{first}:1", f"{first + 1}:1"),
                ).fetchall()
                connection.execute("MOVE CONVERSATION ? TO ?", (rows[0][0], rows[1][1]))

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Raises what has ended it before."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _connect(self, database: str = "Pipe") -> sbql.Connection:
        assert self._owner is not None
        url, token = self._owner
        return sbql.connect(endpoint=url, token=token, database=database)

    def _run(self) -> None:
        connection = None
        labels: list[int] = []
        while not self._end.is_set():
            try:
                if connection is None:
                    connection, labels = self._connect(), []
                if not labels:
                    found = connection.execute("SELECT label FROM dialogs WHERE is_open = 1 ORDER BY label").fetchall()
                    labels = [row[0] for row in found]
                self._turn(connection, labels)
            except sbql.DatabaseError as error:
                if error.number not in LOST:
                    self._failure = error
                    return
                connection = None
                self._end.wait(0.05)
        if connection is not None:
            connection.close()

    def _turn(self, connection: sbql.Connection, labels: list[int]) -> None:
        """Some messages in one transaction; at times an end and a beginning, which empty
        `labels`, and what the rival does."""
        waiting = connection.execute("SELECT COUNT(*) FROM work").fetchall()[0][0]
        if waiting > MANY:
            self._end.wait(0.02)
        else:
            script = "".join(f"EXEC feed {self.chance.choice(labels)};\n" for _ in range(40))
            connection.execute(f"BEGIN TRANSACTION;\n{script}COMMIT TRANSACTION;")
        if self.chance.random() < 0.1:
            last = self.chance.choice([label for label in labels if label >= 2 * SHARED])
            connection.execute(f"BEGIN TRANSACTION; EXEC renew {last}; COMMIT TRANSACTION;")
            self.renewed += 1
            labels.clear()
        if self.chance.random() < 0.1:
            self.competed += connection.execute("EXEC compete").fetchall()[0][0]


class SparkProcess:
    """A driver with all that it starts, and what it says of its batches."""

    def __init__(self, script: Path, *arguments: str | Path) -> None:
        command = [sys.executable, str(script), *map(str, arguments)]
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self.failures: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, text=True
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def batch(self) -> int | None:
        """The next that is committed, of this query or of the one after it when it
        fails; None when the driver has ended."""
        while not self._lines.empty():  # what is known by now
            if (line := self._lines.get()) is None:
                return None
        try:
            while (line := self._lines.get(timeout=PATIENCE)) is not None and line.startswith("failed"):
                pass
        except queue.Empty:
            self.kill("driver")
            raise AssertionError("no batch was committed for minutes\n" + self.said()) from None
        return None if line is None else int(line)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("failed"):
                self.failures.append(line)
            self._lines.put(line)
        self._lines.put(None)

    def kill(self, what: str) -> int:
        """SIGKILL for `what`: "driver" is every process of it, "jvm" the JVM alone, "workers" all that the
        JVM has started. How many were hit."""
        everybody = dict(_below(self.process.pid))
        chosen = {
            "driver": [self.process.pid, *everybody],
            "jvm": [pid for pid, name in everybody.items() if name == "java"],
            "workers": [pid for pid, name in everybody.items() if name != "java"],
        }[what]
        hit = 0
        for pid in chosen:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                hit += 1
        if what == "driver":
            self._ended()
        return hit

    def finish(self) -> None:
        """Let it read what is there, and end well."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self._ended()
        assert self.process.returncode == 0, self.said()

    def _ended(self) -> None:
        self.process.wait(timeout=PATIENCE)
        self._reader.join(PATIENCE)

    def said(self) -> str:
        self.errors.seek(0)
        return self.errors.read()[-4000:]


def _below(parent: int) -> Iterator[tuple[int, str]]:
    """All processes that descend from one, with their names, from Linux's /proc."""
    children: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                name, _, rest = (folder / "stat").read_text().partition("(")[2].rpartition(")")
                children.setdefault(int(rest.split()[1]), []).append((int(folder.name), name))
    waiting = [parent]
    while waiting:
        for pid, name in children.get(waiting.pop(), ()):
            waiting.append(pid)
            yield pid, name


def faults(sent: Mapping[int, int], arrived: Iterable[tuple[int, int]]) -> list[str]:
    """What is wrong with what has arrived, (dialog, number in it) in the order of arrival, if
    `sent` says how many each dialog has."""
    found = []
    last: Counter[int] = Counter()
    seen: Counter[tuple[int, int]] = Counter()
    for label, number in arrived:
        seen[label, number] += 1
        if seen[label, number] > 1:
            found.append(f"{label}:{number} came {seen[label, number]} times")
        elif number < last[label]:
            found.append(f"{label}:{number} came after {label}:{last[label]}")
        last[label] = max(last[label], number)
    expected = {(label, number) for label, count in sent.items() for number in range(1, count + 1)}
    found += [f"{label}:{number} is lost" for label, number in sorted(expected - set(seen))]
    found += [f"{label}:{number} was never sent" for label, number in sorted(set(seen) - expected)]
    return found
