"""What a folder says of its tests in pytest's ini file, so that `sbql test` and pytest set
the application up in the same way.

It decides which files are read. It must not know what setting up is.
"""

from __future__ import annotations

import configparser
import shlex
import tomllib
from pathlib import Path

from sbql.repl.options import UsageError

__all__ = ["setup_in"]

_NAME = "sbql_setup"


def setup_in(folder: Path) -> list[str]:
    """The scripts of `sbql_setup` in `folder`'s pytest.ini, or else its pyproject.toml, as paths. Raises
    UsageError for a file that cannot be read."""
    ini, toml = folder / "pytest.ini", folder / "pyproject.toml"
    try:
        if ini.is_file():
            parser = configparser.ConfigParser(interpolation=None)
            parser.read(ini, encoding="utf-8")
            given: str | list[str] = parser.get("pytest", _NAME, fallback="")
        elif toml.is_file():
            found = tomllib.loads(toml.read_text(encoding="utf-8"))
            given = found.get("tool", {}).get("pytest", {}).get("ini_options", {}).get(_NAME, "")
        else:
            return []
    except (OSError, ValueError, configparser.Error) as error:
        raise UsageError(f"{ini if ini.is_file() else toml} cannot be read: {error}") from None
    names = shlex.split(given) if isinstance(given, str) else given
    return [str(folder / name) for name in names]
