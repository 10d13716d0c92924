"""The options of the data source: which there are, what they default to, and what a wrong one is told.

Spark hands options over as text, their names in lower case. It must not know what an option does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from sbql.grammar.errors import SqlError
from sbql.grammar.suggestions import did_you_mean

__all__ = ["ConnectionOptions", "ReaderOptions", "SinkOptions", "SourceOptions", "option_error"]

SPARKS_OWN: Final = frozenset({"checkpointlocation", "queryname", "outputmode"})
"""Options of Spark's own readers and writers, which it hands over with ours."""


def option_error(text: str) -> SqlError:
    return SqlError(87, text)


@dataclass(frozen=True, slots=True)
class _Option:
    """`kind`: int, bool, str, or "delay" (a text like '30s' or '2 minutes' as
    seconds). `least`: the smallest number."""

    name: str
    kind: Any = str
    default: Any = None
    least: int = 0
    alias: str = ""


_CONNECTION: Final = (_Option("endpoint"), _Option("database"), _Option("authToken"))

_SOURCE: Final = (
    *_CONNECTION,
    _Option("queue"),
    _Option("consumerId", default="spark"),
    _Option("maxMessagesPerTrigger", int, 10_000, 1, "maxOffsetsPerTrigger"),
    _Option("maxBytesPerTrigger", int, None, 1),
    _Option("minMessagesPerTrigger", int, 0, 0, "minOffsetsPerTrigger"),
    _Option("maxTriggerDelay", "delay", 900.0),
    _Option("pollTimeoutMs", int, 200),
    _Option("numPartitions", int, 1, 1),
    _Option("startingOffsets", default="earliest"),
    _Option("failOnDataLoss", bool, True),
    _Option("where"),
    _Option("includeSystemMessages", bool, True),
    _Option("autoEndConversation", bool, False),
    _Option("includeMetadata", bool, False),
)
_READER: Final = (*_CONNECTION, _Option("queue"), _Option("query"))
_SINK: Final = (
    *_CONNECTION,
    _Option("fromService"),
    _Option("toService"),
    _Option("onContract"),
    _Option("inDatabase", default="master"),
    _Option("encryption", bool, True),
    _Option("lifetime", int, None, 1),
    _Option("messageType"),
    _Option("bodyEncoding", default="utf-16le"),
    _Option("endConversation", bool, False),
    _Option("txnAppId"),
    _Option("txnVersion", int, None),
)
_MEANT: Final = {
    "store": "The file of a store is the option database.",
    "token": "A token is the option authToken.",
    **dict.fromkeys(("url", "server", "host"), "The URL of a server is the option endpoint."),
    **dict.fromkeys(
        ("table", "dbtable"), "Rows of a table are read with the option query, a SELECT (spark.read alone)."
    ),
    **dict.fromkeys(
        ("topic", "subscribe"), "Messages are read with the option queue, and sent with fromService and toService."
    ),
}
"""What is called otherwise here than in Python or in other sources: a sentence for each."""
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def _delay(text: str) -> float:
    """'500ms', '30 seconds', '2m', as Spark writes intervals. Raises ValueError."""
    number = text.strip().rstrip("abcdefghijklmnopqrstuvwxyz ").strip()
    unit = text.strip()[len(number) :].strip() or "s"
    unit = "ms" if unit.startswith(("ms", "milli")) else unit[0]
    if unit not in _UNITS:
        raise ValueError(text)
    return float(number) * _UNITS[unit]


def _value(option: _Option, text: str) -> Any:
    """Raises SqlError 87."""
    wrong = option_error(f"The option {option.name} cannot be '{text}'.")
    if option.kind is bool:
        if text.lower() not in ("true", "false"):
            raise wrong.advise("It is true or false.")
        return text.lower() == "true"
    try:
        value = _delay(text) if option.kind == "delay" else option.kind(text)
    except ValueError:
        raise wrong.advise(
            "It is a time such as '30s' or '2 minutes'." if option.kind == "delay" else "It is a whole number."
        ) from None
    if option.kind is int and value < option.least:
        raise wrong.advise(f"It is {option.least} at least.")
    return value


