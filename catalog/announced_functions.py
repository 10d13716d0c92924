"""Functions that a store gets when a statement first mentions one of them.

DuckDB loads NumPy for the first Python function, which a process that needs none should not pay for. Decides when they are
registered; what they are, whoever announces them knows.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["AnnouncedFunctions"]


class AnnouncedFunctions:
    """Of one store. The names of the functions begin with a mark that stands in no other text of ours."""

    __slots__ = ("_mark", "_register")

    def __init__(self) -> None:
        self._mark = ""
        self._register: Callable[[], None] | None = None

    def announce(self, mark: str, register: Callable[[], None]) -> None:
        self._mark, self._register = mark, register

    def make_known(self, sql: str) -> None:
        """Register them if a statement, which is new to a session, mentions one."""
        register = self._register
        if register is not None and self._mark in sql:
            register()
            self._register = None
