"""BACKUP DATABASE and BACKUP LOG, and what BACKUP and RESTORE share: names, devices and options.

A backup set here is always complete, differential and log backups too: the store has one journal for all databases, and
folds it away. So a log backup brings a database back as it was when that backup was made, and needs no other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Self

import msgspec

from sbql.catalog.backup_file import Header, read_headers, write_set
from sbql.catalog.records import Database
from sbql.engine.definition.database_copies import set_header
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import may
from sbql.engine.security.database_access import check_open, have_alone
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import (
    BackupOption,
    BackupStatement,
    Expression,
    Identifier,
    IntegerLiteral,
    Span,
    StringLiteral,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import INT, nvarchar
from sbql.grammar.values.checkpoints import checkpoint

__all__ = [
    "MEDIA_OPTIONS",
    "Options",
    "Stats",
    "device_argument",
    "read_options",
    "report",
    "text_argument",
]

_PAGE = 8192
_TEMPDB = 2
_STEP, _NEVER = 10, 1000
"""Percent."""

MEDIA_OPTIONS = frozenset(
    "BLOCKSIZE BUFFERCOUNT CHECKSUM CONTINUE_AFTER_ERROR MAXTRANSFERSIZE MEDIADESCRIPTION MEDIANAME NOREWIND NOUNLOAD NO_CHECKSUM "
    "REWIND STATS STOP_ON_ERROR UNLOAD".split()
)
"""Options of BACKUP and RESTORE about devices and their reading: accepted, and without effect but for STATS."""

_BACKUP_OPTIONS = MEDIA_OPTIONS | frozenset(
    "COMPRESSION COPY_ONLY DESCRIPTION DIFFERENTIAL EXPIREDATE FORMAT INIT NAME NOFORMAT NOINIT NORECOVERY NOSKIP NO_COMPRESSION "
    "NO_TRUNCATE RETAINDAYS SKIP".split()
)
_NUMBERS = frozenset("BLOCKSIZE BUFFERCOUNT FILE MAXTRANSFERSIZE RETAINDAYS STATS".split())
_TEXTS = frozenset("DESCRIPTION EXPIREDATE MEDIADESCRIPTION MEDIANAME NAME".split())
"""Options with a value, which STATS may go without; no other has one but MOVE."""

_CONFLICTS = (("INIT", "NOINIT"), ("FORMAT", "NOFORMAT"), ("CHECKSUM", "NO_CHECKSUM"), ("RECOVERY", "NORECOVERY"))

Options = dict[str, Any]


def text_argument(compiler: Compiler, node: Expression | Identifier | None) -> Callable[[Frame], str]:
    """A name or string, written out or in a variable."""
    if isinstance(node, Identifier):
        fixed = node.value
        return lambda frame: fixed
    assert node is not None
    run = convert_scalar(compiler.scalar(node), nvarchar(4000)).run
    return lambda frame: run(frame) or ""


def device_argument(
    compiler: Compiler, devices: Sequence[Expression | Identifier], words: str, span: Span
) -> Callable[[Frame], str]:
    """The file of the one device. Raises 40517 for several, 3206 for the name of a logical device: there are none."""
    if len(devices) > 1:
        raise sql_error(40517, f"{words} with several devices", span=span)
    (device,) = devices
    if isinstance(device, Identifier):
        raise sql_error(3206, device.value, span=device.span)
    return text_argument(compiler, device)


def read_options(
    compiler: Compiler, options: Sequence[BackupOption], known: frozenset[str], words: str
) -> Callable[[Frame], Options]:
    """The options by word, their values looked up when it runs; MOVE is a list of (logical name, file).

    Raises 155 for an unknown one, 102 for a value of the wrong kind, 3031 for two that exclude each other.
    """
    runs: list[tuple[str, Callable[[Frame], Any]]] = []
    for option in options:
        if option.word not in known:
            advice = did_you_mean(option.word, known)
            raise sql_error(155, option.word, words, span=option.span).advise(advice)
        _check_value(option)
        runs.append((option.word, _option_value(compiler, option)))
    given = {word for word, _ in runs}
    for first, second in _CONFLICTS:
        if first in given and second in given:
            raise sql_error(3031, first, second)

    def read(frame: Frame) -> Options:
        found: Options = {"MOVE": []}
        for word, run in runs:
            if word == "MOVE":
                found["MOVE"].append(run(frame))
            else:
                found[word] = run(frame)
        return found

    return read


def _check_value(option: BackupOption) -> None:
    if option.word == "MOVE":
        return
    value = option.value
    if option.word in _NUMBERS:
        fits = isinstance(value, IntegerLiteral | VariableReference) or (value is None and option.word == "STATS")
    elif option.word in _TEXTS:
        fits = isinstance(value, StringLiteral | VariableReference)
    else:
        fits = value is None
    if not fits:
        given = option.word if value is None else str(getattr(value, "value", "="))
        raise sql_error(102, given, span=option.span if value is None else value.span)


def _option_value(compiler: Compiler, option: BackupOption) -> Callable[[Frame], Any]:
    if option.target is not None:
        logical, file = text_argument(compiler, option.value), text_argument(compiler, option.target)
        return lambda frame: (logical(frame), file(frame))
    if option.value is None:
        return lambda frame: True
    if option.word in ("FILE", "STATS") and not isinstance(option.value, Identifier):
        return convert_scalar(compiler.scalar(option.value), INT).run
    return text_argument(compiler, option.value)


def check_backup_right(session: Session, permission: str, database: Database) -> None:
    """Raises 262 without BACKUP DATABASE or BACKUP LOG, which db_backupoperator and db_owner have."""
    if not may(session, permission, database):
        raise sql_error(262, permission, database.name)


def page_count(path: str) -> int:
    """The size of a file in pages of SQL Server."""
    return -(-os.path.getsize(path) // _PAGE)


def report(session: Session, words: str, path: str, header: Header, options: Options) -> None:
    """What SQL Server says of a backup or restore that is done."""
    pages = page_count(path)
    processed = sql_error(4035, pages, header.database_name, header.logical_name, header.position)
    session.emit(InfoMessage(processed.message, 4035, 0, 1))
    session.emit(InfoMessage(sql_error(3014, words, pages).message, 3014, 0, 1))


class Stats:
    """How far a backup or restore is: for those who look at the session, and by WITH STATS for the client, whenever so
    many percent more are done. Without a number it is ten."""

    def __init__(self, session: Session, options: Options) -> None:
        given = options.get("STATS")
        self._session = session
        self._step = 0 if given is None else _STEP if given is True else min(max(given, 1), 100)
        self._next = self._step

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """However it has ended, nothing gets on any more."""
        self._session.gets_on(100)

    def hear(self, done: int, of: int) -> None:
        """So many rows are copied. Raises what ends a batch that is cancelled."""
        checkpoint()
        self._tell(100 * done // max(of, 1))

    def end(self) -> None:
        """All is done, what has no rows included."""
        self._tell(100)

    def _tell(self, percent: int) -> None:
        self._session.gets_on(percent)
        if self._step and percent >= self._next:
            self._next = _NEVER if percent == 100 else min((percent // self._step + 1) * self._step, 100)
            self._session.emit(InfoMessage(sql_error(3211, percent).message, 3211, 0, 1))


@handles(BackupStatement)
def compile_backup(node: BackupStatement, compiler: Compiler) -> Step:
    words = f"BACKUP {node.kind}"
    name = text_argument(compiler, node.database)
    device = device_argument(compiler, node.devices, words, node.span)
    options = read_options(compiler, node.options, _BACKUP_OPTIONS, words)

    def run(frame: Frame) -> Work:
        yield from _backup(frame.session, node.kind, name(frame), device(frame), options(frame))
        return 0

    return Step(run, waits=True)


def _backup(session: Session, kind: str, name: str, device: str, options: Options) -> Work:
    words = f"BACKUP {kind}"
    record = _checked(session, kind, name, options)
    path = session.instance.files.path(device)
    is_new = "FORMAT" in options or "INIT" in options or not os.path.exists(path)
    if "INIT" in options and "FORMAT" not in options and os.path.exists(path):
        read_headers(session.instance.store, path)  # INIT overwrites backups, nothing else
    if "NORECOVERY" in options:
        yield from have_alone(session, record, None)
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        record = _checked(session, kind, name, options)
        letter = "L" if kind == "LOG" else "I" if "DIFFERENTIAL" in options else "D"
        header = set_header(
            session, record, letter, name=_text(options, "NAME"), description=_text(options, "DESCRIPTION"),
            is_copy_only="COPY_ONLY" in options,
        )  # fmt: skip
        with Stats(session, options) as stats:
            header = write_set(session.instance.store, path, header, record.id, is_new=is_new, hear=stats.hear)
        changes: dict[str, Any] = {}
        if letter == "D" and not header.is_copy_only:
            changes["last_full_backup"] = header.finish
        if "NORECOVERY" in options:
            changes["state"] = "RESTORING"
        if changes:
            transaction.change_catalog(record, msgspec.structs.replace(record, **changes))
    stats.end()
    report(session, words, path, header, options)


def _text(options: Options, word: str) -> str | None:
    value = options.get(word)
    return None if value is None else str(value)


def _checked(session: Session, kind: str, name: str, options: Options) -> Database:
    """The database, if it can be backed up so. Raises 3021, 911, 262, 3147, 4208, 4214, 3035 and what check_open
    raises."""
    if session.trancount:
        raise sql_error(3021)
    record: Database | None = session.catalog.find(Database, 0, name)
    if record is None:
        raise sql_error(911, name)
    check_backup_right(session, f"BACKUP {kind}", record)
    if record.id == _TEMPDB:
        raise sql_error(3147)
    check_open(session, record)
    if kind == "LOG":
        if record.recovery_model == "SIMPLE":
            raise sql_error(4208, "BACKUP LOG")
        if not record.last_full_backup:
            raise sql_error(4214)
    elif "NORECOVERY" in options:
        raise sql_error(155, "NORECOVERY", "BACKUP DATABASE")
    if "DIFFERENTIAL" in options and not record.last_full_backup:
        raise sql_error(3035, record.name)
    return record
