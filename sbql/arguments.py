"""What a program hands to the driver: texts, and parameters by position or by name.

It decides what is refused, so that a slip of Python (bytes for text, a generator for a list, one value
for a sequence of one) is an error of the driver that names it, before anything runs. It must not know
what the values become; `values` does.
"""

from __future__ import annotations

import datetime as dt
import math
import os
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import lru_cache
from typing import Any

from sbql.engine.instance import Instance
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.exceptions import InterfaceError, ProgrammingError
from sbql.grammar.keywords import GLOBAL_VARIABLES
from sbql.grammar.lexer import Source, scan

__all__ = [
    "WAYS",
    "Parameters",
    "check_connect",
    "check_endpoint",
    "check_server",
    "check_store",
    "check_way",
    "count_of",
    "kind_of",
    "parameters_in",
    "seconds_in",
    "seconds_of",
    "sequence_of",
    "sets_of",
    "text_of",
]

Parameters = Sequence[Any] | Mapping[str, Any]

_BYTES = (bytes, bytearray, memoryview)


def text_of(value: object, what: str = "the statement") -> str:
    """`value`, which is to be text. Raises ProgrammingError."""
    if isinstance(value, str):
        return value
    if isinstance(value, _BYTES):
        raise ProgrammingError(f"{what} is {type(value).__name__}, not text: decode() makes text of it")
    raise ProgrammingError(f"{what} is text, not {kind_of(value)}")


def parameters_in(parameters: object) -> list[Any] | Mapping[str, Any]:
    """The parameters of one execution: a mapping as it is, anything else with an order as a list. Raises
    ProgrammingError."""
    if type(parameters) is list or type(parameters) is tuple:  # what almost everybody gives, before the slow questions
        return [*parameters]
    return _names_of(parameters) if isinstance(parameters, Mapping) else sequence_of(parameters)


def sequence_of(parameters: object) -> list[Any]:
    """Values by position. Raises ProgrammingError for one value, and for what has no order or can be read only once."""
    if isinstance(parameters, str):
        raise ProgrammingError("parameters are a sequence or a mapping, not one string: a sequence of one is [value]")
    if isinstance(parameters, _BYTES):
        raise ProgrammingError("parameters are a sequence or a mapping, not bytes: a sequence of one is [value]")
    if isinstance(parameters, Mapping):
        raise ProgrammingError("the parameters of a procedure stand in order, in a sequence; a mapping has none")
    if isinstance(parameters, Sequence) or getattr(parameters, "ndim", 0) == 1:  # an array of numpy is no Sequence
        values: Any = parameters
        return [*values]
    if isinstance(parameters, Set):
        raise ProgrammingError("parameters are a sequence or a mapping; a set has no order")
    if isinstance(parameters, Iterable):
        raise ProgrammingError(
            f"parameters are a sequence or a mapping, not {kind_of(parameters)}: list(…) makes one of it"
        )
    raise ProgrammingError(
        f"parameters are a sequence or a mapping, not {kind_of(parameters)}: a sequence of one is [value]"
    )


def _names_of(parameters: Mapping[Any, Any]) -> Mapping[str, Any]:
    """Values by name, with @ or without. Raises ProgrammingError for what is no name of a variable, and for one that is
    there twice."""
    seen: dict[str, str] = {}
    for name in parameters:
        if not isinstance(name, str):
            raise ProgrammingError(f"the name of a parameter is text, not {kind_of(name)}")
        plain = name.removeprefix("@")
        if not _is_variable(f"@{plain}"):
            raise ProgrammingError(f"{name!r} is not the name of a variable")
        if seen.setdefault(plain.lower(), name) != name:
            raise ProgrammingError(f"the parameters {seen[plain.lower()]!r} and {name!r} are one variable")
    return parameters


@lru_cache(1024)
def _is_variable(text: str) -> bool:
    tokens = [token for token in scan(Source(text), []) if token.kind != "end"]
    return len(tokens) == 1 and tokens[0].text == text and text.upper() not in GLOBAL_VARIABLES and len(text) > 1


def sets_of(parameters: object) -> Iterable[Parameters]:
    """What `executemany` runs with: any iterable of sequences or mappings. Raises ProgrammingError."""
    if isinstance(parameters, str | Mapping) or isinstance(parameters, _BYTES) or not isinstance(parameters, Iterable):
        raise ProgrammingError(f"executemany takes a sequence of sequences or mappings, not {kind_of(parameters)}")
    return parameters


def count_of(size: object, what: str) -> int:
    """A number of rows to fetch. Raises ProgrammingError."""
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return size
    raise ProgrammingError(f"{what} is a number of rows, not {size!r}")


