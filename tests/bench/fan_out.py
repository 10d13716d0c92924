"""Fan-out: one SEND on a monolog against one SEND that names as many dialogs. Both are durable when the batch ends."""

from __future__ import annotations

import pathlib
import time

from statements import run

from sbql.engine.instance import Instance
from sbql.engine.session import Session

__all__ = ["deliveries_per_second"]

SUBSCRIBERS = 100
BODY = "CONVERT(varbinary(max), REPLICATE('x', {size}))"


def deliveries_per_second(folder: pathlib.Path, sends: int, size: int) -> tuple[float, float]:
    """Messages put into queues a second: by a monolog with a hundred subscribers, by a SEND to a hundred dialogs."""
    instance = Instance.open(str(folder / f"fan_out_{size}.duckdb"))
    session = instance.connect("master")
    for text in (
        "CREATE DATABASE Bench",
        "USE Bench",
        "CREATE QUEUE Publisher",
        "CREATE SERVICE Publisher ON QUEUE Publisher",
    ):
        run(session, text)
    for number in range(SUBSCRIBERS):
        run(session, f"CREATE QUEUE Q{number}; CREATE SERVICE S{number} ON QUEUE Q{number} ([DEFAULT])")
        run(session, f"DECLARE @s uniqueidentifier; BEGIN SUBSCRIPTION @s FOR SERVICE S{number} TO SERVICE 'Publisher'")
    run(session, "CREATE TABLE Handles (h uniqueidentifier)")
    dialogs = "".join(
        f"BEGIN DIALOG @h FROM SERVICE Publisher TO SERVICE 'S{number}' WITH ENCRYPTION = OFF; INSERT INTO Handles VALUES (@h);"
        for number in range(SUBSCRIBERS)
    )
    run(session, "DECLARE @h uniqueidentifier; " + dialogs)
    handles = [str(row[0]) for o in run(session, "SELECT h FROM Handles") if hasattr(o, "rows") for row in o.rows]
    run(
        session,
        "DECLARE @h uniqueidentifier; BEGIN MONOLOG @h FROM SERVICE Publisher; DELETE Handles; INSERT INTO Handles VALUES (@h)",
    )
    body = BODY.format(size=size)
    named = ", ".join(f"'{handle}'" for handle in handles)
    on_monolog, on_dialogs = f"SEND ON CONVERSATION @h ({body})", f"SEND ON CONVERSATION ({named}) ({body})"
    for statement in (on_monolog, on_dialogs):  # the first function of a process loads all of them
        _seconds(session, 1, statement)
    by_monolog, by_dialogs = _seconds(session, sends, on_monolog), _seconds(session, sends, on_dialogs)
    waiting = next(o for o in run(session, "SELECT COUNT(*) FROM Q0") if hasattr(o, "rows")).rows[0][0]
    assert waiting == 2 * sends + 2, waiting
    instance.close()
    return SUBSCRIBERS * sends / by_monolog, SUBSCRIBERS * sends / by_dialogs


def _seconds(session: Session, sends: int, statement: str) -> float:
    start = time.perf_counter()
    run(
        session,
        f"DECLARE @h uniqueidentifier = (SELECT h FROM Handles), @i int = 0; WHILE @i < {sends} BEGIN {statement}; SET @i += 1; END",
    )
    return time.perf_counter() - start
