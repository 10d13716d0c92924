"""Every statement that sets a password takes 128 characters and refuses more (15117); one that only
tries a password finds it wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

SETTING = {
    "login": "CREATE LOGIN L1 WITH PASSWORD = '{0}'",
    "login changed": "ALTER LOGIN Known WITH PASSWORD = '{0}'",
    "master key": "CREATE DATABASE Other; USE Other; CREATE MASTER KEY ENCRYPTION BY PASSWORD = '{0}'",
    "master key again": "ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = '{0}'",
    "master key, another password": "ALTER MASTER KEY ADD ENCRYPTION BY PASSWORD = '{0}'",
    "master key in a file": "BACKUP MASTER KEY TO FILE = '{1}/m.key' ENCRYPTION BY PASSWORD = '{0}'",
    "certificate": "CREATE CERTIFICATE C1 ENCRYPTION BY PASSWORD = '{0}' WITH SUBJECT = 'x'",
    "certificate's key": "ALTER CERTIFICATE Changed WITH PRIVATE KEY (ENCRYPTION BY PASSWORD = '{0}')",
    "certificate's key in a file": "BACKUP CERTIFICATE Known TO FILE = '{1}/k.cer' WITH PRIVATE KEY (FILE = '{1}/k.pvk', ENCRYPTION BY PASSWORD = '{0}')",
    "certificate in a PFX file": "BACKUP CERTIFICATE Known TO FILE = '{1}/k.pfx' WITH FORMAT = 'PFX', PRIVATE KEY (ENCRYPTION BY PASSWORD = '{0}')",
    "asymmetric key": "CREATE ASYMMETRIC KEY A1 WITH ALGORITHM = RSA_2048 ENCRYPTION BY PASSWORD = '{0}'",
    "symmetric key": "CREATE SYMMETRIC KEY S1 WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = '{0}'",
}
TRYING = {
    "master key": "OPEN MASTER KEY DECRYPTION BY PASSWORD = '{0}'",
    "symmetric key": "OPEN SYMMETRIC KEY Known DECRYPTION BY PASSWORD = '{0}'",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None, clock="virtual", seed=0)
    opened = instance.connect()
    for batch in (
        "CREATE DATABASE Shop",
        "USE Shop; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'a Password 1'; CREATE CERTIFICATE Known WITH SUBJECT = 'x'; CREATE CERTIFICATE Changed WITH SUBJECT = 'x'",
        "CREATE LOGIN Known WITH PASSWORD = 'a Password 1'; CREATE SYMMETRIC KEY Known WITH ALGORITHM = AES_256 ENCRYPTION BY PASSWORD = 'a Password 1'",
    ):
        assert errors(opened, batch) == []
    yield opened
    instance.close()


def errors(session: Session, text: str) -> list[int]:
    return [outcome.error.number for outcome in session.run(text) if isinstance(outcome, ErrorOutcome)]


@pytest.mark.parametrize("what", SETTING)
def test_a_password_that_is_set(session: Session, tmp_path: Path, what: str) -> None:
    for length in (129, 1024, 5000):
        text = SETTING[what].format("x" * length, tmp_path)
        assert errors(
            session,
            f"USE Shop; BEGIN TRY EXEC (N'{text.replace(chr(39), chr(39) * 2)}') END TRY BEGIN CATCH THROW END CATCH",
        ) == [15117]
        session.run("USE master; DROP DATABASE IF EXISTS Other")
    assert errors(session, f"USE Shop; {SETTING[what].format('x' * 128, tmp_path)}") == []


@pytest.mark.parametrize("what", TRYING)
def test_a_password_that_is_tried(session: Session, what: str) -> None:
    short, long = (errors(session, f"USE Shop; {TRYING[what].format('x' * length)}") for length in (20, 5000))
    assert short == long != []
