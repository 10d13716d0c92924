"""Messages on their way: the engine sends what differs from one to the next, and once what they share.

It decides how the columns of RECEIVE * are put together again. It must not know who reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["MessageNames"]


@dataclass(frozen=True, slots=True)
class MessageNames:
    """What the messages of some ranges share. Each pair: what stands in a message, and the texts for it."""

    handles: tuple[pa.Array, pa.Array]
    groups: tuple[pa.Array, pa.Array]
    services: tuple[pa.Array, pa.Array]
    contracts: tuple[pa.Array, pa.Array]

    @classmethod
    def of(cls, answer: dict[str, Any]) -> MessageNames:
        """From the answer of `consumer.names`."""
        firsts = answer["firsts"]
        return cls(
            _pair(pa.int64(), firsts, answer["handles"]),
            _pair(pa.int64(), firsts, answer["groups"]),
            _pair(pa.int32(), *_columns(answer["services"])),
            _pair(pa.int32(), *_columns(answer["contracts"])),
        )

    def column(self, packed: pa.RecordBatch, name: str) -> pa.Array:
        """A column of RECEIVE *, message_enqueue_time, or _seq if it was asked for; RECEIVE shows status 0."""
        match name:
            case "status":
                return pa.repeat(pa.scalar(0, pa.int16()), len(packed))
            case "conversation_group_id":
                return _texts(packed["first_sequence"], self.groups)
            case "conversation_handle":
                return _texts(packed["first_sequence"], self.handles)
            case "service_name":
                return _texts(packed["service_id"], self.services)
            case "service_contract_name":
                return _texts(packed["service_contract_id"], self.contracts)
            case "validation":
                return pc.utf8_rpad(packed["validation"], 2, " ")
        return packed[name]


def _pair(kind: pa.DataType, keys: Sequence[int], texts: Sequence[str]) -> tuple[pa.Array, pa.Array]:
    return pa.array(keys, kind), pa.array(texts, pa.string())


def _columns(pairs: Sequence[Sequence[Any]]) -> tuple[list[int], list[str]]:
    return [key for key, _ in pairs], [text for _, text in pairs]


def _texts(keys: pa.Array, known: tuple[pa.Array, pa.Array]) -> pa.Array:
    """The text for each key; NULL where there is none."""
    return known[1].take(pc.index_in(keys, value_set=known[0]))
