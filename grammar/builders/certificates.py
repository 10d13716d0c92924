"""Builders of certificates and signatures of modules."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AddSignatureStatement,
    AlterCertificateStatement,
    BackupCertificateStatement,
    BinaryLiteral,
    CreateCertificateStatement,
    Identifier,
    ObjectName,
    Span,
    StringLiteral,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import merge_options, released, text_of
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

Options = tuple[tuple[str, str], ...]


@rule("create_certificate")
def _create_certificate(
    span: Span, name: Identifier, owner: Identifier | None, source: tuple[str, str | None, Options], active: bool | None
) -> CreateCertificateStatement:
    return CreateCertificateStatement(name, *source, active, owner, span=span)


@rule("certificate_file")
def _certificate_file(span: Span, file: StringLiteral, key: Options | None) -> tuple[str, str | None, Options]:
    return "FILE", file.value, key or ()


@rule("certificate_executable")
def _certificate_executable(span: Span, file: StringLiteral, key: Options | None) -> tuple[str, str | None, Options]:
    return "EXECUTABLE FILE", file.value, key or ()


@rule("certificate_binary")
def _certificate_binary(span: Span, value: BinaryLiteral, key: Options | None) -> tuple[str, str | None, Options]:
    return "BINARY", text_of(value), key or ()


@rule("certificate_assembly")
def _certificate_assembly(span: Span, name: Identifier, key: Options | None) -> tuple[str, str | None, Options]:
    return "ASSEMBLY", name.value, key or ()


@rule("certificate_self_signed")
def _certificate_self_signed(span: Span, *children: Any) -> tuple[str, str | None, Options]:
    options = tuple(
        ("ENCRYPTION PASSWORD", child.value) if isinstance(child, StringLiteral) else child
        for child in children
        if child is not None
    )
    subject = merge_options(span, options).get("SUBJECT")
    return "SELF-SIGNED", subject, tuple(option for option in options if option[0] != "SUBJECT")


def _text_option(alias: str, key: str) -> None:
    """A rule whose only child is the text of the option `key`."""

    def build(span: Span, value: StringLiteral | BinaryLiteral) -> tuple[str, str]:
        return key, text_of(value)

    rule(alias)(build)


for _alias, _key in {
    "subject": "SUBJECT",
    "start_date": "START_DATE",
    "expiry_date": "EXPIRY_DATE",
    "key_file": "PRIVATE KEY FILE",
    "key_binary": "PRIVATE KEY BINARY",
    "key_decryption": "DECRYPTION PASSWORD",
    "key_encryption": "PRIVATE ENCRYPTION PASSWORD",
    "key_algorithm": "ALGORITHM",
}.items():
    _text_option(_alias, _key)


@rule()
def with_private_key(span: Span, *options: tuple[str, str]) -> Options:
    merge_options(span, options)
    return options


@rule()
def with_format(span: Span, form: StringLiteral, *options: tuple[str, str]) -> Options:
    """PFX is the only format there is."""
    if form.value.upper() != "PFX":
        raise incorrect_syntax(form.value, "The only format is 'PFX'.", form.span)
    merge_options(span, options)
    return (("FORMAT", "PFX"), *options)


@rule()
def released_private_key(span: Span, *children: Any) -> None:
    raise released(
        span,
        "PRIVATE_KEY",
        "Write WITH PRIVATE KEY (FILE = 'path', DECRYPTION BY PASSWORD = 'p', ENCRYPTION BY PASSWORD = 'p').",
    )


@rule()
def released_key_password(span: Span, *children: Any) -> None:
    raise released(span, "DECRYPTION_PASSWORD", "Write DECRYPTION BY PASSWORD = 'p' or ENCRYPTION BY PASSWORD = 'p'.")


@rule("certificate_remove_key")
def _certificate_remove_key(span: Span, name: Identifier) -> AlterCertificateStatement:
    return AlterCertificateStatement(name, "REMOVE PRIVATE KEY", span=span)


@rule("certificate_with_key")
def _certificate_with_key(span: Span, name: Identifier, key: Options) -> AlterCertificateStatement:
    return AlterCertificateStatement(name, "WITH PRIVATE KEY", key, span=span)


@rule("certificate_active")
def _certificate_active(span: Span, name: Identifier, active: bool) -> AlterCertificateStatement:
    options = (("ACTIVE FOR BEGIN_DIALOG", "ON" if active else "OFF"),)
    return AlterCertificateStatement(name, "ACTIVE FOR BEGIN_DIALOG", options, span=span)


@rule("backup_certificate")
def _backup_certificate(
    span: Span, name: Identifier, file: StringLiteral, key: Options | None
) -> BackupCertificateStatement:
    return BackupCertificateStatement(name, file.value, key or (), span=span)


@rule("add_signature")
def _add_signature(
    span: Span, verb: str, counter: bool | None, module: ObjectName, key: tuple[str, Identifier, str | None]
) -> AddSignatureStatement:
    crypto, name, password = key
    return AddSignatureStatement(verb, module, crypto, name, password, bool(counter), span=span)


@rule("signing_key")
def _signing_key(
    span: Span, crypto: str, name: Identifier, password: StringLiteral | None
) -> tuple[str, Identifier, str | None]:
    return crypto, name, password.value if password else None
