"""Which engine the functions of this room talk to, and with which session.

It decides that there is one engine for the process, given by `use` or made in memory when first asked for. Each thread
has a session of its own, for a session runs one batch at a time, and foreachBatch has its own thread. What runs batches
is a port, `Runner`: a session in this process, or one of an owner elsewhere. It must not know Spark or notebooks.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

from sbql.engine.instance import Instance
from sbql.engine.outcomes import Outcome, ResultSet, RowsAffected
from sbql.engine.scripts import Failure, run_batches
from sbql.engine.server.endpoint import endpoint_path
from sbql.grammar.batches import BatchText, ScriptVariables, split
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import Variant
from sbql.grammar.values.python_values import typed
from sbql.spark_udfs.engine_client import engine_at
from sbql.spark_udfs.options import ConnectionOptions

if TYPE_CHECKING:
    from sbql.engine.server.client import Client

__all__ = [
    "Runner",
    "engine_of",
    "engine_session",
    "file_of",
    "is_in_use",
    "is_served",
    "parameters_of",
    "release",
    "run_script",
    "session_at",
    "use",
]


class Runner(Protocol):
    """What runs batches: `engine.session.Session` and its like."""

    def run(
        self, text: str, *, sink: Callable[[Outcome], None] | None = None, parameters: dict[str, Any] | None = None
    ) -> list[Outcome]: ...

    def close(self) -> None: ...


class Engine:
    """An instance, or whatever else opens sessions; sessions are opened when a thread first asks."""

    def __init__(
        self,
        connect: Callable[[], Runner],
        closing: Callable[[], object] = lambda: None,
        way: Callable[[], dict[str, str]] = dict,
    ) -> None:
        """`way`: how other processes reach the same engine, as options of the data source; empty when they cannot."""
        self._connect, self._closing, self.way = connect, closing, way
        self._sessions: list[tuple[weakref.ref[threading.Thread], Runner]] = []
        self._mutex = threading.Lock()
        self._is_closed = False

    @property
    def session(self) -> Runner:
        """That of the calling thread. Those of threads that are gone are closed.
        Raises 6005 when the engine is closed."""
        thread = threading.current_thread()
        with self._mutex:
            if self._is_closed:
                raise sql_error(6005)
            kept: list[tuple[weakref.ref[threading.Thread], Runner]] = []
            gone: list[tuple[weakref.ref[threading.Thread], Runner]] = []
            for entry in self._sessions:
                found = entry[0]()
                (kept if found is not None and found.is_alive() else gone).append(entry)
            own = next((session for owner, session in kept if owner() is thread), None)
            if own is None or getattr(own, "is_ended", False):
                own = self._connect()
                kept = [entry for entry in kept if entry[0]() is not thread]
                kept.append((weakref.ref(thread), own))
            self._sessions = kept
        for _, session in gone:
            session.close()
        return own

    def close(self) -> None:
        """End all sessions: what is open is rolled back. Twice is harmless."""
        with self._mutex:
            if self._is_closed:
                return
            self._is_closed = True
            sessions, self._sessions = self._sessions, []
        for _, session in sessions:
            session.close()
        self._closing()


_current: Engine | None = None
_lock = threading.Lock()


def use(
    target: Any = None,
    *,
    store: str | os.PathLike[str] | None = None,
    endpoint: str | None = None,
    token: str = "",
    database: str = "master",
    login: str = "sa",
    served: bool = False,
) -> Engine:
    """Let this process's notebooks and Spark calls talk to `target`, from now on; what was used before is closed.

    Args:
        target: a connection of `sbql.connect` or its `instance`, which stays open; or None.
        store: a DuckDB file, when there is no target; without either it is a store in memory. Where another
            process serves the file (`sbql serve`), its sessions are used.
        endpoint: a server elsewhere, `grpc://host:port`.
        token: means a login of that server.
        database: where sessions begin.
        login: as whom they begin; a server decides that by the token.
        served: never open the file of `store` here, not even while its owner is away: what is killed and started
            again beside its owner would take the file from it.

    Raises SqlError as connecting does: 5120 for a file that another process or connection has open (give
    the connection instead, or let its process serve it), 911 for an unknown database, 10061 when no
    server answers or, with `served`, nobody serves the store, 18456 for a wrong token.
    """
    global _current
    if sum(given is not None for given in (target, store, endpoint)) > 1:
        raise ValueError("give either a connection, a store or an endpoint, not both")
    path = None if store is None else file_of(store)
    if served and path is None:
        raise ValueError("served=True says of a store that another process has it open: give store=…, too")
    if target is None and endpoint is not None:
        there = ConnectionOptions(endpoint, None, token)
        engine = Engine(lambda: session_at(there, database), way=lambda: {"endpoint": endpoint, "authToken": token})
    elif target is None and path is not None and (served or is_served(path)):
        owner = ConnectionOptions(None, path)
        engine = Engine(lambda: session_at(owner, database), way=lambda: {"database": path})
    elif target is None:
        instance = Instance.open(path)
        engine = Engine(lambda: instance.connect(database=database, login=login), instance.close)
    else:
        instance = getattr(target, "instance", target)
        if not hasattr(instance, "connect"):
            raise TypeError(f"use() takes a connection, its instance, or store=…, not {type(target).__name__}")
        engine = Engine(lambda: instance.connect(database=database, login=login), way=partial(_way_to, instance))
    try:
        assert engine.session  # the errors of connecting belong here
    except BaseException:
        engine.close()
        raise
    with _lock:
        before, _current = _current, engine
    if before is not None:
        before.close()
    return engine


def _way_to(instance: Any) -> dict[str, str]:
    """How others reach an instance of this process, or the server that it stands for."""
    client: Client | None = getattr(instance, "client", None)
    if client is not None:
        return {"endpoint": client.endpoint.url, "authToken": client.endpoint.token}
    path = instance.store.path
    return {"database": path} if path is not None and os.path.exists(endpoint_path(path)) else {}


def file_of(store: str | os.PathLike[str]) -> str:
    """Where the file of a store is, from wherever a process looks. Raises TypeError for what is no name of a file."""
    found = os.fspath(store) if isinstance(store, str | os.PathLike) else store
    if not isinstance(found, str):
        raise TypeError(f"store is the name of a file, not {_a(found)}")
    return os.path.abspath(found)


def is_served(path: str) -> bool:
    """Whether a process lets clients into the store. Raises SqlError when that cannot be known."""
    if not os.path.exists(endpoint_path(path)):
        return False
    _require_arrow()
    from sbql.engine.server.client import client_of_store

    return client_of_store(path) is not None


def session_at(options: ConnectionOptions, database: str) -> Runner:
    """A session in another process: that which serves the store by now, for it may have been started again and listen
    elsewhere. Raises SqlError 10061 when none does."""
    _require_arrow()
    found: Runner = engine_at(options).session(database)
    return found


def _require_arrow() -> None:
    if find_spec("pyarrow") is None:
        raise ImportError("a store that another process serves is reached by Arrow Flight: pip install 'sbql[server]'")


def is_in_use() -> bool:
    """Whether anything has said in this process which engine to use."""
    return _current is not None


def engine_of() -> Engine:
    """The one in use; a store in memory when nothing was said."""
    return _current if _current is not None else use()


def engine_session() -> Runner:
    """The session that %sbql and `sql` use in this thread: for pictures, and for what else runs batches."""
    return engine_of().session


def release() -> None:
    """Close the engine in use."""
    global _current
    with _lock:
        engine, _current = _current, None
    if engine is not None:
        engine.close()


atexit.register(release)


def parameters_of(values: Mapping[str, Any]) -> dict[str, Variant]:
    """Python values as T-SQL parameters. Raises TypeError or ValueError, naming the parameter."""
    if not isinstance(values, Mapping):
        raise TypeError(
            f'args is a mapping of @variables to values, {{"n": 1}} for @n, not {_a(values)}: T-SQL has no parameters by position'
        )
    found = {}
    for name, value in values.items():
        try:
            found[f"@{name.removeprefix('@')}"] = typed(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"parameter @{name.removeprefix('@')}: {error}") from None
    return found


def run_script(
    session: Runner,
    text: str,
    *,
    variables: Mapping[str, str] | ScriptVariables | None = None,
    parameters: dict[str, Variant] | None = None,
    sink: Callable[[Outcome, BatchText], None] | None = None,
    goes_on: bool = False,
) -> tuple[list[ResultSet], int]:
    """Run a script, `GO` separating batches. Returns its result sets and the last count of rows.

    `parameters` are there in every batch. The first error ends it, after its batch, and is raised with its line in the
    whole text; with `goes_on` the sink is told and the script goes on.
    """

    if not isinstance(text, str):
        raise TypeError(f"the text of a script is a str, not {_a(text)}")

    def run(batch: BatchText) -> list[Outcome]:
        told = None if sink is None else partial(_tell, sink, batch)
        return session.run(batch.text, sink=told, parameters=parameters)

    outcomes, failures = run_batches(_batches(text, variables), run, stops_on_error=not goes_on)
    if failures and not goes_on:
        raise _placed(failures[0])
    results = [outcome for outcome in outcomes if isinstance(outcome, ResultSet)]
    counts = [outcome.count for outcome in outcomes if isinstance(outcome, RowsAffected)]
    return results, counts[-1] if counts else 0


def _batches(text: str, variables: Mapping[str, str] | ScriptVariables | None) -> Iterator[BatchText]:
    """Up to :quit and :exit. Raises 49923 for directives of files and terminals, TypeError for a
    value of a $(name) that is no text."""
    for name, value in () if variables is None or isinstance(variables, ScriptVariables) else variables.items():
        if not isinstance(value, str):
            raise TypeError(f"variables are texts that are put in for $(name); that of $({name}) is {_a(value)}")
    for part in split(text, variables=variables):
        if isinstance(part, BatchText):
            yield part
        elif part.name in ("quit", "exit"):
            return
        else:
            written = part.name if part.name == "!!" else f":{part.name}"
            error = sql_error(49923, written, "it is for scripts of the command line")
            error.line = part.line
            raise error


def _a(value: object) -> str:
    kind = type(value).__name__
    return "None" if value is None else f"{'an' if kind[0] in 'aeiouAEIOU' else 'a'} {kind}"


def _tell(sink: Callable[[Outcome, BatchText], None], batch: BatchText, outcome: Outcome) -> None:
    sink(outcome, batch)


def _placed(failure: Failure) -> SqlError:
    """The error with its line in the whole text instead of in its batch."""
    error = failure.error
    if error.is_in_batch:
        place = failure.batch.place
        error.line = place.at(error.line)[1] if error.line > 0 else error.line
        error.column_line = place.at(error.column_line)[1] if error.column_line > 0 else error.column_line
    return error
