"""What a look at the broker costs between two of its statements: `python tests/bench/broker_looks.py [--dialogs N]`.

Each form is in a loop with a SEND, or an END CONVERSATION that counts too, so that there is always something new to
see; the loop without the look is taken off. Microseconds of one turn, the least of five. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import tempfile
import time

from idle_dialogs import MAKE, SETUP
from statements import run_script

from sbql.engine.instance import Instance
from sbql.engine.session import Session

TURNS = 1_000
SLOW = 500
"""Microseconds of a turn: a twentieth of the turns is enough then."""
SENDING = """DECLARE @h uniqueidentifier, @i int = 0, @s char(2)
BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF
WHILE @i < {turns} BEGIN SEND ON CONVERSATION @h (0x02); {look}; SET @i += 1 END"""
CLEANING = """DECLARE @h uniqueidentifier, @i int = 0
WHILE @i < {turns} BEGIN {look}; END CONVERSATION @h WITH CLEANUP; SET @i += 1 END"""
LOOKS = (
    (SENDING, "SELECT @s = state FROM sys.conversation_endpoints WHERE conversation_handle = @h"),
    (SENDING, "IF EXISTS (SELECT * FROM sys.conversation_endpoints WHERE conversation_handle = @h AND state = 'ER') SET @s = 'x'"),
    (SENDING, "IF EXISTS (SELECT * FROM b) SET @s = 'x'"),
    (SENDING, "SET @s = IIF((SELECT COUNT(*) FROM b) > 0, 'x', 'y')"),
    (SENDING, "SELECT @s = LEFT(transmission_status, 2) FROM sys.transmission_queue WHERE conversation_handle = @h"),
    (SENDING, "IF EXISTS (SELECT * FROM sys.transmission_queue) SET @s = 'x'"),
    (SENDING, "SELECT @s = state FROM sys.conversation_endpoints WHERE CAST(conversation_handle AS binary(16)) = CAST(@h AS binary(16))"),
    (CLEANING, "SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints WHERE state IN ('SO', 'CO')"),
    (CLEANING, "SELECT TOP (1) @h = conversation_handle FROM sys.conversation_endpoints ORDER BY lifetime"),
)  # fmt: skip
"""The last but two is what the first was: nobody sees in it that it names a handle."""


def turn(session: Session, around: str, look: str, turns: int) -> float:
    began = time.perf_counter()
    run_script(session, around.format(turns=turns, look=look))
    return (time.perf_counter() - began) / turns * 1e6


def cost(session: Session, around: str, look: str) -> float:
    """Of one look: the least of five loops with it, less the least of those without it, run in turn."""
    turns = TURNS if turn(session, around, look, 20) < SLOW else TURNS // 20
    pairs = [(turn(session, around, look, turns), turn(session, SENDING, "SET @s = 'x'", turns)) for _ in range(5)]
    took, without = (min(side) for side in zip(*pairs, strict=True))
    return took - (without if around is SENDING else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--dialogs",
        type=int,
        default=10_000,
        help="dialogs that are there, some thousands: the last looks end many (%(default)s)",
    )
    given = parser.parse_args()
    print("| between two statements of the broker | µs |", "|---|--:|", sep="\n")
    with tempfile.TemporaryDirectory() as folder:
        instance = Instance.open(f"{folder}/shop.duckdb")
        session = instance.connect()
        run_script(session, SETUP)
        run_script(session, MAKE.format(count=given.dialogs))
        for around, look in LOOKS:
            print(f"| `{look}` | {cost(session, around, look):,.0f} |", flush=True)
        instance.close()


if __name__ == "__main__":
    main()
