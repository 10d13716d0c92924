"""DATABASEPROPERTYEX, SERVERPROPERTY, LOGINPROPERTY and the functions about files and filegroups.

Every database has two files by name, which are nowhere on disk (sys.database_files).
"""

from __future__ import annotations

import datetime as dt
import os
from typing import Any

from sbql.catalog.records import Database, Principal
from sbql.engine.functions.system import PRODUCT_VERSION
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.grammar.types import (
    DATABASE_DEFAULT_COLLATION,
    DATETIME,
    INT,
    SQL_VARIANT,
    SYSNAME,
    SqlType,
    Variant,
    varbinary,
)
from sbql.grammar.values.collation_names import collation_named

_NEVER_CHECKED = dt.datetime(1900, 1, 1)
_SMALLINT = SqlType("smallint")


@function("DATABASEPROPERTYEX", SQL_VARIANT, [SYSNAME, SYSNAME], needs_frame=True)
def _databasepropertyex(frame: Frame, database: str, name: str) -> Any:
    found = frame.session.catalog.find(Database, 0, database)
    if found is None:
        return None
    word = name.strip().lower()
    if word == "lastgoodcheckdbtime":
        return Variant(DATETIME, _NEVER_CHECKED)
    value = _database_property(found, word)
    if value is None:
        return None
    return Variant(INT, value) if isinstance(value, int) else Variant(SYSNAME, value)


_DATABASE_OPTIONS = {
    "isansinulldefault": "ANSI_NULL_DEFAULT", "isansinullsenabled": "ANSI_NULLS", "isansipaddingenabled": "ANSI_PADDING",
    "isansiwarningsenabled": "ANSI_WARNINGS", "isarithmeticabortenabled": "ARITHABORT", "isautoclose": "AUTO_CLOSE",
    "isautocreatestatistics": "AUTO_CREATE_STATISTICS", "isautoshrink": "AUTO_SHRINK", "isautoupdatestatistics": "AUTO_UPDATE_STATISTICS",
    "isclosecursorsoncommitenabled": "CURSOR_CLOSE_ON_COMMIT", "isnullconcat": "CONCAT_NULL_YIELDS_NULL",
    "isnumericroundabortenabled": "NUMERIC_ROUNDABORT", "isquotedidentifiersenabled": "QUOTED_IDENTIFIER",
    "isrecursivetriggersenabled": "RECURSIVE_TRIGGERS",
}  # fmt: skip
"""Properties that say whether ALTER DATABASE … SET has put an option ON."""

_ON_AT_FIRST = frozenset({"AUTO_CREATE_STATISTICS", "AUTO_UPDATE_STATISTICS"})
_NEVER = frozenset(
    {
        "isautocreatestatisticsincremental", "isclone", "isdatabasesuspendedforsnapshotbackup", "isfulltextenabled", "isinstandby",
        "ismemoryoptimizedelevatetosnapshotenabled", "ismergepublished", "isparameterizationforced", "ispublished", "issubscribed",
        "issyncwithbackup", "istornpagedetectionenabled", "isverifiedclone", "isxtpsupported",
    }
)  # fmt: skip


def _database_property(database: Database, name: str) -> str | int | None:
    option = _DATABASE_OPTIONS.get(name)
    if option is not None:
        return int(database.options.get(option, "ON" if option in _ON_AT_FIRST else "OFF") == "ON")
    if name in _NEVER:
        return 0
    collation = collation_named(database.collation_name) or collation_named(DATABASE_DEFAULT_COLLATION)
    assert collation is not None
    values: dict[str, str | int] = {
        "collation": database.collation_name, "comparisonstyle": collation.comparison_style, "lcid": collation.lcid,
        "sqlsortorder": collation.sort_order, "recovery": database.recovery_model, "status": database.state,
        "useraccess": database.user_access, "version": 957,
        "updateability": "READ_ONLY" if database.is_read_only else "READ_WRITE",
        "islocalcursorsdefault": int(database.options.get("CURSOR_DEFAULT") == "LOCAL"),
    }  # fmt: skip
    return values.get(name)


@function("DATABASEPROPERTY", INT, [SYSNAME, SYSNAME], needs_frame=True)
def _databaseproperty(frame: Frame, database: str, name: str) -> int | None:
    """The predecessor of DATABASEPROPERTYEX: only what is a number."""
    found = frame.session.catalog.find(Database, 0, database)
    if found is None:
        return None
    word = name.strip().lower()
    states: dict[str, bool] = {
        "isreadonly": found.is_read_only, "issingleuser": found.user_access == "SINGLE_USER", "isdboonly": found.user_access == "RESTRICTED_USER",
        "istrunclog": found.recovery_model == "SIMPLE", "isbulkcopy": found.recovery_model == "BULK_LOGGED", "isoffline": found.state == "OFFLINE",
        "issuspect": False, "isdetached": False, "isemergencymode": False, "isinload": False, "isinrecovery": False, "isnotrecovered": False,
        "isshutdown": False,
    }  # fmt: skip
    if word in states:
        return int(states[word])
    value = _database_property(found, word)
    return value if isinstance(value, int) else None


@function("LOGINPROPERTY", SQL_VARIANT, [SYSNAME, SYSNAME], needs_frame=True)
def _loginproperty(frame: Frame, login: str, name: str) -> Any:
    """No login is ever locked, nor does its password expire."""
    found = frame.session.catalog.find(Principal, 0, login)
    if found is None or found.type != "S":
        return None
    word = name.strip().lower()
    if word in ("badpasswordcount", "historylength", "isexpired", "islocked", "ismustchange"):
        return Variant(INT, 0)
    if word == "passwordhash":
        return None if found.password_hash is None else Variant(varbinary(256), found.password_hash)
    values = {"defaultdatabase": found.default_database, "defaultlanguage": found.default_language}
    value = values.get(word)
    return None if value is None else Variant(SYSNAME, value)


