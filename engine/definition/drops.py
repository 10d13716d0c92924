"""DROP of everything that is not a broker object or a module: one table from the class word to the function that does
it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.definition import schemas, sequences, tables, types
from sbql.engine.definition.certificates import drop_asymmetric_key, drop_certificate
from sbql.engine.definition.databases import drop_databases
from sbql.engine.definition.ddl import ddl_step
from sbql.engine.definition.master_keys import drop_master_key
from sbql.engine.definition.principals import drop_principal
from sbql.engine.definition.symmetric_keys import drop_symmetric_key
from sbql.engine.definition.xml_schema_collections import drop_xml_schema_collection
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import DropObjectStatement, ObjectName, UnsupportedStatement
from sbql.grammar.errors import sql_error

_OWN: dict[str, Callable[[DropObjectStatement, Compiler], Step]] = {
    "TABLE": tables.drop_tables,
    "TYPE": types.drop_types,
    "SYNONYM": types.drop_synonyms,
    "SEQUENCE": sequences.drop_sequences,
    "SCHEMA": schemas.drop_schemas,
}
"""Classes whose whole statement is compiled elsewhere."""

_PRINCIPALS = ("LOGIN", "USER", "ROLE", "SERVER ROLE", "APPLICATION ROLE")


@handles(DropObjectStatement)
def compile_drop(node: DropObjectStatement, compiler: Compiler) -> Step:
    own = _OWN.get(node.kind)
    if own is not None:
        return own(node, compiler)
    if node.kind == "DATABASE":
        return ddl_step(lambda session, transaction: drop_databases(session, transaction, node))
    if node.kind == "MASTER KEY":
        return ddl_step(lambda session, transaction: _drop_master_key(session, transaction, node))
    if node.kind not in (*_PRINCIPALS, "CERTIFICATE", "SYMMETRIC KEY", "ASYMMETRIC KEY", "XML SCHEMA COLLECTION"):
        raise sql_error(40517, f"DROP {node.kind}")

    def body(session: Session, transaction: Transaction) -> None:
        for name in node.names:
            if not _drop_one(session, transaction, node.kind, name) and not node.if_exists:
                raise sql_error(15151, "drop", node.kind.lower(), str(name), span=name.span)

    return ddl_step(body)


def _drop_one(session: Session, transaction: Transaction, kind: str, name: ObjectName) -> bool:
    if kind in _PRINCIPALS:
        return drop_principal(session, transaction, kind, name)
    if kind == "CERTIFICATE":
        return drop_certificate(session, transaction, name)
    if kind == "SYMMETRIC KEY":
        return drop_symmetric_key(session, transaction, name)
    if kind == "ASYMMETRIC KEY":
        return drop_asymmetric_key(session, transaction, name)
    return drop_xml_schema_collection(session, transaction, name)


def _drop_master_key(session: Session, transaction: Transaction, node: DropObjectStatement) -> None:
    if not drop_master_key(session, transaction):
        raise sql_error(15151, "drop", "master key", session.database_name, span=node.span)


WITHOUT_EFFECT = frozenset(
    {
        "ALTER DATABASE SCOPED CONFIGURATION",
        "CHECKPOINT",
        "CREATE STATISTICS",
        "DROP STATISTICS",
        "RECONFIGURE",
        "UPDATE STATISTICS",
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
