"""Steps that are all to be done, whatever becomes of those before them: the end of something that
holds files, threads and connections.

It must not know what is ended.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["in_turn"]


def in_turn(*steps: Callable[[], object]) -> None:
    """Every one of them, in this order. Then the first failure is raised, if there was one."""
    failure: BaseException | None = None
    for step in steps:
        try:
            step()
        except BaseException as error:
            failure = failure or error
    if failure is not None:
        raise failure
