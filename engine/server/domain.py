"""The domain of this process: the secret that stands for it, and the account that the process runs as.

Decides where the secret is: the file that SBQL_DOMAIN names, else one in the user's configuration folder, which
the first instance makes. Whoever can read it is in the domain, and is believed what account it runs as: all
instances of one user on one machine, and those that the file is copied to. The account is what SBQL_ACCOUNT says,
else the user of the operating system; without a backslash it is one of the domain, which is called as the file
is. Must not know what an account may.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import tempfile
from pathlib import Path
from typing import Final

from sbql.engine.host import Host
from sbql.engine.network.credentials import Domain

__all__ = ["domain_of_process"]

_SHORTEST: Final = 16


def domain_of_process(host: Host) -> Domain:
    """As the environment is now. Nothing is read or made before the secret is asked for."""
    named = os.environ.get("SBQL_DOMAIN")
    path = Path(named) if named else Path.home() / ".config" / "sbql" / "domain.key"
    account = os.environ.get("SBQL_ACCOUNT") or _user()
    if "\\" not in account:
        account = f"{path.stem.upper()}\\{account}"
    return Domain(account, lambda: _secret(path, host))


def _user() -> str:
    """Who runs this: not who the environment says it is, which differs between two shells of one user."""
    try:
        import pwd
    except ImportError:
        return getpass.getuser()
    number = os.getuid()
    with contextlib.suppress(KeyError):  # containers run as numbers that have no name
        return pwd.getpwuid(number).pw_name
    return str(number)


def _secret(path: Path, host: Host) -> bytes:
    """What is in the file, which is made when there is none. Raises OSError, and
    ValueError for one that can be guessed."""
    with contextlib.suppress(FileNotFoundError):
        return _long_enough(path.read_bytes())
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as made:
        made.write(host.random_bytes(32))
    with contextlib.suppress(FileExistsError):  # somebody else was quicker
        os.link(made.name, path)
    os.unlink(made.name)
    return _long_enough(path.read_bytes())


def _long_enough(secret: bytes) -> bytes:
    if len(secret) < _SHORTEST:
        raise ValueError(f"it has {len(secret)} bytes, and needs {_SHORTEST}")
    return secret
