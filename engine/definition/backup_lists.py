"""The result sets of RESTORE FILELISTONLY and RESTORE HEADERONLY, with the documented columns.

What has no meaning here (log sequence numbers, device types, compression) is NULL or what a plain backup to disk would
show.
"""

from __future__ import annotations

import os
import uuid
from decimal import Decimal
from typing import Any

from sbql.catalog.backup_file import Header
from sbql.engine.host import Host, local_time
from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.types import (
    BIGINT,
    BIT,
    DATETIME,
    INT,
    SMALLINT,
    SYSNAME,
    TINYINT,
    UNIQUEIDENTIFIER,
    SqlType,
    char,
    decimal,
    nvarchar,
    varbinary,
)
from sbql.grammar.values.dates import round_datetime

__all__ = ["file_list", "header_list"]

_PAGE = 8192
_KINDS = {"D": (1, "Database"), "L": (2, "Transaction Log"), "I": (5, "Database Differential"), "F": (1, "Database")}
_TYPES: dict[str, SqlType] = {
    "b": BIT, "c": char(1), "d": DATETIME, "g": UNIQUEIDENTIFIER, "i": INT, "l": BIGINT, "n": SYSNAME, "p": nvarchar(260),
    "s": SMALLINT, "t": TINYINT, "u": nvarchar(360), "v": varbinary(32), "w": decimal(25), "x": nvarchar(255), "z": decimal(20),
}  # fmt: skip

_FILE_COLUMNS = (
    "LogicalName n,PhysicalName p,Type c,FileGroupName n,Size z,MaxSize z,FileID l,CreateLSN w,DropLSN w,UniqueID g,ReadOnlyLSN w,"
    "ReadWriteLSN w,BackupSizeInBytes l,SourceBlockSize i,FileGroupID i,LogGroupGUID g,DifferentialBaseLSN w,DifferentialBaseGUID g,"
    "IsReadOnly b,IsPresent b,TDEThumbprint v,SnapshotURL u"
)
_HEADER_COLUMNS = (
    "BackupName n,BackupDescription x,BackupType s,ExpirationDate d,Compressed b,Position s,DeviceType t,UserName n,ServerName n,"
    "DatabaseName n,DatabaseVersion i,DatabaseCreationDate d,BackupSize z,FirstLSN w,LastLSN w,CheckpointLSN w,DatabaseBackupLSN w,"
    "BackupStartDate d,BackupFinishDate d,SortOrder s,CodePage s,UnicodeLocaleId i,UnicodeComparisonStyle i,CompatibilityLevel t,"
    "SoftwareVendorId i,SoftwareVersionMajor i,SoftwareVersionMinor i,SoftwareVersionBuild i,MachineName n,Flags i,BindingID g,"
    "RecoveryForkID g,Collation n,FamilyGUID g,HasBulkLoggedData b,IsSnapshot b,IsReadOnly b,IsSingleUser b,HasBackupChecksums b,"
    "IsDamaged b,BeginsLogChain b,HasIncompleteMetaData b,IsForceOffline b,IsCopyOnly b,FirstRecoveryForkID g,ForkPointLSN w,"
    "RecoveryModel n,DifferentialBaseLSN w,DifferentialBaseGUID g,BackupTypeDescription n,BackupSetGUID g,CompressedBackupSize l,"
    "Containment t,KeyAlgorithm n,EncryptorThumbprint v,EncryptorType n"
)


def _result(columns: str, rows: list[dict[str, Any]]) -> ResultSet:
    """Rows by column name; a column that a row does not name is NULL."""
    parts = [part.rsplit(" ", 1) for part in columns.split(",")]
    shown = [ResultColumn(name, _TYPES[letter]) for name, letter in parts]
    return ResultSet(shown, [tuple(row.get(name) for name, _ in parts) for row in rows])


def file_list(header: Header, path: str) -> ResultSet:
    """The data file and the log that the database had."""
    size = Decimal(-(-os.path.getsize(path) // _PAGE) * _PAGE)
    stem, _ = os.path.splitext(header.file_name)
    shared = {
        "MaxSize": Decimal(35184372080640),
        "CreateLSN": Decimal(0),
        "BackupSizeInBytes": int(size),
        "SourceBlockSize": 512,
    }
    shared |= {"IsReadOnly": False, "IsPresent": True, "UniqueID": uuid.UUID(header.family)}
    data = {
        "LogicalName": header.logical_name,
        "PhysicalName": header.file_name,
        "Type": "D",
        "FileGroupName": "PRIMARY",
    }
    log = {"LogicalName": f"{header.logical_name}_log", "PhysicalName": f"{stem}_log.ldf", "Type": "L"}
    return _result(
        _FILE_COLUMNS,
        [
            {**shared, **data, "Size": size, "FileID": 1, "FileGroupID": 1},
            {**shared, **log, "Size": Decimal(_PAGE), "FileID": 2, "FileGroupID": 0, "BackupSizeInBytes": 0},
        ],
    )


def header_list(host: Host, headers: list[Header], path: str) -> ResultSet:
    """One row a backup set."""
    size = os.path.getsize(path)
    return _result(_HEADER_COLUMNS, [_header_row(host, header, size) for header in headers])


def _header_row(host: Host, header: Header, size: int) -> dict[str, Any]:
    kind, description = _KINDS[header.kind]

    def moment(seconds: float) -> Any:
        return round_datetime(local_time(host, seconds))

    false = (
        "Compressed", "HasBulkLoggedData", "IsSnapshot", "IsReadOnly", "IsSingleUser", "HasBackupChecksums", "IsDamaged",
        "BeginsLogChain", "HasIncompleteMetaData", "IsForceOffline",
    )  # fmt: skip
    return {
        **dict.fromkeys(false, False),
        "BackupName": header.name, "BackupDescription": header.description, "BackupType": kind, "Position": header.position,
        "DeviceType": 2, "UserName": header.user_name, "ServerName": header.server_name, "DatabaseName": header.database_name,
        "DatabaseVersion": 957, "DatabaseCreationDate": moment(header.database_create_date), "BackupSize": Decimal(size),
        "BackupStartDate": moment(header.start), "BackupFinishDate": moment(header.finish), "SortOrder": 52, "CodePage": 0,
        "UnicodeLocaleId": 1033, "UnicodeComparisonStyle": 196609, "CompatibilityLevel": 160, "SoftwareVendorId": 4608,
        "SoftwareVersionMajor": 16, "SoftwareVersionMinor": 0, "SoftwareVersionBuild": 1000, "MachineName": header.server_name,
        "Flags": 0, "BindingID": uuid.UUID(header.service_broker_guid), "FamilyGUID": uuid.UUID(header.family),
        "Collation": "SQL_Latin1_General_CP1_CI_AS", "IsCopyOnly": header.is_copy_only, "RecoveryModel": header.recovery_model,
        "BackupTypeDescription": description, "CompressedBackupSize": size, "Containment": 0,
    }  # fmt: skip
