"""Random transactions of two or three sessions over a few rows, and what their history must not show.

The method is Elle's (Kingsbury and Alvaro): every write appends a number that is used once to the list in a row, so the
final list of a row tells the order of its writes, and what a transaction read tells what it depended on. From writes
that follow each other (ww), reads of a write (wr) and reads that a write came after (rw) comes a graph of the committed
transactions; a level forbids certain cycles in it.

What a seed does is decided by the seed alone: `python tests/isolation/histories.py SEED` prints its story.
"""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from sbql.engine.drivers import LoopTask
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

__all__ = ["History", "anomalies"]

LEVELS = ("READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT")
KEYS = 3
TRANSACTIONS = 6
"""Of each session."""

READ = "SELECT k, v FROM dbo.L WHERE k = {k}"
READ_ALL = "SELECT k, v FROM dbo.L"
READ_LOCKED = "SELECT k, v FROM dbo.L WITH (UPDLOCK) WHERE k = {k}"
APPEND = "UPDATE dbo.L SET v += ',{n}' OUTPUT inserted.k, inserted.v WHERE k = {k}"
APPEND_BY_VALUE = "UPDATE dbo.L SET v += ',{n}' OUTPUT inserted.k, inserted.v WHERE v LIKE '%,{old}'"
INSERT = "INSERT dbo.L OUTPUT inserted.k, inserted.v VALUES ({k}, ',{n}')"
MERGE = (
    "MERGE dbo.L AS t USING (VALUES ({k})) AS s(k) ON s.k = t.k WHEN MATCHED THEN UPDATE SET v += ',{n}'"
    " WHEN NOT MATCHED THEN INSERT VALUES (s.k, ',{n}') OUTPUT inserted.k, inserted.v;"
)

List = tuple[int, ...]


@dataclass(eq=False)
class Transaction:
    """`reads`: what it saw of a key, its own numbers included, and whether it holds a lock on that until it ends."""

    name: str
    level: str
    reads: list[tuple[int, List, bool]] = field(default_factory=list)
    appended: dict[int, int] = field(default_factory=dict)
    """The key of each number that it has written (and not undone)."""
    undone: set[int] = field(default_factory=set)
    is_committed: bool = False


@dataclass
class Client:
    session: Any
    name: str
    script: Generator[str, list[Any], None]
    task: LoopTask | None = None
    is_done: bool = False


