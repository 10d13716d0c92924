"""What must hold when a simulated run has come to rest: the books of both databases against each other.

It reads tables and views and nothing else of the run. The promises: each message is received exactly once and in order
within its conversation and direction; what was not received has a cause that the books name; a side that ended was
answered; nothing is left in a queue that somebody reads; every activated task that began has ended.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from acts import DATABASES

if TYPE_CHECKING:
    from simulation import Simulation

__all__ = ["broken_promises"]

Side = tuple[int, str]
"""(dialog, 'I' or 'T')."""

OTHER = {"I": "T", "T": "I"}


@dataclass
class Books:
    """What the committed transactions of a run say they did."""

    sent: dict[Side, list[int]] = field(default_factory=lambda: defaultdict(list))
    received: dict[Side, list[int]] = field(default_factory=lambda: defaultdict(list))
    """By the sender's side."""
    ended: dict[Side, set[str]] = field(default_factory=lambda: defaultdict(set))
    told: dict[Side, set[str]] = field(default_factory=lambda: defaultdict(set))
    """System messages that a side has received: EndDialog, Error, DialogTimer."""
    timers: int = 0


def broken_promises(run: Simulation) -> Iterator[str]:
    """Each promise that does not hold, as a sentence."""
    books = _read(run)
    yield from _order(books)
    yield from _fate(run, books)
    yield from _answers(run, books)
    yield from _rest(run)
    if books.timers > run.timers:
        yield f"{books.timers} DialogTimer messages for {run.timers} timers"


def _read(run: Simulation) -> Books:
    books = Books()
    sides: dict[str, Side] = {}
    for database in DATABASES:
        for handle, dialog, side in run.ask(f"SELECT handle, dialog, side FROM {database}.dbo.sides"):
            sides[str(handle)] = (dialog, side)
    for database in DATABASES:
        for dialog, side, number in run.ask(f"SELECT dialog, side, number FROM {database}.dbo.sent ORDER BY id"):
            books.sent[dialog, side].append(number)
        for handle, kind, body in run.ask(f"SELECT handle, kind, body FROM {database}.dbo.received ORDER BY id"):
            name = kind.rsplit("/", 1)[-1]
            books.timers += name == "DialogTimer"
            if name == "DEFAULT":
                dialog, side, number = body.split(":")
                if side != "M":  # monologs have books of their own
                    books.received[int(dialog), side].append(int(number))
            elif str(handle) in sides:
                books.told[sides[str(handle)]].add(name)
        for handle, how in run.ask(f"SELECT handle, how FROM {database}.dbo.ended"):
            if str(handle) in sides:
                books.ended[sides[str(handle)]].add(how)
    return books


def _order(books: Books) -> Iterator[str]:
    """Exactly once, in order: what was received of a direction is the beginning of what was sent in it."""
    for direction, numbers in books.received.items():
        sent = books.sent.get(direction, [])
        if sent[: len(numbers)] != numbers:
            yield f"direction {direction}: sent {sent}, received {numbers}"


def _fate(run: Simulation, books: Books) -> Iterator[str]:
    """A message that was not received has a cause: its receiver had ended, or an error ended the conversation."""
    for (dialog, side), sent in books.sent.items():
        missing = sent[len(books.received.get((dialog, side), [])) :]
        if not missing:
            continue
        receiver, sender = (dialog, OTHER[side]), (dialog, side)
        if books.ended[receiver] or "Error" in books.told[receiver] | books.told[sender]:
            continue
        if books.ended[sender] & {"error", "cleanup", "after_error"}:
            continue
        if dialog in run.mortal and books.ended[sender]:
            continue  # it ended before the message could go, and the lifetime ended the wait: nobody is left to be told
        if _waits_with_a_status(run, dialog, side):
            continue
        yield f"dialog {dialog}: {missing} of side {side} were lost; ended {dict(books.ended)}, told {dict(books.told)}"


def _waits_with_a_status(run: Simulation, dialog: int, side: str) -> bool:
    """The message is in the transmission queue, which says why."""
    return any(
        run.ask(
            f"SELECT 1 FROM {database}.sys.transmission_queue WHERE transmission_status <> '' "
            f"AND CAST(message_body AS varchar(100)) LIKE '{dialog}:{side}:%'"
        )
        for database in DATABASES
    )


def _answers(run: Simulation, books: Books) -> Iterator[str]:
    """Who sent to a side that has ended learns it, unless he has ended himself or the other side was cleaned up."""
    for (dialog, side), hows in books.ended.items():
        peer = (dialog, OTHER[side])
        if (
            hows - {"after_error"}
            and "cleanup" not in hows
            and not (books.ended[peer] or books.told[peer])
            and _is_known(books, peer)
        ):
            yield f"dialog {dialog}: side {side} has ended, side {peer[1]} was never told"


def _is_known(books: Books, side: Side) -> bool:
    """The side has a handle: it has sent, so the books know it."""
    return bool(books.sent.get(side))


def _rest(run: Simulation) -> Iterator[str]:
    for database in DATABASES:
        for queue in ("desk", "work"):
            left = run.ask(f"SELECT COUNT(*) FROM {database}.dbo.{queue} WHERE status IN (1, 2)")[0][0]
            if left:
                yield f"{left} messages are left in {database}.{queue}"
        waiting = run.ask(f"SELECT COUNT(*) FROM {database}.sys.transmission_queue WHERE transmission_status = ''")[0][
            0
        ]
        if waiting:
            yield f"{waiting} messages of {database} wait without a status"
    if run.instance.locks._locks:
        yield f"locks are held by nobody's transaction: {list(run.instance.locks._locks)[:3]}"
    started = sum(1 for event in run.traced if event.event_class == "Broker:Activation" and event.subclass == "started")
    ended = sum(
        1 for event in run.traced if event.event_class == "Broker:Activation" and event.subclass in ("ended", "aborted")
    )
    if started != ended + len(run.instance.scheduler.tasks):
        yield f"{started} activated tasks began and {ended} ended, {len(run.instance.scheduler.tasks)} run"
