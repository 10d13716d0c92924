"""Text of principals, permissions, keys, certificates and signatures."""

from __future__ import annotations

from printing.blocks import bare_name, prints
from printing.broker import owned
from printing.queries import columns
from sbql.grammar.ast import (
    AddSignatureStatement,
    AlterAuthorizationStatement,
    AlterCertificateStatement,
    BackupCertificateStatement,
    CreateAsymmetricKeyStatement,
    CreateCertificateStatement,
    CreateLoginStatement,
    CreateRoleStatement,
    CreateUserStatement,
    CredentialStatement,
    KeyMechanism,
    MasterKeyStatement,
    ObjectName,
    PermissionStatement,
    RoleMemberStatement,
    SymmetricKeyStatement,
)
from sbql.grammar.printer.core import comma, name, quoted, text, words

__all__: list[str] = []

Options = tuple[tuple[str, str], ...]

_FLAGS = ("MUST_CHANGE", "HASHED", "UNLOCK", "OLD_PASSWORD")


def _options(options: Options) -> str:
    return ", ".join(f"{key} = {_value(key, value)}" for key, value in options)


def _value(key: str, value: str) -> str:
    """An option's value: a string, a word, a number, bytes, or a name."""
    if key in ("PASSWORD", "OLD_PASSWORD", "SUBJECT", "START_DATE", "EXPIRY_DATE"):
        return quoted(value)
    is_word = value.upper() in ("ON", "OFF", "NULL", "NONE")
    return value if is_word or value.startswith("0x") or value.isdecimal() else bare_name(value)


def _with(options: Options) -> str | None:
    return f"WITH {_options(options)}" if options else None


# --- principals --------------------------------------------------------------------------------------------


@prints(CreateLoginStatement)
def _login(node: CreateLoginStatement) -> str:
    head = f"{node.verb} LOGIN {name(node.name)}"
    if node.source == "PASSWORD":
        assert node.argument is not None
        flagged = [option for option in node.options if option[0] in _FLAGS]
        flags = " ".join(words(key, f"= {quoted(value)}" if value else None) for key, value in flagged)
        rest = tuple(option for option in node.options if option[0] not in _FLAGS)
        hashed = ("HASHED", "") in node.options
        password = words(node.argument if hashed else quoted(node.argument), flags)
        return f"{head} WITH PASSWORD = {password}" + (f", {_options(rest)}" if rest else "")
    if node.source == "WINDOWS":
        return words(head, "FROM WINDOWS", _with(node.options))
    if node.argument is not None:
        return f"{head} FROM {node.source} {bare_name(node.argument)}"
    return words(head, node.options[0][0] if node.options[0][1] == "" else _with(node.options))


@prints(CreateUserStatement)
def _user(node: CreateUserStatement) -> str:
    source = None
    if node.argument is not None:
        source = f"FOR {node.source} {bare_name(node.argument)}"
    elif node.source:
        source = node.source
    return words(node.verb, "USER", name(node.name), source, _with(node.options))


@prints(CreateRoleStatement)
def _role(node: CreateRoleStatement) -> str:
    return words(node.verb, node.kind, name(node.name), owned(node.owner), _with(node.options))


@prints(RoleMemberStatement)
def _member(node: RoleMemberStatement) -> str:
    kind = "SERVER ROLE" if node.server else "ROLE"
    return f"ALTER {kind} {name(node.role)} {'ADD' if node.add else 'DROP'} MEMBER {name(node.member)}"


# --- permissions -------------------------------------------------------------------------------------------


def _securable(securable_class: str, securable: ObjectName) -> str:
    prefix = "" if securable_class == "OBJECT" else f"{securable_class}::"
    return f"ON {prefix}{text(securable)}"


@prints(PermissionStatement)
def _permission(node: PermissionStatement) -> str:
    revoked = node.verb == "REVOKE"
    securable = _securable(node.securable_class, node.securable) + columns(node.columns) if node.securable else None
    permissions = ", ".join(node.permissions)
    if securable is None and node.columns:
        permissions += columns(node.columns)
    return words(
        node.verb,
        "GRANT OPTION FOR" if revoked and node.grant_option else None,
        permissions,
        securable,
        "FROM" if revoked else "TO",
        comma(node.principals),
        "WITH GRANT OPTION" if node.grant_option and not revoked else None,
        "CASCADE" if node.cascade else None,
        f"AS {name(node.grantor)}" if node.grantor else None,
    )


@prints(AlterAuthorizationStatement)
def _authorization(node: AlterAuthorizationStatement) -> str:
    owner = name(node.owner) if node.owner else "SCHEMA OWNER"
    return f"ALTER AUTHORIZATION {_securable(node.securable_class, node.securable)} TO {owner}"


# --- master key --------------------------------------------------------------------------------------------


@prints(MasterKeyStatement)
def _master_key(node: MasterKeyStatement) -> str:
    password = f"ENCRYPTION BY PASSWORD = {quoted(node.password)}" if node.password is not None else None
    file = f"FILE = {quoted(node.file)}" if node.file is not None else None
    force = "FORCE" if node.force else None
    if node.action == "REGENERATE":
        return words("ALTER MASTER KEY", force, node.action, "WITH", password)
    verb, _, rest = node.action.partition(" ")
    if verb in ("ADD", "DROP"):
        return words("ALTER MASTER KEY", verb, password or f"ENCRYPTION BY {rest}")
    if node.action == "OPEN":
        assert node.password is not None
        return f"OPEN MASTER KEY DECRYPTION BY PASSWORD = {quoted(node.password)}"
    if node.action == "BACKUP":
        return words("BACKUP MASTER KEY TO", file, password)
    if node.action == "RESTORE":
        assert node.decryption_password is not None
        decryption = f"DECRYPTION BY PASSWORD = {quoted(node.decryption_password)}"
        return words("RESTORE MASTER KEY FROM", file, decryption, password, force)
    return words(node.action, "MASTER KEY", password)


