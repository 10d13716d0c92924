"""Large values that computations find hard, and every call that can take one.

A call that is known to work (clauses.py) gets them in place of its text, binary, xml and number arguments: one after
the other, and all at once. `python tests/fuzz/hostile.py [seconds] [seed]` cancels as many of them as the time allows,
in random order, and prints how long they went on.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from clauses import COLUMNS, DECLARED, SETUP, candidates, specs
from subject import OURS, Subject

from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.scalars.function_registry import SCALAR
from sbql.grammar.types import BIGINT, INT, NVARCHAR_MAX, VARBINARY_MAX, Variant, varchar

__all__ = ["LONG", "TEXTS", "Sweep", "parameters", "prepared_subject", "stopped"]

LONG = 1 << 20

TEXTS: dict[str, Callable[[int], str]] = {
    "letters": lambda n: "a" * n,
    "blanks": lambda n: " " * n + "x",
    "digits": lambda n: "9" * n,
    "fraction": lambda n: "0." + "1" * n + "x",
    "thousands": lambda n: "1," * (n // 2),
    "beyond": lambda n: "é😀" * (n // 2),
    "halves": lambda n: "\ud83d" * n,
    "arrays": lambda n: "[" * n,
    "array": lambda n: "[" + "1," * (n // 2) + "1]",
    "objects": lambda n: '{"a":' * (n // 5),
    "strings": lambda n: '["' + "\\u0041" * (n // 6) + '"]',
    "elements": lambda n: "<a>" * (n // 3),
    "element": lambda n: "<r>" + "<a/>" * (n // 4) + "</r>",
    "attributes": lambda n: "<r " + " ".join(f'a{i}="1"' for i in range(n // 10)) + "/>",
    "entities": lambda n: "<r>" + "&lt;" * (n // 4) + "</r>",
    "open": lambda n: "<!--" * (n // 4),
    "declaration": lambda n: "<?xml " + " " * n,
    "doctype": lambda n: "<!DOCTYPE a [" + "'" * n,
    "formats": lambda n: "%s%*d" * (n // 5),
    "pictures": lambda n: "yM#0.;" * (n // 6),
    "commas": lambda n: "0" + "," * n,
    "dates": lambda n: "2026-01-01 " * (n // 11),
    "dotted": lambda n: "a." * (n // 2),
    "brackets": lambda n: "[a]]" * (n // 4),
    "quotes": lambda n: "'\"" * (n // 2),
    "path": lambda n: "$" + ".a" * (n // 2),
    "pattern": lambda n: "%a" * 1999,
}
"""Texts of a length, by name."""

WRITTEN_OUT = (
    "PARSE(@t AS date)", "PARSE(@t AS money)", "CHECKSUM(@t)", "DIFFERENCE(@t, @t)", "SOUNDEX(@t)",
    *(f"CAST(@t AS {kind})" for kind in ("int", "decimal(9, 2)", "float", "money", "date", "datetime", "time", "datetimeoffset", "xml", "uniqueidentifier")),
    *(f"TRY_CONVERT({kind}, @t, {style})" for kind in ("datetime", "date", "xml", "varbinary(max)") for style in (1, 2, 3, 126, 130)),
    "IIF(@t COLLATE Latin1_General_CI_AI = @t + 'x', 1, 0)", "IIF(@t LIKE '%a%a%a%b', 1, 0)", "IIF(@t LIKE @t, 1, 0)",
    "CAST(@t AS xml).value('(//a)[1]', 'nvarchar(max)')", "CAST(@t AS xml).query('for $a in //*, $b in //* return $b')",
    "CAST(@t AS xml).value('count(//*[. = //*])', 'int')", "(SELECT COUNT(*) FROM OPENJSON(@t))", "JSON_MODIFY(@t, '$.a', 1)", "ISJSON(@t)",
    "(SELECT COUNT(*) FROM OPENJSON(@t) WITH (a int))", "(SELECT STRING_AGG(value, ',') WITHIN GROUP (ORDER BY value DESC) FROM STRING_SPLIT(@t, 'a'))",
    "(SELECT value AS a FROM STRING_SPLIT(@t, 'a') FOR XML PATH)", "(SELECT value AS a FROM STRING_SPLIT(@t, 'a') FOR JSON PATH)",
)  # fmt: skip
"""Calls over @t that the registry does not spell."""

NUMBERS = (2**31 - 1, -(2**31), 2**63 - 1)


def hostile_calls(works: Callable[[str], bool], chance: random.Random, each: int) -> Iterator[str]:
    """Calls over @t (text), @v (varchar), @f (bytes) and @n (a number), from `each`
    calls of each function that work."""
    seen = set()
    for spec in specs((SCALAR,)):
        tried = list(candidates(spec, chance, 40))
        chance.shuffle(tried)
        for call in islice((call for call in tried if works(call)), each):
            for made in _replaced(call):
                if made not in seen:
                    seen.add(made)
                    yield made


_IN_PLACE = {"b": "@t", "m": "@t", "v": "@v", "e": "CAST(@t AS xml)", "f": "@f", "a": "@n", "x": "@t", "1": "@n", "0": "@n", "2026": "@n", "@i": "@n", "@s": "@t", "'a'": "@t", "N'$.a'": "@t", "'yyyy'": "@t", "0x01": "@f", "'20260101'": "@t", "'SHA2_256'": "@t"}  # fmt: skip


def _replaced(call: str) -> Iterator[str]:
    name, _, rest = call.partition("(")
    arguments = rest.removesuffix(")").split(", ")
    values = {column: f"CAST(NULL AS {kind})" for column, kind in COLUMNS.items()}
    values |= {
        "d": "CAST('20260101' AS datetime)",
        "c": "CAST(1 AS decimal(9, 2))",
        "r": "0.5",
        "o": "SYSDATETIMEOFFSET()",
    }
    plain = [values.get(argument, argument) for argument in arguments]
    large = [_IN_PLACE.get(argument) for argument in arguments]
    for i, one in enumerate(large):
        if one is not None:
            yield f"{name}({', '.join([*plain[:i], one, *plain[i + 1 :]])})"
    if sum(one is not None for one in large) > 1:
        yield f"{name}({', '.join(one or other for one, other in zip(large, plain, strict=True))})"


def parameters(text: str, length: int, number: int) -> dict[str, Variant]:
    """The values of @t, @v, @f and @n for one of TEXTS."""
    made, narrow, binary = _forms(text, length)
    return {
        "@t": Variant(NVARCHAR_MAX, made),
        "@v": Variant(varchar(-1), narrow),
        "@f": Variant(VARBINARY_MAX, binary),
        "@n": Variant(INT if -(2**31) <= number < 2**31 else BIGINT, number),
    }


@lru_cache(64)
def _forms(text: str, length: int) -> tuple[str, str, bytes]:
    made = TEXTS[text](length)
    return made, made.encode("latin-1", "replace").decode("latin-1"), made.encode("utf-8", "replace")


def stopped(
    subject: Subject, call: str, text: str, number: int, patience: float, limit: float, faults: list[str] | None = None
) -> tuple[float, float] | None:
    """Run a call over a text, cancel it after `patience` seconds: processor seconds of the process, and seconds, until
    it had stopped. Zeros when it ended by itself; None when it goes on after `limit` seconds. An error that no text may
    cause is added to `faults`; what other error it is does not count."""
    values = parameters(text, LONG, number)
    session, ended = subject.session, threading.Event()

    def body() -> None:
        try:
            for outcome in session.run(f"SELECT {call} AS z", parameters=values):
                if faults is not None and isinstance(outcome, ErrorOutcome) and outcome.error.number in OURS:
                    faults.append(f"{call} over {text}, {number}: {outcome.error.message[:200]}")
        finally:
            ended.set()

    threading.Thread(target=body, daemon=True).start()
    if ended.wait(patience):
        found = 0.0, 0.0
    else:
        began, worked = time.perf_counter(), time.process_time()
        session.cancel()
        if not ended.wait(limit):
            return None
        found = time.process_time() - worked, time.perf_counter() - began
    if session.is_ended:
        subject._reconnect()
    return found


def prepared_subject() -> Subject:
    subject = Subject()
    for batch in SETUP:
        subject.session.run(batch)
    return subject


@dataclass
class Sweep:
    """Pairs of a call and a text in random order, cancelled one after the other until the time is over."""

    seed: int
    patience: float = 0.05
    limit: float = 60.0
    calls: list[str] = field(default_factory=list)
    taken: list[tuple[float, float, str]] = field(default_factory=list)
    """Of each that was cancelled: processor seconds, seconds, what it was."""
    endless: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    tried: int = 0
    left: int = 0

    def run(self, seconds: float, tell: Callable[[str], object]) -> None:
        """A call that holds the interpreter cannot be waited for: after two limits its stack
        is printed, and the process ends."""
        chance, end, told = random.Random(self.seed), time.monotonic() + seconds, time.monotonic()
        subject = prepared_subject()

        def works(call: str) -> bool:
            faulthandler.dump_traceback_later(2 * self.limit, exit=True)
            return not any(isinstance(o, ErrorOutcome) for o in subject.session.run(f"{DECLARED}SELECT {call} FROM w"))

        found = {*WRITTEN_OUT}
        for call in hostile_calls(works, chance, 1):
            if time.monotonic() > end - seconds / 2:
                break  # trying which arguments fit may take half of the time
            found.add(call)
        self.calls = sorted(found)
        pairs = [(call, text) for call in self.calls for text in TEXTS]
        chance.shuffle(pairs)
        for self.tried, (call, text) in enumerate(pairs):
            if time.monotonic() > end:
                break
            if time.monotonic() - told > 15:
                told = time.monotonic()
                tell(f"{self.tried} of {len(pairs)} tried, {len(self.taken)} cancelled; now {call} over {text}")
            faulthandler.dump_traceback_later(2 * self.limit, exit=True)
            one = stopped(subject, call, text, chance.choice(NUMBERS), self.patience, self.limit, self.faults)
            if one is None:
                self.endless.append(f"{call} over {text}")
                tell(f"{self.endless[-1]} goes on")
                subject = prepared_subject()
            elif one[1]:
                self.taken.append((*one, f"{call} over {text}"))
        self.left = len(pairs) - self.tried
        faulthandler.cancel_dump_traceback_later()
        subject.close()

    def report(self) -> Iterator[str]:
        yield f"{len(self.calls)} calls, {self.tried} pairs of call and text tried, {self.left} left, {len(self.taken)} cancelled (seed {self.seed})"
        for place, what in enumerate(("processor seconds", "seconds")):
            ordered = sorted(one[place] for one in self.taken) or [0.0]
            shown = ", ".join(f"{q:.0%}: {ordered[int((len(ordered) - 1) * q)]:.3f}" for q in (0.5, 0.9, 0.99, 1))
            yield f"{what} until they had stopped: {shown}"
        yield from (f"{worked:8.3f} {passed:8.3f}  {what}" for worked, passed, what in sorted(self.taken)[-8:])
        yield from (f"goes on: {what}" for what in self.endless)
        yield from (f"internal error: {what}" for what in self.faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seconds", type=float, nargs="?", default=300.0, help="how long (%(default)s)")
    parser.add_argument("seed", type=int, nargs="?", default=1, help="which calls come first (%(default)s)")
    given = parser.parse_args()
    sweep = Sweep(given.seed)
    sweep.run(given.seconds, lambda text: print(text, file=sys.stderr, flush=True))
    print(*sweep.report(), sep="\n")
