"""The owner of a store as a server: doors that let clients in, their sessions, and a graceful end.

It decides the order of things. At the start: doors listen, then the endpoint file says so. At the end: the
endpoint file goes, nobody is let in, what runs gets a time to finish and is cancelled then, sessions end,
doors close. The instance, and with it the store, is closed by whoever opened it. It must not know how a
door works, nor what a statement does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import msgspec

from sbql.catalog.open_stores import identity
from sbql.catalog.records import Database, Principal
from sbql.engine import security
from sbql.engine.client import Client
from sbql.engine.drivers import LoopDriver
from sbql.engine.entrance import log_on
from sbql.engine.host import SystemHost
from sbql.engine.instance import Instance
from sbql.engine.patience import NotAtRest
from sbql.engine.server.doors import Door, Host, Keys
from sbql.engine.server.endpoint import Endpoint, remove_endpoint, write_endpoint
from sbql.engine.server.entry import Entry
from sbql.engine.server.loop_thread import LoopThread
from sbql.engine.server.messages import PROTOCOL, pack, unpack
from sbql.engine.server.operation_calls import OperationCalls
from sbql.engine.server.owned_session import DirectSession, OwnedSession
from sbql.engine.server.served_listener import ServedListener
from sbql.engine.server.served_session import ServedSession, bad_request
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Server"]

MakeDoor = Callable[[Host], Door]

GRACE = 10.0
"""Seconds that running statements get at the end."""
_DOOR_CLOSES = 2.0
_NEAR = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Where this machine reaches a door that listens on all its addresses."""
_LOOK = 0.02

_T = TypeVar("_T")


def new_token() -> str:
    """A token that nobody guesses."""
    return SystemHost().random_bytes(24).hex()


