"""DROP of every kind of objects that is no module: one way for all, and a rule for each kind (`ddl.Drop`), which
stands with its other statements."""

from __future__ import annotations

from typing import Any

from sbql.catalog.kinds import Kind, kind_named
from sbql.engine.definition import (
    broker_priorities,
    certificates,
    contracts,
    credentials,
    endpoints,
    message_types,
    partitions,
    principals,
    queues,
    remote_service_bindings,
    routes,
    schemas,
    sequences,
    services,
    symmetric_keys,
    tables,
    types,
    xml_schema_collections,
)
from sbql.engine.definition.databases import drop_databases
from sbql.engine.definition.ddl import Drop, ddl_step, refuse_system_object
from sbql.engine.definition.master_keys import drop_master_key
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security.resolver import find_named
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import DropObjectStatement, UnsupportedStatement
from sbql.grammar.errors import sql_error

__all__ = ["DROPS", "WITHOUT_EFFECT"]

DROPS: dict[str, Drop] = {
    "APPLICATION ROLE": principals.DROP,
    "ASYMMETRIC KEY": certificates.DROP,
    "BROKER PRIORITY": broker_priorities.DROP,
    "CERTIFICATE": certificates.DROP,
    "CONTRACT": contracts.DROP,
    "CREDENTIAL": credentials.DROP,
    "DATABASE SCOPED CREDENTIAL": credentials.DROP,
    "ENDPOINT": endpoints.DROP,
    "LOGIN": principals.DROP,
    "MESSAGE TYPE": message_types.DROP,
    "PARTITION FUNCTION": partitions.DROP_FUNCTION,
    "PARTITION SCHEME": partitions.DROP_SCHEME,
    "QUEUE": queues.DROP,
    "REMOTE SERVICE BINDING": remote_service_bindings.DROP,
    "ROLE": principals.DROP,
    "ROUTE": routes.DROP,
    "SCHEMA": schemas.DROP,
    "SEQUENCE": sequences.DROP,
    "SERVER ROLE": principals.DROP,
    "SERVICE": services.DROP,
    "SYMMETRIC KEY": symmetric_keys.DROP,
    "SYNONYM": types.DROP_SYNONYM,
    "TYPE": types.DROP_TYPE,
    "USER": principals.DROP,
    "XML SCHEMA COLLECTION": xml_schema_collections.DROP,
}


@handles(DropObjectStatement)
def compile_drop(node: DropObjectStatement, compiler: Compiler) -> Step:
    if node.kind == "TABLE":
        return tables.drop_tables(node)
    if node.kind == "DATABASE":
        return ddl_step(lambda session, transaction: drop_databases(session, transaction, node))
    if node.kind == "MASTER KEY":
        return ddl_step(lambda session, transaction: drop_master_key(session, transaction, node))
    rule, kind = DROPS.get(node.kind), kind_named(node.kind)
    if rule is None or kind is None:
        raise sql_error(40517, f"DROP {node.kind}")
    return ddl_step(lambda session, transaction: _drop(session, transaction, node, kind, rule))


def _drop(session: Session, transaction: Transaction, node: DropObjectStatement, kind: Kind, rule: Drop) -> Work:
    """Each of the names. What the user may not drop is to him as if it were not there."""
    for name in node.names:
        record = find_named(session, kind, name)
        if record is not None:
            refuse_system_object(record, "DROP", kind.noun, name.span)
        if record is None or not rule.may(session, record):
            if node.if_exists:
                continue
            raise sql_error(rule.missing, "drop", kind.noun, str(name), span=name.span)
        rule.refuse(session, record, name)
        work = rule.effect(session, transaction, record)
        if work is not None:
            yield from work
        transaction.change_catalog(record, None)


WITHOUT_EFFECT = frozenset(
    {
        "ALTER DATABASE SCOPED CONFIGURATION",
        "CHECKPOINT",
    }
)
"""Statements about the storage or the server that change nothing here; listed in docs/differences.md."""


@handles(UnsupportedStatement)
def compile_unsupported(node: UnsupportedStatement, compiler: Compiler) -> Step:
    """Known to SQL Server, named here, not run: error 40517 when it is reached, not before, but for WITHOUT_EFFECT."""

    def run(frame: Any) -> None:
        if node.feature in WITHOUT_EFFECT:
            return
        raise sql_error(40517, node.feature, span=node.span)

    return Step(run)
