"""A program that ends without close() while everything that can run, runs. Its arguments: the store, and how it ends.

It prints "ready" when the activated procedures are at work and what it acknowledges is committed.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

import sbql
from sbql.engine.error_log import LogRecord

LONG = "SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 100000) a CROSS JOIN GENERATE_SERIES(1, 100000) b WHERE a.value * b.value % 7 = 3"
IN_PYTHON = "STRING_ESCAPE(CAST(a.value AS nvarchar(20)), 'json')"
WITH_PYTHON = LONG.replace("a.value *", f"LEN({IN_PYTHON}) *")
TAKE = "DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM {0}; PRINT 'at work in {0}';"

PROCEDURES = {
    "query": f"{TAKE} DECLARE @n bigint; SET @n = ({LONG})",
    "python_in_query": f"{TAKE} DECLARE @n bigint; SET @n = ({WITH_PYTHON})",
    "writing": f"{TAKE} WHILE 1 = 1 INSERT log_of_writes VALUES (1)",
    "waiting": f"{TAKE} WAITFOR DELAY '01:00:00'",
    "in_transaction": f"BEGIN TRANSACTION; {TAKE} WAITFOR (RECEIVE * FROM {{0}})",
}


def set_up(connection: sbql.Connection) -> str:
    """Everything but the messages. Returns the batch that sends them."""
    for text in (
        "CREATE DATABASE d",
        "USE d",
        "CREATE TABLE acknowledged (n int)",
        "CREATE TABLE log_of_writes (n int)",
        "CREATE QUEUE asks",
        "CREATE SERVICE asks ON QUEUE asks",
        # DuckDB imports NumPy for the first function of Python; Python forgets an interrupt
        # when a module is imported behind it. (Few rows of one list need no DuckDB.)
        f"SELECT {IN_PYTHON} FROM GENERATE_SERIES(1, 2) a CROSS JOIN GENERATE_SERIES(1, 2) b",
    ):
        connection.execute(text)
    sends = ["BEGIN TRANSACTION; DECLARE @h uniqueidentifier;"]
    for name, body in PROCEDURES.items():
        connection.execute(f"CREATE QUEUE {name}")
        connection.execute(f"CREATE SERVICE {name} ON QUEUE {name} ([DEFAULT])")
        connection.execute(f"CREATE PROCEDURE work_{name} AS {body.format(name)}")
        connection.execute(
            f"ALTER QUEUE {name} WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = work_{name}, MAX_QUEUE_READERS = 1, "
            "EXECUTE AS OWNER)"
        )
        sends.append(
            f"BEGIN DIALOG @h FROM SERVICE asks TO SERVICE '{name}' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x');"
        )
    return " ".join([*sends, "COMMIT;"])


def in_thread(path: str, text: str) -> sbql.Connection:
    """A connection of its own whose thread is in a batch that nobody waits for."""
    other = sbql.connect(path, "d")

    def body() -> None:
        try:
            other.execute(text)
        except sbql.Error:
            pass

    threading.Thread(target=body, daemon=True).start()
    return other


def main(path: str, how: str) -> None:
    sys.setswitchinterval(0.0005)  # so much runs that a turn of the usual length is long to wait for
    connection = sbql.connect(path)
    at_work = {name: threading.Event() for name in PROCEDURES}

    def listen(record: LogRecord) -> None:
        for name, event in at_work.items():
            if f"at work in {name}" in record.text:
                event.set()

    connection.instance.error_log.listen(listen)
    sends = set_up(connection)
    sbql.connect(path, "d").execute("BEGIN TRANSACTION; INSERT acknowledged VALUES (-1)")  # dropped
    holder = sbql.connect(path, "d")
    holder.execute("BEGIN TRANSACTION; INSERT log_of_writes VALUES (2)")
    kept = [in_thread(path, LONG), in_thread(path, "WAITFOR DELAY '01:00:00'")]
    connection.execute(sends)
    for name in PROCEDURES:
        assert at_work[name].wait(60), name
    connection.execute("INSERT acknowledged VALUES (1)")
    print("ready", flush=True)
    match how:
        case "end":
            pass
        case "exception":
            raise ValueError("the program's own")
        case "exit":
            sys.exit(3)
        case "exit_in_thread":
            thread = threading.Thread(target=sys.exit)
            thread.start()
            thread.join()
        case "interrupt":
            signal.raise_signal(signal.SIGINT)
        case "terminated":
            signal.raise_signal(signal.SIGTERM)
        case "os_exit":
            os._exit(5)
        case "closed":
            for one in (*kept, holder, connection):
                one.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
