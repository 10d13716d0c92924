"""Keys at rest, and that nobody pays for cryptography who does not use it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sbql.catalog.records import Certificate, MasterKey, SymmetricKey
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.security import cryptography as crypto

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
