"""The statements that make two services of different instances talk: certificates exchanged as files, logins, users, an
endpoint, routes, remote service bindings, GRANTs.

Pure text: decides what each side has to run, and in which of two steps. An identity first, on both sides; then, when
the files of the other side are there, the partner. What is there already (an endpoint, a master key, a certificate of
an earlier pairing) is used. It must not know where the statements run.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from sbql.grammar.names import bracketed, string_literal

__all__ = ["FOLDER", "Side", "identity", "partner"]

FOLDER = "$(folder)"
"""Stands for the folder of the certificates' files."""


class Side(Struct, frozen=True):
    """One side: `name` is what its instance is called on the other one; `address`
    host:port as the other one reaches it."""

    name: str
    host: str
    port: int
    database: str
    service: str

    @property
    def connections(self) -> str:
        """Its certificate for connections, as the other side calls it."""
        return f"{self.name}_connections"

    @property
    def dialogs(self) -> str:
        """Its certificate for dialogs, and who owns that on the other side."""
        return f"{self.name}_{self.database}_dialogs"

    @property
    def user(self) -> str:
        return f"{self.name}_{self.database}"


def identity(side: Side, until: str, password: Callable[[], str]) -> list[str]:
    """Who a side is: batches for its instance. `until`: when new certificates expire;
    `password()`: another one each time."""
    own = string_literal(side.connections, is_national=True)
    is_local = side.host in ("127.0.0.1", "localhost")
    listener = f"LISTENER_PORT = {side.port}" + (", LISTENER_IP = (127.0.0.1)" if is_local else "")
    subject = f"WITH SUBJECT = {string_literal(f'{side.name}, connections')}, EXPIRY_DATE = '{until}'"
    return [
        f"USE master;\n{_master_key(password)}",
        f"""-- The certificate of the endpoint: that of the one that is there, or a new one.
DECLARE @name sysname, @certificate sysname, @statement nvarchar(max);
SELECT @name = e.name, @certificate = c.name
FROM sys.service_broker_endpoints AS e LEFT JOIN sys.certificates AS c ON c.certificate_id = e.certificate_id;
IF @certificate IS NULL
BEGIN
    SET @certificate = {own};
    IF CERT_ID({own}) IS NULL CREATE CERTIFICATE {bracketed(side.connections)} {subject};
    IF @name IS NULL
        CREATE ENDPOINT [Broker] STATE = STARTED AS TCP ({listener})
            FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE {bracketed(side.connections)}, ENCRYPTION = REQUIRED ALGORITHM AES);
    ELSE
    BEGIN
        SET @statement = N'ALTER ENDPOINT ' + QUOTENAME(@name) + N' FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS CERTIFICATE {bracketed(side.connections)})';
        EXEC (@statement);
    END;
END;
IF EXISTS (SELECT * FROM sys.service_broker_endpoints WHERE state_desc <> 'STARTED')
BEGIN
    SET @statement = N'ALTER ENDPOINT ' + QUOTENAME(@name) + N' STATE = STARTED';
    EXEC (@statement);
END;
SET @statement = N'BACKUP CERTIFICATE ' + QUOTENAME(@certificate) + N' TO FILE = ''{FOLDER}/{side.connections}.cer''';
EXEC (@statement);""",
        f"""-- The certificate of the dialogs.
USE {bracketed(side.database)};
{_master_key(password)}
IF CERT_ID({string_literal(side.dialogs, is_national=True)}) IS NULL
    CREATE CERTIFICATE {bracketed(side.dialogs)} WITH SUBJECT = {string_literal(f"{side.name}, dialogs")}, EXPIRY_DATE = '{until}';
BACKUP CERTIFICATE {bracketed(side.dialogs)} TO FILE = '{FOLDER}/{side.dialogs}.cer';""",
    ]


def partner(side: Side, other: Side, password: Callable[[], str]) -> list[str]:
    """How a side comes to know the other one, whose files are there."""
    name, user, service = (string_literal(text, is_national=True) for text in (other.name, other.user, other.service))
    return [
        f"""-- Who may connect.
USE master;
IF SUSER_ID({name}) IS NULL CREATE LOGIN {bracketed(other.name)} WITH PASSWORD = {string_literal(password())};
IF DATABASE_PRINCIPAL_ID({name}) IS NULL CREATE USER {bracketed(other.name)} FOR LOGIN {bracketed(other.name)};
IF CERT_ID({string_literal(other.connections, is_national=True)}) IS NULL
    CREATE CERTIFICATE {bracketed(other.connections)} AUTHORIZATION {bracketed(other.name)} FROM FILE = '{FOLDER}/{other.connections}.cer';
DECLARE @statement nvarchar(max);
SELECT @statement = N'GRANT CONNECT ON ENDPOINT::' + QUOTENAME(name) + N' TO {bracketed(other.name)}' FROM sys.service_broker_endpoints;
EXEC (@statement);""",
        f"""-- Where the other service is, who speaks for it, and what it may.
USE {bracketed(side.database)};
IF DATABASE_PRINCIPAL_ID({user}) IS NULL CREATE USER {bracketed(other.user)} WITHOUT LOGIN;
IF CERT_ID({string_literal(other.dialogs, is_national=True)}) IS NULL
    CREATE CERTIFICATE {bracketed(other.dialogs)} AUTHORIZATION {bracketed(other.user)} FROM FILE = '{FOLDER}/{other.dialogs}.cer';
IF NOT EXISTS (SELECT * FROM sys.routes WHERE remote_service_name = {service})
    CREATE ROUTE {bracketed(_place(other))} WITH SERVICE_NAME = {service}, ADDRESS = {string_literal(f"TCP://{other.host}:{other.port}", is_national=True)};
IF NOT EXISTS (SELECT * FROM sys.remote_service_bindings WHERE remote_service_name = {service})
    CREATE REMOTE SERVICE BINDING {bracketed(_place(other))} TO SERVICE {service} WITH USER = {bracketed(other.user)};
GRANT SEND ON SERVICE::{bracketed(side.service)} TO {bracketed(other.user)};""",
    ]


def _place(other: Side) -> str:
    """Of a route and a binding."""
    return f"to {other.service}"[:128]


def _master_key(password: Callable[[], str]) -> str:
    return f"""IF NOT EXISTS (SELECT * FROM sys.symmetric_keys WHERE name = '##MS_DatabaseMasterKey##')
    CREATE MASTER KEY ENCRYPTION BY PASSWORD = {string_literal(password())};"""