@function("SERVERPROPERTY", SQL_VARIANT, [SYSNAME], needs_frame=True)
def _serverproperty(frame: Frame, name: str) -> Any:
    instance = frame.session.instance
    server, started = (
        instance.name,
        dt.datetime.fromtimestamp(instance.start_time, dt.UTC).replace(tzinfo=None, microsecond=0),
    )
    folder = os.path.dirname(instance.store.path) if instance.store.path else None
    values: dict[str, Any] = {
        "buildclrversion": "v4.0.30319", "collation": "SQL_Latin1_General_CP1_CI_AS", "collationid": 872468488, "comparisonstyle": 196609,
        "computernamephysicalnetbios": server, "edition": "Developer Edition (64-bit)", "editionid": -2117995310, "engineedition": 3,
        "filestreamconfiguredlevel": 0, "filestreameffectivelevel": 0, "filestreamsharename": None, "hadrmanagerstatus": 2,
        "instancedefaultbackuppath": folder, "instancedefaultdatapath": folder, "instancedefaultlogpath": folder, "instancename": None,
        "isadvancedanalyticsinstalled": 0, "isbigdatacluster": 0, "isclustered": 0, "isexternalauthenticationonly": 0,
        "isexternalgovernanceenabled": 0, "isfulltextinstalled": 0, "ishadrenabled": 0, "isintegratedsecurityonly": 0, "islocaldb": 0,
        "ispolybaseinstalled": 0, "isserversuspendedforsnapshotbackup": 0, "issingleuser": 0, "istempdbmetadatamemoryoptimized": 0,
        "isxtpsupported": 0, "lcid": 1033, "licensetype": "DISABLED", "machinename": server, "numlicenses": None, "pathseparator": os.sep,
        "processid": os.getpid(), "productbuild": "1000", "productbuildtype": None, "productlevel": "RTM", "productmajorversion": "16",
        "productminorversion": "0", "productupdatelevel": None, "productupdatereference": None, "productversion": PRODUCT_VERSION,
        "resourcelastupdatedatetime": started, "resourceversion": PRODUCT_VERSION, "servername": server, "sqlcharset": 1,
        "sqlcharsetname": "iso_1", "sqlsortorder": 52, "sqlsortordername": "nocase_iso", "suspendeddatabasecount": 0,
    }  # fmt: skip
    value = values.get(name.strip().lower())
    if value is None:
        return None
    if isinstance(value, dt.datetime):
        return Variant(DATETIME, value)
    return Variant(INT, value) if isinstance(value, int) else Variant(SYSNAME, value)


# --- files -------------------------------------------------------------------------------------------------


def _files(frame: Frame) -> tuple[str, str]:
    """The logical names of the data and the log file of the current database."""
    database = frame.session.database
    name = database.logical_name or database.name
    return name, f"{name}_log"


def _file_number(frame: Frame, name: str) -> int | None:
    names = [own.lower() for own in _files(frame)]
    return names.index(name.lower()) + 1 if name.lower() in names else None


@function("FILE_ID", _SMALLINT, [SYSNAME], needs_frame=True)
def _file_id(frame: Frame, name: str) -> int | None:
    return _file_number(frame, name)


@function("FILE_IDEX", INT, [SYSNAME], needs_frame=True)
def _file_idex(frame: Frame, name: str) -> int | None:
    return _file_number(frame, name)


@function("FILE_NAME", SYSNAME, [INT], needs_frame=True)
def _file_name(frame: Frame, number: int) -> str | None:
    return _files(frame)[number - 1] if number in (1, 2) else None


@function("FILEPROPERTY", INT, [SYSNAME, SYSNAME], needs_frame=True)
def _fileproperty(frame: Frame, name: str, what: str) -> int | None:
    """SpaceUsed is 0: rows are in the one file of the store."""
    number = _file_number(frame, name)
    values = {
        "isreadonly": frame.session.database.is_read_only,
        "isprimaryfile": number == 1,
        "islogfile": number == 2,
        "spaceused": 0,
    }
    value = values.get(what.strip().lower()) if number is not None else None
    return None if value is None else int(value)


def _filegroups(frame: Frame) -> tuple[str, ...]:
    return ("PRIMARY", *frame.session.database.filegroups)


@function("FILEGROUP_ID", INT, [SYSNAME], needs_frame=True)
def _filegroup_id(frame: Frame, name: str) -> int | None:
    return next((i for i, each in enumerate(_filegroups(frame), 1) if each.lower() == name.lower()), None)


@function("FILEGROUP_NAME", SYSNAME, [_SMALLINT], needs_frame=True)
def _filegroup_name(frame: Frame, number: int) -> str | None:
    names = _filegroups(frame)
    return names[number - 1] if 1 <= number <= len(names) else None


@function("FILEGROUPPROPERTY", INT, [SYSNAME, SYSNAME], needs_frame=True)
def _filegroupproperty(frame: Frame, name: str, what: str) -> int | None:
    number = _filegroup_id(frame, name)
    if number is None:
        return None
    values = {"isreadonly": 0, "isuserdefinedfg": int(number > 1), "isdefault": int(number == 1)}
    return values.get(what.strip().lower())