class History:
    """A run of one seed. `story` is what happened, for people; `final` the list of each key at the end."""

    def __init__(self, seed: int, levels: tuple[str, ...] = LEVELS) -> None:
        self.chance = random.Random(seed)
        self.levels = levels
        self.number = 0
        self.story: list[str] = []
        self.transactions: list[Transaction] = []
        self.is_stuck = False
        self.errors: set[int] = set()
        self.instance = Instance.open(clock="virtual", seed=seed)
        try:
            self._run()
        finally:
            self.instance.close()

    def _run(self) -> None:
        admin = self.instance.connect()
        admin.run("CREATE DATABASE Iso; ALTER DATABASE Iso SET ALLOW_SNAPSHOT_ISOLATION ON")
        admin.use("Iso")
        key = self.chance.choice(("int PRIMARY KEY", "int"))
        admin.run(f"CREATE TABLE dbo.L (k {key}, v varchar(max)); INSERT dbo.L VALUES (1, '')")
        clients = []
        for index in range(self.chance.choice((2, 3))):
            name = f"s{index + 1}"
            clients.append(Client(self.instance.connect(database="Iso"), name, self._script(name, has_key=" " in key)))
        while not all(client.is_done for client in clients) and not self.is_stuck:
            self._step(clients)
        self.final = {row[0]: numbers(row[1]) for row in rows_of(admin.run(READ_ALL))}

    def _step(self, clients: list[Client]) -> None:
        """One client begins its next statement, or one that runs goes on up to its next wait."""
        idle = [c for c in clients if c.task is None and not c.is_done]
        if idle and self.chance.random() < 0.5:
            self._begin(self.chance.choice(idle))
            return
        if not self.instance.loop.step() and not idle:
            self.is_stuck = True
            self.story.append(f"stuck: {self.instance.loop.waits()}")
        for client in clients:
            if client.task is not None and client.task.done:
                task, client.task = client.task, None
                self.story.append(f"{client.name}   {self._short(task)}")
                self._begin(client, task.outcomes)

    def _begin(self, client: Client, outcomes: list[Any] | None = None) -> None:
        """Hand the outcomes of the last statement to the script, and keep the next one until it is begun."""
        try:
            text = client.script.send(outcomes) if outcomes is not None else next(client.script)
        except StopIteration:
            client.is_done = True
            return
        self.story.append(f"{client.name} > {text}")
        client.task = self.instance.loop.start(client.session, text)

    def _short(self, task: LoopTask) -> str:
        return ", ".join(
            f"error {o.error.number}" if isinstance(o, ErrorOutcome) else str(getattr(o, "rows", ""))
            for o in task.outcomes
            if isinstance(o, ErrorOutcome | ResultSet)
        )

    # --- what a session does -------------------------------------------------------------------------------

    def _script(self, name: str, *, has_key: bool) -> Generator[str, list[Any], None]:
        """Statements, one after the other; each yield gives back what the statement said."""
        for number in range(TRANSACTIONS):
            transaction = Transaction(f"{name}.{number}", self.chance.choice(self.levels))
            self.transactions.append(transaction)
            yield f"SET TRANSACTION ISOLATION LEVEL {transaction.level}; BEGIN TRAN"
            is_open = True
            for _ in range(self.chance.randint(1, 4)):
                is_open = yield from self._act(transaction, has_key=has_key)
                if not is_open:
                    break
            if is_open:
                end = "ROLLBACK" if self.chance.random() < 0.2 else "COMMIT"
                said = yield end
                transaction.is_committed = end == "COMMIT" and not errors_of(said)

    def _act(self, transaction: Transaction, *, has_key: bool) -> Generator[str, list[Any], bool]:
        """One thing. False: the transaction is gone."""
        chance, k = self.chance, self.chance.randint(1, KEYS)
        kind = chance.choice(("read", "read all", "read locked", "append", "append", "by value", "merge", "savepoint"))
        if kind == "savepoint" and transaction.level != "SNAPSHOT":  # there a rollback begins a new snapshot
            yield "SAVE TRAN here"
            before = dict(transaction.appended)
            if not (yield from self._append(transaction, k, has_key=has_key)):
                return False
            yield "ROLLBACK TRAN here"
            transaction.undone |= transaction.appended.keys() - before.keys()
            transaction.appended = before
            return True
        if kind.startswith("read"):
            text = {"read": READ, "read all": READ_ALL, "read locked": READ_LOCKED}[kind].format(k=k)
            said = yield text
            if errors_of(said):
                return (yield from self._failed(transaction, said))
            found = {row[0]: numbers(row[1]) for row in rows_of(said)}
            for key in range(1, KEYS + 1) if kind == "read all" else (k,):
                locked = kind == "read locked" and key in found and transaction.level != "SNAPSHOT"
                transaction.reads.append((key, found.get(key, ()), locked))
            return True
        if kind == "by value" and self.number:
            return (yield from self._write(transaction, APPEND_BY_VALUE, 0, old=chance.randint(1, self.number)))
        if kind == "merge" and has_key:
            return (yield from self._write(transaction, MERGE, k))
        return (yield from self._append(transaction, k, has_key=has_key))

    def _append(self, transaction: Transaction, k: int, *, has_key: bool) -> Generator[str, list[Any], bool]:
        """UPDATE, and INSERT where there was nothing: only over a key, which keeps two from adding the row."""
        count = len(transaction.appended)
        if not (yield from self._write(transaction, APPEND, k)):
            return False
        if len(transaction.appended) > count or not has_key:
            return True
        return (yield from self._write(transaction, INSERT, k))

    def _write(self, transaction: Transaction, text: str, k: int, old: int = 0) -> Generator[str, list[Any], bool]:
        self.number += 1
        number = self.number
        said = yield text.format(k=k, n=number, old=old)
        if errors_of(said):
            return (yield from self._failed(transaction, said))
        for key, value in rows_of(said):
            transaction.appended[number] = key
            transaction.reads.append((key, numbers(value)[:-1], True))
        if not rows_of(said) and text is APPEND and transaction.level == "SERIALIZABLE":
            transaction.reads.append((k, (), True))  # nobody may add what its search has not found
        return True

    def _failed(self, transaction: Transaction, said: list[Any]) -> Generator[str, list[Any], bool]:
        """After an error: a deadlock or a conflict has ended the transaction; at SNAPSHOT any error would begin a new
        snapshot, so it is ended here."""
        found = errors_of(said)
        self.errors |= set(found)
        assert set(found) <= {1205, 2627, 3960}, found
        if 2627 in found and transaction.level != "SNAPSHOT":
            return True
        yield "IF @@TRANCOUNT > 0 ROLLBACK"
        return False


def numbers(value: str) -> List:
    return tuple(int(part) for part in value.split(",")[1:])


def rows_of(outcomes: list[Any]) -> list[Any]:
    return [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]


def errors_of(outcomes: list[Any]) -> list[int]:
    return [outcome.error.number for outcome in outcomes if isinstance(outcome, ErrorOutcome)]