def seconds_in(time: object) -> float:
    """A span of time. Raises InterfaceError for one that is negative, endless or none."""
    if isinstance(time, dt.timedelta):
        time = time.total_seconds()
    if not isinstance(time, int | float) or isinstance(time, bool) or not math.isfinite(time):
        raise InterfaceError(f"time is a number of seconds or a timedelta, not {time!r}")
    if time < 0:
        raise InterfaceError("time does not go back")
    return float(time)


def seconds_of(moment: object) -> float:
    """A moment as seconds since 1970-01-01 UTC; one without a zone is in UTC. Raises InterfaceError."""
    if not isinstance(moment, dt.datetime):
        raise InterfaceError(f"start is a datetime, not {kind_of(moment)}")
    return (moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)).timestamp()


def check_connect(
    store: object, database: object, login: object, clock: object, seed: object, instance: object
) -> None:
    """What `connect` takes. Raises InterfaceError."""
    if instance is not None:
        if store is not None:
            raise InterfaceError("give either store or instance, not both")
        if not isinstance(instance, Instance | InstanceElsewhere):
            raise InterfaceError(f"instance is the `instance` of another connection, not {kind_of(instance)}")
    check_store(store)
    for name, value in (("database", database), ("login", login)):
        if not isinstance(value, str):
            raise InterfaceError(f"{name} is a name, not {kind_of(value)}")
    if clock not in ("system", "virtual"):
        raise InterfaceError(f"clock is 'system' or 'virtual', not {clock!r}")
    if not isinstance(seed, int):
        raise InterfaceError(f"seed is a whole number, not {seed!r}")


def check_store(store: object) -> None:
    if store is not None and not isinstance(store, str | os.PathLike):
        raise InterfaceError(f"store is the name of a file, or None for memory, not {kind_of(store)}")
    if store in ("", ":memory:"):
        raise InterfaceError("a store in memory has no name: leave it out")
    if isinstance(store, str) and "\0" in store:
        raise InterfaceError("the name of a file has no NUL in it")


def kind_of(value: object) -> str:
    """What a person calls it."""
    if value is None:
        return "None"
    name = type(value).__name__
    return f"an {name}" if name[:1].lower() in "aeiou" else f"a {name}"


WAYS: dict[str, frozenset[str]] = {
    "store": frozenset({"login", "admin", "clock", "seed", "start", "addresses"}),
    "instance": frozenset({"login", "admin"}),
    "endpoint": frozenset({"login", "admin", "token", "certificate"}),
    "server": frozenset({"user", "password", "certificate", "encryption", "trust_server_certificate"}),
}
"""The ways in, and the arguments of `connect` that belong to each; `database` and `autocommit` belong to all. A
store without a name is in memory."""
_CLOCKS = {"seed": "virtual", "start": "virtual", "addresses": "system"}
"""Arguments that mean something under one clock alone."""


def check_way(given: Mapping[str, object]) -> None:
    """`given`: the arguments of `connect` that are not as they are when left out. Raises InterfaceError for
    one that the way in has no use for."""
    way = next((name for name in ("server", "endpoint", "instance") if name in given), "store")
    special = frozenset().union(*WAYS.values())
    for name in given:
        if name in special and name not in WAYS[way]:
            ways = " or ".join(f"{one}=" for one, arguments in WAYS.items() if name in arguments)
            raise InterfaceError(
                f"{name} goes with {ways}; {way}= has no use for it" if way in given else f"{name} goes with {ways}"
            )
    for name, clock in _CLOCKS.items():
        if name in given and given.get("clock", "system") != clock:
            raise InterfaceError(f"{name} means something with clock={clock!r} only")
    if "certificate" in given and str(given.get("endpoint", "grpc+tls:")).startswith("grpc:"):
        raise InterfaceError("certificate goes with grpc+tls://; grpc:// is not encrypted")


def check_server(server: object, user: object, password: object, others: Sequence[object]) -> None:
    """A server that speaks SQL Server's protocol. Raises InterfaceError."""
    if server is None:
        if user is not None or password is not None:
            raise InterfaceError("user and password go with server, 'host,port'")
        return
    if any(other is not None for other in others):
        raise InterfaceError("give either a server, or a store, an instance or an endpoint, not both")
    for name, value in (("server", server), ("user", user), ("password", password)):
        if not isinstance(value, str):
            raise InterfaceError(f"{name} is text, not {kind_of(value)}")


def check_endpoint(endpoint: object, token: object, other: object) -> None:
    """The address of a server. Raises InterfaceError."""
    if endpoint is None and token:
        raise InterfaceError("a token goes with an endpoint; a store that is named has its own in the endpoint file")
    if endpoint is not None and not isinstance(endpoint, str):
        raise InterfaceError(f"endpoint is the address of a server, grpc://host:port, not {kind_of(endpoint)}")
    if endpoint is not None and other is not None:
        raise InterfaceError("give either an endpoint, or a store or instance, not both")
    if not isinstance(token, str):
        raise InterfaceError(f"token is text, not {kind_of(token)}")
