"""`prepare`: an application set up once, for tests that each get an instance of their own.

It decides what a set-up may be made of, and which connection a test gets. How an
instance is copied is `engine.prepared`'s.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from types import TracebackType
from typing import TypeAlias

from sbql import exceptions, instances
from sbql.connecting import connect, connection_to
from sbql.dbapi import Connection
from sbql.engine.instance import Instance
from sbql.engine.patience import NotAtRest
from sbql.engine.prepared import PreparedInstance
from sbql.exceptions import errors_of_opening, from_sql_errors
from sbql.grammar.errors import SqlError
from sbql.scripts import run_file

__all__ = ["Prepared", "prepare"]

SetUp: TypeAlias = "str | os.PathLike[str] | Callable[[Connection], object]"
"""A script, or a function that is called with a connection."""


class Prepared:
    """What `prepare` returns. A context manager; `close` throws away what new instances are made of."""

    def __init__(self, prepared: PreparedInstance, database: str) -> None:
        self._prepared = prepared
        self.database = database
        """Where the set-up ended, and a connection begins."""

    def connect(self, database: str | None = None, *, seed: int | None = None) -> Connection:
        """A connection to a new instance that begins as the set-up left it, with its clock and its chance; `seed`: with
        other chance. Connections made with its `instance` share it, and the last one closes it."""
        instance = self.open(seed=seed)
        instances.share(instance)
        return connection_to(instance, database or self.database)

    def open(self, path: str | None = None, *, seed: int | None = None) -> Instance:
        """A new instance, which its caller closes; `path`: as a store on disk, which begins as the set-up left it if
        the file is not there, and otherwise goes on. Raises OperationalError for a file that cannot be opened."""
        with errors_of_opening():
            return self._prepared.open(path, seed=seed)

    def close(self) -> None:
        """No new instances from now on; those that are open stay. Twice is harmless."""
        self._prepared.close()

    def __enter__(self) -> Prepared:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def prepare(
    *setup: SetUp, seed: int = 0, start: datetime | None = None, variables: Mapping[str, str] | None = None
) -> Prepared:
    """Set an application up on an instance in memory with a virtual clock, and keep it for tests.

    Args:
        setup: scripts, run as by `run_file`, and functions that get the connection, in this order.
        seed: as for `connect`.
        start: as for `connect`.
        variables: values for $(name) in the scripts.

    Raises what the set-up raises, and OperationalError when it leaves a transaction open or a task of
    activation at work; the error names them.
    """
    connection = connect(clock="virtual", seed=seed, start=start)
    with connection:
        for step in setup:
            if isinstance(step, str | os.PathLike):
                run_file(connection, step, variables)
            else:
                step(connection)
        instance = connection.instance
        assert isinstance(instance, Instance)
        database = connection.session.database_name
        try:
            return Prepared(PreparedInstance(instance), database)
        except NotAtRest as error:
            raise exceptions.OperationalError(str(error)) from None
        except SqlError as error:
            raise from_sql_errors([error], exceptions.OperationalError) from None
