"""Forks: the threads below Arrow Flight do not come along into a child, where every call would wait for them for ever.

It decides that a process may not use Flight when the one that it was forked from has: instead of a hang there is an
error that says what to do. What the parent holds of Flight is never ended in the child, for that would wait, too. It
must not know what is held.
"""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any, Protocol

from sbql.grammar.errors import SqlError

__all__ = ["check", "holds", "used"]

_used_by = 0
"""The process that used Flight first, among this one and those that it was forked from."""


class Holder(Protocol):
    """What has objects of Flight among its attributes."""

    def disown(self) -> None:
        """In the child of a fork: they are the parent's."""
        ...


_holders: weakref.WeakSet[Holder] = weakref.WeakSet()


def used() -> None:
    """This process is about to use Flight. Raises as `check`."""
    global _used_by
    check()
    _used_by = os.getpid()


def check() -> None:
    """Raises SqlError 596 in a child of a process that has used Flight."""
    if _used_by not in (0, os.getpid()):
        raise SqlError(
            596,
            "This process was forked from one that serves a store, or has connected to a server, and its connections do not survive "
            "that. Start processes anew (multiprocessing: 'spawn'), or fork before anything connects.",
            severity=21,
        )


def holds(holder: Holder) -> None:
    """`holder` has objects of Flight, until it is gone."""
    _holders.add(holder)


def _after_fork() -> None:
    """One reference more than there is anybody to drop: the objects stay for ever. What Arrow would do to them when the
    process ends, it does not do in the child: a server's threads are not there to be waited for."""
    held = [value for holder in _holders for value in vars(holder).values()]
    registry: Any = getattr(weakref.finalize, "_registry", ())  # there is no public way to those that others have made
    for finalizer in list(registry):
        found = finalizer.peek()
        if found is not None and any(found[0] is value for value in held):
            finalizer.detach()
    for holder in list(_holders):
        for value in list(vars(holder).values()):
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
        holder.disown()
    _holders.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
