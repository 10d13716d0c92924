"""`sbql init`: a project to begin with: an application, tests of it in Python and in T-SQL,
and a page that says how to run them.

It decides where the files go, and that none that is there is overwritten. What is in
them stands in the folder `starter`.
"""

from __future__ import annotations

import argparse
from importlib.resources import files
from pathlib import Path

from sbql.repl.command_parser import command_parser
from sbql.repl.opening import Stop
from sbql.repl.options import EXIT_OK

__all__ = ["FILES", "parser", "run"]

_SOURCE = files("sbql.repl") / "starter"
FILES = tuple(sorted(file.name.removesuffix(".txt") for file in _SOURCE.iterdir() if file.name.endswith(".txt")))

_EXAMPLES = """\
examples:
  sbql init shop         a folder shop with an order application, its tests and a README
  sbql init .            the same here
"""


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "init",
        "Makes a starter project: an application of Service Broker, tests in Python and T-SQL, a README. Nothing is overwritten.",
        _EXAMPLES,
    )
    made.add_argument("folder", metavar="DIR", help="where; made if it is not there")
    return made


def run(arguments: list[str]) -> int:
    """`sbql init`. Returns the exit code. Raises UsageError, Stop."""
    folder = Path(parser().parse_args(arguments).folder)
    there = [name for name in FILES if (folder / name).exists()]
    if there:
        raise Stop(f"{folder} has {', '.join(there)} already; nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES:
            (folder / name).write_text((_SOURCE / f"{name}.txt").read_text(encoding="utf-8"), encoding="utf-8")
    except OSError as error:
        raise Stop(f"cannot write {error.filename or folder}: {error.strerror or error}") from None
    print("".join(f"{folder / name}\n" for name in FILES), end="")
    print(f"\nNext:\n  cd {folder}\n  sbql orders.sql order_42.sql\n  sbql test\n  pytest")
    return EXIT_OK
