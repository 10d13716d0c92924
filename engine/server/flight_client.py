"""The transport over Arrow Flight, for clients.

It decides how Flight's errors become SqlErrors. pyarrow is imported when the first client is made, for most programs
never make one. It must not know what messages say.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from typing import Any

from sbql.catalog.interrupts import attempt
from sbql.engine.server import forks, silence
from sbql.engine.server.endpoint import Endpoint
from sbql.engine.server.messages import LEAVE, error_from, unpack
from sbql.engine.server.transport import Wait, gone, nobody_listens, not_let_in
from sbql.grammar.errors import SqlError

__all__ = ["FlightStream", "FlightTransport"]


def _flight() -> Any:
    try:
        from pyarrow import flight
    except ImportError:
        raise SqlError(
            40517,
            "The store is served by another process, and a client of it needs pyarrow: pip install 'sbql[server]'.",
        ) from None
    return flight


class FlightTransport:
    """The way to a server by Arrow Flight: one connection, which all sessions of the process share."""

    def __init__(self, endpoint: Endpoint, patience: float | None = None) -> None:
        """`patience`: the seconds that a server may be silent, if not the usual ones."""
        self.patience = silence.limit() if patience is None else patience
        forks.used()
        self._flight = flight = _flight()
        self.url = endpoint.url
        options: dict[str, Any] = {}
        if endpoint.tls and endpoint.certificate:
            options["tls_root_certs"] = endpoint.certificate.encode()
        scheme = "grpc+tls" if endpoint.tls else "grpc+tcp"
        try:
            self._client = flight.FlightClient(endpoint.url.replace(endpoint.url.split(":")[0], scheme, 1), **options)
        except Exception as error:
            raise self._error(error) from None
        self._headers = [(b"authorization", f"Bearer {endpoint.token}".encode())]
        forks.holds(self)

    def disown(self) -> None:
        """In the child of a fork."""

    def _options(self, timeout: float | None = None) -> Any:
        return self._flight.FlightCallOptions(timeout=timeout, headers=self._headers)

    def _error(self, error: Exception, timeout: float | None = None) -> SqlError:
        """What a failed call means that had so many seconds. Bugs are raised as they are."""
        flight = self._flight
        if isinstance(error, flight.FlightUnauthenticatedError):
            return not_let_in(self.url)
        if isinstance(error, flight.FlightServerError) and error.extra_info:
            return error_from(unpack(error.extra_info))
        detail = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        if isinstance(error, flight.FlightTimedOutError) and timeout is not None:
            return silence.silent(self.url, timeout)
        if isinstance(error, (flight.FlightUnavailableError, flight.FlightTimedOutError)):
            return nobody_listens(self.url, detail)
        if isinstance(error, (flight.FlightError, flight.FlightInternalError, OSError, ValueError)):
            return gone(self.url)
        raise error

    def act(self, name: str, request: bytes, timeout: float | None = None) -> bytes:
        try:
            (result,) = list(self._client.do_action((name, request), self._options(timeout)))
        except Exception as error:
            raise self._error(error, timeout) from None
        return bytes(result.body.to_pybytes())

    def open(self, request: bytes) -> FlightStream:
        descriptor = self._flight.FlightDescriptor.for_command(request)
        try:
            writer, reader = self._client.do_exchange(descriptor, self._options())
        except Exception as error:
            raise self._error(error) from None
        return FlightStream(self, writer, reader)

    def read(self, request: bytes, wait: Wait) -> Any:
        """A pyarrow.RecordBatchReader."""
        from pyarrow import RecordBatchReader

        ticket = self._flight.Ticket(request)
        try:
            reader = wait(lambda: self._client.do_get(ticket, self._options()).to_reader())
        except Exception as error:
            raise self._error(error) from None
        return RecordBatchReader.from_batches(reader.schema, self._batches(reader, wait))

    def _batches(self, reader: Any, wait: Wait) -> Iterator[Any]:
        following = partial(next, reader, None)
        try:
            while (batch := wait(following)) is not None:
                yield batch
        except Exception as error:
            raise self._error(error) from None

    def write(self, request: bytes, rows: Any, wait: Wait) -> bytes:
        """`rows`: a pyarrow RecordBatchReader or Table. What making them raises is the
        caller's, and is raised as it is."""
        reader = rows.to_reader() if hasattr(rows, "to_reader") else rows
        descriptor = self._flight.FlightDescriptor.for_command(request)
        batches = _CallersRows(reader)
        try:
            writer, answers = wait(lambda: self._client.do_put(descriptor, reader.schema, self._options()))
            with _closing(writer):
                for batch in batches:
                    wait(partial(writer.write_batch, batch))
                wait(writer.done_writing)
                answer = wait(answers.read)
        except Exception as error:
            if batches.error is not None:
                raise batches.error from None
            raise self._error(error) from None
        if answer is None:
            raise gone(self.url)
        return bytes(answer.to_pybytes())

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._client.close()