def _parsed(known: tuple[_Option, ...], given: Mapping[str, str]) -> dict[str, Any]:
    """Every known option by its name in lower case. Raises SqlError 87 for an unknown one,
    which lists those that there are."""
    by_name = {name.lower(): option for option in known for name in (option.name, option.alias) if name}
    found = {option.name.lower(): option.default for option in known}
    for key, text in given.items():
        option = by_name.get(key.lower())
        if option is None:
            if key.lower() in SPARKS_OWN:
                continue
            if key.lower() in ("path", "paths"):
                raise option_error(
                    f"load(…), save(…) and start(…) take no path here ('{text}'): the file of a store is the option database."
                )
            names = [option.name for option in known]
            hint = _MEANT.get(key.lower()) or did_you_mean(key, names)
            raise option_error(
                f"There is no option '{key}' here. {hint} Known are {', '.join(sorted(names))}.".replace("  ", " ")
            )
        found[option.name.lower()] = _value(option, text)
    return found


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """How to reach the owner: the URL of its door with a token, or the store that it serves."""

    endpoint: str | None = None
    database: str | None = None
    token: str = ""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> ConnectionOptions:
        if not found["endpoint"] and not found["database"]:
            raise option_error(
                "Say where the broker is: the option endpoint, the URL of a server (grpc://host:port, with authToken), or the option database, "
                "the file of a store that is served on this machine (sbql serve --store FILE)."
            )
        if "," in (found["endpoint"] or ""):
            raise option_error(
                "One instance is looked at here: endpoint is the URL of one. Streams and sinks take several."
            )
        return cls(found["endpoint"], found["database"], found["authtoken"] or "")

    @classmethod
    def several(cls, found: Mapping[str, Any]) -> tuple[ConnectionOptions, ...]:
        """Of a stream or sink: endpoint may be a list, and authToken one for each of them, or one for all."""
        urls = [url.strip() for url in (found["endpoint"] or "").split(",") if url.strip()]
        if len(urls) < 2:
            return (cls.of(found),)
        tokens = [token.strip() for token in (found["authtoken"] or "").split(",")]
        if len(tokens) not in (1, len(urls)):
            raise option_error(
                f"There are {len(urls)} endpoints and {len(tokens)} tokens: give authToken one for each, or one for all."
            )
        if len(set(urls)) < len(urls):
            raise option_error("An endpoint stands in the list twice.")
        return tuple(
            cls(url, None, token) for url, token in zip(urls, tokens * (len(urls) // len(tokens)), strict=True)
        )


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Of readStream: see docs/spark.md."""

    connections: tuple[ConnectionOptions, ...]
    queue: str
    consumer: str = "spark"
    most_messages: int = 10_000
    most_bytes: int | None = None
    fewest_messages: int = 0
    longest_delay: float = 900.0
    poll_timeout: float = 0.2
    partitions: int = 1
    fail_on_data_loss: bool = True
    with_system_messages: bool = True
    end_conversations: bool = False
    with_metadata: bool = False
    where: str = ""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> SourceOptions:
        """Raises SqlError 87."""
        found = _parsed(_SOURCE, given)
        if not found["queue"]:
            raise option_error(
                "Which queue? Set the option queue to its name: database.schema.queue. To read rows of tables, set query, a SELECT (spark.read alone)."
            )
        if found["startingoffsets"] != "earliest":
            raise option_error(
                "startingOffsets can only be earliest: a queue has no position to jump to, a message is there until somebody takes it."
            )
        connections = ConnectionOptions.several(found)
        if found["where"] and len(connections) > 1:
            raise option_error("A conversation is in one instance: the option where goes with one endpoint.")
        return cls(
            connections, found["queue"], found["consumerid"], found["maxmessagespertrigger"],
            found["maxbytespertrigger"], found["minmessagespertrigger"], found["maxtriggerdelay"], found["polltimeoutms"] / 1000,
            found["numpartitions"], found["failondataloss"], found["includesystemmessages"], found["autoendconversation"],
            found["includemetadata"], found["where"] or "",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """Of read: a queue to look at, or a query."""

    connection: ConnectionOptions
    queue: str | None
    query: str | None

    @classmethod
    def of(cls, given: Mapping[str, str]) -> ReaderOptions:
        """Raises SqlError 87."""
        found = _parsed(_READER, given)
        if bool(found["queue"]) == bool(found["query"]):
            raise option_error(
                "Set one of the options queue (the messages that are in it; they stay) and query (a SELECT)."
            )
        return cls(ConnectionOptions.of(found), found["queue"], found["query"])


@dataclass(frozen=True, slots=True)
class SinkOptions:
    """Of write and writeStream: how dialogs are begun, and what a batch is known by."""

    connections: tuple[ConnectionOptions, ...]
    dialogs: dict[str, Any] = field(default_factory=dict)
    database: str = "master"
    message_type: str | None = None
    body_encoding: str = "utf-16le"
    end_conversations: bool = False
    application: str | None = None
    version: int | None = None

    @classmethod
    def of(cls, given: Mapping[str, str]) -> SinkOptions:
        """Raises SqlError 87."""
        found = _parsed(_SINK, given)
        if bool(found["fromservice"]) != bool(found["toservice"]):
            raise option_error(
                "fromService and toService belong together: dialogs are begun from the one to the other."
            )
        if (found["txnappid"] is None) != (found["txnversion"] is None):
            raise option_error("txnAppId and txnVersion belong together: the pair is what a write is known by.")
        try:
            "".encode(found["bodyencoding"])
        except LookupError:
            raise option_error(f"There is no encoding '{found['bodyencoding']}' (bodyEncoding).") from None
        names = {
            "from": "fromservice",
            "to": "toservice",
            "contract": "oncontract",
            "encryption": "encryption",
            "lifetime": "lifetime",
        }
        dialogs = (
            {name: found[key] for name, key in names.items() if found[key] is not None} if found["toservice"] else {}
        )
        return cls(
            ConnectionOptions.several(found), dialogs, found["indatabase"], found["messagetype"], found["bodyencoding"],
            found["endconversation"], found["txnappid"], found["txnversion"],
        )  # fmt: skip
