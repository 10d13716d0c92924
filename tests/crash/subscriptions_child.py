"""A process whose sessions subscribe to queries and change what these find, until it is killed.
test_killed_subscriptions.py runs it.

Every line on stdout is the number of a request that has been answered. Some queries do not qualify, some requests are
made twice, some subscriptions last a second; and a receiver ends the conversations of what it hears.
"""

from __future__ import annotations

import random
import sys
import threading

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session
from sbql.engine.subscriptions.request import QueryRequest

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop; CREATE TABLE dbo.goods (id int NOT NULL PRIMARY KEY, price int); INSERT dbo.goods SELECT value, 0 FROM GENERATE_SERIES(0, 2)",
    "CREATE TABLE dbo.heard (text nvarchar(max), ended datetime2 DEFAULT SYSDATETIME())",
    "CREATE QUEUE Told; CREATE SERVICE Told ON QUEUE Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])",
)
QUERIES = (
    "SELECT price FROM dbo.goods WHERE id = {worker}",
    "SELECT id, price FROM dbo.goods",
    "SELECT DISTINCT price FROM dbo.goods",
    "INSERT dbo.goods SELECT TOP (0) 1, 1",
)
HEAR = """DECLARE @t TABLE (handle uniqueidentifier, kind sysname, body nvarchar(max)); DECLARE @h uniqueidentifier;
BEGIN TRANSACTION;
WAITFOR (RECEIVE TOP (1) conversation_handle, message_type_name, CAST(message_body AS nvarchar(max)) FROM Told INTO @t), TIMEOUT 100;
INSERT dbo.heard (text) SELECT body FROM @t WHERE kind LIKE '%/QueryNotification';
SELECT @h = handle FROM @t; IF @h IS NOT NULL END CONVERSATION @h;
COMMIT"""


def run(session: Session, text: str) -> None:
    for outcome in session.run(text):
        assert not isinstance(outcome, ErrorOutcome), outcome.error


def subscribe(instance: Instance, first: int, worker: int) -> None:
    session, chance, n = instance.connect(database="Shop"), random.Random(first + worker), first + worker
    while True:
        query, timeout = chance.choice(QUERIES).format(worker=worker), chance.choice((1, 1000))
        for _ in range(chance.choice((1, 2)) if query in QUERIES[:2] else 1):
            with session.subscribing_to(QueryRequest(str(n), "service=Told;local database=Shop", timeout)):
                run(session, query)
        sys.stdout.write(f"{n}\n")
        sys.stdout.flush()
        if chance.random() < 0.7:
            run(session, f"UPDATE dbo.goods SET price += 1 WHERE id = {worker}")
        n += 3


def hear(instance: Instance) -> None:
    session = instance.connect(database="Shop")
    while True:
        run(session, HEAR)


def main(path: str, first: int) -> None:
    instance = Instance.open(path)
    if first == 0:
        session = instance.connect()
        for text in SETUP:
            run(session, text)
    for worker in range(3):
        threading.Thread(target=subscribe, args=(instance, first, worker)).start()
    threading.Thread(target=hear, args=(instance,)).start()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
