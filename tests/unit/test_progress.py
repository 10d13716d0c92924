"""When there is a line at the foot of the terminal, what stands in it, and that nothing of it stays."""

from __future__ import annotations

import contextlib
import io
import os
import re

import pytest
from glass import GlassTerminal
from rich.text import Text

from sbql.grammar.batches import Directive
from sbql.repl.progress import TAKES_LONG, Foot, Told, is_watched
from sbql.repl.script_place import ScriptPlace


class World:
    """A foot, its terminal, and a clock that somebody moves."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.now = 1000.0
        self.terminal = GlassTerminal(encoding)
        self.foot = Foot(self.terminal, clock=lambda: self.now)

    def after(self, seconds: float) -> list[str]:
        """What one sees then."""
        self.now += seconds
        self.foot.look()
        return self.terminal.glass.lines

    def say(self, text: str) -> None:
        with self.foot.cleared(self.terminal):
            self.terminal.write(text)


@pytest.fixture(autouse=True)
def _columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)


@pytest.fixture
def world() -> World:
    return World()


def test_what_is_short_has_no_line(world: World) -> None:
    with world.foot.during("opening"):
        assert world.after(TAKES_LONG - 0.01) == [""]
    assert world.after(60) == [""]


def test_what_is_long_has_one_that_goes(world: World) -> None:
    world.say("one\n")
    with world.foot.during("opening"):
        assert [line.split() for line in world.after(TAKES_LONG)] == [["one"], ["⠋", "opening", "0:00:01"]]
        assert [line.split()[1:] for line in world.after(64)] == [[], ["opening", "0:01:05"]]
        assert not world.terminal.glass.is_hidden, "a process that is killed could not bring the cursor back"
    assert world.terminal.glass.lines == ["one"]
    assert world.terminal.glass.cursor == (1, 0)


def test_it_makes_room_and_comes_back_a_second_later(world: World) -> None:
    with world.foot.during("running"):
        world.after(5)
        world.say("one\ntwo\n")
        assert world.after(TAKES_LONG - 0.01) == ["one", "two"]
        assert world.after(0.02)[2].split()[1:] == ["running", "0:00:06"]
    assert world.terminal.glass.lines == ["one", "two"]


def test_who_always_writes_sees_none(world: World) -> None:
    with world.foot.during("running"):
        for _ in range(20):
            world.say("more\n")
            assert set(world.after(0.5)) == {"more"}


def test_a_file_beside_the_terminal_does_not_move_it(world: World) -> None:
    with world.foot.during("running"):
        world.after(5)
        with world.foot.cleared(io.StringIO()):
            assert world.terminal.glass.lines[0].split()[1:] == ["running", "0:00:05"]


def test_parts_of_a_work_share_the_line(world: World) -> None:
    told = Told("a.sql:5 of 20", 4, 20)
    with world.foot.during(lambda: told), world.foot.during(lambda: Told("")), world.foot.during("running"):
        (line,) = world.after(2)
        assert " a.sql:5 of 20 | running " in line
        assert line.split()[-2:] == ["20%", "0:00:02"]
        told = Told("a.sql:20 of 20", 19, 20)
        assert world.after(0.1)[0].split()[-2] == "95%"
        told = Told("a.sql:20 of 20")
        assert "%" not in world.after(0.1)[0]
    assert world.terminal.glass.lines == [""]


def test_the_end_of_a_part_is_not_the_end(world: World) -> None:
    with world.foot.during("all"):
        with world.foot.during("part"):
            assert "all | part" in world.after(3)[0]
        assert world.after(0.1)[0].split()[1:] == ["all", "0:00:03"]


def test_an_error_takes_it_away(world: World) -> None:
    with contextlib.suppress(KeyboardInterrupt), world.foot.during("all"):
        world.after(3)
        raise KeyboardInterrupt
    assert world.terminal.glass.lines == [""]


def test_a_line_that_has_not_ended_stands_above_it(world: World) -> None:
    marks = "tests/a .F."
    world.say(marks)
    with world.foot.during(lambda: Told("3 of 9 scripts", 3, 9, before=Text(marks, "green"))):
        first, second = world.after(2)
        assert (first, " 3 of 9 scripts " in second) == (marks, True)
        world.say(".")
        marks += "."
        assert world.after(0) == [marks]
        assert world.after(1)[0] == marks
    assert world.terminal.glass.lines == [marks]
    assert world.terminal.glass.cursor == (0, len(marks))


def test_below_a_line_that_is_more_than_one_there_is_no_place(world: World) -> None:
    marks = "." * 80
    world.say(marks)
    with world.foot.during(lambda: Told("3 of 9", 3, 9, before=Text(marks))):
        assert world.after(9) == [marks]
    assert world.terminal.glass.lines == [marks]


def test_the_echo_of_ctrl_c_goes_with_it(world: World) -> None:
    with world.foot.during(lambda: Told("x" * 99, 1, 4)):
        for seconds in (2, 4, 6):
            world.after(2)
            world.terminal.write("^C^C")
            (line,) = world.terminal.glass.lines
            assert line.endswith(f" 0:00:0{seconds}^C^C")
            assert len(line) == 80
    assert world.terminal.glass.lines == [""]


@pytest.mark.parametrize("columns", [40, 80, 160])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_it_is_one_line_of_any_text(columns: int, encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without UTF-8 too, where a sign that is not there would be an error; nothing of a name
    moves the cursor or colours the line."""
    monkeypatch.setenv("COLUMNS", str(columns))
    world = World(encoding)
    name = "orders [bold]x[/].sql\n\x1b[5A" + "y" * 200
    with world.foot.during(lambda: Told(name, 1, 4)):
        (line,) = world.after(2)
        assert columns - 4 == len(line)
        assert " orders [bold]x[/].sql" in line or columns == 40
        assert line.split()[-2:] == ["25%", "0:00:02"]
    assert world.terminal.glass.lines == [""]


