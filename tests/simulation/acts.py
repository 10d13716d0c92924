"""What the clients of the simulation try: each act is the text of one batch and its name for people.

It decides which statements meet which handles, and keeps every batch one transaction with its entries in the books. It
must not know what comes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sbql.engine.drivers import LoopTask
from sbql.engine.session import Session

if TYPE_CHECKING:
    from simulation import Simulation

__all__ = ["ACTS", "DATABASES", "Client"]

DATABASES = ("shop", "depot")


@dataclass(slots=True)
class Client:
    """A session that runs one batch at a time."""

    name: str
    database: str
    session: Session
    task: LoopTask | None = None
    leaves: bool = False
    """Its connection is lost as soon as its batch has been cancelled."""


Act = tuple[str, str]
"""A batch, and what it does."""


def in_transaction(run: Simulation, client: Client, text: str) -> str:
    """A batch and its books are one transaction, also when the client has none open."""
    if client.session.trancount:
        return text
    return f"BEGIN TRANSACTION; {text}; {'COMMIT' if run.chance.random() < 0.9 else 'ROLLBACK'}"


def open_or_close(run: Simulation, client: Client) -> Act | None:
    if client.session.trancount:
        return close(run, client)
    return "BEGIN TRANSACTION", "BEGIN TRANSACTION"


def close(run: Simulation, client: Client) -> Act | None:
    if not client.session.trancount:
        return None
    word = "COMMIT" if run.chance.random() < 0.75 else "ROLLBACK"
    return word, word


def savepoint(run: Simulation, client: Client) -> Act | None:
    if not client.session.trancount:
        return None
    text = f"{run.chance.choice(('SAVE', 'ROLLBACK'))} TRANSACTION place"
    return text, text


def begin_dialog(run: Simulation, client: Client) -> Act:
    run.dialogs += 1
    source = run.chance.choice(("desk", "work"))
    target = f"//{run.chance.choice(DATABASES)}/{run.chance.choice(('desk', 'work', 'work', 'passing'))}"
    options = ["ENCRYPTION = OFF"]
    if run.chance.random() < 0.1:
        options.append("LIFETIME = 20")
        run.mortal.add(run.dialogs)
    if run.handles and run.chance.random() < 0.3:
        options.append(f"RELATED_CONVERSATION = '{run.handle(client)}'")
    text = (
        f"DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{client.database}/{source}] TO SERVICE '{target}' "
        f"WITH {', '.join(options)}; INSERT sides VALUES (@h, {run.dialogs}, 'I'); EXEC say @h, {run.next_number()}; SELECT @h"
    )
    return in_transaction(run, client, text), f"begins dialog {run.dialogs} to {target} WITH {', '.join(options)}"


def say(run: Simulation, client: Client) -> Act:
    handles = [run.handle(client) for _ in range(run.chance.choice((1, 1, 2)))]  # two: a chance for a deadlock
    calls = [
        f"IF EXISTS (SELECT * FROM sides WHERE handle = '{handle}') EXEC say '{handle}', {run.next_number()}"
        for handle in handles
        for _ in range(run.chance.randint(1, 2))
    ]
    return in_transaction(run, client, "; ".join(calls)), f"SEND on {', '.join(handles)}"


def receive(run: Simulation, client: Client) -> Act:
    queue = run.chance.choice(("desk", "desk", "work"))
    where = ""
    if run.chance.random() < 0.3:
        where = f" WHERE conversation_handle = '{run.handle(client)}'"
    timeout = run.chance.choice(("", ", TIMEOUT 0", ", TIMEOUT 1", ", TIMEOUT 100", ", TIMEOUT 5000"))
    text = (
        "DECLARE @mail mail; WAITFOR (RECEIVE TOP (5) conversation_handle, message_sequence_number, message_type_name, "
        f"CAST(message_body AS varchar(100)) FROM {queue} INTO @mail{where}){timeout}; "
        f"EXEC handle_mail @mail, {run.chance.randint(0, 2)}; SELECT DISTINCT handle FROM @mail"
    )
    return in_transaction(run, client, text), f"RECEIVE FROM {queue}{where}{timeout}"


def finish(run: Simulation, client: Client) -> Act:
    how = run.chance.choice(("end", "end", "end", "error", "cleanup"))
    handle = run.handle(client)
    # learnt, and not rolled back
    text = f"IF EXISTS (SELECT * FROM sides WHERE handle = '{handle}') EXEC finish '{handle}', '{how}'"
    return in_transaction(run, client, text), f"ends {handle} ({how})"


def move(run: Simulation, client: Client) -> Act:
    one, other = run.handle(client), run.handle(client)
    text = (
        "DECLARE @g uniqueidentifier; SELECT @g = conversation_group_id FROM sys.conversation_endpoints "
        f"WHERE conversation_handle = '{other}'; IF @g IS NOT NULL MOVE CONVERSATION '{one}' TO @g"
    )
    return in_transaction(run, client, text), f"MOVE {one} to the group of {other}"


def time(run: Simulation, client: Client) -> Act:
    run.timers += 1
    text = f"BEGIN CONVERSATION TIMER ('{run.handle(client)}') TIMEOUT = {run.chance.choice((1, 5, 30))}"
    return in_transaction(run, client, text), "sets a timer"


ACTS: tuple[Callable[[Simulation, Client], Act | None], ...] = (
    *[open_or_close] * 2, close, *[begin_dialog] * 3, *[say] * 6, *[receive] * 4, finish, move, time, savepoint,
)  # fmt: skip
"""Chosen among with equal chance; None means: not now."""