@prints(KeyMechanism)
def _mechanism(node: KeyMechanism) -> str:
    return f"PASSWORD = {quoted(node.value)}" if node.kind == "PASSWORD" else f"{node.kind} {bare_name(node.value)}"


@prints(SymmetricKeyStatement)
def _symmetric_key(node: SymmetricKeyStatement) -> str:
    if node.name is None:
        return "CLOSE ALL SYMMETRIC KEYS"
    subject = f"SYMMETRIC KEY {name(node.name)}"
    mechanisms = ", ".join(text(mechanism) for mechanism in node.mechanisms)
    if node.action == "CREATE":
        options = ", ".join(f"{key} = {value if key == 'ALGORITHM' else quoted(value)}" for key, value in node.options)
        return words("CREATE", subject, owned(node.owner), f"WITH {options}", f"ENCRYPTION BY {mechanisms}")
    if node.action == "OPEN":
        password = f"WITH PASSWORD = {quoted(node.password)}" if node.password is not None else None
        return words("OPEN", subject, f"DECRYPTION BY {mechanisms}", password)
    if node.action == "CLOSE":
        return f"CLOSE {subject}"
    return f"ALTER {subject} {node.action} ENCRYPTION BY {mechanisms}"


@prints(CreateAsymmetricKeyStatement)
def _asymmetric_key(node: CreateAsymmetricKeyStatement) -> str:
    password = f"ENCRYPTION BY PASSWORD = {quoted(node.password)}" if node.password is not None else None
    return words(
        "CREATE ASYMMETRIC KEY", name(node.name), owned(node.owner), f"WITH ALGORITHM = {node.algorithm}", password
    )


# --- certificates and signatures ---------------------------------------------------------------------------

_KEY_WORDS = {
    "PRIVATE KEY FILE": "FILE",
    "PRIVATE KEY BINARY": "BINARY",
    "DECRYPTION PASSWORD": "DECRYPTION BY PASSWORD",
    "PRIVATE ENCRYPTION PASSWORD": "ENCRYPTION BY PASSWORD",
    "ALGORITHM": "ALGORITHM",
}


def _private_key(options: Options) -> str | None:
    listed = ", ".join(
        f"{_KEY_WORDS[key]} = {value if key == 'PRIVATE KEY BINARY' else quoted(value)}"
        for key, value in options
        if key != "FORMAT"
    )
    form = "FORMAT = 'PFX', " if ("FORMAT", "PFX") in options else ""
    return f"WITH {form}PRIVATE KEY ({listed})" if listed else None


def _active(active: bool | None) -> str | None:
    return None if active is None else f"ACTIVE FOR BEGIN_DIALOG = {'ON' if active else 'OFF'}"


@prints(CreateCertificateStatement)
def _certificate(node: CreateCertificateStatement) -> str:
    head = words("CREATE CERTIFICATE", name(node.name), owned(node.owner))
    if node.source == "SELF-SIGNED":
        subject = (("SUBJECT", node.argument),) if node.argument is not None else ()
        password = [f"ENCRYPTION BY PASSWORD = {quoted(v)}" for key, v in node.options if key == "ENCRYPTION PASSWORD"]
        rest = tuple(option for option in node.options if option[0] != "ENCRYPTION PASSWORD")
        return words(head, *password, _with((*subject, *rest)), _active(node.active_for_begin_dialog))
    assert node.argument is not None
    source = {
        "ASSEMBLY": f"ASSEMBLY {bare_name(node.argument)}",
        "BINARY": f"BINARY = {node.argument}",
    }.get(node.source, f"{node.source} = {quoted(node.argument)}")
    return words(head, f"FROM {source}", _private_key(node.options), _active(node.active_for_begin_dialog))


@prints(AlterCertificateStatement)
def _alter_certificate(node: AlterCertificateStatement) -> str:
    head = f"ALTER CERTIFICATE {name(node.name)}"
    if node.action == "ACTIVE FOR BEGIN_DIALOG":
        return f"{head} WITH {_active(node.options[0][1] == 'ON')}"
    return words(head, _private_key(node.options) or node.action)


@prints(BackupCertificateStatement)
def _backup_certificate(node: BackupCertificateStatement) -> str:
    return words(f"BACKUP CERTIFICATE {name(node.name)} TO FILE = {quoted(node.file)}", _private_key(node.options))


@prints(AddSignatureStatement)
def _signature(node: AddSignatureStatement) -> str:
    return words(
        node.verb,
        "COUNTER" if node.counter else None,
        "SIGNATURE",
        "TO" if node.verb == "ADD" else "FROM",
        text(node.module),
        "BY",
        node.crypto,
        name(node.key),
        f"WITH PASSWORD = {quoted(node.password)}" if node.password is not None else None,
    )


@prints(CredentialStatement)
def _credential(node: CredentialStatement) -> str:
    secret = f", SECRET = {quoted(node.secret)}" if node.secret is not None else None
    provider = f"FOR CRYPTOGRAPHIC PROVIDER {name(node.provider)}" if node.provider is not None else None
    return words(node.verb, node.kind, name(node.name), f"WITH IDENTITY = {quoted(node.identity)}", secret, provider)
