"""CREATE, ALTER and DROP REMOTE SERVICE BINDING (docs/spec: BINDING). The certificates that they lead
to secure dialogs with other instances (`network.certificate_choice`).

Decides which users a binding can name and who may.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sbql.catalog.records import Principal, RemoteServiceBinding
from sbql.engine.definition.ddl import (
    Drop,
    basics,
    check_record,
    check_right,
    check_service_name,
    ddl_step,
    existing,
    may_control,
    owner_id,
    refuse_existing,
)
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import may
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import AlterRemoteServiceBindingStatement, CreateRemoteServiceBindingStatement
from sbql.grammar.errors import sql_error

__all__ = ["DROP"]


def _user(session: Session, name: str, node: Any) -> int:
    """A plain user that the current user may IMPERSONATE. Raises 15151; 28083 for roles, 28089 for users of
    certificates and keys and for built-in users."""
    user = session.catalog.find(Principal, session.database_id, name)
    if user is None or (user.id != session.user.id and not may(session, "IMPERSONATE", user)):
        raise sql_error(15151, "find", "user", name, span=node.span)
    if user.type in ("R", "A"):
        raise sql_error(28083, name, span=node.span)
    if user.type in ("C", "K") or user.id in (3, 4):
        raise sql_error(28089, name, span=node.span)
    return user.id


@handles(CreateRemoteServiceBindingStatement)
def compile_create_binding(node: CreateRemoteServiceBindingStatement, compiler: Compiler) -> Step:
    """One binding for a remote service (9619)."""

    def body(session: Session, transaction: Transaction) -> None:
        check_right(session, "CREATE REMOTE SERVICE BINDING")
        refuse_existing(session, RemoteServiceBinding, node.name)
        check_service_name(node.service_name, node.span)
        for other in session.catalog.all(RemoteServiceBinding, session.database_id):
            if other.remote_service_name == node.service_name:
                raise sql_error(9619, node.name.value, node.service_name, span=node.span)
        record = RemoteServiceBinding(
            **basics(session, node.name.value), remote_service_name=node.service_name,
            remote_principal_id=_user(session, node.user.value, node), principal_id=owner_id(session, node.owner),
            is_anonymous_on=bool(node.anonymous),
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


@handles(AlterRemoteServiceBindingStatement)
def compile_alter_binding(node: AlterRemoteServiceBindingStatement, compiler: Compiler) -> Step:
    """What is not written stays."""

    def body(session: Session, transaction: Transaction) -> None:
        record = existing(session, RemoteServiceBinding, node.name)
        check_record(session, "ALTER", record, "alter", "remote service binding", node.span)
        fields: dict[str, Any] = {"modify_date": session.instance.host.now()}
        if node.user is not None:
            fields["remote_principal_id"] = _user(session, node.user.value, node)
        if node.anonymous is not None:
            fields["is_anonymous_on"] = node.anonymous
        transaction.change_catalog(record, msgspec.structs.replace(record, **fields))

    return ddl_step(body)


DROP = Drop(may=may_control)
