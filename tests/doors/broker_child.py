"""A process of its own with an instance that answers: `broker_child.py STORE HOST:PORT=HOST:PORT…`: its
store, and where addresses are in fact. Prints `ready`, then runs each line of its input as a batch and
prints its rows; ends with its input."""

from __future__ import annotations

import sys

import sbql


def main() -> None:
    store, *addresses = sys.argv[1:]
    with sbql.connect(store, addresses=dict(text.split("=") for text in addresses)) as connection:
        print("ready", flush=True)
        for line in sys.stdin:
            cursor = connection.execute(line)
            print(cursor.fetchall() if cursor.description else [], flush=True)


main()
