"""The stock-trading application of the book chapter, run with some 300 orders.

It sets the two databases up, sends every order of orders.csv as the trader would, waits until the activated procedures
on both sides have nothing left to do, and prints the account of report.sql. Run it with `make demo`, or by hand:

    python scripts/book/trading/run_demo.py [--store FILE] [--orders CSV] [--first N]
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
import time
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path

from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import sbql

HERE = Path(__file__).parent
SUBMIT = """EXECUTE Trader1.dbo.submitOrder
    @order_number = ?, @account = ?, @symbol = ?, @side = ?, @quantity = ?, @price = ?, @body = ?"""

Order = tuple[int, str, str, str, int, Decimal, str | None]


def read_orders(path: Path) -> list[Order]:
    with path.open(encoding="utf-8", newline="") as file:
        return [
            (
                int(row["order_number"]),
                row["account"],
                row["symbol"],
                row["side"],
                int(row["quantity"]),
                Decimal(row["price"]),
                row["body"] or None,
            )
            for row in csv.DictReader(file)
        ]


def report_queries(path: Path) -> Iterator[tuple[str, str]]:
    """The batches of a report script: the last comment line above the query is its title."""
    for batch in re.split(r"^[ \t]*GO[ \t]*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.IGNORECASE):
        lines = batch.strip().splitlines()
        query_at = next(
            (number for number, line in enumerate(lines) if not line.startswith("--") and line.strip()), None
        )
        if query_at is not None:
            titles = [line.removeprefix("--").strip() for line in lines[:query_at] if line.startswith("--")]
            yield (titles[-1] if titles else ""), "\n".join(lines[query_at:])


def submit_all(connection: sbql.Connection, orders: Sequence[Order], console: Console) -> None:
    columns = (TextColumn("[bold]{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=not console.is_terminal) as progress:
        task = progress.add_task("Orders sent", total=len(orders))
        cursor = connection.cursor()
        for order in orders:
            cursor.execute(SUBMIT, order)
            progress.advance(task)


def print_report(connection: sbql.Connection, console: Console) -> None:
    for title, query in report_queries(HERE / "report.sql"):
        cursor = connection.cursor()
        cursor.execute(query)
        rows = cursor.fetchall()
        console.print()
        if not rows:
            console.print(f"[bold]{title}[/bold]: none")
            continue
        table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
        for number, column in enumerate(cursor.description or ()):
            numeric = all(isinstance(row[number], int | Decimal | None) for row in rows)
            table.add_column(str(column[0]), justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*("" if value is None else str(value) for value in row))
        console.print(table)


def run(connection: sbql.Connection, orders: Sequence[Order], console: Console) -> bool:
    """The whole demo. False if the broker still had work when the time was up."""
    console.print("Setting up [bold]Trader1[/bold] and [bold]DMBrokerage[/bold] ...")
    sbql.run_file(connection, HERE / "setup.sql")

    started = time.perf_counter()
    submit_all(connection, orders, console)
    with console.status("Waiting until both queues are idle ..."):
        is_idle = connection.wait_idle(timeout=60)
    seconds = time.perf_counter() - started
    console.print(f"{len(orders)} orders sent and answered in {seconds:.1f} s.")
    if not is_idle:
        console.print("[red]The queues are still busy after a minute; the account below is not final.[/red]")

    print_report(connection, console)
    return is_idle


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the stock-trading application of the book chapter.")
    parser.add_argument("--store", type=Path, help="keep the databases in this file (default: in memory)")
    parser.add_argument("--orders", type=Path, default=HERE / "orders.csv", help="the orders to send")
    parser.add_argument("--first", type=int, metavar="N", help="send only the first N orders")
    options = parser.parse_args(arguments)
    orders = read_orders(options.orders)[: options.first]
    connection = sbql.connect(options.store)
    try:
        return 0 if run(connection, orders, Console()) else 1
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
