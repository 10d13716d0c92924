"""How one script went: passed, failed (an expectation does not hold) or error (it could not be run to its end).

It decides what counts as which. It must not know how results are shown.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from sbql.engine.patience import NeverWakes
from sbql.engine.scripts import ScriptError
from sbql.grammar.errors import SqlError
from sbql.repl.testing.directives import ScriptFailure

__all__ = ["Outcome", "Result", "result_of"]

Outcome = Literal["passed", "failed", "error"]


class Result(Struct, frozen=True):
    """`text`: why it did not pass; `place`: `file:line` of that, `message`: its first line; `log`:
    the last lines of the error log."""

    name: str
    outcome: Outcome
    seconds: float
    place: str = ""
    message: str = ""
    text: str = ""
    log: tuple[str, ...] = ()


def result_of(name: str, run: Callable[[], object]) -> Result:
    """Run a test and say how it went. KeyboardInterrupt goes on."""
    began = time.monotonic()
    try:
        run()
    except ScriptFailure as failure:
        place = f"{failure.file}:{failure.line}"
        text = str(failure)
        if failure.__cause__ is not None and not isinstance(failure.__cause__, SqlError):
            text += "\n" + "".join(traceback.format_exception(failure.__cause__)).rstrip()
        message = failure.message.partition("\n")[0]
        return Result(name, "failed", time.monotonic() - began, place, message, text, tuple(failure.log))
    except (ScriptError, SqlError, NeverWakes, OSError) as error:
        return Result(name, "error", time.monotonic() - began, name, str(error).partition("\n")[0], str(error))
    except Exception as error:
        text = traceback.format_exc().rstrip()
        return Result(name, "error", time.monotonic() - began, name, f"{type(error).__name__}: {error}", text)
    return Result(name, "passed", time.monotonic() - began)
