"""Turns on a connection: whoever fills a wire that is never full looks up now and then."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from sbql.engine.network.links import Destination


def test_a_wire_that_takes_everything_leaves_room_for_others() -> None:
    """A dialog with a message of a gigabyte is always ready: one that comes later has its turn all the same."""
    woken: list[None] = []
    traffic = SimpleNamespace(bytes_sent=0)
    link: Any = SimpleNamespace(connection=SimpleNamespace(traffic=traffic), backlog=0)
    large: Any
    small: Any
    destination, large, small = Destination("TCP://B:4022"), SimpleNamespace(), SimpleNamespace()
    large.is_ready = small.is_ready = False
    seen: list[Any] = []
    for is_late in (False, True):
        destination.ready(large, 5)
        if is_late:
            destination.ready(small, 5)
        begun = traffic.bytes_sent
        for dialog in destination.turns(link, lambda: woken.append(None)):
            seen.append(dialog)
            traffic.bytes_sent += 40 * 1024
            if dialog is large:
                destination.ready(large, 5)
        assert traffic.bytes_sent - begun < 2 << 20
    assert len(woken) == 2, "the rest has its turn in the next step"
    assert seen.count(small) == 1


def test_a_wire_that_is_full_is_left_alone() -> None:
    woken: list[None] = []
    link: Any = SimpleNamespace(connection=SimpleNamespace(traffic=SimpleNamespace(bytes_sent=0)), backlog=0)
    destination = Destination("TCP://B:4022")
    dialog: Any = SimpleNamespace(is_ready=False)
    destination.ready(dialog, 5)
    for _ in destination.turns(link, lambda: woken.append(None)):
        destination.ready(dialog, 5)
        link.backlog = 1 << 20
    assert (woken, destination.has_ready) == ([], True)
