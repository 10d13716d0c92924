"""Patience: what is said while somebody waits for activated procedures, and when the waiting is over.

It decides how often and in which words, by the seconds of the computer, whatever the instance's clock is. `Patience` is
asked by a wait that looks again and again; `Watch` has a thread of its own, for the loop of a virtual instance, in
which a procedure that never pauses lets nobody else run. Neither knows what is waited for.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

__all__ = ["Busy", "NeverWakes", "NotAtRest", "Patience", "Report", "Terms", "Watch"]

Busy = Callable[[], Sequence[str]]
"""Who is busy with what, one text each."""

Report = Callable[[str], None]

LIMIT: Final = 600.0
"""Seconds after which waiting ends, unless somebody says otherwise."""


class Terms(Struct):
    """What holds of every wait of an instance: seconds between two reports, and the
    limit of those that are given none."""

    every: float = 5.0
    limit: float = LIMIT


_CANCEL_EVERY: Final = 0.2
"""Asked again and again: DuckDB forgets an interrupt that comes just before a query starts."""


class NeverWakes(RuntimeError):
    """A batch on a virtual clock waits for something that nobody will ever do."""


class NotAtRest(NeverWakes):
    """Activated procedures go on and on; its text says which."""


def _warn(text: str) -> None:
    import logging  # seldom needed, and it takes a while to load

    logging.getLogger("sbql").warning(text)


class Patience:
    """Begins when it is made. `limit` None: it never ends. Without a `report` it warns through the logger "sbql"."""

    def __init__(self, busy: Busy, terms: Terms, limit: float | None, report: Report | None = None) -> None:
        self._busy = busy
        self._every = terms.every
        self.say = report or _warn
        self.limit = limit
        self.begin()

    def begin(self) -> None:
        """Count from now on."""
        self._began = time.monotonic()
        self._next = self._began + self._every

    def is_over(self) -> bool:
        """Ask it often: it reports when it is time to."""
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._every
            self.say(f"Waiting for activated procedures for {now - self._began:.0f} s. {self.busy()}")
        return self.limit is not None and now - self._began >= self.limit

    def left(self) -> float:
        """Seconds until it has something to say."""
        now = time.monotonic()
        end = self._next if self.limit is None else min(self._next, self._began + self.limit)
        return max(0.0, end - now)

    def busy(self) -> str:
        return "Busy: " + ("; ".join(self._busy()) or "nothing that can be named")


class Watch:
    """Looks at a `Patience` from a thread of its own until `stop`. When it is over, `give_up` is called, again and
    again. Without a thread, when the computer has none, the wait goes on and nobody gives up."""

    def __init__(self, patience: Patience, give_up: Callable[[], None]) -> None:
        self.patience = patience
        self.has_given_up = False
        self.busy = ""
        """Who was busy when it gave up."""
        self._give_up = give_up
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._look, name="sbql-watch", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:
            patience.say(f"Nobody looks after this wait: {error}")

    def _look(self) -> None:
        while not self._stopped.wait(_CANCEL_EVERY if self.has_given_up else self.patience.left()):
            if self.patience.is_over():
                self.busy = self.busy or self.patience.busy()
                self.has_given_up = True
                self._give_up()

    def stop(self) -> None:
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join()
