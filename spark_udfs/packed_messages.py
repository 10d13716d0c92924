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

    def unpack(self, packed: pa.RecordBatch) -> pa.Table:
        """The columns of RECEIVE * and message_enqueue_time (and _seq, if it is there); RECEIVE shows status 0."""
        of_range = packed["first_sequence"]
        columns = {
            "status": pa.repeat(pa.scalar(0, pa.int16()), len(packed)),
            "priority": packed["priority"],
            "queuing_order": packed["queuing_order"],
            "conversation_group_id": _texts(of_range, self.groups),
            "conversation_handle": _texts(of_range, self.handles),
            "message_sequence_number": packed["message_sequence_number"],
            "service_name": _texts(packed["service_id"], self.services),
            "service_id": packed["service_id"],
            "service_contract_name": _texts(packed["service_contract_id"], self.contracts),
            "service_contract_id": packed["service_contract_id"],
            "message_type_name": packed["message_type_name"],
            "message_type_id": packed["message_type_id"],
            "validation": pc.utf8_rpad(packed["validation"], 2, " "),
            "message_body": packed["message_body"],
            "message_enqueue_time": packed["message_enqueue_time"],
        }
        if "_seq" in packed.schema.names:
            columns["_seq"] = packed["_seq"]
        return pa.table(columns)


def _pair(kind: pa.DataType, keys: Sequence[int], texts: Sequence[str]) -> tuple[pa.Array, pa.Array]:
    return pa.array(keys, kind), pa.array(texts, pa.string())


def _columns(pairs: Sequence[Sequence[Any]]) -> tuple[list[int], list[str]]:
    return [key for key, _ in pairs], [text for _, text in pairs]


def _texts(keys: pa.Array, known: tuple[pa.Array, pa.Array]) -> pa.Array:
    """The text for each key; NULL where there is none."""
    return known[1].take(pc.index_in(keys, value_set=known[0]))
