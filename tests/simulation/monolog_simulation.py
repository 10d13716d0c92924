"""The simulation with monologs among its dialogs: publishers, subscriptions and subscribers on the same queues, read by
the same clients and activated procedures, beside the same DDL.

It decides what is tried of monologs, and what must hold in the end: each subscriber's endpoint has heard a run of what
was spoken, without a gap or a repetition, up to the last message unless something that the books name has ended it;
every subscription that stands has joined every monolog that it fits. `Monologs` is mixed into any Simulation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from acts import DATABASES, Act, Client, in_transaction
from simulation import EXPECTED, Simulation

__all__ = ["EXPECTED_OF_MONOLOGS", "MonologSimulation", "Monologs"]

EXPECTED_OF_MONOLOGS = EXPECTED | {
    8423,  # the service is not there
    8462,  # SEND on a publisher that is gone
    49932,  # a second subscription, begun at once with the first
    49933,  # it has ended meanwhile
}
Run = list[int]


class Monologs(Simulation):
    """Acts, and what must hold."""

    monologs: dict[int, str]
    """Their databases, by number."""

    def __post_init__(self) -> None:
        self.monologs = {}
        super().__post_init__()

    # --- what clients try ----------------------------------------------------------------------------------

    def _act(self, client: Client) -> None:
        if self.chance.random() < 0.5:
            super()._act(client)
            return
        acts = (
            self._begin_monolog,
            *[self._tell] * 5,
            *[self._subscribe] * 3,
            self._unsubscribe,
            self._leave,
            self._end,
        )
        wanted = self.chance.choice(acts)(client)
        if wanted is not None:
            self._begin(client, *wanted)

    def _service(self, database: str) -> str:
        return f"//{database}/{self.chance.choice(('desk', 'work', 'work', 'passing'))}"

    def _begin_monolog(self, client: Client) -> Act:
        number = len(self.monologs) + 1
        self.monologs[number] = client.database
        retains = self.chance.random() < 0.5
        service = self._service(client.database)
        text = (
            f"IF EXISTS (SELECT * FROM sys.services WHERE name = '{service}') BEGIN DECLARE @h uniqueidentifier; BEGIN MONOLOG @h FROM SERVICE [{service}] "
            f"WITH ENCRYPTION = OFF, RETENTION = {'ON' if retains else 'OFF'}; INSERT monologs VALUES (@h, {number}, '{service}', {int(retains)}, NULL); SELECT @h END"
        )
        return in_transaction(self, client, text), f"begins monolog {number} of {service}"

    def _a_monolog(self, client: Client) -> int | None:
        near = [number for number, database in self.monologs.items() if database == client.database][-4:]
        return self.chance.choice(near) if near else None

    def _tell(self, client: Client) -> Act | None:
        number = self._a_monolog(client)
        if number is None:
            return None
        calls = [f"EXEC tell {number}, {self.next_number()}" for _ in range(self.chance.randint(1, 3))]
        return in_transaction(self, client, "; ".join(calls)), f"speaks {len(calls)} times on monolog {number}"

    def _end(self, client: Client) -> Act | None:
        number = self._a_monolog(client)
        if number is None or self.chance.random() < 0.5:
            return None
        how = self.chance.choice(("end", "end", "error", "cleanup"))
        text = (
            f"DECLARE @h uniqueidentifier = (SELECT handle FROM monologs WHERE monolog = {number} AND how IS NULL); IF @h IS NOT NULL BEGIN EXEC finish @h, '{how}'; "
            f"UPDATE monologs SET how = '{how}' WHERE handle = @h END"
        )
        return in_transaction(self, client, text), f"ends monolog {number} ({how})"

    def _subscribe(self, client: Client) -> Act:
        me, publisher = self._service(client.database), self._service(self.chance.choice(DATABASES))
        retained = self.chance.random() < 0.5
        text = (
            f"IF EXISTS (SELECT * FROM sys.services WHERE name = '{me}') AND NOT EXISTS (SELECT * FROM orders WHERE subscriber = '{me}' AND publisher = '{publisher}' AND has_ended = 0) "
            f"BEGIN DECLARE @s uniqueidentifier; BEGIN SUBSCRIPTION @s FOR SERVICE [{me}] TO SERVICE '{publisher}' WITH START = {'RETAINED' if retained else 'NOW'}; "
            f"INSERT orders VALUES (@s, '{me}', '{publisher}', {int(retained)}, 0) END"
        )
        return in_transaction(self, client, text), f"{me} subscribes to {publisher}"

    def _unsubscribe(self, client: Client) -> Act:
        text = (
            "DECLARE @s uniqueidentifier = (SELECT TOP (1) handle FROM orders WHERE has_ended = 0 AND handle IN (SELECT subscription_handle FROM sys.monolog_subscriptions) ORDER BY handle); "
            "IF @s IS NOT NULL BEGIN END SUBSCRIPTION @s; UPDATE orders SET has_ended = 1 WHERE handle = @s END"
        )
        return in_transaction(self, client, text), "ends a subscription"

    def _leave(self, client: Client) -> Act:
        how = self.chance.choice(("end", "end", "error", "cleanup"))
        text = (
            "DECLARE @h uniqueidentifier = (SELECT TOP (1) handle FROM received WHERE body LIKE '%:M:%' AND handle NOT IN (SELECT handle FROM ended) ORDER BY id DESC); "
            f"IF @h IS NOT NULL EXEC finish @h, '{how}'"
        )
        return in_transaction(self, client, text), f"leaves a monolog ({how})"

    # --- the end -------------------------------------------------------------------------------------------

    def _come_to_rest(self) -> None:
        super()._come_to_rest()
        for number, database in self.monologs.items():
            self.admin.use(database)
            self.ask(f"EXEC tell {number}, {self.next_number()}")
        self.instance.loop.advance(120)
        for _ in range(2):
            for database in DATABASES:
                self._drain(database)
            self.instance.loop.advance(120)
        for problem in self.broken_monologs():
            raise self.broken(problem)

    def _all(self, text: str) -> list[tuple[Any, ...]]:
        return [row for database in DATABASES for row in self.ask(text.format(db=database))]

    def broken_monologs(self) -> Iterator[str]:
        spoken: dict[int, Run] = defaultdict(list)
        for monolog, number in self._all("SELECT monolog, number FROM {db}.dbo.spoken ORDER BY id"):
            spoken[monolog].append(number)
        heard: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for handle, body in self._all("SELECT handle, body FROM {db}.dbo.received WHERE body LIKE '%:M:%' ORDER BY id"):
            monolog, _, number = body.split(":")
            heard[str(handle)].append((int(monolog), int(number)))
        told = {
            str(handle)
            for (handle,) in self._all(
                "SELECT handle FROM {db}.dbo.received WHERE kind <> 'DEFAULT' AND kind NOT LIKE '%Timer'"
            )
        }
        ended = {str(handle) for (handle,) in self._all("SELECT handle FROM {db}.dbo.ended")}
        there = {
            str(handle)
            for (handle,) in self._all(
                "SELECT conversation_handle FROM {db}.sys.conversation_endpoints WHERE state = 'CO'"
            )
        }
        for handle, pairs in heard.items():
            (monolog, *others), numbers = {m for m, _ in pairs}, [number for _, number in pairs]
            run = spoken[monolog]
            first = run.index(numbers[0]) if numbers[0] in run else 0
            if others or run[first : first + len(numbers)] != numbers:
                yield f"{handle} has heard {numbers} of monolog {monolog}, which has spoken {run}"
            if handle in there and handle not in told | ended and numbers[-1:] != run[-1:]:
                is_open = self._all(
                    f"SELECT 1 FROM {{db}}.sys.monologs m JOIN {{db}}.dbo.monologs b ON b.handle = m.conversation_handle WHERE b.monolog = {monolog}"
                )
                if is_open:
                    yield f"{handle} is open and has heard {numbers} of monolog {monolog}, which has spoken {run}"
        yield from self._not_joined(spoken, heard)

    def _not_joined(self, spoken: dict[int, Run], heard: dict[str, list[tuple[int, int]]]) -> Iterator[str]:
        """Publishers say whom they serve and from which number on."""
        served = defaultdict(list)
        rows = "SELECT b.monolog, s.far_service, s.start_sequence, s.waiting_messages FROM {db}.sys.monolog_subscribers s JOIN {db}.dbo.monologs b ON b.handle = s.conversation_handle"
        for monolog, subscriber, start, waiting in self._all(rows):
            served[monolog, subscriber].append(start)
            if waiting:
                yield f"{waiting} messages of monolog {monolog} wait for {subscriber}"
        runs = {(pairs[0][0], pairs[0][1]) for pairs in heard.values()}
        for (monolog, subscriber), starts in served.items():
            if len(starts) != 1:
                yield f"{subscriber} is served {len(starts)} times by monolog {monolog}"
            if (monolog, spoken[monolog][starts[0]]) not in runs:
                yield f"{subscriber} is served by monolog {monolog} from {starts[0]} on, and has heard {runs}"


class MonologSimulation(Monologs):
    """On a disk that works."""


def main(seed: int) -> None:
    simulation = MonologSimulation(seed, expected=EXPECTED_OF_MONOLOGS)
    try:
        simulation.run()
    finally:
        print("\n".join(simulation.events))
        print(simulation.counts)


if __name__ == "__main__":
    import sys

    main(int(sys.argv[1]))
