"""A publisher with three subscribers, until it is killed. Run by test_killed_publisher.py, never imported.

Each turn sends message n on one monolog. An activated procedure of the first subscriber writes down what it gets; the
second is off, so that everything waits for it; the third only collects. Every line `n` on stdout says that turn n was
acknowledged.
"""

from __future__ import annotations

import sys

import log_after  # noqa: F401 - says when there is a broker's log

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

SETUP = """
CREATE DATABASE Crash
GO
USE Crash
GO
CREATE QUEUE pub_queue
CREATE QUEUE reader_queue
CREATE QUEUE slow_queue
CREATE QUEUE heap_queue
CREATE SERVICE pub ON QUEUE pub_queue
CREATE SERVICE reader ON QUEUE reader_queue ([DEFAULT])
CREATE SERVICE slow ON QUEUE slow_queue ([DEFAULT])
CREATE SERVICE heap ON QUEUE heap_queue ([DEFAULT])
CREATE TABLE got (place int IDENTITY PRIMARY KEY, n int)
CREATE TABLE monolog (handle uniqueidentifier)
GO
CREATE PROCEDURE read_all AS
DECLARE @body varbinary(max), @handle uniqueidentifier
WHILE 1 = 1
BEGIN
    BEGIN TRANSACTION
    SET @handle = NULL
    WAITFOR (RECEIVE TOP (1) @handle = conversation_handle, @body = message_body FROM reader_queue), TIMEOUT 500
    IF @handle IS NULL
    BEGIN
        COMMIT
        RETURN
    END
    INSERT got (n) VALUES (CAST(CAST(@body AS nvarchar(20)) AS int))
    COMMIT
END
GO
ALTER QUEUE reader_queue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = read_all, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)
ALTER QUEUE slow_queue WITH STATUS = OFF
GO
DECLARE @h uniqueidentifier, @s uniqueidentifier
BEGIN SUBSCRIPTION @s FOR SERVICE reader TO SERVICE 'pub'
BEGIN SUBSCRIPTION @s FOR SERVICE slow TO SERVICE 'pub'
BEGIN SUBSCRIPTION @s FOR SERVICE heap TO SERVICE 'pub'
BEGIN MONOLOG @h FROM SERVICE pub WITH RETENTION = ON
INSERT monolog VALUES (@h)
GO
"""

SEND = "DECLARE @h uniqueidentifier = (SELECT handle FROM monolog); SEND ON CONVERSATION @h (N'{n}');"


def run(session: Session, text: str) -> None:
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            sys.exit(str(outcome.error))


def main(path: str, first: int) -> None:
    instance = Instance.open(path)
    session = instance.connect()
    if first == 1:
        for batch in SETUP.split("\nGO\n"):
            run(session, batch)
    session.use("Crash")
    n = first
    while True:
        run(session, SEND.format(n=n))
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()
        n += 1


main(sys.argv[1], int(sys.argv[2]))
