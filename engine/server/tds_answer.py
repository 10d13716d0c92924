"""The answer to one request of a TDS client: outcomes become tokens, tokens packets.

It decides the order of tokens. Each result set and each count ends with a DONE. Only the last DONE may say that nothing
follows, so each is held back until it is known whether another token does. Changes of database and
transaction are told where they are seen. It must not know what was asked.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import Any

from sbql.engine.outcomes import (
    ErrorOutcome,
    InfoMessage,
    InParts,
    MoreRows,
    Outcome,
    ResultColumn,
    ResultSet,
    RowsAffected,
)
from sbql.engine.session import Session
from sbql.engine.tds import tokens
from sbql.engine.tds.encoding import row_encoder
from sbql.engine.tds.packets import HEADER, Kind, packets_of
from sbql.grammar.errors import CANCELLED, SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values.languages import US_ENGLISH

__all__ = ["Answer", "Wire"]

_FULL = 65536
"""Bytes that are sent together."""
_ENCODERS_MOST = 256
_USE = 5701


class Wire:
    """How this client is written to: `send`, the version of the layouts, the size of packets."""

    def __init__(self, send: Callable[[bytes], None], server: str) -> None:
        self.send = send
        self.server = server
        self.version = 0
        self.packet_size = 4096
        self.spid = 0
        self.descriptor = 0
        """Of the open transaction; 0: none. Each gets another number."""
        self.last_descriptor = 0
        self.rollbacks = 0
        self.database = ""
        self.language = US_ENGLISH.name
        self._encoders: dict[tuple[SqlType, ...], Callable[[Sequence[Any]], bytes]] = {}

    def rows_of(self, columns: Sequence[ResultColumn]) -> Callable[[Sequence[Any]], bytes]:
        """The encoder of rows with these columns."""
        key = tuple([column.type for column in columns])
        found = self._encoders.get(key)
        if found is None:
            if len(self._encoders) >= _ENCODERS_MOST:
                self._encoders.clear()
            found = self._encoders[key] = row_encoder(key, self.version)
        return found


class Answer:
    """Made for each message that is answered. `is_call`: it is the answer to a procedure call, whose
    statements are all inside of it."""

    def __init__(self, wire: Wire, session: Session | None, *, is_call: bool = False) -> None:
        self._wire = wire
        self._session = session
        self._is_call = is_call
        self._buffer = bytearray()
        self._number = 0
        self._held: tuple[int, int, int, int] | None = None
        self._has_rows = False
        self.shows_metadata = True
        self.has_failed = False
        self.is_cancelled = False
        """The client wants no more of it: the error that tells so is not said."""
        self.worst_severity = 0
        self._encode: Callable[[Sequence[Any]], bytes] | None = None

    # --- tokens --------------------------------------------------------------------------------------------

    def add(self, token: bytes) -> None:
        """A token, after the DONE that was held back."""
        if self._held is not None:
            self._release(tokens.MORE)
        self._buffer += token
        if len(self._buffer) >= _FULL:
            self._send_full()

    def done(self, token: int, status: int = 0, command: int = 0, count: int = 0) -> None:
        """A DONE of any kind, held back."""
        if self._held is not None:
            self._release(tokens.MORE)
        self._held = token, status, command, count

    def _release(self, more: int) -> None:
        assert self._held is not None
        token, status, command, count = self._held
        self._held = None
        if self._wire.descriptor:
            status |= tokens.IN_TRANSACTION
        self._buffer += tokens.done(token, status | more, command, count, self._wire.version)

    def _send_full(self) -> None:
        """Whole packets; what is left waits for more."""
        room = self._wire.packet_size - HEADER
        whole = len(self._buffer) // room * room
        if not whole:
            return
        self._send(self._buffer[:whole], is_end=False)
        del self._buffer[:whole]

    def _send(self, data: bytearray, *, is_end: bool) -> None:
        found, self._number = packets_of(
            Kind.ANSWER, data, self._wire.packet_size, self._number, spid=self._wire.spid, is_end=is_end
        )
        self._wire.send(found)

    def flush(self) -> None:
        """What was said so far goes out now, except for a DONE that may be the last."""
        if self._buffer:
            self._send(self._buffer, is_end=False)
            self._buffer.clear()

    def end(self) -> None:
        """The end of the message. Raises OSError when the client is gone."""
        self.end_rows()
        self.tell_changes()
        if self._held is None or self.is_cancelled:
            self.done(tokens.DONE)
        assert self._held is not None
        if self._held[0] == tokens.DONEINPROC:
            self._held = tokens.DONE, *self._held[1:]  # behind this one clients wait for another
        self._release(0)
        self._send(self._buffer, is_end=True)

    # --- outcomes ------------------------------------------------------------------------------------------

    @property
    def sink(self) -> InParts:
        """Of a session. Raises OSError when the client is gone."""
        return InParts(self._show)

    def _show(self, outcome: Outcome) -> None:
        if self.is_cancelled:
            return
        self.tell_changes()
        match outcome:
            case ResultSet(columns, rows, goes_on):
                self.end_rows()
                self._begin_rows(columns)
                self._rows(rows, goes_on)
            case MoreRows(rows, goes_on):
                self._rows(rows, goes_on)
            case RowsAffected(count, statement):
                self._has_rows = False
                self.done(self._statement_token(), tokens.COUNT, tokens.COMMANDS.get(statement, 0), count)
            case InfoMessage():
                self._info(outcome)
            case ErrorOutcome(error):
                self.error(error)
            case _:
                raise AssertionError(f"a session says no {type(outcome).__name__}")

    def _statement_token(self) -> int:
        is_inside = self._is_call or (self._session is not None and self._session.nest_level > 0)
        return tokens.DONEINPROC if is_inside else tokens.DONE

    def end_rows(self) -> None:
        """A result set without a count, as under SET NOCOUNT ON."""
        if self._has_rows:
            self._has_rows = False
            self.done(self._statement_token(), 0, tokens.COMMANDS["SELECT"])

    def _begin_rows(self, columns: Sequence[ResultColumn]) -> None:
        wire = self._wire
        described = [(column.name, column.type) for column in columns]
        self.add(tokens.column_metadata(described, wire.version) if self.shows_metadata else tokens.NO_METADATA)
        self._has_rows = True
        self._encode = wire.rows_of(columns)

    def _rows(self, rows: Sequence[tuple[Any, ...]], goes_on: bool) -> None:
        """What has come so far goes out as whole packets when the rest is still to be computed."""
        encode, buffer = self._encode, self._buffer
        assert encode is not None
        for row in rows:
            buffer += encode(row)
            if len(buffer) >= _FULL:
                if self.is_cancelled:
                    return
                self._send_full()
        if goes_on:
            self._send_full()

    def _info(self, said: InfoMessage) -> None:
        if said.number == _USE and self._session is not None:
            self._tell_database()
        self._message(False, said.number, said.state, said.severity, said.text, said.procedure, said.line)
        self.flush()

    def error(self, error: SqlError) -> None:
        """An error and the DONE of its statement."""
        self.worst_severity = max(self.worst_severity, error.severity)
        if error.severity <= 10 and error.number != CANCELLED:
            self._message(False, error.number, error.state, error.severity, error.message, error.procedure, error.line)
            return
        self._has_rows, self.has_failed = False, True
        severity = 16 if error.number == CANCELLED else error.severity
        self._message(True, error.number, error.state, severity, error.message, error.procedure, error.line)
        self.done(self._statement_token(), tokens.ERROR)

    def _message(
        self, is_error: bool, number: int, state: int, severity: int, text: str, procedure: str | None, line: int
    ) -> None:  # fmt: skip
        self.add(
            tokens.message(
                is_error=is_error,
                number=number,
                state=state,
                severity=severity,
                text=text,
                server=self._wire.server,
                procedure=procedure or "",
                line=line,
                version=self._wire.version,
            )
        )

    # --- what changes in the session -----------------------------------------------------------------------

    def starts_anew(self, session: Session) -> None:
        """The client's session was reset: `session` stands in its place, what was open is rolled back."""
        self._session, self._wire.rollbacks = session, -1
        self.tell_changes()

    def tell_changes(self) -> None:
        """A transaction that has begun or ended since the last time, and another database."""
        session, wire = self._session, self._wire
        if session is None:
            return
        is_open = session.trancount > 0
        if is_open != bool(wire.descriptor):
            self._tell_transaction(session, is_open)
        if session.nest_level == 0:
            if session.database_name != wire.database:
                self._tell_database()
            language = session.options.dates.language.name
            if language != wire.language:
                self.add(tokens.change(2, language, wire.language))
                wire.language = language

    def _tell_transaction(self, session: Session, is_open: bool) -> None:
        wire = self._wire
        if is_open:
            wire.last_descriptor += 1
            wire.descriptor, wire.rollbacks = wire.last_descriptor, session.rollbacks
            self.add(tokens.transaction_change(8, struct.pack("<Q", wire.descriptor)))
        else:
            kind = 9 if session.rollbacks == wire.rollbacks else 10
            ended, wire.descriptor = wire.descriptor, 0
            self.add(tokens.transaction_change(kind, struct.pack("<Q", ended)))

    def _tell_database(self) -> None:
        assert self._session is not None
        name, wire = self._session.database_name, self._wire
        if name != wire.database:
            self.add(tokens.change(1, name, wire.database))
            wire.database = name
