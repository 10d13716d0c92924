"""The door of SQL Server's own protocol, TDS: clients that people already have connect to it as to SQL Server.

It decides who may connect (how many, how long a login may take) and gives each connection a thread; one more thread,
the watcher, looks after those in which a request runs. It must not know what is said in a connection.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import tempfile
import threading

from sbql.engine.server import forks
from sbql.engine.server.doors import Host, Keys
from sbql.engine.server.endpoint import Endpoint
from sbql.engine.server.tds_connection import Connection
from sbql.engine.server.tds_login import Settings
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["MOST_CONNECTIONS", "TdsDoor"]

_LOOK = 0.025
"""Seconds between two looks at running requests: an attention is heard within so many."""
MOST_CONNECTIONS = 32767
"""As SQL Server's user connections."""
_LOGINS_MOST = 256
"""Connections that have not logged in yet."""
_BACKLOG = 512
READY = "SQL Server is now ready for client connections."
"""Programs that start containers wait for these words."""


class TdsDoor:
    """A door at `host:port`; port 0 is one that is free. `name` is what the server calls itself. With
    `forces_encryption` clients that do not encrypt are refused. `keys` holds the certificate. Of clients that have
    logged in there are up to `most` at a time."""

    def __init__(
        self, server: Host, host: str = "127.0.0.1", port: int = 1433, *, keys: Keys, name: str = "SBQL", forces_encryption: bool = False,
        most: int = MOST_CONNECTIONS,
    ) -> None:  # fmt: skip
        self._server = server
        self._host, self._port = host, port
        self._name = name
        self._keys = keys
        self._forces_encryption = forces_encryption
        self._most = most
        self._settings = Settings(None, None)
        self._listener: socket.socket | None = None
        self._connections: set[Connection] = set()
        self._inside: set[Connection] = set()
        self._threads: set[threading.Thread] = set()
        self._mutex = threading.Lock()
        self._closed = threading.Event()
        self._somebody = threading.Event()

    def open(self) -> Endpoint:
        forks.used()
        self.renew(self._keys)
        try:
            family = socket.AF_INET6 if ":" in self._host else socket.AF_INET
            listener = socket.socket(family, socket.SOCK_STREAM)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind((self._host, self._port))
                listener.listen(_BACKLOG)
            except BaseException:
                listener.close()
                raise
        except OSError as error:
            raise _cannot_listen(self._host, self._port, error) from None
        self._listener = listener
        forks.holds(self)
        try:
            threading.Thread(target=self._accept, args=(listener,), name="sbql-tds-door", daemon=True).start()
            threading.Thread(target=self._watch, name="sbql-tds-watch", daemon=True).start()
        except BaseException:
            self.close(0)
            raise
        port = listener.getsockname()[1]
        self._server.log(26022, f"Server is listening on [ {self._host} <tds> {port} ].")
        self._server.log(17126, READY)
        return Endpoint(host=self._host, port=port, tls=self._settings.context is not None)

    def renew(self, keys: Keys) -> bool:
        if not keys.certificate:
            return True
        try:
            # Inside of TDS 7.x most clients fail with TLS 1.3; 8.0 is TLS from the first byte on.
            inside, strict = _context(keys), _context(keys)
            inside.maximum_version = ssl.TLSVersion.TLSv1_2
            strict.set_alpn_protocols(["tds/8.0"])
        except (ssl.SSLError, ValueError, OSError) as error:
            raise SqlError(
                26014, f"The certificate cannot be used, or its private key is another one's: {error}"
            ) from None
        self._settings = Settings(inside, strict, self._forces_encryption)
        return True

    def close(self, patience: float) -> bool:
        with self._mutex:
            self._closed.set()
        self._somebody.set()
        listener, self._listener = self._listener, None
        if listener is not None:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        with self._mutex:
            connections, threads = list(self._connections), list(self._threads)
        for connection in connections:
            connection.say_goodbye()
        for thread in threads:
            thread.join(patience / max(1, len(threads)))
        return not any(thread.is_alive() for thread in threads)

    def disown(self) -> None:
        """In the child of a fork: the listener is the parent's."""
        self._closed.set()
        if self._listener is not None:
            self._listener.close()
            self._listener = None

    # --- the threads ---------------------------------------------------------------------------------------

    def _accept(self, listener: socket.socket) -> None:
        while not self._closed.is_set():
            try:
                sock, address = listener.accept()
            except OSError:
                if self._closed.wait(0.05):  # out of files, perhaps
                    return
                continue
            if not self._has_room():
                sock.close()
                continue
            connection = Connection(sock, str(address[0]), self._server, self._settings, self._name, self._take_place)
            try:
                is_in = self._begin(connection)
            except RuntimeError as error:  # the computer has no thread for it: the client may come again
                self._server.log(17189, f"There is no thread for a new connection: {error}.")
                is_in = False
            if not is_in:
                sock.close()

    def _begin(self, connection: Connection) -> bool:
        """Serve a connection in a thread of its own. False when the door closes: whoever closes it knows of all
        that have begun, and of no other."""
        thread = threading.Thread(target=self._serve, args=(connection,), name="sbql-tds", daemon=True)
        with self._mutex:
            if self._closed.is_set():
                return False
            thread.start()
            self._connections.add(connection)
            self._threads.add(thread)
        self._somebody.set()
        return True

    def _has_room(self) -> bool:
        with self._mutex:
            return len(self._connections) - len(self._inside) < _LOGINS_MOST

    def _take_place(self, connection: Connection) -> None:
        """Of somebody who may come in: looked for and taken in one step, so that two who come together do not take the
        same one; kept until the connection ends. Raises 17809."""
        with self._mutex:
            if len(self._inside) < self._most:
                self._inside.add(connection)
                return
        refused = sql_error(17809, self._most)
        self._server.log(17809, refused.message)
        raise refused

    def _serve(self, connection: Connection) -> None:
        try:
            connection.serve()
        finally:
            with self._mutex:
                self._inside.discard(connection)  # before its client sees the end, and comes again
            connection.hang_up()
            self._forget(connection, threading.current_thread())

    def _forget(self, connection: Connection, thread: threading.Thread) -> None:
        with self._mutex:
            self._connections.discard(connection)
            self._inside.discard(connection)
            self._threads.discard(thread)

    def _watch(self) -> None:
        """Nobody reads from a client whose request runs."""
        while not self._closed.wait(_LOOK):
            with self._mutex:
                connections = list(self._connections)
                if not connections:
                    self._somebody.clear()
            if not connections:
                self._somebody.wait()
            for connection in connections:
                connection.look()


def _context(keys: Keys) -> ssl.SSLContext:
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.options |= ssl.OP_NO_RENEGOTIATION
    handle, path = tempfile.mkstemp(suffix=".pem")  # ssl reads files only
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(keys.certificate.rstrip() + b"\n" + keys.private_key)
        found.load_cert_chain(path)
    finally:
        os.unlink(path)
    return found


def _cannot_listen(host: str, port: int, error: OSError) -> SqlError:
    return SqlError(
        26023,
        f"The server cannot listen on port {port} of '{host}': {error.strerror or error}. Another process uses it, perhaps SQL Server itself, or "
        "the address is not this machine's. Choose another one with --listen (port 0 takes one that is free).",
    )
