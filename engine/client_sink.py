"""Where the outcomes of a batch go, and what it means when whoever takes them raises.

It decides that an exception of the client's is neither an error of the batch, which a CATCH block could take, nor a
bug. The batch stops as one that is cancelled, the sink hears no more, and the exception is kept for whoever runs the
batch. It must not know what runs.
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.catalog.interrupts import forget, raise_kept
from sbql.engine.outcomes import InParts, Outcome

__all__ = ["ClientSink"]


class ClientSink:
    """Around a client's sink, for one batch. `sink` is what the batch says things to."""

    __slots__ = ("_failure", "_stop", "_take", "sink")

    def __init__(self, take: Callable[[Outcome], None], stop: Callable[[], None]) -> None:
        """`stop` has the batch end at the next place where it looks."""
        self._take = take
        self._stop = stop
        self._failure: BaseException | None = None
        self.sink: Callable[[Outcome], None] = InParts(self._tell) if isinstance(take, InParts) else self._tell

    def _tell(self, outcome: Outcome) -> None:
        if self._failure is not None:
            return
        raise_kept()
        try:
            self._take(outcome)
        except BaseException as error:  # Ctrl-C too: as soon as the batch has ended
            self._failure = error
            self._stop()
        forget()

    def check(self) -> None:
        """The batch is over. Raises what the client's sink has raised."""
        if self._failure is not None:
            raise self._failure
