"""Keys at rest, and that nobody pays for cryptography who does not use it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sbql.catalog.records import Certificate, MasterKey, SymmetricKey
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.security import cryptography as crypto, keys
from sbql.engine.session import Session

SETUP = """
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'p';
CREATE CERTIFICATE C WITH SUBJECT = 's'; CREATE CERTIFICATE D ENCRYPTION BY PASSWORD = 'q' WITH SUBJECT = 't';
CREATE SYMMETRIC KEY K WITH ALGORITHM = AES_256 ENCRYPTION BY CERTIFICATE C, PASSWORD = 'k';
OPEN SYMMETRIC KEY K DECRYPTION BY CERTIFICATE C;
"""


@pytest.mark.spec("KEY-12")
def test_keys_are_stored_encrypted() -> None:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    assert not [o for o in session.run(SETUP) if isinstance(o, ErrorOutcome)]
    for certificate in instance.catalog.all(Certificate, 1):
        assert certificate.private_key is not None
        with pytest.raises(crypto.CryptoError):
            crypto.load_private_key(certificate.private_key, None)
    [key] = instance.catalog.all(SymmetricKey, 1)
    opened = session.open_keys[1, key.id]
    assert len(opened) == 32
    assert not [e for e in key.encryptions if opened in e.value]
    [master] = instance.catalog.all(MasterKey, 1)
    secret = crypto.unwrap_by_password("p", master.by_passwords[0])
    assert secret is not None
    assert secret not in master.by_server
    instance.close()


def test_a_master_key_opens_after_a_restart(tmp_path: object) -> None:
    path = f"{tmp_path}/keys.sbql"
    first = Instance.open(path, clock="virtual")
    first.connect().run(
        SETUP + "CREATE TABLE Kept (c varbinary(8000)); INSERT Kept SELECT ENCRYPTBYCERT(CERT_ID('C'), 'kept');"
    )
    first.close()
    second = Instance.open(path, clock="virtual")
    rows = second.connect().run("SELECT CAST(DECRYPTBYCERT(CERT_ID('C'), c) AS varchar(10)) FROM Kept")[0].rows  # type: ignore[union-attr]
    second.close()
    assert rows == [("kept",)]


def test_start_up_does_not_import_the_library() -> None:
    code = (
        "import sys; from sbql.engine.instance import Instance; s = Instance.open().connect();"
        "s.run('CREATE TABLE t (a int); SELECT * FROM t; SELECT UPPER(name) FROM sys.certificates');"
        "sys.exit('cryptography' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("statement", ["ALTER MASTER KEY FORCE REGENERATE WITH ENCRYPTION BY PASSWORD = 'q'", "RESTORE MASTER KEY FROM FILE = '{}' DECRYPTION BY PASSWORD = 'p' ENCRYPTION BY PASSWORD = 'q' FORCE"])  # fmt: skip
def test_force_loses_keys_that_cannot_be_decrypted_and_no_others(
    statement: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else goes wrong while the old key is opened is told, and nothing is lost."""
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    file = tmp_path / "key"
    assert not [o for o in session.run(SETUP) if isinstance(o, ErrorOutcome)]
    session.run(f"BACKUP MASTER KEY TO FILE = '{file}' ENCRYPTION BY PASSWORD = 'p'")

    def broken(session: Session) -> bytes:
        raise LookupError("a bug")

    with monkeypatch.context() as patched:
        patched.setattr(keys, "service_key", broken)
        errors = [o.error.number for o in session.run(statement.format(file)) if isinstance(o, ErrorOutcome)]
    assert errors == [3624]
    assert {c.pvt_key_encryption_type for c in instance.catalog.all(Certificate, 1)} == {"MK", "PW"}
    session.run("ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY")
    assert [o.error.number for o in session.run(statement.replace("FORCE", "").format(file)) if isinstance(o, ErrorOutcome)] == [15581]  # fmt: skip
    assert not [o for o in session.run(statement.format(file)) if isinstance(o, ErrorOutcome)]
    assert {c.pvt_key_encryption_type for c in instance.catalog.all(Certificate, 1)} == {"NA", "PW"}
    instance.close()
