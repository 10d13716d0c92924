"""The statements that mend what was found, as batches of T-SQL that can be run as they are.

Decides their text. `<…>` stands where only the reader knows what belongs there (a password, a machine, a file).
It must not know why a message waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from sbql.catalog.records import Certificate, Contract, Route, Service
from sbql.catalog.records.broker import ConversationEndpoint
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.grammar.names import bracketed, string_literal

__all__ = [
    "activation", "again", "binding", "certificate_from_file", "certificate_option", "contract_anew", "create_contract", "end", "endpoint", "grant_send", "in_database",
    "kill", "local_route", "master_key", "new_certificate", "new_service", "route_option", "set_database",
]  # fmt: skip

_VALIDATIONS = {"N": "NONE", "E": "EMPTY", "X": "WELL_FORMED_XML"}
_BUILT_IN = 14
"""Message types and contracts up to this id are in every database."""
_LISTED = 20


def in_database(name: str, *statements: str) -> str:
    return "\n".join((f"USE {bracketed(name)};", *statements))


def set_database(name: str, option: str) -> str:
    return f"ALTER DATABASE {bracketed(name)} SET {option} WITH ROLLBACK IMMEDIATE;"


def kill(sessions: Iterable[int]) -> str:
    return "\n".join(f"KILL {spid};" for spid in sessions)


def end(database: str, handles: Iterable[UUID]) -> str:
    """END CONVERSATION for each; of very many the first ones."""
    lines = [f"END CONVERSATION '{str(handle).upper()}';" for handle in list(handles)[:_LISTED]]
    return in_database(database, *lines)


def again(
    index: CatalogIndex, old: ConversationEndpoint, to_service: str, *, encryption: bool, carries: bool = True
) -> str:
    """A new dialog that takes the place of an old one. `carries`: with the messages that still wait, in their order;
    the old one goes without a word. Else the old one ends, and its program sends again."""
    service = index.service_by_id[old.database_id, old.service_id]
    begin = (
        f"BEGIN DIALOG @new FROM SERVICE {bracketed(service.name)} TO SERVICE {string_literal(to_service)} ON CONTRACT {bracketed(old.contract_name)} "
        f"WITH ENCRYPTION = {'ON' if encryption else 'OFF'};"
    )
    handle = string_literal(str(old.conversation_handle).upper())
    database = index.databases[old.database_id].name
    if not carries:
        return in_database(
            database,
            "DECLARE @new uniqueidentifier;",
            begin,
            f"END CONVERSATION {handle};",
            "SELECT @new AS conversation_handle;",
        )
    return in_database(
        database,
        f"DECLARE @new uniqueidentifier, @old uniqueidentifier = {handle}, @n bigint = -1, @type sysname, @body varbinary(max);",
        begin,
        "WHILE 1 = 1",
        "BEGIN",
        "    SELECT TOP (1) @n = message_sequence_number, @type = message_type_name, @body = message_body FROM sys.transmission_queue",
        "    WHERE conversation_handle = @old AND message_sequence_number > @n AND is_end_of_dialog = 0 AND is_conversation_error = 0",
        "    ORDER BY message_sequence_number;",
        "    IF @@ROWCOUNT = 0 BREAK;",
        "    SEND ON CONVERSATION @new MESSAGE TYPE @type (@body);",
        "END;",
        "END CONVERSATION @old WITH CLEANUP;",
    )


def master_key(database: str) -> str:
    return in_database(database, "CREATE MASTER KEY ENCRYPTION BY PASSWORD = '<a Pa55word of your own>';")


def grant_send(database: str, service: Service, user: str) -> str:
    """GRANT SEND on a service to a user, or to public."""
    who = user if user == "public" else bracketed(user)
    return in_database(database, f"GRANT SEND ON SERVICE::{bracketed(service.name)} TO {who};")


def local_route(database: str, service: str, address: str = "LOCAL") -> str:
    """A route to a service: in this instance, or at `address`."""
    name, text = bracketed(f"to {service}"[:128]), string_literal(service)
    return in_database(
        database, f"CREATE ROUTE {name} WITH SERVICE_NAME = {text}, ADDRESS = {string_literal(address)};"
    )


def route_option(database: str, route: Route, option: str) -> str:
    """A route that is there gets an option."""
    return in_database(database, f"ALTER ROUTE {bracketed(route.name)} WITH {option};")


def new_service(database: str, service: str, contract: str) -> str:
    """A service with this contract, and a queue for it."""
    queue = bracketed(f"{service} queue"[:128])
    return in_database(
        database,
        f"CREATE QUEUE dbo.{queue};",
        f"CREATE SERVICE {bracketed(service)} ON QUEUE dbo.{queue} ({bracketed(contract)});",
    )


def activation(database: str, queue: str, *options: str) -> str:
    """`queue`: its name in brackets. An option is what stands in ACTIVATION (…)."""
    return in_database(database, *(f"ALTER QUEUE {queue} WITH ACTIVATION ({option});" for option in options))


def create_contract(index: CatalogIndex, contract: Contract, database_id: int) -> list[str]:
    """The statements that make a contract in another database as it is in its own, with the
    message types that are not there."""
    lines, usages = [], []
    for name, usage in sorted(index.usages[contract.database_id, contract.id].items()):
        if usage.type.id > _BUILT_IN and (database_id, name) not in index.message_types:
            lines.append(f"CREATE MESSAGE TYPE {bracketed(name)} VALIDATION = {_VALIDATIONS[usage.type.validation]};")
        sent_by = "ANY" if usage.by_initiator and usage.by_target else "INITIATOR" if usage.by_initiator else "TARGET"
        usages.append(f"{bracketed(name)} SENT BY {sent_by}")
    lines.append(f"CREATE CONTRACT {bracketed(contract.name)} ({', '.join(usages)});")
    return lines


def contract_anew(index: CatalogIndex, contract: Contract, there: Contract) -> str:
    """Replace a contract of another database by what it is in its own. The services that list it go on with the new
    one; conversations on it end first."""
    name = bracketed(contract.name)
    services = [
        s for s in index.service_by_id.values() if s.database_id == there.database_id and there.id in s.contract_ids
    ]
    return in_database(
        index.databases[there.database_id].name,
        *(f"ALTER SERVICE {bracketed(s.name)} (DROP CONTRACT {name});" for s in services),
        f"DROP CONTRACT {name};",
        *create_contract(index, contract, there.database_id),
        *(f"ALTER SERVICE {bracketed(s.name)} (ADD CONTRACT {name});" for s in services),
    )


def binding(database: str, service: str) -> str:
    """With the other side's certificate, which it has written with BACKUP CERTIFICATE."""
    user = bracketed(f"user of {service}"[:128])
    return in_database(
        database,
        f"CREATE USER {user} WITHOUT LOGIN;",
        f"CREATE CERTIFICATE {user} AUTHORIZATION {user} FROM FILE = '<its file>.cer';",
        f"CREATE REMOTE SERVICE BINDING {bracketed(f'to {service}'[:128])} TO SERVICE {string_literal(service)} WITH USER = {user};",
    )


def endpoint() -> str:
    return "CREATE ENDPOINT [broker] STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS);"


def new_certificate(database: str, name: str, owner: str, file: str) -> str:
    """A certificate with its key, and its public half as a file for the other side."""
    return in_database(
        database,
        f"CREATE CERTIFICATE {bracketed(name)} AUTHORIZATION {bracketed(owner)} WITH SUBJECT = {string_literal(name)};",
        f"BACKUP CERTIFICATE {bracketed(name)} TO FILE = {string_literal(file)};",
    )


def certificate_from_file(database: str, name: str, owner: str) -> str:
    """The other side's certificate, which it has written with BACKUP CERTIFICATE."""
    return in_database(
        database, f"CREATE CERTIFICATE {bracketed(name)} AUTHORIZATION {bracketed(owner)} FROM FILE = '<its file>.cer';"
    )


def certificate_option(certificate: Certificate, database: str, option: str) -> str:
    """A certificate that is there gets an option."""
    return in_database(database, f"ALTER CERTIFICATE {bracketed(certificate.name)} WITH {option};")
