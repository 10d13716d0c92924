"""The logs that a stream reads: one in each instance, and the offset that stands for a place in all of them.

Decides what an offset looks like. Of one instance it holds the number (version 1); of several a map from the store's id
to the place in its log (version 2), in the order in which they came: Spark compares offsets as text. The list of
instances may grow: a new one begins where its consumer stands. It may not shrink: what a checkpoint knows has to be
there. It must not know how Spark plans batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sbql.grammar.errors import SqlError
from sbql.spark_udfs.engine_client import Engine, engine_at
from sbql.spark_udfs.options import ConnectionOptions, option_error

__all__ = ["Log", "Logs"]

OFFSET_VERSION: Final = 2
"""The newest that is read here; what only one instance needs is still written as version 1."""

Offset = dict[str, Any]


class Log:
    """The consumer in one instance, whose reader this process becomes when it asks first."""

    def __init__(
        self, connection: ConnectionOptions, queue: str, consumer: str, engine: Engine | None = None, where: str = ""
    ) -> None:
        self.connection, self.queue, self.consumer, self.where = connection, queue, consumer, where
        self._engine = engine
        self._facts: dict[str, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None, "_facts": None}

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = engine_at(self.connection)
        return self._engine

    @property
    def facts(self) -> dict[str, Any]:
        """What the engine says of the consumer: store, log, epoch, queue, consumer, acknowledged."""
        if self._facts is None:
            self._facts = self.engine.call(
                "consumer.open", {"queue": self.queue, "consumer": self.consumer, "where": self.where}
            )
        assert self._facts is not None
        return self._facts

    def ask(self, operation: str, **request: Any) -> Any:
        facts = self.facts
        known = {"log": facts["log"], "epoch": facts["epoch"], "wanted": facts["wanted"]}
        return self.engine.call(f"consumer.{operation}", {**known, **request})


class Logs:
    """Those of all instances, in the order of the option `endpoint`."""

    def __init__(self, logs: Sequence[Log]) -> None:
        self.all = list(logs)

    def __len__(self) -> int:
        return len(self.all)

    def first(self) -> Offset:
        """Where a new checkpoint begins: after the last that is acknowledged."""
        return self.offset([log.facts["acknowledged"] for log in self.all], None)

    def offset(self, places: Sequence[int], before: Offset | None) -> Offset:
        """The one that stands for a number in each log. `before`: the offset that
        came before it, whose order is kept."""
        names = {key: self.all[0].facts[key] for key in ("queue", "consumer")}
        known = {} if before is None else self._entries(before)
        if len(self.all) == 1 and len(known) < 2:
            facts = self.all[0].facts
            return {"version": 1, "store": facts["store"], "log": facts["log"], **names, "seq": places[0]}
        logs = {store: dict(entry) for store, entry in known.items()}
        for log, place in zip(self.all, places, strict=True):
            facts = log.facts
            entry = logs.setdefault(facts["store"], {"log": facts["log"], "from": facts["acknowledged"]})
            entry["seq"] = place
        if len({log.facts["store"] for log in self.all}) < len(self.all):
            raise option_error("Two of the endpoints are the same store. Name each store once.")
        return {"version": 2, **names, "logs": logs}

    def places(self, offset: Offset, later: Offset | None = None) -> list[int]:
        """The number in each log. An instance that the offset does not know begins where `later`, an offset after it,
        says, or where its consumer stands. Raises SqlError 49944 when it belongs to other logs."""
        known = self._entries(offset)
        beginnings = {} if later is None else self._entries(later)
        stores = {log.facts["store"] for log in self.all}
        for store in known:
            if store not in stores:
                raise self._other("store", store, offset, ", ".join(sorted(stores)))
        found = []
        for log in self.all:
            facts = log.facts
            place = known.get(facts["store"])
            if place is None:
                found.append(int(beginnings.get(facts["store"], {}).get("from", facts["acknowledged"])))
                continue
            if place["log"] != facts["log"]:
                raise self._other("log", place["log"], offset, facts["log"])
            found.append(int(place["seq"]))
        return found

    def _entries(self, offset: Offset) -> dict[str, dict[str, Any]]:
        """By store. Raises SqlError 49944 for an offset of a version to come."""
        version = offset.get("version")
        if version == 1:
            return {offset["store"]: {"log": offset["log"], "from": 0, "seq": offset["seq"]}}
        if version != OFFSET_VERSION:
            raise SqlError(
                49944,
                f"The checkpoint has an offset of version {version}; this sbql reads up to version {OFFSET_VERSION}. Use the version that has "
                "written it.",
            )
        entries: dict[str, dict[str, Any]] = offset["logs"]
        return entries

    def _other(self, name: str, wanted: str, offset: Offset, here: str) -> SqlError:
        facts = self.all[0].facts
        text = (
            f"The checkpoint belongs to the {name} {wanted}, queue {offset.get('queue')}, consumer {offset.get('consumer')}; here are "
            f"the {name} {here}, queue {facts['queue']}, consumer {facts['consumer']}. Begin with a new checkpointLocation, or go "
            "back to the store, queue and consumerId of this one."
        )
        if offset["version"] > 1 and name == "store":
            text += " The list of endpoints may grow, but what a checkpoint knows has to stay in it."
        return SqlError(49944, text)