# --- the checker -------------------------------------------------------------------------------------------

Graph = dict[Transaction, set[Transaction]]


def anomalies(history: History) -> Iterator[str]:
    """What the levels forbid, in words."""
    if history.is_stuck:
        yield "everybody waits for ever"
        return
    writer = {n: t for t in history.transactions for n in (*t.appended, *t.undone)}
    final = {n: (key, place) for key, found in history.final.items() for place, n in enumerate(found)}
    yield from _lost_and_undone(history, writer, final)
    yield from _reads(history, writer)
    ww, wr, rw, held = _dependencies(history, writer)
    locking = {"REPEATABLE READ", "SERIALIZABLE"}
    for forbidden, graph, starts in (
        ("G0, G1c", _union(ww, wr, held), _union(ww, wr, held)),
        ("G-single at SNAPSHOT", _union(ww, wr), _only(rw, {"SNAPSHOT"})),
        ("G2", _union(ww, wr, held, _only(rw, locking)), _only(rw, locking)),
    ):
        for start, nexts in starts.items():
            for following in nexts:
                way = _way(graph, following, start)
                if way:
                    yield f"{forbidden}: {' > '.join(t.name for t in (start, *way))}"


def _lost_and_undone(history: History, writer: dict[int, Transaction], final: dict[int, Any]) -> Iterator[str]:
    for transaction in history.transactions:
        for number, key in transaction.appended.items():
            if transaction.is_committed and final.get(number, (None,))[0] != key:
                yield f"{transaction.name} has committed {number}, which is lost"
    for number in final:
        transaction = writer[number]
        if not transaction.is_committed or number in transaction.undone:
            yield f"{number} of {transaction.name} was undone and is there"


def _reads(history: History, writer: dict[int, Transaction]) -> Iterator[str]:
    """G1a and G1b, and lists that never were."""
    for transaction in history.transactions:
        for key, found, _ in transaction.reads:
            foreign = tuple(n for n in found if writer[n] is not transaction)
            for number in foreign:
                if not writer[number].is_committed or number in writer[number].undone:
                    yield f"G1a: {transaction.name} has read {number} of {writer[number].name}, which was undone"
            if foreign != history.final.get(key, ())[: len(foreign)]:
                yield f"{transaction.name} has read {found} of key {key}, which became {history.final.get(key)}"
            for other in {writer[n] for n in foreign}:
                if any(k == key and n not in foreign for n, k in other.appended.items()):
                    if writer[foreign[-1]] is other:
                        yield f"G1b: {transaction.name} has read a part of what {other.name} has written to {key}"


def _dependencies(history: History, writer: dict[int, Transaction]) -> tuple[Graph, Graph, Graph, Graph]:
    """ww, wr and rw between committed transactions, and the rw of those who held a lock on what they read: it says who
    committed first, at every level, but no version."""
    ww: Graph = defaultdict(set)
    wr: Graph = defaultdict(set)
    rw: Graph = defaultdict(set)
    held: Graph = defaultdict(set)
    for found in history.final.values():
        for before, after in pairwise(found):
            if writer[before] is not writer[after]:
                ww[writer[before]].add(writer[after])
    for transaction in history.transactions:
        if not transaction.is_committed:
            continue
        for key, found, is_locked in transaction.reads:
            foreign = [n for n in found if writer[n] is not transaction]
            if foreign:
                wr[writer[foreign[-1]]].add(transaction)
            later = [n for n in history.final.get(key, ())[len(foreign) :] if writer[n] is not transaction]
            if later:
                (held if is_locked else rw)[transaction].add(writer[later[0]])
    return ww, wr, rw, held


def _union(*graphs: Graph) -> Graph:
    whole: Graph = defaultdict(set)
    for graph in graphs:
        for node, nexts in graph.items():
            whole[node] |= nexts
    return whole


def _only(graph: Graph, levels: set[str]) -> Graph:
    return {node: nexts for node, nexts in graph.items() if node.level in levels}


def _way(graph: Graph, start: Transaction, goal: Transaction) -> list[Transaction]:
    """A way from one to the other, both included; empty without one."""
    came: dict[Transaction, Transaction | None] = {start: None}
    todo = [start]
    while todo:
        node = todo.pop()
        if node is goal:
            way: list[Transaction] = []
            at: Transaction | None = node
            while at is not None:
                way.append(at)
                at = came[at]
            return way[::-1]
        for following in graph.get(node, ()):
            if following not in came:
                came[following] = node
                todo.append(following)
    return []


if __name__ == "__main__":
    told = History(int(sys.argv[1]))
    print("\n".join(told.story))
    print({key: list(found) for key, found in told.final.items()})
    print("\n".join(anomalies(told)) or "nothing forbidden")
