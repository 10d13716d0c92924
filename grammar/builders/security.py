"""Builders of principals and permissions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from sbql.grammar.ast import (
    AlterAuthorizationStatement,
    BinaryLiteral,
    CreateLoginStatement,
    CreateRoleStatement,
    CreateUserStatement,
    CredentialStatement,
    Identifier,
    ObjectName,
    PermissionStatement,
    RoleMemberStatement,
    Span,
    StringLiteral,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import merge_options, one_word, text_of
from sbql.grammar.option_forms import WrittenOption, check_options, forms_of
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

Options = tuple[tuple[str, str], ...]


# --- principals --------------------------------------------------------------------------------------------


_LANGUAGE: Final = "DEFAULT_LANGUAGE = name/string/number/NONE"
_DATABASE: Final = "DEFAULT_DATABASE = name"
_POLICY: Final = "CHECK_POLICY/CHECK_EXPIRATION = ON/OFF"
_PRINCIPALS: Final = {
    "CREATE LOGIN": forms_of(f"{_LANGUAGE}\n{_DATABASE}\n{_POLICY}\nSID = binary\nCREDENTIAL = name"),
    "ALTER LOGIN": forms_of(f"{_LANGUAGE}\n{_DATABASE}\n{_POLICY}\nNAME/CREDENTIAL = name"),
    "CREATE LOGIN FROM WINDOWS": forms_of(f"{_LANGUAGE}\n{_DATABASE}"),
    "CREATE USER": forms_of(
        f"""
        {_LANGUAGE}
        DEFAULT_SCHEMA = name/NULL
        PASSWORD = string
        SID = binary
        ALLOW_ENCRYPTED_VALUE_MODIFICATIONS = ON/OFF
        """
    ),
    "ALTER USER": forms_of(
        f"""
        {_LANGUAGE}
        DEFAULT_SCHEMA = name/NULL
        NAME/LOGIN = name
        PASSWORD/OLD_PASSWORD = string
        ALLOW_ENCRYPTED_VALUE_MODIFICATIONS = ON/OFF
        """
    ),
    "CREATE APPLICATION ROLE": forms_of("PASSWORD = string\nDEFAULT_SCHEMA = name"),
    "ALTER APPLICATION ROLE": forms_of("PASSWORD = string\nDEFAULT_SCHEMA/NAME = name"),
    "ALTER ROLE": forms_of("NAME = name"),
}
"""What each statement takes behind WITH, besides the password of a login."""


def _principal_options(options: tuple[WrittenOption, ...] | None, statement: str) -> Options:
    check_options(options or (), _PRINCIPALS[statement])
    return tuple((option.word, text_of(option.parts[-1])) for option in options or ())


@rule("login_windows")
def _login_windows(span: Span, verb: str, name: Identifier, options: Any) -> CreateLoginStatement:
    return CreateLoginStatement(
        verb, name, "WINDOWS", None, _principal_options(options, "CREATE LOGIN FROM WINDOWS"), span=span
    )


@rule("login_certificate")
def _login_certificate(span: Span, verb: str, name: Identifier, certificate: Identifier) -> CreateLoginStatement:
    return CreateLoginStatement(verb, name, "CERTIFICATE", certificate.value, span=span)


@rule("login_asymmetric")
def _login_asymmetric(span: Span, verb: str, name: Identifier, key: Identifier) -> CreateLoginStatement:
    return CreateLoginStatement(verb, name, "ASYMMETRIC KEY", key.value, span=span)


@rule("login_password")
def _login_password(
    span: Span, verb: str, name: Identifier, password: tuple[str, Options], options: Any
) -> CreateLoginStatement:
    found = (*password[1], *_principal_options(options, f"{verb} LOGIN"))
    return CreateLoginStatement(verb, name, "PASSWORD", password[0], found, span=span)


@rule("login_options")
def _login_options(span: Span, verb: str, name: Identifier, options: Any) -> CreateLoginStatement:
    if verb == "CREATE":
        raise incorrect_syntax(options[0].name.value, "Expected PASSWORD.", options[0].name.span)
    return CreateLoginStatement(verb, name, "", None, _principal_options(options, "ALTER LOGIN"), span=span)


@rule("login_enable")
def _login_enable(span: Span, verb: str, name: Identifier, word: tuple[str, ...]) -> CreateLoginStatement:
    return CreateLoginStatement(verb, name, "", None, ((word[0], ""),), span=span)


@rule("password")
def _password(span: Span, text: StringLiteral, *options: tuple[str, str]) -> tuple[str, Options]:
    return text.value, options


@rule("hashed")
def _hashed(span: Span, value: BinaryLiteral) -> tuple[str, Options]:
    return text_of(value), (("HASHED", ""),)


@rule("password_flag")
def _password_flag(span: Span, word: str) -> tuple[str, str]:
    return word, ""


@rule("old_password")
def _old_password(span: Span, text: StringLiteral) -> tuple[str, str]:
    return "OLD_PASSWORD", text.value


@rule("user_plain")
def _user_plain(span: Span, verb: str, name: Identifier, options: Any) -> CreateUserStatement:
    found = _principal_options(options, f"{verb} USER")
    return CreateUserStatement(verb, name, "", None, found, span=span)


@rule("user_login")
def _user_login(span: Span, verb: str, name: Identifier, login: Identifier, options: Any) -> CreateUserStatement:
    found = _principal_options(options, f"{verb} USER")
    return CreateUserStatement(verb, name, "LOGIN", login.value, found, span=span)


@rule("user_without_login")
def _user_without_login(span: Span, verb: str, name: Identifier, options: Any) -> CreateUserStatement:
    found = _principal_options(options, f"{verb} USER")
    return CreateUserStatement(verb, name, "WITHOUT LOGIN", None, found, span=span)


@rule("user_certificate")
def _user_certificate(span: Span, verb: str, name: Identifier, certificate: Identifier) -> CreateUserStatement:
    return CreateUserStatement(verb, name, "CERTIFICATE", certificate.value, span=span)


@rule("user_asymmetric")
def _user_asymmetric(span: Span, verb: str, name: Identifier, key: Identifier) -> CreateUserStatement:
    return CreateUserStatement(verb, name, "ASYMMETRIC KEY", key.value, span=span)


@rule("create_role")
def _create_role(span: Span, kind: str, name: Identifier, owner: Identifier | None) -> CreateRoleStatement:
    return CreateRoleStatement(name, owner, kind, span=span)


@rule("create_application_role")
def _create_application_role(span: Span, name: Identifier, options: Any) -> CreateRoleStatement:
    found = _principal_options(options, "CREATE APPLICATION ROLE")
    return CreateRoleStatement(name, None, "APPLICATION ROLE", found, span=span)


@rule("alter_role")
def _alter_role(span: Span, kind: str, name: Identifier, options: Any) -> CreateRoleStatement:
    return CreateRoleStatement(name, None, kind, _principal_options(options, "ALTER ROLE"), "ALTER", span=span)


@rule("alter_application_role")
def _alter_application_role(span: Span, name: Identifier, options: Any) -> CreateRoleStatement:
    found = _principal_options(options, "ALTER APPLICATION ROLE")
    return CreateRoleStatement(name, None, "APPLICATION ROLE", found, "ALTER", span=span)


@rule("role_member")
def _role_member(span: Span, kind: str, role: Identifier, add: bool, member: Identifier) -> RoleMemberStatement:
    return RoleMemberStatement(role, member, add, kind == "SERVER ROLE", span=span)


# --- permissions -------------------------------------------------------------------------------------------


@rule("permission_item")
def _permission_item(span: Span, *children: Any) -> tuple[str, tuple[Identifier, ...]]:
    *words, columns = children
    return one_word(tuple(words)), columns or ()


@rule("permission_target")
def _permission_target(
    span: Span, securable: tuple[str, ObjectName], columns: tuple[Identifier, ...] | None
) -> tuple[str, ObjectName, tuple[Identifier, ...]]:
    return (*securable, columns or ())


@rule("external_provider")
def _external_provider(span: Span, *children: Any) -> UnsupportedStatement:
    return UnsupportedStatement("FROM EXTERNAL PROVIDER", span=span)


@rule("credential")
def _credential(
    span: Span,
    verb: str,
    name: Identifier,
    identity: StringLiteral,
    secret: StringLiteral | None,
    provider: Identifier | None,
) -> CredentialStatement:
    written = secret.value if secret is not None else None
    return CredentialStatement(verb, "CREDENTIAL", name, identity.value, written, provider, span=span)


@rule("scoped_credential")
def _scoped_credential(
    span: Span, verb: str, name: Identifier, identity: StringLiteral, secret: StringLiteral | None
) -> CredentialStatement:
    found = _credential(span, verb, name, identity, secret, None)
    return replace(found, kind="DATABASE SCOPED CREDENTIAL")


@rule("login_credential")
def _login_credential(span: Span, *children: Any) -> UnsupportedStatement:
    return UnsupportedStatement("credentials", span=span)


@rule("securable_plain")
def _securable_plain(span: Span, name: ObjectName) -> tuple[str, ObjectName]:
    return "OBJECT", name


@rule("securable_of_class")
def _securable_of_class(span: Span, words: str, name: ObjectName) -> tuple[str, ObjectName]:
    return words, name


@rule("principal_public")
def _principal_public(span: Span) -> Identifier:
    return Identifier("public", span=span)


@rule("with_grant_option")
def _with_grant_option(span: Span) -> tuple[str, Any]:
    return "grant_option", True


@rule("cascade")
def _cascade(span: Span) -> tuple[str, Any]:
    return "cascade", True


@rule("grantor")
def _grantor(span: Span, name: Identifier) -> tuple[str, Any]:
    return "grantor", name


@rule("permission")
def _permission(
    span: Span,
    verb: str,
    items: tuple[Any, ...],
    target: Any,
    principals: tuple[Identifier, ...],
    *options: tuple[str, Any],
) -> PermissionStatement:
    return _permission_statement(span, verb, items, target, principals, merge_options(span, options))


@rule("revoke")
def _revoke(
    span: Span,
    grant_option: bool | None,
    items: tuple[Any, ...],
    target: Any,
    principals: tuple[Identifier, ...],
    *options: tuple[str, Any],
) -> PermissionStatement:
    fields = merge_options(span, options)
    if grant_option:
        fields["grant_option"] = True
    return _permission_statement(span, "REVOKE", items, target, principals, fields)


def _permission_statement(
    span: Span,
    verb: str,
    items: tuple[Any, ...],
    target: Any,
    principals: tuple[Identifier, ...],
    fields: dict[str, Any],
) -> PermissionStatement:
    """Columns may be written behind the permission or behind the object: they mean the same."""
    securable_class, securable, columns = target or ("", None, ())
    for _, named in items:
        columns += tuple(column for column in named if column not in columns)
    words = tuple("ALL" if phrase == "ALL PRIVILEGES" else phrase for phrase, _ in items)
    return PermissionStatement(verb, words, securable_class, securable, principals, columns, **fields, span=span)


@rule("alter_authorization")
def _alter_authorization(
    span: Span, securable: tuple[str, ObjectName], owner: Identifier | None
) -> AlterAuthorizationStatement:
    return AlterAuthorizationStatement(*securable, owner, span=span)