class Server:
    """Made by `sbql.serve` and by `sbql serve`. As a context manager it opens and stops; all methods are thread safe.

    Attributes: `instance`; `endpoint`, where the first door listens, with the token of the endpoint file; `endpoints`,
    of all doors; `sa_password`, if one was given or made for clients that come with passwords.
    """

    def __init__(
        self, instance: Instance, doors: Sequence[MakeDoor], keys: Keys, *, pid: int, version: str = "",
        closing: Callable[[], None] | None = None, moves_clock: bool = False,
    ) -> None:  # fmt: skip
        """`keys`: named tokens; one for the endpoint file, whose login is `sa`, is added. `pid`: of
        this process. `closing` is called when the server has stopped. `moves_clock`: a virtual clock
        moves by itself when everybody waits."""
        self.instance = instance
        token = new_token()
        self.keys = Keys({**keys.logins, token: "sa"}, keys.certificate, keys.private_key)
        self.endpoint = Endpoint(
            host="", port=0, token=token, pid=pid, store_id=instance.store.id, certificate=keys.certificate.decode(),
            file=() if instance.store.path is None else _file_of(instance.store.path),
        )  # fmt: skip
        self.endpoints: list[Endpoint] = []
        self.sa_password: str | None = None
        self.version = version
        self._doors = [make(self) for make in doors]
        self._open: list[Door] = []
        self._file: str | None = None
        self._sessions: dict[str, OwnedSession] = {}
        self._entry = Entry(instance)
        self._mutex = threading.Lock()
        self._calls = OperationCalls(instance)
        self._closing = closing
        self._loop = (
            None
            if instance.loop is None
            else LoopThread(instance.loop, partial(instance.log, 9645), moves_itself=moves_clock)
        )
        self._is_stopping = False
        self._stopped = threading.Event()
        self._listeners: set[ServedListener] = set()
        self._acts: dict[str, Callable[[str, dict[str, Any]], Any]] = {
            "ping": self._ping, "cancel": self._cancel, "unlisten": self._unlisten, "call": self._call, "status": self._status, "wait_idle": self._wait_idle,
            "advance": self._advance, "settle": self._settle,
        }  # fmt: skip

    # --- life ----------------------------------------------------------------------------------------------

    def open(self) -> Endpoint:
        """Listen, and write the endpoint file beside the store. Twice is harmless. Raises SqlError for a port that is
        taken, OSError when the file cannot be written; it has stopped then."""
        if self._open:
            return self.endpoint
        try:
            if self._loop is not None:
                self._loop.start()
            for door in self._doors:
                found = door.open()
                self.endpoints.append(found)
                if not self._open:
                    self.endpoint = msgspec.structs.replace(
                        self.endpoint, host=found.host, port=found.port, tls=found.tls
                    )
                self._open.append(door)
            if self.instance.store.path is not None:
                near = msgspec.structs.replace(self.endpoint, host=_NEAR.get(self.endpoint.host, self.endpoint.host))
                self._file = write_endpoint(self.instance.store.path, near)
        except BaseException:
            self.stop(0)
            raise
        return self.endpoint

    def stop(self, grace: float = GRACE) -> None:
        """The graceful end; running statements get `grace` seconds. Called again meanwhile with none,
        it hurries; called again later it does nothing. The instance stays open, unless `closing` sees
        to it. Raises SqlError as that does."""
        end = time.monotonic() + grace
        with self._mutex:
            is_first, self._is_stopping = not self._is_stopping, True
        if not is_first:
            if grace <= 0:
                self._end_sessions()
            self._stopped.wait()
            return
        try:
            if self._file is not None:
                remove_endpoint(self._file, self.endpoint)
            while time.monotonic() < end and any(one.is_busy for one in self._all()):
                time.sleep(_LOOK)
            self._entry.close()
            self._end_sessions()
            for door in self._open:
                door.close(_DOOR_CLOSES)
            self._in_loop(self._calls.close)
            if self._loop is not None:
                self._loop.stop()
            if self._closing is not None:
                self._closing()
        finally:
            self._stopped.set()

    def renew(self, keys: Keys) -> None:
        """Other named tokens and another certificate, for connections from now on. Raises SqlError for a certificate
        that is none; nothing has changed then."""
        kept = [type(door).__name__ for door in self._open if not door.renew(keys)]
        self.keys = Keys({**keys.logins, self.endpoint.token: "sa"}, self.keys.certificate, self.keys.private_key)
        self.instance.log(
            15023,
            "Tokens and certificates were read anew."
            + (" The first door keeps its certificate until the next start." if kept else ""),
        )

    def wait(self, timeout: float | None = None) -> bool:
        """Until it has stopped. False when `timeout` seconds pass first."""
        return self._stopped.wait(timeout)

    def __enter__(self) -> Server:
        self.open()
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()

    def _all(self) -> list[OwnedSession]:
        with self._mutex:
            return list(self._sessions.values())

    def _end_sessions(self) -> None:
        sessions = self._all()
        for one in sessions:
            self._in_loop(one.session.end)
        for one in sessions:
            one.say_goodbye()
        with self._mutex:
            listeners = list(self._listeners)
        for listener in listeners:
            listener.lost()

    def _in_loop(self, call: Callable[[], _T]) -> _T:
        """On a virtual clock one thread does everything."""
        return call() if self._loop is None else self._loop.ask(call)

    def advance(self, seconds: float) -> None:
        """Move a virtual clock on: everything that falls due on the way happens, each at its moment. Raises SqlError
        40517 when the clock is the system's, NotAtRest when activated procedures do not come to rest."""
        if self.instance.loop is None:
            raise sql_error(40517, "Moving the system's clock; it needs clock='virtual'")
        self.instance.loop.advance(seconds)

    # --- what doors ask ------------------------------------------------------------------------------------

    def open_session(self, login: str, request: bytes, send: Callable[[bytes], None]) -> ServedSession | ServedListener:
        """The session of a client: {protocol, database, login, admin, program, host, process}; or
        {protocol, listens}. Raises SqlError."""
        asked = _asked(request)
        if asked.get("protocol") != PROTOCOL:
            raise bad_request(f"it speaks protocol {asked.get('protocol')}, this server {PROTOCOL}")
        if self._is_stopping:
            raise sql_error(6005)
        if isinstance(asked.get("listens"), dict):
            return self._open_listener(login, asked["listens"], send)
        wanted = str(asked.get("login") or login)
        if wanted.lower() != login.lower() and not self._is_sysadmin(login):
            raise sql_error(18456, wanted)
        database, is_admin = str(asked.get("database", "master")), bool(asked.get("admin"))
        client = _client(asked)
        session = self._in_loop(lambda: self.instance.let_in(database, wanted, admin=is_admin, client=client))
        try:
            log_on(session)
            found = ServedSession(new_token(), session, send, self._forget, self._loop)
            self._keep(found)
        except BaseException:
            self._in_loop(session.close)
            raise
        try:
            found.greet()
        except BaseException:
            found.close()
            raise
        return found

    def _keep(self, session: OwnedSession) -> None:
        """Before its client may know of it, who could cancel at once. Raises SqlError 6005 when the server
        ends and would not see it any more."""
        with self._mutex:
            if self._is_stopping:
                raise sql_error(6005)
            self._sessions[session.name] = session

    def log_in(self, login: str, password: str, address: str) -> str:
        if self._is_stopping:
            raise sql_error(6005)
        return self._entry.check(login, password, address)

    def refuse(self, login: str, reason: str, address: str) -> SqlError:
        return self._entry.refused(login, reason, address)

    def attach(self, login: str, database: str, client: Client, goodbye: Callable[[], None]) -> DirectSession:
        def begin(is_pooled: bool) -> Session:
            session = self._in_loop(lambda: self._session_of(login, database, client))
            try:
                log_on(session, is_pooled=is_pooled)
            except BaseException:
                self._in_loop(session.close)
                raise
            return session

        if self._is_stopping:
            raise sql_error(6005)
        found = DirectSession(new_token(), begin(False), self._forget, self._loop, lambda: begin(True), goodbye)
        try:
            self._keep(found)
        except SqlError:
            found.close()
            raise
        return found

    def _session_of(self, login: str, database: str, client: Client) -> Session:
        """Raises 4060 for a database that is not there or does not let the login in."""
        if not database:
            principal = self.instance.catalog.find(Principal, 0, login)
            database = principal.default_database if principal is not None else "master"
        found = self.instance.catalog.find(Database, 0, database)
        if found is None:
            raise sql_error(4060, database)
        session = self.instance.let_in(database, login, client=client)
        try:
            security.user_in_database(session, found)
        except SqlError:
            session.close()
            raise sql_error(4060, database) from None
        return session

    def log(self, number: int, text: str) -> None:
        self.instance.log(number, text)

    def _open_listener(self, login: str, asked: dict[str, Any], send: Callable[[bytes], None]) -> ServedListener:
        if not self._is_sysadmin(login):
            raise sql_error(15003, "sysadmin")
        found = ServedListener(new_token(), self.instance, asked, send)
        with self._mutex:
            if self._is_stopping:
                found.close()
                raise sql_error(6005)
            self._listeners = {one for one in self._listeners if not one.is_closed} | {found}
        try:
            found.greet()
        except BaseException:
            found.close()
            raise
        return found

    def _is_sysadmin(self, login: str) -> bool:
        snapshot = self.instance.catalog
        principal = snapshot.find(Principal, 0, login)
        return principal is not None and security.is_sysadmin(snapshot, principal)

    def _forget(self, name: str) -> None:
        with self._mutex:
            self._sessions.pop(name, None)

    def act(self, login: str, name: str, request: bytes) -> bytes:
        found = self._acts.get(name)
        if found is None:
            raise bad_request(f"there is no '{name}'")
        return pack(found(login, _asked(request)))

    def read(self, login: str, request: bytes) -> tuple[Any, Callable[[], None]]:
        asked = self._operation(request)
        return self._calls.begin(login, asked["name"], "read", asked["request"])

    def write(self, login: str, request: bytes, rows: Any) -> bytes:
        asked = self._operation(request)
        return pack(self._calls.run(login, asked["name"], "write", asked["request"], rows))

    def _operation(self, request: bytes) -> dict[str, Any]:
        if self._is_stopping:
            raise sql_error(6005)
        asked = _asked(request)
        if not isinstance(asked.get("name"), str) or not isinstance(asked.get("request"), dict):
            raise bad_request("an operation has a name and a request")
        return asked

    def _call(self, login: str, asked: dict[str, Any]) -> Any:
        found = self._operation(pack(asked))
        return self._calls.run(login, found["name"], "call", found["request"])

    def _ping(self, login: str, asked: dict[str, Any]) -> dict[str, Any]:
        instance = self.instance
        if instance.store.failure is not None:  # it lets nobody in
            raise instance.store.failure.again()
        return {
            "protocol": PROTOCOL,
            "version": self.version,
            "pid": self.endpoint.pid,
            "store": instance.store.path,
            "store_id": self.endpoint.store_id,
            "file": list(self.endpoint.file),
            "name": instance.name,
            "clock": "system" if instance.loop is None else "virtual",
            "login": login,
            "sessions": len(self._all()),
        }

    def _cancel(self, login: str, asked: dict[str, Any]) -> None:
        """Whoever knows the name of a session is its client."""
        with self._mutex:
            found = self._sessions.get(str(asked.get("session")))
        if found is not None:
            found.cancel(int(asked.get("request", 0)))

    def _unlisten(self, login: str, asked: dict[str, Any]) -> None:
        with self._mutex:
            found = [one for one in self._listeners if one.name == asked.get("listener")]
        for listener in found:
            listener.end()
            if why := str(asked.get("why") or ""):
                self.instance.log(0, f"A listener of a client failed and is dropped: {why}")

    def _status(self, login: str, asked: dict[str, Any]) -> dict[str, Any]:
        scheduler = self.instance.scheduler
        return {"busy": list(scheduler.busy()), "failures": scheduler.failures}

    def _wait_idle(self, login: str, asked: dict[str, Any]) -> bool:
        """A look of at most a second; on a virtual clock the whole wait."""
        seconds = min(float(asked.get("seconds", 0.0)), 1.0)
        limit = asked.get("limit") if self.instance.loop is not None else seconds
        return self.instance.wait_idle(limit, lambda text: None)

    def _advance(self, login: str, asked: dict[str, Any]) -> str | None:
        return self._move(lambda loop: loop.advance(float(asked["seconds"])))

    def _settle(self, login: str, asked: dict[str, Any]) -> str | None:
        return self._move(lambda loop: loop.settle(limit=asked.get("limit")))

    def _move(self, move: Callable[[LoopDriver], None]) -> str | None:
        """Why the clock's instance does not come to rest; None when it did."""
        loop = self.instance.loop
        if loop is None:
            raise sql_error(40517, "Moving the system's clock; it needs clock='virtual'")
        try:
            move(loop)
        except NotAtRest as error:
            return str(error)
        return None


def _asked(request: bytes) -> dict[str, Any]:
    try:
        found = unpack(request)
    except msgspec.MsgspecError as error:
        raise bad_request(str(error)) from None
    if not isinstance(found, dict):
        raise bad_request("it is no mapping")
    return found


def _file_of(path: str) -> tuple[int, ...]:
    found = identity(path)
    return found if isinstance(found, tuple) else ()


def _client(asked: dict[str, Any]) -> Client:
    """Who the client says it is."""
    process = asked.get("process")
    return Client(
        program_name=str(asked.get("program", "sbql"))[:128], host_name=str(asked.get("host", ""))[:128],
        process_id=process if isinstance(process, int) and 0 <= process < 2**31 else None,
    )  # fmt: skip
