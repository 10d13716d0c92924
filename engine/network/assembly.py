"""Assembly: fragments become messages again, and what is damaged is found (docs/spec: NETWORK).

Decides what is complete, what is kept of messages that are not, and how much of that: it is in memory only, and whoever
sent it sends it again. Must not know what a message says, nor whether it is expected.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from sbql.engine.network.frames import Fragment, Held, Malformed, integrity

__all__ = ["STALE", "Assembly", "dialog_key"]

MOST_BYTES: Final = 256 << 20
"""Of all incomplete messages together; one message is always allowed, else none of 2 GB would ever arrive."""
STALE: Final = 600.0
"""Seconds after which fragments without any news are given up."""
MOST_SPANS: Final = 64

Key = tuple[UUID, bool]


def dialog_key(fragment: Fragment) -> Key:
    """Which side of which dialog sent it."""
    return fragment.envelope.conversation_id, fragment.envelope.from_initiator


class _Partial:
    __slots__ = ("first", "parts", "size", "touched")

    def __init__(self, first: Fragment, now: float) -> None:
        self.first = first
        self.parts: dict[int, bytes] = {}
        self.size = 0
        self.touched = now


class Assembly:
    """The incomplete messages of an instance."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._partials: dict[Key, dict[int, _Partial]] = {}
        self.bytes_held = 0

    def add(self, fragment: Fragment, now: float) -> bytes | None:
        """The body, when the message is complete now; None when it is not, or there is no room for the fragment. Raises
        Malformed for a message that is not what its sender has sent: it is forgotten, and not to be acknowledged."""
        if fragment.count == 1:
            return self._checked(fragment, fragment.body)
        key, size = dialog_key(fragment), len(fragment.body)
        partial = self._partials.get(key, {}).get(fragment.sequence)
        if partial is not None and not _is_same(partial.first, fragment):
            self._drop(key, fragment.sequence)
            raise Malformed(f"fragments of different messages with the number {fragment.sequence}")
        if partial is None or fragment.number not in partial.parts:
            others = self.bytes_held - (partial.size if partial is not None else 0)
            if others and self.bytes_held + size > self._most_bytes:
                return None
            if partial is None:
                partial = self._partials.setdefault(key, {})[fragment.sequence] = _Partial(fragment, now)
            partial.parts[fragment.number] = fragment.body
            partial.size += size
            self.bytes_held += size
        partial.touched = now
        if len(partial.parts) < fragment.count:
            return None
        body = b"".join(partial.parts[number] for number in range(fragment.count))
        self._drop(key, fragment.sequence)
        return self._checked(fragment, body)

    @staticmethod
    def _checked(fragment: Fragment, body: bytes) -> bytes:
        found = integrity(
            fragment.envelope, fragment.sequence, fragment.kind, fragment.message_type, fragment.contract,
            fragment.message_id, body,
        )  # fmt: skip
        if found != fragment.check:
            raise Malformed(f"message {fragment.sequence} fails the integrity check")
        return body

    @property
    def fragments_held(self) -> int:
        return sum(len(partial.parts) for found in list(self._partials.values()) for partial in list(found.values()))

    def held(self, key: Key) -> tuple[Held, ...]:
        """What is here of the incomplete messages of one side of a dialog."""
        found: list[Held] = []
        for sequence, partial in sorted(self._partials.get(key, {}).items()):
            for first, last in _spans(sorted(partial.parts)):
                found.append((sequence, first, last))
                if len(found) == MOST_SPANS:
                    return tuple(found)
        return tuple(found)

    def forget(self, key: Key) -> None:
        """A dialog is over."""
        for sequence in list(self._partials.get(key, {})):
            self._drop(key, sequence)

    def forget_stale(self, now: float) -> None:
        """Give up what has had no news for a long time."""
        for key, messages in list(self._partials.items()):
            for sequence, partial in list(messages.items()):
                if partial.touched <= now - STALE:
                    self._drop(key, sequence)

    def _drop(self, key: Key, sequence: int) -> None:
        messages = self._partials[key]
        self.bytes_held -= messages.pop(sequence).size
        if not messages:
            del self._partials[key]


def _is_same(one: Fragment, other: Fragment) -> bool:
    return one.check == other.check and one.size == other.size and one.message_id == other.message_id


def _spans(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """1 2 3 7 8 as (1, 3) (7, 8)."""
    first = last = numbers[0] if numbers else 0
    for number in numbers[1:]:
        if number != last + 1:
            yield first, last
            first = number
        last = number
    if numbers:
        yield first, last
