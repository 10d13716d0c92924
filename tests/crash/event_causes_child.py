"""A process that is killed while queues are switched off by poison and databases are made, altered and dropped.
test_killed_notices.py runs it.

Queues q… tell of themselves, also of activation; events of databases d… are told to the server's notifications;
notifications p… come and go. Every
line on stdout is a queue that was seen to be off, or a database with what was acknowledged of it last.
"""

from __future__ import annotations

import random
import sys
import threading

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

TOLD = """CREATE QUEUE {name}; CREATE SERVICE {name} ON QUEUE {name} ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])"""
SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop; " + TOLD.format(name="told"),
    "CREATE QUEUE told_of_server; CREATE SERVICE told_of_server ON QUEUE told_of_server ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    """DECLARE @broker char(36) = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Shop');
    EXEC ('CREATE EVENT NOTIFICATION hears ON SERVER FOR DDL_DATABASE_EVENTS TO SERVICE ''told_of_server'', ''' + @broker + '''')""",
    TOLD.format(name="told_for_a_while"),
    "CREATE QUEUE mine; CREATE SERVICE mine ON QUEUE mine",
)
QUEUE = (
    "CREATE QUEUE q{n}; CREATE SERVICE q{n} ON QUEUE q{n} ([DEFAULT])",
    "CREATE EVENT NOTIFICATION both{n} ON QUEUE q{n} FOR BROKER_QUEUE_DISABLED, QUEUE_ACTIVATION TO SERVICE 'told', 'current database'",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE mine TO SERVICE 'q{n}' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')",
)
POISON = (
    "DECLARE @i int = 0; WHILE @i < 5 BEGIN BEGIN TRANSACTION; RECEIVE status FROM q{n}; ROLLBACK; SET @i += 1 END",
    "BEGIN TRANSACTION; RECEIVE status FROM q{n}; ROLLBACK",
)
DATABASE = (
    "CREATE DATABASE d{n}",
    "ALTER DATABASE d{n} SET TRUSTWORTHY ON",
    "ALTER DATABASE d{n} SET READ_ONLY WITH ROLLBACK IMMEDIATE",
    "DROP DATABASE d{n}",
)

PASSING = (
    "CREATE EVENT NOTIFICATION p{n} ON DATABASE FOR CREATE_TABLE TO SERVICE 'told_for_a_while', 'current database'",
    "CREATE TABLE t{n} (a int)",
    "DROP EVENT NOTIFICATION p{n} ON DATABASE",
)


def fails(session: Session, text: str) -> bool:
    return any(isinstance(outcome, ErrorOutcome) for outcome in session.run(text))


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def is_off(session: Session, n: int) -> bool:
    found, *_ = session.run(f"SELECT name FROM sys.service_queues WHERE name = 'q{n}' AND is_receive_enabled = 0")
    assert isinstance(found, ResultSet)
    return bool(found.rows)


def poison(instance: Instance, first: int, worker: int) -> None:
    session, chance, n = instance.connect(database="Shop"), random.Random(first + worker), first + worker
    while True:
        for text in QUEUE:
            assert not fails(session, text.format(n=n))
        text = chance.choice(POISON).format(n=n)
        while not is_off(session, n):
            fails(session, text)
        say(f"q{n}")
        n += 2


def define(instance: Instance, first: int) -> None:
    session, n = instance.connect(database="Shop"), first
    while True:
        for step, text in enumerate(DATABASE, 1):
            assert not fails(session, text.format(n=n))
            say(f"d{n} {step}")
        n += 1


def pass_by(instance: Instance, first: int) -> None:
    session, n = instance.connect(database="Shop"), first
    while True:
        for text in PASSING:
            assert not fails(session, text.format(n=n))
        n += 1


def main(path: str, first: int) -> None:
    instance = Instance.open(path)
    if first == 0:
        session = instance.connect()
        for text in SETUP:
            assert not fails(session, text), text
    for worker in range(2):
        threading.Thread(target=poison, args=(instance, first, worker)).start()
    for work in (define, pass_by):
        threading.Thread(target=work, args=(instance, first)).start()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
