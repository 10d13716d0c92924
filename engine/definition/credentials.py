"""CREATE, ALTER and DROP of CREDENTIAL and DATABASE SCOPED CREDENTIAL.

Kept are name and identity, for the views. Nothing here goes where a credential would be shown, so the secret is thrown
away: what is not there cannot be read.
"""

from __future__ import annotations

import msgspec

from sbql.catalog.records import CatalogRecord, Credential, DatabaseScopedCredential
from sbql.engine.definition.ddl import Drop, basics, ddl_step, refuse_existing
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import CredentialStatement
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]


@handles(CredentialStatement)
def compile_credential(node: CredentialStatement, compiler: Compiler) -> Step:
    """Raises 15530, 15151, 15247, and 40517 for FOR CRYPTOGRAPHIC PROVIDER."""
    is_server = node.kind == "CREDENTIAL"
    record = Credential if is_server else DatabaseScopedCredential

    def body(session: Session, transaction: Transaction) -> None:
        home = 0 if is_server else session.database_id
        if not _may_define(session, is_server):
            if node.verb != "CREATE":
                raise sql_error(15151, "alter", "credential", node.name.value, span=node.name.span)
            raise sql_error(15247)
        if node.provider is not None:
            raise sql_error(40517, "FOR CRYPTOGRAPHIC PROVIDER", span=node.span)
        now = session.instance.host.now()
        if node.verb == "CREATE":
            refuse_existing(session, record, node.name, home)
            made = record(**basics(session, node.name.value, home), identity=node.identity)
            transaction.change_catalog(None, made)
            return
        old = session.catalog.find(record, home, node.name.value)
        if old is None:
            raise sql_error(15151, "alter", "credential", node.name.value, span=node.name.span)
        transaction.change_catalog(old, msgspec.structs.replace(old, identity=node.identity, modify_date=now))

    return ddl_step(body)


def _may_define(session: Session, is_server: bool) -> bool:
    return has_right(session, "ALTER ANY CREDENTIAL", "SERVER") if is_server else has_right(session, "CONTROL")


DROP = Drop(may=lambda session, record: _may_define(session, _is_of_server(record)))


def _is_of_server(record: CatalogRecord) -> bool:
    return record.database_id == 0