@pytest.mark.parametrize("is_coloured", [True, False])
def test_colours_are_for_who_wants_them(world: World, is_coloured: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_coloured:
        monkeypatch.setenv("NO_COLOR", "1")
    written: list[str] = []
    monkeypatch.setattr(world.terminal, "write", written.append)
    with world.foot.during(lambda: Told("a", 1, 4)):
        world.now += 2
        world.foot.look()
    assert "25%" in "".join(written)
    styles = ";".join(re.findall(r"\x1b\[([\d;]*)m", "".join(written))).split(";")
    assert any(len(style) == 2 and style[0] in "39" for style in styles) is is_coloured


class _Stream(io.StringIO):
    def __init__(self, *, is_terminal: bool, number: int | None = None) -> None:
        super().__init__()
        self._is_terminal = is_terminal
        self._number = number

    def isatty(self) -> bool:
        return self._is_terminal

    def fileno(self) -> int:
        if self._number is None:
            raise io.UnsupportedOperation
        return self._number


@pytest.mark.parametrize(
    ("environ", "watched"),
    [
        ({}, True),
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"CI": "true"}, False),
        ({"CI": "false"}, True),
    ],
)
def test_who_watches(environ: dict[str, str], watched: bool) -> None:
    terminal, file = _Stream(is_terminal=True), _Stream(is_terminal=False)
    assert is_watched(terminal, terminal, environ) is watched
    assert is_watched(terminal, file, environ) is watched
    assert not is_watched(file, terminal, environ)


def test_nobody_watches_who_sends_results_to_a_pager() -> None:
    reads, writes = os.pipe()
    with os.fdopen(reads), os.fdopen(writes, "w"):
        assert not is_watched(_Stream(is_terminal=True), _Stream(is_terminal=False, number=writes), {})
    with open(os.devnull, "w") as file:
        assert is_watched(_Stream(is_terminal=True), file, {})


def test_the_place_in_a_script() -> None:
    place = ScriptPlace("setup/main.sql", "\n" * 9)
    assert place.told() == Told("main.sql:1 of 10")
    place.at(Directive("listvar", "", 5, "setup/main.sql"))
    assert place.told() == Told("main.sql:5 of 10", 4, 10)
    place.at(Directive("listvar", "", 88, "setup/schema.sql"))
    assert place.told() == Told("schema.sql:88, included by main.sql:5 of 10", 4, 10)
    assert ScriptPlace("query", "SELECT 1").told() == Told("")
