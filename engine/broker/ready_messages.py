"""The ready messages of a conversation that are in memory: an empty tuple, a tuple of one, or a deque.

Decides which it is. Must not know whose messages they are. Most conversations have none or one at a time, and there may
be many conversations: a deque takes 600 bytes, and Python's collector goes through it for as long as it lives. It has
done with a tuple of one message at its first look.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from sbql.catalog.records import QueuedMessage

__all__ = ["Messages", "all_of", "first_taken", "with_all", "with_first", "with_last", "without"]

Messages = Sequence[QueuedMessage]
"""Whoever has changed them keeps what he gets: it may be the same object or another."""


def all_of(messages: Iterable[QueuedMessage]) -> Messages:
    """These, in their order."""
    found = tuple(messages)
    return found if len(found) < 2 else deque(found)


def with_last(messages: Messages, message: QueuedMessage) -> Messages:
    """One more behind them."""
    if not messages:
        return (message,)
    if isinstance(messages, deque):
        messages.append(message)
        return messages
    return deque((*messages, message))


def with_all(messages: Messages, more: Sequence[QueuedMessage]) -> Messages:
    """More behind them."""
    if isinstance(messages, deque):
        messages.extend(more)
        return messages
    return all_of((*messages, *more))


def with_first(messages: Messages, message: QueuedMessage) -> Messages:
    """One more before them."""
    if not messages:
        return (message,)
    if isinstance(messages, deque):
        messages.appendleft(message)
        return messages
    return deque((message, *messages))


def first_taken(messages: Messages, count: int) -> tuple[list[QueuedMessage], Messages]:
    """The first `count`, and what is left without them."""
    if isinstance(messages, deque) and count < len(messages):
        return [messages.popleft() for _ in range(count)], messages
    return list(messages)[:count], messages[count:] if count < len(messages) else ()


def without(messages: Messages, message: QueuedMessage) -> Messages:
    """All but this one, which is the last as a rule."""
    if not isinstance(messages, deque):
        left = list(messages)
        left.remove(message)
        return tuple(left)
    if messages[-1] is message:
        messages.pop()
    else:
        messages.remove(message)
    return messages or ()
