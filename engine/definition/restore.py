"""RESTORE DATABASE and LOG, and the RESTORE statements that only look: FILELISTONLY, HEADERONLY, VERIFYONLY.

Decides which set of which file becomes which database, and whether an existing one may go for it. What a copy becomes
is `database_copies`'s business.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import msgspec

from sbql.catalog.backup_file import Header, open_set, read_headers
from sbql.catalog.records import Database
from sbql.engine.definition.alter_database import BROKER_EFFECTS, broker_twin
from sbql.engine.definition.backup import (
    MEDIA_OPTIONS,
    Options,
    Stats,
    device_argument,
    read_options,
    report,
    text_argument,
)
from sbql.engine.definition.backup_lists import file_list, header_list
from sbql.engine.definition.database_copies import ATTACH_OPTIONS, bring_back, remove_database
from sbql.engine.definition.database_rights import check_may_create, check_may_restore, owner_of_new
from sbql.engine.definition.ddl import broker_effect
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import users_of
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import RestoreStatement
from sbql.grammar.errors import sql_error

_SYSTEM_DATABASES = 4

_RESTORE_OPTIONS = (
    MEDIA_OPTIONS
    | frozenset(ATTACH_OPTIONS)
    | frozenset(
        "FILE KEEP_CDC KEEP_REPLICATION MOVE NORECOVERY PARTIAL RECOVERY REPLACE RESTART RESTRICTED_USER".split()
    )
)
_LIST_OPTIONS = MEDIA_OPTIONS | {"FILE", "LOADHISTORY"}


@handles(RestoreStatement)
def compile_restore(node: RestoreStatement, compiler: Compiler) -> Step:
    words = f"RESTORE {node.kind}"
    if node.kind not in ("DATABASE", "LOG"):
        return _compile_list(node, compiler, words)
    name = text_argument(compiler, node.database)
    device = device_argument(compiler, node.devices, words, node.span) if node.devices else None
    options = read_options(compiler, node.options, _RESTORE_OPTIONS, words)

    def run(frame: Frame) -> Work:
        found = options(frame)
        broker = [word for word in ATTACH_OPTIONS if word in found]
        if len(broker) > 1:
            raise sql_error(3031, *broker[:2])
        if broker and "NORECOVERY" in found:
            raise sql_error(3031, "NORECOVERY", broker[0])
        if frame.session.trancount:
            raise sql_error(3021)
        wanted = broker[0] if broker else None
        if device is None:
            yield from _recover(frame.session, name(frame), wanted)
        else:
            yield from _restore(frame.session, node.kind, name(frame), device(frame), found, wanted)
        return 0

    return Step(run, waits=True)


# --- RESTORE … FROM ------------------------------------------------------------------------------------------


def _restore(session: Session, kind: str, name: str, device: str, options: Options, broker: str | None) -> Work:
    if not name:
        raise sql_error(1038)
    if session.catalog.find(Database, 0, name) is None:
        check_may_create(session)  # before a file is looked at
    instance = session.instance
    path = instance.files.path(device)
    header = _chosen(read_headers(instance.store, path), options.get("FILE"), device)
    with ExitStack() as stack, session.statement() as transaction:  # the commit comes first, then the file is let go
        yield from transaction.lock_schema()
        old = session.catalog.find(Database, 0, name)
        _check_target(session, kind, old, header, options)
        file = _file_name(session, old, header, options)
        settings: dict[str, Any] = {
            "state": "RESTORING" if "NORECOVERY" in options else "ONLINE", "file_name": file, "logical_name": header.logical_name,
            "owner_sid": old.owner_sid if old is not None else owner_of_new(session),
        }  # fmt: skip
        if "RESTRICTED_USER" in options:
            settings["user_access"] = "RESTRICTED_USER"
        if header.kind == "D":
            settings["last_full_backup"] = header.finish
        if old is not None:
            yield from remove_database(session, transaction, old)
        backup = stack.enter_context(open_set(instance.store, path, header.position))
        database_id = old.id if old is not None else None
        stats = stack.enter_context(Stats(session, options))
        yield from bring_back(
            session, transaction, backup, name, broker=broker, database_id=database_id, hear=stats.hear, **settings
        )
    stats.end()
    report(session, f"RESTORE {kind}", path, msgspec.structs.replace(header, database_name=name), options)


def _chosen(headers: list[Header], number: int | None, device: str) -> Header:
    found = next((h for h in headers if h.position == (number or 1)), None)
    if found is None:
        raise sql_error(4038, number, device)
    return found


def _check_target(session: Session, kind: str, old: Database | None, header: Header, options: Options) -> None:
    """Whether this set may become this database. Raises 3117, 3108, 40517, 3110, 3102, 3101, 3154, 3159."""
    continues = kind == "LOG" or header.kind == "I"
    if (kind == "LOG") != (header.kind == "L") or (continues and (old is None or old.state != "RESTORING")):
        raise sql_error(3117)
    if old is None:
        check_may_create(session)
        return
    if old.id <= _SYSTEM_DATABASES:
        raise sql_error(3108, old.name)
    check_may_restore(session, old)
    if session.database_id == old.id:
        raise sql_error(3102, "RESTORE", old.name)
    if users_of(session.instance, old.id):
        raise sql_error(3101)
    if "REPLACE" in options or (old.state == "RESTORING" and old.family_id == header.family):
        return
    if old.family_id != header.family:
        raise sql_error(3154, old.name)
    if old.recovery_model != "SIMPLE" and old.last_full_backup:
        raise sql_error(3159, old.name)


def _file_name(session: Session, old: Database | None, header: Header, options: Options) -> str:
    """The data file of the restored database. Raises 3234 for a MOVE of another file, 1834 for one that a database
    uses."""
    file = header.file_name
    for logical, target in options["MOVE"]:
        if logical.lower() == header.logical_name.lower():
            file = target
        elif logical.lower() != f"{header.logical_name}_log".lower():
            raise sql_error(3234, logical, header.database_name)
    for database in session.catalog.all(Database, 0):
        if database.file_name.lower() == file.lower() and (old is None or database.id != old.id):
            raise sql_error(1834, file, database.name)
    return file


def _recover(session: Session, name: str, broker: str | None) -> Work:
    """RESTORE DATABASE … WITH RECOVERY without a file: the database is used as it is."""
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        record = session.catalog.find(Database, 0, name)
        if record is None:
            raise sql_error(911, name)
        check_may_restore(session, record)
        if record.state != "RESTORING":
            raise sql_error(3117)
        new = msgspec.structs.replace(record, state="ONLINE")
        if broker == "NEW_BROKER":
            guid = session.instance.host.new_guid()
            new = msgspec.structs.replace(new, service_broker_guid=guid, family=record.family_id)
        if broker is not None and broker_twin(session.catalog, new) is not None:
            session.emit(InfoMessage(sql_error(9773, name).message, 9773, 10, 1))
            broker = None
        transaction.change_catalog(record, msgspec.structs.replace(new, is_broker_enabled=broker is not None))
        yield from _broker_option(session, transaction, record.id, broker)


def _broker_option(session: Session, transaction: Transaction, database_id: int, broker: str | None) -> Work:
    effect = BROKER_EFFECTS.get(broker or "")
    if effect is not None:
        yield from broker_effect(session, transaction, lambda found: effect(found, database_id))


# --- looking -------------------------------------------------------------------------------------------------


def _compile_list(node: RestoreStatement, compiler: Compiler, words: str) -> Step:
    shown = _LISTS.get(node.kind)
    if shown is None:
        raise sql_error(40517, words, span=node.span)
    device = device_argument(compiler, node.devices, words, node.span)
    options = read_options(compiler, node.options, _LIST_OPTIONS, words)

    def run(frame: Frame) -> int:
        session, name = frame.session, device(frame)
        check_may_create(session)
        path = session.instance.files.path(name)
        headers = read_headers(session.instance.store, path)
        found = options(frame).get("FILE")
        return shown(session, headers if found is None else [_chosen(headers, found, name)], path, name)

    return Step(run)


def _file_list(session: Session, headers: list[Header], path: str, device: str) -> int:
    result = file_list(_chosen(headers, headers[0].position if headers else 1, device), path)
    session.emit(result)
    return len(result.rows)


def _header_list(session: Session, headers: list[Header], path: str, device: str) -> int:
    result = header_list(session.instance.host, headers, path)
    session.emit(result)
    return len(result.rows)


def _verify(session: Session, headers: list[Header], path: str, device: str) -> int:
    """Reads the set as a restore would. Raises 3201, 3241."""
    position = headers[0].position if headers else 1
    with open_set(session.instance.store, path, position):
        session.emit(InfoMessage(sql_error(3262, position).message, 3262, 0, 1))
    return 0


_LISTS: dict[str, Callable[[Any, list[Header], str, str], int]] = {
    "FILELISTONLY": _file_list,
    "HEADERONLY": _header_list,
    "VERIFYONLY": _verify,
}