class _CallersRows:
    """The batches of a reader, and what it has raised: no error of the connection, whatever its class."""

    def __init__(self, reader: Any) -> None:
        self._reader = reader
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._reader
        except Exception as error:
            self.error = error
            raise


@contextlib.contextmanager
def _closing(writer: Any) -> Iterator[None]:
    """Close it in the end, unless its server is silent: that would wait, too."""
    try:
        yield
    except SqlError as error:
        if error.number != silence.NUMBER:
            writer.close()
        raise
    except BaseException:
        writer.close()
        raise
    writer.close()


class FlightStream:
    """The exchange of one session."""

    def __init__(self, transport: FlightTransport, writer: Any, reader: Any) -> None:
        self._transport = transport
        self._writer = writer
        self._reader = reader
        self._mutex = threading.Lock()
        self._pen = threading.Lock()
        self._is_closed = False
        self._has_failed = False
        self._has_heard = False
        self.patience = transport.patience
        self._number = 0
        self._is_waiting = False
        self._has_given_up = False
        forks.holds(self)
        silence.watch(self)

    def disown(self) -> None:
        """In the child of a fork: nothing is said any more."""
        self._mutex, self._pen, self._is_closed = threading.Lock(), threading.Lock(), True

    def _error(self, error: Exception) -> SqlError:
        """A server that has answered before is gone, one that has not was never there."""
        if self._has_given_up:
            return silence.silent(self._transport.url, self.patience)
        found = self._transport._error(error)
        return gone(self._transport.url) if self._has_heard and found.number == 10061 else found

    def send(self, message: bytes) -> None:
        try:
            with self._pen:
                self._writer.write_metadata(message)
        except Exception as error:
            self._has_failed = True
            raise self._error(error) from None

    def receive(self) -> bytes | None:
        self._number += 1
        self._is_waiting = True
        try:
            message = bytes(self._reader.read_chunk().app_metadata.to_pybytes())
        except StopIteration:
            return None
        except Exception as error:
            self._has_failed = True
            raise self._error(error) from None
        finally:
            self._is_waiting = False
        self._has_heard = True
        return message

    def waits_for(self) -> int:
        return self._number if self._is_waiting else -1

    def give_up(self) -> None:
        self._has_given_up = True
        self._cancel()

    def close(self) -> None:
        """Tell the server that this was all. Whoever receives gets the end of the stream. It is told by a word of ours:
        by done_writing() of a stream whose server is gone Arrow reads what is left, beside whoever receives, and for
        two that read gRPC aborts the process."""
        with self._mutex:
            if self._is_closed:
                return
            self._is_closed = True
        with attempt(self._pen) as is_mine:
            if not is_mine:  # what is being sent may wait for a server that reads nothing
                self._cancel()
                return
            with contextlib.suppress(Exception):
                if not self._has_failed:
                    self._writer.write_metadata(LEAVE)

    def finish(self) -> None:
        """After the last `receive`: let go. What the end of the stream was has been
        told; Arrow would print it once more."""
        with self._mutex:
            self._is_closed = True
        with contextlib.suppress(Exception):
            self._writer.close()

    def abandon(self) -> None:
        """End the stream, whatever either side still has to say. From any thread."""
        with self._mutex:
            if self._is_closed:
                return
            self._is_closed = True
        self._cancel()

    def _cancel(self) -> None:
        with contextlib.suppress(Exception):
            self._reader.cancel()
