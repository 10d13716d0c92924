"""An instance that was set up once, and any number of instances that begin as it stood.

It decides what at rest means: no open transaction and no task of activation, for neither can be in two instances. What
a restart loses and a copy must not is carried over: the clock, chance, counters of tables and sequences, messages of
sp_addmessage, sp_configure. So a test on a copy sees what it would have seen behind the set-up itself. It must not know
how the set-up was done.
"""

from __future__ import annotations

import os
from copy import copy
from typing import Any

from sbql.catalog.store_image import StoreImage
from sbql.engine.describe.sequence_values import copied_states, sequence_states
from sbql.engine.host import VirtualHost
from sbql.engine.instance import Instance
from sbql.engine.patience import NotAtRest
from sbql.engine.system.configuration import tell_store

__all__ = ["PreparedInstance"]


def unrest(instance: Instance) -> list[str]:
    """Who keeps the instance from being at rest, for people: open transactions, activated
    tasks, queues that will start one."""
    open_ones = [
        f"session {session.spid} has an open transaction"
        for session in instance.sessions.values()
        if session.trancount > 0 and not session.is_background
    ]
    tasks = [task.description() for task in list(instance.scheduler.tasks.values())]
    return [*open_ones, *tasks, *(text for text in instance.busy() if text not in tasks)]


class PreparedInstance:
    """Made of an instance with a virtual clock, which is closed. Raises NotAtRest, and leaves it open, when it is not
    at rest; SqlError when there is no room for the copy."""

    def __init__(self, instance: Instance) -> None:
        host = instance.host
        assert isinstance(host, VirtualHost) and instance.loop is not None, "only what a test moves stands still"
        instance.loop.settle()
        found = unrest(instance)
        if found:
            raise NotAtRest(
                f"The instance is not at rest, and cannot be copied: {'; '.join(found)}. The set-up must commit, and let tasks end (advance the clock)."
            )
        self._host = host
        self._image = StoreImage(instance.store)
        self._tables, self._sequences = instance.tables.again(), copied_states(instance)
        self._carried: dict[str, dict[Any, Any]] = {
            name: dict(getattr(instance, name)) for name in ("user_messages", "configuration", "configured")
        }
        instance.close()

    def open(self, path: str | None = None, *, seed: int | None = None) -> Instance:
        """A copy, with the clock and the chance that the set-up left; `seed`: with other chance. In memory, or as the
        store `path`, which begins as the copy if it is not there and otherwise goes on. Raises SqlError, OSError."""
        host = self._host.again(seed)
        if path is None:
            instance = Instance.open(host=host, image=self._image)
        else:
            is_new = not os.path.exists(path)
            if is_new:
                self._image.save(path)
            instance = Instance.open(path, host=host)
            if not is_new:
                return instance
        instance.tables = self._tables.again(instance.tables)
        if self._sequences:
            sequence_states(instance).states.update({key: copy(state) for key, state in self._sequences.items()})
        for name, values in self._carried.items():
            getattr(instance, name).update(values)
        tell_store(instance)
        return instance

    def close(self) -> None:
        """Throw away what copies are made of. Those that are open stay so."""
        self._image.close()
