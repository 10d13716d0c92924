"""The drivers of SQL Server that tests may find installed, and how each is asked to connect."""

from __future__ import annotations

import ctypes.util
import glob
import importlib
import platform
from pathlib import Path
from typing import Any

import pytest

__all__ = ["MARKERS", "MODULES", "connect", "module_of", "odbc_driver", "skip_unless_there", "version_of"]

MARKERS = {"pymssql": "%s", "pytds": "%s", "mssql_python": "?", "msodbcsql": "?", "freetds_odbc": "?"}
MODULES = {"msodbcsql": "pyodbc", "freetds_odbc": "pyodbc"}
"""Of those that are no Python modules themselves."""
_PACKAGES = {"pytds": "python-tds", "mssql_python": "mssql-python", "msodbcsql": "mssql-python-odbc"}


def module_of(name: str) -> Any:
    return importlib.import_module(MODULES.get(name, name))


def skip_unless_there(name: str) -> None:
    try:
        module_of(name)
    except ImportError as error:
        pytest.skip(f"{name} is not installed here: {error}")
    if name in ("mssql_python", "msodbcsql") and ctypes.util.find_library("ltdl") is None:
        pytest.skip(f"{name} needs the system's libltdl")
    if name in MODULES:
        odbc_driver(name)


def odbc_driver(name: str) -> str:
    """The file of an ODBC driver. Skips the test when it is not there."""
    if name == "freetds_odbc":
        found = sorted(glob.glob("/usr/lib/*/odbc/libtdsodbc.so"))
        if not found:
            pytest.skip("the ODBC driver of FreeTDS is not installed here (tdsodbc)")
        return found[0]
    try:
        package = importlib.import_module("mssql_python_odbc")
    except ImportError as error:
        pytest.skip(f"the package with Microsoft's ODBC driver is not installed here: {error}")
    machine = {"arm64": "arm64", "aarch64": "arm64"}.get(platform.machine(), "x86_64")
    folder = Path(package.__file__ or "").parent
    files = sorted(folder.glob(f"libs/linux/debian_ubuntu/{machine}/**/libmsodbcsql-*.so*"))
    if not files:
        pytest.skip("Microsoft's ODBC driver is not in its package for this system")
    return str(files[0])


def version_of(name: str) -> str:
    """Of an installed driver, for people."""
    from importlib.metadata import version

    if name == "freetds_odbc":
        return f"pyodbc {version('pyodbc')}, FreeTDS"
    found = version(_PACKAGES.get(name, name))
    return f"pyodbc {version('pyodbc')}, msodbcsql {found}" if name == "msodbcsql" else found


def connect(
    name: str, port: int, *, password: str, database: str = "shop", autocommit: bool = False, encrypted: bool = False
) -> Any:
    driver = module_of(name)
    if name in MODULES:
        driver.native_uuid = True
    if name == "pymssql":
        return driver.connect(
            server="127.0.0.1", port=str(port), user="sa", password=password, database=database, autocommit=autocommit,
            encryption="require" if encrypted else "off",
        )  # fmt: skip
    if name == "pytds":
        return driver.connect(
            "127.0.0.1", port=port, user="sa", password=password, database=database, autocommit=autocommit
        )
    if name == "freetds_odbc":
        encryption = "require" if encrypted else "off"
        text = f"Driver={odbc_driver(name)};Server=127.0.0.1;Port={port};TDS_Version=7.4;ClientCharset=UTF-8;Encryption={encryption};"
    else:
        head = f"Driver={odbc_driver(name)};" if name == "msodbcsql" else ""
        text = f"{head}Server=127.0.0.1,{port};Encrypt={'yes' if encrypted else 'no'};TrustServerCertificate=yes;"
    return driver.connect(f"{text}Database={database};UID=sa;PWD={password}", autocommit=autocommit)
