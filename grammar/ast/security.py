"""Principals, permissions, keys and certificates: parsed, stored, shown in catalog views."""

from __future__ import annotations

from sbql.grammar.ast.base import Identifier, Node, ObjectName, Statement, node

__all__ = [
    "AddSignatureStatement",
    "AlterAuthorizationStatement",
    "AlterCertificateStatement",
    "BackupCertificateStatement",
    "CreateCertificateStatement",
    "CreateLoginStatement",
    "CreateRoleStatement",
    "CreateUserStatement",
    "CreateAsymmetricKeyStatement",
    "CredentialStatement",
    "KeyMechanism",
    "MasterKeyStatement",
    "PermissionStatement",
    "RoleMemberStatement",
    "SymmetricKeyStatement",
]


@node
class CreateLoginStatement(Statement):
    """CREATE and ALTER LOGIN (`verb`); `source` is PASSWORD, WINDOWS, CERTIFICATE, ASYMMETRIC KEY, or
    '' for an ALTER LOGIN that changes other things."""

    verb: str
    name: Identifier
    source: str
    argument: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@node
class CreateUserStatement(Statement):
    """CREATE and ALTER USER. `source` is LOGIN, WITHOUT LOGIN, CERTIFICATE, ASYMMETRIC KEY or '' (login of that
    name)."""

    verb: str
    name: Identifier
    source: str = ""
    argument: str | None = None
    options: tuple[tuple[str, str], ...] = ()


@node
class CreateRoleStatement(Statement):
    """CREATE and ALTER ROLE (`verb`). `kind` is ROLE, APPLICATION ROLE (then with `options`, such as PASSWORD) or
    SERVER ROLE; ALTER has NAME among the options."""

    name: Identifier
    owner: Identifier | None = None
    kind: str = "ROLE"
    options: tuple[tuple[str, str], ...] = ()
    verb: str = "CREATE"


@node
class CredentialStatement(Statement):
    """CREATE and ALTER (`verb`) of a `kind`: CREDENTIAL or DATABASE SCOPED CREDENTIAL. `secret` None: not written.
    `provider`: of FOR CRYPTOGRAPHIC PROVIDER."""

    verb: str
    kind: str
    name: Identifier
    identity: str
    secret: str | None = None
    provider: Identifier | None = None


@node
class RoleMemberStatement(Statement):
    """ALTER ROLE r ADD | DROP MEMBER m; `server` for server roles."""

    role: Identifier
    member: Identifier
    add: bool
    server: bool = False


@node
class PermissionStatement(Statement):
    """GRANT, DENY and REVOKE (`verb`). `permissions` are upper-case phrases. `securable_class` is '' when no ON was
    written, OBJECT when no class was written, else the words before '::'."""

    verb: str
    permissions: tuple[str, ...]
    securable_class: str
    securable: ObjectName | None
    principals: tuple[Identifier, ...]
    columns: tuple[Identifier, ...] = ()
    grant_option: bool = False
    cascade: bool = False
    grantor: Identifier | None = None


@node
class AlterAuthorizationStatement(Statement):
    """`owner` None is SCHEMA OWNER."""

    securable_class: str
    securable: ObjectName
    owner: Identifier | None


@node
class MasterKeyStatement(Statement):
    """`action`: CREATE, REGENERATE, ADD SERVICE MASTER KEY, DROP SERVICE MASTER KEY, ADD PASSWORD, DROP PASSWORD, OPEN,
    CLOSE, BACKUP, RESTORE (then with both passwords). `force`: of REGENERATE and RESTORE."""

    action: str
    password: str | None = None
    file: str | None = None
    decryption_password: str | None = None
    force: bool = False


@node
class CreateCertificateStatement(Statement):
    """`source` is SELF-SIGNED (`argument` is the subject), FILE, BINARY, ASSEMBLY or EXECUTABLE FILE. `options` maps
    SUBJECT, START_DATE, EXPIRY_DATE, ENCRYPTION PASSWORD, PRIVATE KEY FILE, PRIVATE KEY BINARY, DECRYPTION PASSWORD,
    PRIVATE ENCRYPTION PASSWORD to values, FORMAT to PFX."""

    name: Identifier
    source: str
    argument: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    active_for_begin_dialog: bool | None = None
    owner: Identifier | None = None


@node
class AlterCertificateStatement(Statement):
    """`action`: REMOVE PRIVATE KEY, WITH PRIVATE KEY, ACTIVE FOR BEGIN_DIALOG."""

    name: Identifier
    action: str
    options: tuple[tuple[str, str], ...] = ()


@node
class BackupCertificateStatement(Statement):
    """`options` maps FORMAT (PFX), PRIVATE KEY FILE, DECRYPTION PASSWORD, PRIVATE
    ENCRYPTION PASSWORD, ALGORITHM to values."""

    name: Identifier
    file: str
    options: tuple[tuple[str, str], ...] = ()


@node
class AddSignatureStatement(Statement):
    """ADD and DROP SIGNATURE (`verb`); `crypto` is like CERTIFICATE or ASYMMETRIC KEY."""

    verb: str
    module: ObjectName
    crypto: str
    key: Identifier
    password: str | None = None
    counter: bool = False


@node
class KeyMechanism(Node):
    """What encrypts a symmetric key: `kind` CERTIFICATE, SYMMETRIC KEY or ASYMMETRIC KEY with its name, or PASSWORD
    with the password."""

    kind: str
    value: str


@node
class SymmetricKeyStatement(Statement):
    """`action`: CREATE (with `options` ALGORITHM, KEY_SOURCE, IDENTITY_VALUE), ADD and DROP (an encryption, ALTER),
    OPEN (with the password of the private key), CLOSE, CLOSE ALL (without a name)."""

    action: str
    name: Identifier | None = None
    mechanisms: tuple[KeyMechanism, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    owner: Identifier | None = None
    password: str | None = None


@node
class CreateAsymmetricKeyStatement(Statement):
    """`algorithm` is RSA_512 to RSA_4096."""

    name: Identifier
    algorithm: str
    password: str | None = None
    owner: Identifier | None = None
