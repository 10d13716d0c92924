"""A process that works with T-SQL until it is killed. Run by test_workload.py, never imported.

Each turn sends message n on one conversation and inserts user row n, in one transaction when n is even, in two
otherwise. An activated procedure receives and writes down what it got, in the transaction that received it. Every line
`n` on stdout says that turn n was acknowledged.
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
CREATE QUEUE sender_queue
CREATE QUEUE reader_queue
CREATE SERVICE sender ON QUEUE sender_queue
CREATE SERVICE reader ON QUEUE reader_queue ([DEFAULT])
CREATE TABLE turns (n int PRIMARY KEY)
CREATE TABLE got (place int IDENTITY PRIMARY KEY, n int)
CREATE TABLE dialog (handle uniqueidentifier)
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
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE sender TO SERVICE 'reader' WITH ENCRYPTION = OFF
INSERT dialog VALUES (@h)
GO
"""

SEND = "DECLARE @h uniqueidentifier = (SELECT handle FROM dialog); SEND ON CONVERSATION @h (N'{n}');"
INSERT = "INSERT turns VALUES ({n});"


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
    if first > 1:
        # The process before may have died between the two transactions of an odd turn: its row is made up for.
        last = first - 1
        run(session, f"IF NOT EXISTS (SELECT * FROM turns WHERE n = {last}) INSERT turns VALUES ({last})")
    n = first
    while True:
        both = SEND.format(n=n) + INSERT.format(n=n)
        run(session, f"BEGIN TRANSACTION; {both} COMMIT" if n % 2 == 0 else both)
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()
        n += 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
