"""The conversations of a group. Most groups have one: that takes no object of its own, for Python's collector goes
through those of all groups in memory.

Decides how they are kept. Must not know what a conversation is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

__all__ = ["GroupMembers"]


class GroupMembers:
    """What `ready_index.Group` has of them."""

    __slots__ = ("_all", "_only")

    def __init__(self) -> None:
        self._only: Any = None
        self._all: dict[Any, None] | None = None
        """All of them, once there have been two."""

    @property
    def members(self) -> Collection[Any]:
        """In the order in which they came."""
        if self._all is not None:
            return self._all
        return () if self._only is None else (self._only,)

    def is_alone(self, conversation: object) -> bool:
        """Whether it is in here, and has been the only one all the time."""
        return self._only is conversation

    def take_in(self, conversation: object) -> None:
        """One more, or one that is in here already."""
        if self._all is not None:
            self._all[conversation] = None
        elif self._only is None or self._only is conversation:
            self._only = conversation
        else:
            self._all, self._only = {self._only: None, conversation: None}, None

    def let_out(self, conversation: object) -> None:
        """It goes, if it is in here."""
        if self._all is not None:
            self._all.pop(conversation, None)
        elif self._only is conversation:
            self._only = None

    def empty(self) -> None:
        """All of them go."""
        self._all = self._only = None
