"""Codes of securable classes and permissions, as sys.database_permissions shows them. A table of facts."""

from __future__ import annotations

from typing import Final

__all__ = ["CLASS_CODES", "CLASS_NAMES", "permission_code"]

CLASS_NAMES: Final = {
    0: "DATABASE", 1: "OBJECT_OR_COLUMN", 3: "SCHEMA", 4: "DATABASE_PRINCIPAL", 6: "TYPE", 10: "XML_SCHEMA_COLLECTION",
    15: "MESSAGE_TYPE", 16: "SERVICE_CONTRACT", 17: "SERVICE", 18: "REMOTE_SERVICE_BINDING", 19: "ROUTE",
    24: "SYMMETRIC_KEYS", 25: "CERTIFICATE", 26: "ASYMMETRIC_KEY", 100: "SERVER", 101: "SERVER_PRINCIPAL", 105: "ENDPOINT",
}  # fmt: skip

CLASS_CODES: Final = {name: code for code, name in CLASS_NAMES.items()} | {
    "OBJECT": 1, "CONTRACT": 16, "USER": 4, "ROLE": 4, "APPLICATION_ROLE": 4, "SYMMETRIC_KEY": 24, "LOGIN": 101,
}  # fmt: skip
"""The word of GRANT … ON word::name, blanks as underscores -> class."""

_CODES: Final = {
    "ALTER": "AL", "ALTER ANY CONTRACT": "ALSC", "ALTER ANY MESSAGE TYPE": "ALMT", "ALTER ANY ROUTE": "ALRT",
    "ALTER ANY SCHEMA": "ALSM", "ALTER ANY SERVICE": "ALSV", "ALTER ANY USER": "ALUS", "AUTHENTICATE": "AUTH",
    "CONNECT": "CO", "CONNECT SQL": "COSQ", "CONTROL": "CL", "CONTROL SERVER": "CL", "CREATE CONTRACT": "CRSC",
    "CREATE DATABASE": "CRDB", "CREATE MESSAGE TYPE": "CRMT", "CREATE PROCEDURE": "CRPR", "CREATE QUEUE": "CRQU",
    "CREATE REMOTE SERVICE BINDING": "CRSB", "CREATE ROUTE": "CRRT", "CREATE SCHEMA": "CRSM", "CREATE SERVICE": "CRSV",
    "CREATE TABLE": "CRTB", "CREATE VIEW": "CRVW", "DELETE": "DL", "EXECUTE": "EX", "IMPERSONATE": "IM", "INSERT": "IN",
    "RECEIVE": "RC", "REFERENCES": "RF", "SELECT": "SL", "SEND": "SN", "TAKE OWNERSHIP": "TO", "UPDATE": "UP",
    "VIEW DATABASE STATE": "VWDS", "VIEW DEFINITION": "VW", "VIEW SERVER STATE": "VWSS",
    "SUBSCRIBE QUERY NOTIFICATIONS": "SUQN", "ALTER ANY REMOTE SERVICE BINDING": "ALSB",
    "CREATE DATABASE DDL EVENT NOTIFICATION": "CRED", "CREATE DDL EVENT NOTIFICATION": "CRDE",
    "CREATE TRACE EVENT NOTIFICATION": "CRTE",
}  # fmt: skip


def permission_code(name: str) -> str:
    """The four-letter code; what we do not know is made from the initials."""
    name = name.upper()
    return _CODES.get(name) or "".join(word[0] for word in name.split())[:4]
