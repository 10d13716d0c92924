"""What monologs promise, as lists: who is to hear which messages (docs/monologs.md). It knows nothing of legs,
arrivals, undo or stores.

A transaction collects what it does and gives it to the model when it commits; a rollback forgets it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["END", "Heard", "Model", "ModelMonolog", "ModelTransaction"]

END = -1


@dataclass(eq=False)
class ModelMonolog:
    publisher: int
    retains: bool
    sent: list[int] = field(default_factory=list)
    """Numbers of committed messages."""
    is_over: bool = False


@dataclass(eq=False)
class Heard:
    """One subscriber's endpoint: the messages that it must get, in order; END last."""

    monolog: ModelMonolog
    subscriber: int
    subscription: object
    expected: list[int] = field(default_factory=list)
    is_over: bool = False
    heard_to_end: ModelTransaction | None = None
    """Its subscription has ended while this transaction of the publisher was open: it hears that one, then the end."""

    def end(self) -> None:
        self.expected.append(END)
        self.is_over = True


@dataclass(eq=False)
class Subscription:
    subscriber: int
    publisher: int
    from_retained: bool


class ModelTransaction:
    def __init__(self) -> None:
        self.begun: list[ModelMonolog] = []
        self.sent: list[tuple[ModelMonolog, int]] = []
        self.subscribed: list[Subscription] = []
        self.unsubscribed: list[Subscription] = []
        self.locked: set[ModelMonolog] = set()
        """Monologs whose publisher it has locked, until it ends."""

    def mark(self) -> tuple[int, ...]:
        return len(self.begun), len(self.sent), len(self.subscribed), len(self.unsubscribed)

    def rollback_to(self, mark: tuple[int, ...]) -> None:
        for done, length in zip((self.begun, self.sent, self.subscribed, self.unsubscribed), mark, strict=True):
            del done[length:]  # type: ignore[attr-defined]


class Model:
    """What is committed."""

    def __init__(self) -> None:
        self.monologs: list[ModelMonolog] = []
        self.subscriptions: list[Subscription] = []
        self.heard: list[Heard] = []

    def rollback(self, done: ModelTransaction) -> None:
        for endpoint in self.heard:
            if endpoint.heard_to_end is done and not endpoint.is_over:
                endpoint.end()

    def commit(self, done: ModelTransaction, others: Iterable[ModelTransaction]) -> None:
        """In this order: who joins, what was sent, who leaves. `others` are open."""
        orders = [s for s in [*self.subscriptions, *done.subscribed] if s not in done.unsubscribed]
        for monolog in done.begun:
            for subscription in orders:
                self._join(monolog, subscription)
        for subscription in done.subscribed:
            if subscription not in done.unsubscribed:
                for monolog in self.monologs:
                    if not monolog.is_over:
                        self._join(monolog, subscription)
        self.monologs += done.begun
        self.subscriptions = orders
        for monolog, number in done.sent:
            if number == END:
                monolog.is_over = True
            else:
                monolog.sent.append(number)
            for endpoint in self.heard:
                if endpoint.monolog is monolog and not endpoint.is_over and endpoint.heard_to_end in (None, done):
                    endpoint.expected.append(number)
                    endpoint.is_over = number == END
        self.rollback(done)
        for endpoint in self.heard:
            if endpoint.subscription in done.unsubscribed and not endpoint.is_over and endpoint.heard_to_end is None:
                holder = next((other for other in others if endpoint.monolog in other.locked), None)
                if holder is None:
                    endpoint.end()
                endpoint.heard_to_end = holder

    def _join(self, monolog: ModelMonolog, subscription: Subscription) -> None:
        if monolog.publisher != subscription.publisher:
            return
        past = list(monolog.sent) if subscription.from_retained and monolog.retains else []
        self.heard.append(Heard(monolog, subscription.subscriber, subscription, past))
