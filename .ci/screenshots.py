"""Screenshots of the prompt for the documents, as SVG: `make screenshots` types each scene into a
pseudo-terminal and draws what stands there.

It decides the scenes. pyte is the terminal, rich draws; the pictures load nothing, and
every program that shows SVG shows them.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import pexpect
import pyte
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

FOLDER = Path(__file__).parents[1] / "docs" / "screenshots"

SHOP = """CREATE DATABASE Shop
GO
USE Shop
CREATE MESSAGE TYPE [//shop/order] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [//shop/answer] VALIDATION = WELL_FORMED_XML
CREATE CONTRACT [//shop/contract] ([//shop/order] SENT BY INITIATOR, [//shop/answer] SENT BY TARGET)
CREATE QUEUE CustomerQueue; CREATE QUEUE OrderQueue
CREATE SERVICE [//shop/customer] ON QUEUE CustomerQueue
CREATE SERVICE [//shop/orders] ON QUEUE OrderQueue ([//shop/contract])
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE [//shop/customer] TO SERVICE '//shop/orders' ON CONTRACT [//shop/contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [//shop/order] (N'<order id="7"><line product="tea">2</line></order>');
"""
AGAIN = (
    "DECLARE @h uniqueidentifier",
    "BEGIN DIALOG @h FROM SERVICE [//shop/customer] TO SERVICE '//shop/orders'",
    "  ON CONTRACT [//shop/contract] WITH ENCRYPTION = OFF;",
    "SEND ON CONVERSATION @h MESSAGE TYPE [//shop/order] (N'<order id=\"8\"/>')",
    "GO",
)


@dataclass(frozen=True, slots=True)
class Scene:
    """`steps`: a line to type and what has to stand on the screen before the next one is."""

    title: str
    size: tuple[int, int]
    steps: tuple[tuple[str, str], ...]


SCENES = {
    "typo": Scene("a typo", (80, 14), (
        ("SELECT q.name, q.is_receive_enabled", "2>"), ("FROM sys.service_queues AS q", "3>"), ("WHERE q.is_ms_shiped = 0", "4>"), ("GO", r"Did you mean"),
    )),
    "peek": Scene("\\peek OrderQueue", (80, 17), (("\\peek OrderQueue", "ready"),)),
    "queues": Scene("\\queues, \\contracts", (160, 16), (("\\queues", "OrderQueue"), ("\\contracts", "initiator"))),
    "conversation": Scene("\\conversation", (160, 27), (*((line, ">") for line in AGAIN), ("\\conversation", r"ready"))),
    "why": Scene("\\why", (100, 26), (
        ("ALTER QUEUE OrderQueue WITH STATUS = OFF", "2>"), ("GO", r"^Shop>$"), *((line, ">") for line in AGAIN), ("\\why", r"repair"),
    )),
    "two-windows": Scene("two windows in one", (100, 22), (
        ("WAITFOR (RECEIVE TOP (1) message_type_name, message_body FROM CustomerQueue)", "2>"), ("\\background", "You are in session 2"),
        ("SEND ON CONVERSATION (SELECT conversation_handle FROM sys.conversation_endpoints", "2>"),
        ("  WHERE is_initiator = 0) MESSAGE TYPE [//shop/answer] (N'<thanks/>')", "3>"), ("GO", "done,"),
    )),
}  # fmt: skip


def played(scene: Scene, folder: Path) -> pyte.Screen:
    """The screen after the last step. Raises TimeoutError with what stands there when
    a step does not come to its end."""
    columns, lines = scene.size
    screen = pyte.Screen(columns, lines)
    stream = pyte.Stream(screen)
    environment = {
        **os.environ,
        "HOME": str(folder),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    store = folder / "shop.duckdb"
    child = pexpect.spawn(
        sys.executable, ["-m", "sbql", "--store", str(store), "-d", "Shop"], dimensions=(lines, columns), env=environment, encoding="utf-8"
    )  # fmt: skip

    def until(pattern: str) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try:
                stream.feed(child.read_nonblocking(1 << 16, timeout=1))
                continue
            except pexpect.TIMEOUT:
                pass
            shown = "\n".join(line.rstrip() for line in screen.display[: lines - 1]).rstrip()
            if re.search(pattern, shown, re.M):
                return
        raise TimeoutError(f"{scene.title}: {pattern!r} does not come:\n" + "\n".join(screen.display))

    try:
        until("Shop>")
        for typed, pattern in scene.steps:
            child.send(f"{typed}\r")
            until(pattern)
    finally:
        with contextlib.suppress(pexpect.ExceptionPexpect):
            child.kill(signal.SIGKILL)
            child.wait()
    return screen


def colour(name: str) -> str | None:
    """As rich names it."""
    if name == "default":
        return None
    if re.fullmatch("[0-9a-f]{6}", name):
        return f"#{name}"
    bright, base = name.startswith("bright"), name.removeprefix("bright").replace("brown", "yellow")
    return f"bright_{base}" if bright else base


def drawn(screen: pyte.Screen, title: str) -> str:
    """The screen as SVG."""
    console = Console(
        width=screen.columns, record=True, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for line in range(screen.lines):
        text = Text(no_wrap=True)
        for column in range(screen.columns):
            char = screen.buffer[line][column]
            text.append(char.data, Style(color=colour(char.fg), bgcolor=colour(char.bg), bold=char.bold, italic=char.italics, reverse=char.reverse, underline=char.underscore))  # fmt: skip
        console.print(text, soft_wrap=True)
    svg = console.export_svg(title=f"sbql: {title}", theme=MONOKAI, unique_id="sbql")
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.S)  # no font from the network


def main(names: list[str]) -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names or SCENES:
        with tempfile.TemporaryDirectory() as folder:
            import sbql

            with sbql.connect(str(Path(folder) / "shop.duckdb")) as connection:
                sbql.run_script(connection, SHOP)
            (FOLDER / f"{name}.svg").write_text(
                drawn(played(SCENES[name], Path(folder)), SCENES[name].title), encoding="utf-8"
            )
            print(f"docs/screenshots/{name}.svg")


if __name__ == "__main__":
    main(sys.argv[1:])
