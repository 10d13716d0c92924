"""One seeded run of many sessions, activated procedures, DDL and clock jumps on one instance, and what must hold of it.

It decides what happens next, from the seed alone: which client begins which batch, which task goes on up to its next
wait, how far the clock moves, what the administrator alters. It must not know how the broker works: it talks T-SQL, and
world.sql keeps the books (what was sent, received and ended, each written in the transaction that did it). promises.py
reads the books.

A run that fails repeats exactly with the same seed: `python tests/simulation/simulation.py SEED` prints what happened.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # `import held_groups`, where this is the program

from acts import ACTS, DATABASES, Client
from held_groups import held_groups
from promises import broken_promises

from sbql.catalog.interrupts import Heeding
from sbql.catalog.store_port import PORT, StorePort
from sbql.engine.broker.trace import TraceEvent
from sbql.engine.drivers import LoopTask
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.scripts import read_script

__all__ = ["DATABASES", "Broken", "Simulation"]

WORLD = Path(__file__).with_name("world.sql")
CLIENTS = 5
FOLD_EVERY = 10
"""Steps between folds, after which few messages stay in memory."""
STEPS = 400
RECENT = 4
"""Clients use the handles they learnt last: most of the older ones have ended."""

EXPECTED = frozenset({
    266,    # a procedure left the transaction count changed
    596,    # ended by ALTER DATABASE … WITH ROLLBACK IMMEDIATE
    1205,   # the victim of a deadlock
    3617,   # cancelled
    3902, 3903,  # COMMIT or ROLLBACK after the transaction was gone
    6401,   # a savepoint that was made in an earlier transaction
    8410,   # a timer beyond the lifetime
    8426,   # the handle is gone
    8427, 8429,  # the conversation has ended on this side
    8458,   # a timer on an endpoint that has ended
    8468,   # RECEIVE … WHERE on a queue that its service has left
    8417, 8436, 8438, 8439,  # MOVE of a conversation that is gone
    9610,   # RELATED_CONVERSATION of another service
    9617,   # RECEIVE from a queue that is off
    9618,   # SEND with retention on a queue that is off
})  # fmt: skip
"""Errors that the reference gives for what clients here try."""

DDL = (
    "ALTER QUEUE {queue} WITH STATUS = OFF",
    *["ALTER QUEUE {queue} WITH STATUS = ON"] * 4,
    "ALTER QUEUE {queue} WITH RETENTION = ON",
    "ALTER QUEUE {queue} WITH RETENTION = OFF",
    "ALTER QUEUE work WITH ACTIVATION (MAX_QUEUE_READERS = {readers})",
    *["ALTER QUEUE work WITH ACTIVATION (PROCEDURE_NAME = {procedure})"] * 4,
    *["ALTER QUEUE work WITH ACTIVATION (PROCEDURE_NAME = reader)"] * 3,
    "ALTER QUEUE work WITH ACTIVATION (STATUS = OFF)",
    *["ALTER QUEUE work WITH ACTIVATION (STATUS = ON)"] * 3,
    "ALTER QUEUE work WITH POISON_MESSAGE_HANDLING (STATUS = {switch})",
    "ALTER SERVICE [//{database}/{queue}] ON QUEUE {other}",
    "ALTER SERVICE [//{database}/{queue}] ON QUEUE {queue}",
    "CREATE SERVICE [//{database}/passing] ON QUEUE desk ([DEFAULT])",
    "DROP SERVICE [//{database}/passing]",
    "ALTER DATABASE {database} SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE",
    *["ALTER DATABASE {database} SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE"] * 3,
)
PROCEDURES = ("reader", "careless", "blind", "restless", "broken", "endless", "missing")


class Broken(AssertionError):
    """A promise that does not hold, with the seed and what happened last."""


@dataclass(slots=True)
class Known:
    """A handle that some client may use."""

    database: str
    handle: str


@dataclass
class Simulation:
    """A run of `seed`. `events` is what happened, for people; `counts` how often each kind of thing did."""

    seed: int
    steps: int = STEPS
    store: str | None = None
    port: StorePort = PORT
    expected: frozenset[int] = EXPECTED
    events: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    traced: list[TraceEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self.instance = self._open(self.seed)
        self.handles: list[Known] = []
        self.dialogs = 0
        self.numbers = 0
        self.timers = 0
        self.mortal: set[int] = set()
        """Dialogs that were begun with a lifetime."""
        self.admin_task: LoopTask | None = None
        self._build()
        self.clients = [self._client(index) for index in range(CLIENTS)]

    # --- life ----------------------------------------------------------------------------------------------

    def _open(self, seed: int) -> Instance:
        instance = Instance.open(self.store, clock="virtual", seed=seed, port=self.port)
        instance.trace(self.traced.append)
        instance.broker.paging.most_messages, instance.broker.paging.page = 2, 2
        self.admin = instance.connect()
        return instance

    def _build(self) -> None:
        for database in DATABASES:
            self.ask(f"CREATE DATABASE {database}; ALTER DATABASE {database} SET TRUSTWORTHY ON")
            self.admin.use(database)
            for batch in read_script(WORLD, {"db": database}).batches():
                self.ask(batch.text)

    def ask(self, text: str) -> list[tuple[Any, ...]]:
        """Run a batch of the administrator's that has to work, and give its rows."""
        outcomes = self.admin.run(text)
        errors = [outcome.error for outcome in outcomes if isinstance(outcome, ErrorOutcome)]
        if errors:
            raise self.broken(f"{text}: {errors[0]}")
        return [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]

    def _client(self, index: int) -> Client:
        database = self.chance.choice(DATABASES)
        session = self.instance.connect(database=database)
        client = Client(f"client{index}", database, session)
        self._begin(client, "SET XACT_ABORT ON; SET NOCOUNT ON", "connects")
        return client

    def broken(self, what: str) -> Broken:
        last = "\n".join(f"    {line}" for line in self.events[-40:])
        return Broken(f"seed {self.seed}: {what}\nWhat happened last:\n{last}")

    def note(self, what: str) -> None:
        self.events.append(f"{self.instance.host.now() - 1767225600:9.3f} {what}")

    # --- one thing after the other -------------------------------------------------------------------------

    def run(self) -> None:
        """The whole run, its end included. Raises Broken."""
        with Heeding():  # Ctrl+C ends it wherever it comes, and is not taken for something broken
            for step in range(self.steps):
                self._next()
                self._look()
                if step % FOLD_EVERY == 0:
                    self._fold()
            self._come_to_rest()
        for problem in broken_promises(self):
            raise self.broken(problem)

    def _fold(self) -> None:
        """Nobody may notice: it is not a part of the story."""
        self.instance.store.fold_and_release()

    def _next(self) -> None:
        draw = self.chance.random()
        if draw < 0.40:
            self.instance.loop.step()
        elif draw < 0.80:
            idle = [client for client in self.clients if client.task is None]
            if idle:
                self._act(self.chance.choice(idle))
        elif draw < 0.90:
            self._advance(self.chance.choice((0.01, 0.1, 0.5)))
        elif draw < 0.93:
            self._advance(self.chance.choice((3.0, 6.0, 40.0)))
        elif draw < 0.97:
            self._administrate()
        elif draw < 0.985:
            self._disturb(self.chance.choice(self.clients))
        elif draw < 0.99 and self.store is not None:
            self._restart()
        else:
            self.instance.loop.settle()

    def _advance(self, seconds: float) -> None:
        """The clock moves; nobody runs. Whoever's deadline has passed is late, as on a busy machine."""
        host = self.instance.host
        host.advance_to(host.now() + seconds)
        self.note(f"the clock moves {seconds} s")

    def _look(self) -> None:
        """After each step: finished batches, and that no group belongs to two transactions."""
        for client in self.clients:
            if client.task is not None and client.task.done:
                self._finished(client)
        holders: dict[Any, int] = {}
        for session in list(self.instance.sessions.values()):
            transaction = session.transaction
            if transaction is None or not transaction.has_broker or transaction.is_lost:
                continue
            for group in held_groups(transaction.broker):
                if holders.setdefault(group, session.spid) != session.spid:
                    raise self.broken(f"group {group} is locked by {holders[group]} and {session.spid}")

    # --- clients -------------------------------------------------------------------------------------------

    def _begin(self, client: Client, text: str, what: str) -> None:
        self.counts[what.split(maxsplit=1)[0]] += 1
        self.note(f"{client.name} ({client.database}, spid {client.session.spid}) {what}")
        client.task = self.instance.loop.start(client.session, text)

    def _act(self, client: Client) -> None:
        wanted = self.chance.choice(ACTS)(self, client)
        if wanted is not None:
            self._begin(client, *wanted)

    def handle(self, client: Client) -> str:
        """A handle that the client's database has seen lately."""
        near = [known.handle for known in self.handles if known.database == client.database][-RECENT:]
        return self.chance.choice(near or ["00000000-0000-0000-0000-000000000001"])

    def next_number(self) -> int:
        self.numbers += 1
        return self.numbers

    def _finished(self, client: Client) -> None:
        task, client.task = client.task, None
        assert task is not None
        if task.failure is not None:
            raise self.broken(f"{client.name} ended by a bug: {task.failure!r}") from task.failure
        for outcome in task.outcomes:
            if isinstance(outcome, ErrorOutcome):
                self._error(client.name, outcome.error)
            elif isinstance(outcome, ResultSet):
                self.handles += [Known(client.database, str(row[0])) for row in outcome.rows]
        if client.leaves or client.session.spid not in self.instance.sessions:
            client.session.close()
            index = self.clients.index(client)
            self.clients[index] = self._client(index)

    def _error(self, who: str, error: Any) -> None:
        self.note(f"{who} got {error}")
        self.counts[f"error {error.number}"] += 1
        if error.number not in self.expected:
            raise self.broken(f"{who} got an error that nothing explains: {error}")

    # --- disturbances --------------------------------------------------------------------------------------

    def _administrate(self) -> None:
        if self.admin_task is not None and not self.admin_task.done:
            return
        self._administrated()
        database = self.chance.choice(DATABASES)
        queue, other = self.chance.sample(("desk", "work"), 2)
        text = self.chance.choice(DDL).format(
            database=database, queue=queue, other=other, readers=self.chance.randint(0, 4), switch=self.chance.choice(("ON", "OFF")),
            procedure=self.chance.choice(PROCEDURES),
        )  # fmt: skip
        self.admin.use(database)
        self.note(f"{database}: {text}")
        self.counts["DDL"] += 1
        self.admin_task = self.instance.loop.start(self.admin, text)

    def _administrated(self) -> None:
        """DDL may fail (a service is there already); it must not end by a bug."""
        task, self.admin_task = self.admin_task, None
        if task is None:
            return
        if task.failure is not None:
            raise self.broken(f"DDL ended by a bug: {task.failure!r}") from task.failure
        for outcome in task.outcomes:
            if isinstance(outcome, ErrorOutcome):
                self.note(f"the administrator got {outcome.error}")
                if outcome.error.number in (3624, 50):
                    raise self.broken(f"DDL: {outcome.error}")

    def _disturb(self, client: Client) -> None:
        """Ctrl-C, or the connection is lost."""
        client.leaves = self.chance.random() < 0.5
        self.note(f"{client.name} is {'lost' if client.leaves else 'cancelled'}")
        if client.task is not None:
            client.session.cancel()
        elif client.leaves:
            client.session.close()
            index = self.clients.index(client)
            self.clients[index] = self._client(index)

    def _restart(self) -> None:
        """Close the store and open it again: sessions end, the clock goes on."""
        self.note("the instance restarts")
        now = self.instance.host.now()
        self.instance.close()
        self.traced.clear()
        self.admin_task = None
        self.instance = self._open(self.chance.getrandbits(32))
        self.instance.host.advance_to(now)
        self.clients = [self._client(index) for index in range(CLIENTS)]

    # --- the end -------------------------------------------------------------------------------------------

    def _come_to_rest(self) -> None:
        """Everybody goes home, everything is switched on, and what can be read is read."""
        self.note("the end begins")
        while any(client.task is not None for client in self.clients):
            for client in self.clients:
                client.session.cancel()  # a batch that has not begun yet does not notice: hence the loop
            self.instance.loop.settle()
            self._look()
        for client in self.clients:
            client.session.close()
        self.clients = []
        self.instance.loop.advance(60)
        if self.admin_task is not None and not self.admin_task.done:
            raise self.broken(f"DDL never ended: {'; '.join(self.instance.loop.waits())}")
        self._administrated()
        self._switch_on()
        self.instance.loop.advance(1)  # a bad procedure that was at work may have switched its queue off once more
        self._switch_on()
        self.instance.loop.advance(120)
        for _ in range(3):  # an answer to an answer
            for database in DATABASES:
                self._drain(database)
            self.instance.loop.advance(120)

    def _switch_on(self) -> None:
        for database in DATABASES:
            self.admin.use(database)
            enabled = self.ask(f"SELECT is_broker_enabled FROM sys.databases WHERE name = '{database}'")
            if not enabled[0][0]:
                self.ask(f"ALTER DATABASE {database} SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE")
            # OFF first: a monitor whose procedure failed to start begins anew, and a bad procedure does not run again.
            self.ask("ALTER QUEUE work WITH ACTIVATION (STATUS = OFF)")
            for queue in ("desk", "work"):
                self.ask(f"ALTER QUEUE {queue} WITH STATUS = ON, RETENTION = OFF")
            self.ask(
                "ALTER QUEUE work WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER)"
            )

    def _drain(self, database: str) -> None:
        """What a desk still has; the work queues are the activated procedures' own."""
        self.admin.use(database)
        while self.ask(
            "SET XACT_ABORT ON; DECLARE @mail mail; BEGIN TRANSACTION; RECEIVE TOP (100) conversation_handle, message_sequence_number, "
            "message_type_name, CAST(message_body AS varchar(100)) FROM desk INTO @mail; EXEC handle_mail @mail, 0; COMMIT; "
            "SELECT 1 FROM @mail"
        ):
            pass


def main(seed: int) -> None:
    """Run one seed and print what happened."""
    simulation = Simulation(seed)
    try:
        simulation.run()
    finally:
        print("\n".join(simulation.events))
        print(simulation.counts)


if __name__ == "__main__":
    main(int(sys.argv[1]))
