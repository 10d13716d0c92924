"""Builders of master keys, symmetric and asymmetric keys."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    CreateAsymmetricKeyStatement,
    Identifier,
    KeyMechanism,
    MasterKeyStatement,
    Span,
    StringLiteral,
    SymmetricKeyStatement,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import merge_options

__all__: list[str] = []

Options = tuple[tuple[str, str], ...]


# --- master key --------------------------------------------------------------------------------------------


@rule("master_key_create")
def _master_key_create(span: Span, password: StringLiteral | None = None) -> MasterKeyStatement:
    return MasterKeyStatement("CREATE", password.value if password else None, span=span)


@rule("master_key_regenerate")
def _master_key_regenerate(span: Span, force: bool | None, password: StringLiteral) -> MasterKeyStatement:
    return MasterKeyStatement("REGENERATE", password.value, force=bool(force), span=span)


@rule("master_key_service")
def _master_key_service(span: Span, add: bool) -> MasterKeyStatement:
    return MasterKeyStatement("ADD SERVICE MASTER KEY" if add else "DROP SERVICE MASTER KEY", span=span)


@rule("master_key_password")
def _master_key_password(span: Span, add: bool, password: StringLiteral) -> MasterKeyStatement:
    return MasterKeyStatement("ADD PASSWORD" if add else "DROP PASSWORD", password.value, span=span)


@rule("master_key_open")
def _master_key_open(span: Span, password: StringLiteral) -> MasterKeyStatement:
    return MasterKeyStatement("OPEN", password.value, span=span)


@rule("master_key_close")
def _master_key_close(span: Span) -> MasterKeyStatement:
    return MasterKeyStatement("CLOSE", span=span)


@rule("master_key_backup")
def _master_key_backup(span: Span, file: StringLiteral, password: StringLiteral) -> MasterKeyStatement:
    return MasterKeyStatement("BACKUP", password.value, file.value, span=span)


@rule("master_key_restore")
def _master_key_restore(
    span: Span, file: StringLiteral, decryption: StringLiteral, encryption: StringLiteral, force: bool | None
) -> MasterKeyStatement:
    return MasterKeyStatement("RESTORE", encryption.value, file.value, decryption.value, bool(force), span=span)


# --- symmetric and asymmetric keys -------------------------------------------------------------------------

Mechanisms = tuple[KeyMechanism, ...]


@rule("symmetric_key_create")
def _symmetric_key_create(
    span: Span, name: Identifier, owner: Identifier | None, options: Options, mechanisms: Mechanisms
) -> SymmetricKeyStatement:
    return SymmetricKeyStatement("CREATE", name, mechanisms, options, owner, span=span)


@rule("symmetric_key_alter")
def _symmetric_key_alter(span: Span, name: Identifier, add: bool, mechanisms: Mechanisms) -> SymmetricKeyStatement:
    return SymmetricKeyStatement("ADD" if add else "DROP", name, mechanisms, span=span)


@rule("symmetric_key_open")
def _symmetric_key_open(
    span: Span, name: Identifier, mechanism: KeyMechanism, password: StringLiteral | None
) -> SymmetricKeyStatement:
    return SymmetricKeyStatement("OPEN", name, (mechanism,), password=password.value if password else None, span=span)


@rule("symmetric_key_close")
def _symmetric_key_close(span: Span, name: Identifier | None = None) -> SymmetricKeyStatement:
    return SymmetricKeyStatement("CLOSE" if name else "CLOSE ALL", name, span=span)


@rule()
def symmetric_options(span: Span, *options: tuple[str, str]) -> Options:
    merge_options(span, options)
    return options


@rule()
def symmetric_option(span: Span, word: Any, equals: Any, value: Identifier | StringLiteral) -> tuple[str, str]:
    return str(word).upper(), value.value


@rule()
def key_mechanisms(span: Span, *mechanisms: KeyMechanism) -> Mechanisms:
    return mechanisms


@rule()
def key_mechanism(span: Span, kind: str, value: Identifier | StringLiteral) -> KeyMechanism:
    return KeyMechanism(kind, value.value, span=span)


@rule()
def create_asymmetric_key(
    span: Span, name: Identifier, owner: Identifier | None, algorithm: Identifier, password: StringLiteral | None = None
) -> CreateAsymmetricKeyStatement:
    return CreateAsymmetricKeyStatement(
        name, algorithm.value.upper(), password.value if password else None, owner, span=span
    )


@rule()
def asymmetric_key_from_file(span: Span, *children: Any) -> UnsupportedStatement:
    return UnsupportedStatement("CREATE ASYMMETRIC KEY FROM FILE", span=span)
