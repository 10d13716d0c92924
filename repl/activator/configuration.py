"""EAService.config, the configuration of Microsoft's external activator, as values.

It decides which elements there are and what is wrong with a file, by its path in the document. It
must not know what is done with it.
"""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from msgspec import Struct

__all__ = ["Application", "BadConfiguration", "Configuration", "NotificationService", "QueueName", "read_configuration"]

_NAMESPACE = "http://schemas.microsoft.com/sqlserver/2008/10/servicebroker/externalactivator"
_CONNECTION_WORDS = {
    "server": "server", "data source": "server", "address": "server", "addr": "server", "network address": "server", "database": "database",
    "initial catalog": "database", "user id": "user", "uid": "user", "user": "user", "password": "password", "pwd": "password", "encrypt": "encrypt",
    "trustservercertificate": "trusts", "trust server certificate": "trusts", "integrated security": "integrated",
    "trusted_connection": "integrated", "application name": "", "app": "", "connect timeout": "", "connection timeout": "", "timeout": "",
    "pooling": "", "multipleactiveresultsets": "", "persist security info": "",
}  # fmt: skip
"""Words of a connection string -> what they say; '' what has no meaning here."""
_YES = frozenset({"true", "yes", "1", "sspi", "mandatory", "strict"})
_NO = frozenset({"false", "no", "0", "optional", ""})


class BadConfiguration(Exception):
    """Its text says what is wrong, and where."""


class NotificationService(Struct, frozen=True):
    """A service whose queue gets notifications. `is_owner`: Integrated Security; who
    owns the store comes as its owner."""

    name: str
    server: str
    database: str
    user: str = ""
    password: str = ""
    is_owner: bool = False
    encrypts: bool = False
    trusts: bool = False


class QueueName(Struct, frozen=True):
    """A queue that is watched; it is told in any case of its letters."""

    server: str
    database: str
    schema: str
    queue: str

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.server.lower(), self.database.lower(), self.schema.lower(), self.queue.lower()


class Application(Struct, frozen=True):
    """What is started for a queue: `arguments` as they are written. `least` programs
    when there were none, up to `most`."""

    name: str
    queue: QueueName
    program: str
    arguments: str = ""
    folder: str = ""
    least: int = 1
    most: int = 1


class Configuration(Struct, frozen=True):
    """What is enabled. `flags`: the trace flags of the log."""

    services: tuple[NotificationService, ...]
    applications: tuple[Application, ...]
    flags: tuple[str, ...] = ()


def read_configuration(path: str | os.PathLike[str]) -> Configuration:
    """Raises BadConfiguration, OSError."""
    try:
        root = ET.parse(path).getroot()
    except ET.ParseError as error:
        raise BadConfiguration(f"it is no XML: {error}") from None
    if _name(root) != "Activator":
        raise BadConfiguration(f"its root is {_name(root)}, not Activator")
    parts = {
        _name(child): child
        for child in _children(root, "NotificationServiceList", "ApplicationServiceList", "LogSettings")
    }
    services = [_service(one) for one in _list(parts.get("NotificationServiceList"), "NotificationService")]
    applications = [_application(one) for one in _list(parts.get("ApplicationServiceList"), "ApplicationService")]
    if not services:
        raise BadConfiguration("NotificationServiceList has no NotificationService that is enabled")
    if not applications:
        raise BadConfiguration("ApplicationServiceList has no ApplicationService that is enabled")
    seen: dict[tuple[str, str, str, str], str] = {}
    for one in applications:
        if one.queue.key in seen:
            raise BadConfiguration(f"{seen[one.queue.key]} and {one.name} are for the same queue")
        seen[one.queue.key] = one.name
    return Configuration(tuple(services), tuple(applications), tuple(_flags(parts.get("LogSettings"))))


# --- elements ----------------------------------------------------------------------------------------------


def _name(element: ET.Element) -> str:
    return element.tag.removeprefix(f"{{{_NAMESPACE}}}")


def _children(element: ET.Element, *known: str) -> Iterator[ET.Element]:
    for child in element:
        if _name(child) not in known:
            raise BadConfiguration(f"{_name(element)} has no element {_name(child)}; it has {', '.join(known)}")
        yield child


def _list(element: ET.Element | None, name: str) -> Iterator[ET.Element]:
    """Those that are enabled."""
    for child in _children(element, name) if element is not None else ():
        if _flag(child.get("enabled", "true"), f"{name}/@enabled"):
            yield child


