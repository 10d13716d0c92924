"""A process whose sessions define tables, all at once, until it is killed. test_killed_notices.py runs it.

An event notification of the database tells a service of each definition. Tables called c… are committed, those called
r… are rolled back in one way or another. Every line on stdout is a table whose commit was acknowledged.
"""

from __future__ import annotations

import random
import sys
import threading

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop; CREATE TABLE kept (n int)",
    "CREATE QUEUE told; CREATE SERVICE told ON QUEUE told ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    "CREATE EVENT NOTIFICATION hears ON DATABASE FOR CREATE_TABLE TO SERVICE 'told', 'current database'",
)
WAYS = (
    "CREATE TABLE c{n} (a int)",
    "BEGIN TRANSACTION; CREATE TABLE c{n} (a int); INSERT kept VALUES ({n}); COMMIT",
    "BEGIN TRANSACTION; CREATE TABLE r{n} (a int); INSERT kept VALUES ({n}); ROLLBACK",
    "BEGIN TRANSACTION; CREATE TABLE c{n} (a int); SAVE TRANSACTION s; CREATE TABLE r{n} (a int); ROLLBACK TRANSACTION s; COMMIT",
    "SET XACT_ABORT ON; BEGIN TRANSACTION; CREATE TABLE r{n} (a int); SELECT 1 / 0; COMMIT",
    "BEGIN TRY BEGIN TRANSACTION; CREATE TABLE r{n} (a int); CREATE TABLE r{n} (a int); COMMIT END TRY BEGIN CATCH ROLLBACK END CATCH",
)


def fails(session: Session, text: str) -> bool:
    return any(isinstance(outcome, ErrorOutcome) for outcome in session.run(text))


def define(instance: Instance, first: int, worker: int) -> None:
    session, chance, n = instance.connect(database="Shop"), random.Random(first + worker), first + worker
    while True:
        if not fails(session, (way := chance.choice(WAYS)).format(n=n)) and " c{n}" in way:
            sys.stdout.write(f"c{n}\n")
            sys.stdout.flush()
        n += 3


def main(path: str, first: int) -> None:
    instance = Instance.open(path)
    if first == 0:
        session = instance.connect()
        assert not any(fails(session, text) for text in SETUP)
    for worker in range(3):
        threading.Thread(target=define, args=(instance, first, worker)).start()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
