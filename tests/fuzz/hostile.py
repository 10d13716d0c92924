"""Large values that computations find hard, and every call that can take one.

A call that is known to work (clauses.py) gets them in place of its text, binary, xml and number arguments: one after the
other, and all at once.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice

from clauses import COLUMNS, candidates, specs

from sbql.engine.scalars.registry import SCALAR
from sbql.engine.session import Session
from sbql.grammar.types import BIGINT, INT, NVARCHAR_MAX, VARBINARY_MAX, Variant, varchar

__all__ = ["LONG", "NUMBERS", "TEXTS", "WRITTEN_OUT", "hostile_calls", "parameters", "seconds_after_cancel"]

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
    """Calls over @t (text), @v (varchar), @f (bytes) and @n (a number), from `each` calls of each function that work."""
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


def parameters(text: str, number: int) -> dict[str, Variant]:
    return {
        "@t": Variant(NVARCHAR_MAX, text),
        "@v": Variant(varchar(-1), "".join(c if c < "\xff" else "?" for c in text)),
        "@f": Variant(VARBINARY_MAX, text.encode("utf-8", "replace")),
        "@n": Variant(INT if -(2**31) <= number < 2**31 else BIGINT, number),
    }


def seconds_after_cancel(
    session: Session, text: str, values: dict[str, Variant], patience: float, limit: float
) -> float | None:
    """Run a batch, cancel it after `patience` seconds: how long it then still took. None when it goes on after `limit`; what
    an error is does not count."""
    ended = threading.Event()

    def body() -> None:
        try:
            session.run(text, parameters=values)
        finally:
            ended.set()

    thread = threading.Thread(target=body, daemon=True)
    thread.start()
    if ended.wait(patience):
        return 0.0
    began = time.perf_counter()
    session.cancel()
    if not ended.wait(limit):
        return None
    return time.perf_counter() - began