def _flag(text: str, where: str) -> bool:
    word = text.strip().lower()
    if word not in _YES and word not in _NO:
        raise BadConfiguration(f"{where} is '{text}', neither true nor false")
    return word in _YES


def _text(element: ET.Element, name: str, where: str, default: str | None = None) -> str:
    found = next((child for child in element if _name(child) == name), None)
    text = ((found.text or "") if found is not None else "").strip()
    if not text and default is None:
        raise BadConfiguration(f"{where} has no {name}")
    return text or (default or "")


def _named(element: ET.Element) -> str:
    name = element.get("name", "").strip()
    if not name:
        raise BadConfiguration(f"a {_name(element)} has no name")
    return name


def _service(element: ET.Element) -> NotificationService:
    name = _named(element)
    where = f"NotificationService {name}"
    found = {_name(child): child for child in _children(element, "Description", "ConnectionString")}
    if "ConnectionString" not in found:
        raise BadConfiguration(f"{where} has no ConnectionString")
    if any(_name(child) == "Encrypted" for child in found["ConnectionString"]):
        raise BadConfiguration(
            f"{where}: only an Unencrypted connection string can be read; Windows has the key of an Encrypted one"
        )
    list(_children(found["ConnectionString"], "Unencrypted"))
    return _connection(name, _text(found["ConnectionString"], "Unencrypted", where), where)


def _connection(name: str, text: str, where: str) -> NotificationService:
    values: dict[str, str] = {}
    for part in filter(str.strip, text.split(";")):
        word, equals, value = part.partition("=")
        meaning = _CONNECTION_WORDS.get(word.strip().lower())
        if meaning is None or not equals:
            raise BadConfiguration(f"{where}: '{part.strip().partition('=')[0]}' is not known in a connection string")
        values[meaning] = value.strip().strip("'\"")
    if not values.get("server"):
        raise BadConfiguration(f"{where}: the connection string names no server")
    is_owner = _flag(values.get("integrated", "false"), f"{where}: Integrated Security")
    if not is_owner and not values.get("user"):
        raise BadConfiguration(
            f"{where}: the connection string has neither User ID and Password nor Integrated Security=true"
        )
    return NotificationService(
        name, values["server"].removeprefix("tcp:"), values.get("database") or "master", values.get("user", ""), values.get("password", ""), is_owner,
        _flag(values.get("encrypt", "false"), f"{where}: Encrypt"), _flag(values.get("trusts", "false"), f"{where}: TrustServerCertificate"),
    )  # fmt: skip


def _application(element: ET.Element) -> Application:
    name = _named(element)
    where = f"ApplicationService {name}"
    found = {
        _name(child): child
        for child in _children(element, "Description", "OnNotification", "LaunchInfo", "Concurrency")
    }
    for part in ("OnNotification", "LaunchInfo"):
        if part not in found:
            raise BadConfiguration(f"{where} has no {part}")
    on, launch = found["OnNotification"], found["LaunchInfo"]
    list(_children(on, "ServerName", "DatabaseName", "SchemaName", "QueueName"))
    list(_children(launch, "ImagePath", "CmdLineArgs", "WorkDir"))
    names = [
        _text(on, part, f"{where}: OnNotification")
        for part in ("ServerName", "DatabaseName", "SchemaName", "QueueName")
    ]
    least, most = _concurrency(found.get("Concurrency"), where)
    return Application(
        name, QueueName(*names), _text(launch, "ImagePath", f"{where}: LaunchInfo"), _text(launch, "CmdLineArgs", where, ""), _text(launch, "WorkDir", where, ""), least, most,
    )  # fmt: skip


def _concurrency(element: ET.Element | None, where: str) -> tuple[int, int]:
    if element is None:
        return 1, 1
    numbers = []
    for word in ("min", "max"):
        text = element.get(word, "1").strip()
        if not text.isdecimal() or not text.isascii():
            raise BadConfiguration(f"{where}: Concurrency/@{word} is '{text}', no number")
        numbers.append(int(text))
    least, most = numbers
    if not least <= most or most < 1:
        raise BadConfiguration(
            f"{where}: Concurrency has min {least} and max {most}; max is 1 at least, and not below min"
        )
    return least, most


def _flags(element: ET.Element | None) -> Iterator[str]:
    for part in _children(element, "LogFilter") if element is not None else ():
        for flag in _children(part, "TraceFlag"):
            yield (flag.text or "").strip()
