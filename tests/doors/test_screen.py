"""What a person sees on a terminal: tables that fit, marks, colours and their absence."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from rich.cells import cell_len

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultColumn, ResultSet
from sbql.repl.bodies import decoded, indented
from sbql.repl.presenter import Presenter
from sbql.repl.screen import Screen
from sbql.repl.view import View

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def session() -> Any:
    instance = Instance.open(None, clock="virtual", seed=0)
    session = instance.connect()
    for batch in (
        "CREATE DATABASE Shop", "USE Shop", "CREATE QUEUE Q", "CREATE SERVICE S ON QUEUE Q ([DEFAULT])",
        """DECLARE @h uniqueidentifier
        BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h (N'<order id="7"><line>Grüße</line></order>');
        SEND ON CONVERSATION @h ('plain');
        SEND ON CONVERSATION @h (0x00FF);""",
    ):  # fmt: skip
        assert not [o for o in session.run(batch) if isinstance(o, ErrorOutcome)]
    yield session
    instance.close()


def drawn(session: Any, text: str, view: View | None = None, width: int = 80, **environment: str) -> str:
    """What `text` shows on a terminal of this width."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", "xterm-256color")
        patch.setenv("COLUMNS", str(width))
        patch.setenv("LINES", "500")
        patch.delenv("NO_COLOR", raising=False)
        for name, value in environment.items():
            patch.setenv(name, value)
        stream = Terminal()
        presenter = Presenter(view or View("table"), Screen(stream), lambda text: None)
        for outcome in session.run(text):
            presenter.renderer.source = text
            presenter.show(outcome, stream)
        assert presenter.screen is not None
        presenter.screen.finish()
        return stream.getvalue()


def seen(session: Any, text: str, view: View | None = None, width: int = 80) -> str:
    """The same without colours and blanks at the ends of lines."""
    lines = ESCAPE.sub("", drawn(session, text, view, width)).splitlines()
    return "\n".join(line.rstrip() for line in lines)


@pytest.mark.parametrize("width", [40, 80, 160])
@pytest.mark.parametrize(
    "source",
    ["sys.conversation_endpoints", "Q", "sys.databases", "sys.service_queues", "sys.routes", "sys.dm_exec_sessions", "sys.types",
     "(SELECT REPLICATE(N'日本語', 50) AS a, 1 AS b) AS x"],
)  # fmt: skip
@pytest.mark.parametrize("expanded", ["auto", "on", "off"])
def test_nothing_is_wider_than_the_screen(session: Any, source: str, width: int, expanded: str) -> None:
    shown = seen(session, f"SELECT TOP 3 * FROM {source}", View("table", expanded), width)
    assert max(map(cell_len, shown.splitlines())) <= width


def test_a_table_that_fits_is_a_table(session: Any) -> None:
    assert seen(session, "SELECT 5 AS id, 'open' AS status UNION ALL SELECT 12, NULL") == (
        "id  status\n──────────\n 5  open\n12  NULL\n(2 rows affected)"
    )


def test_what_is_too_long_is_cut_with_a_mark(session: Any) -> None:
    shown = seen(session, "SELECT REPLICATE('a', 100) AS long, 7 AS n")
    assert re.search(r"a…\s+7$", shown, re.M)


@pytest.mark.parametrize(("width", "heads", "value"), [
    (78, "is_a_rather_long_name_for_a_bit  also_a_long_one_for_this  v", "x" * 19),
    (77, "is_a_rather_long_name_for_a_b…  also_a_long_one_for_this  v", "x" * 19),
    (54, "is_a_rather_lo…  also_a_long_one…  v", "x" * 19),
    (45, "is_a_rathe…  also_a_lon…  v", "x" * 19),
    (44, "is_a_rathe…  also_a_lon…  v", "x" * 17 + "…"),
])  # fmt: skip
def test_names_give_way_before_what_is_in_the_rows(session: Any, width: int, heads: str, value: str) -> None:
    text = f"SELECT 1 AS is_a_rather_long_name_for_a_bit, 2 AS also_a_long_one_for_this, '{'x' * 19}' AS v"
    first, _, row = seen(session, text, width=width).split("\n")[:3]
    assert first.startswith(heads)
    assert row.split()[-1] == value
    assert len(row) <= width


def test_rows_that_are_too_wide_stand_upright(session: Any) -> None:
    shown = seen(session, "SELECT * FROM sys.conversation_endpoints")
    assert re.search(r"^state_desc +CONVERSING$", shown, re.M)
    assert "row 1 ─" in shown and "row 2 ─" in shown


def test_rows_stand_as_they_are_told_to(session: Any) -> None:
    assert "row 1" in seen(session, "SELECT 1 AS a", View("table", expanded="on"))
    assert "row 1" in seen(session, "SELECT 1 AS a", View("vertical"))
    assert "row 1" not in seen(session, "SELECT * FROM sys.conversation_endpoints", View("table", expanded="off"))


def test_bodies_are_decoded_and_marked(session: Any) -> None:
    query = "SELECT message_body FROM Q ORDER BY queuing_order"
    shown = seen(session, query)
    assert 'utf-16: <order id="7"><line>Grüße</line></order>\nascii: plain\n0x00FF' in shown
    assert "utf-16" not in seen(session, query, View("table", decodes=False))


def test_documents_are_indented_where_there_is_room(session: Any) -> None:
    shown = seen(session, "SELECT message_body FROM Q ORDER BY queuing_order", View("vertical"))
    assert re.search(r'utf-16:\n +<order id="7">\n +  <line>Grüße</line>\n +</order>', shown)


def test_colours_say_nothing_alone(session: Any) -> None:
    """Without them there is the same text, and no escape."""
    query = "SELECT NULL AS a; SELECT 1 FRM t x y"
    bare = drawn(session, query, NO_COLOR="1", TERM="dumb")
    assert "\x1b" not in bare
    assert bare == ESCAPE.sub("", drawn(session, query))


def test_a_terminal_without_utf_8_gets_signs_that_it_has(session: Any) -> None:
    class Old(Terminal):
        encoding = "ascii"

    stream = Old()
    presenter = Presenter(View("table"), Screen(stream), lambda text: None)
    for query in (
        "SELECT REPLICATE('a', 500) AS long, 7 AS n",
        "SELECT * FROM sys.conversation_endpoints",
        "SELECT 1 FRM t x y",
    ):
        for outcome in session.run(query):
            presenter.show(outcome, stream)
    assert stream.getvalue().isascii()
    assert re.search(r"a~[ |]+7", ESCAPE.sub("", stream.getvalue()))


def test_errors_have_a_caret(session: Any) -> None:
    shown = seen(session, "SELECT 1 FRM t x y")
    assert re.search(r"^Msg \d+, Level 15.*\n.*\nSELECT 1 FRM t x y\n +\^$", shown, re.M)


def test_of_many_rows_the_first_are_shown(session: Any) -> None:
    view = View("table", limit=3)
    shown = seen(session, "SELECT TOP 10 object_id FROM sys.all_objects", view)
    assert "7 more rows are not shown" in shown and "(10 rows affected)" in shown


def test_without_a_limit_all_rows_are_shown(session: Any) -> None:
    """Those of a long result as sqlcmd prints them, for drawing takes its time."""
    shown = seen(
        session, "SELECT TOP 1001 1 AS n FROM sys.all_objects a CROSS JOIN sys.types b", View("table", limit=0)
    )
    assert shown.splitlines()[:2] == ["n", "-"] and shown.count("\n1") == 1001


def test_signs_of_the_terminal_are_shown_and_not_obeyed(session: Any) -> None:
    shown = drawn(session, "SELECT 'a' + CHAR(27) + '[2Jb' AS x", NO_COLOR="1", TERM="dumb")
    assert "a\\u001b[2Jb" in shown and "\x1b[2J" not in shown


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", None),
        ("héllo".encode("utf-16-le"), ("héllo", "utf-16")),
        ("\ufeff<a/>".encode("utf-16-le"), ("<a/>", "utf-16")),
        ("中文消息".encode("utf-16-le"), ("中文消息", "utf-16")),
        (b"<a/>", ("<a/>", "ascii")),
        ("für".encode(), ("für", "utf-8")),
        (b"\x00\x00\x00\x05", None),
        (b"\xff\xd8\xff\xe0\x00", None),
        (b"a\x00", ("a", "utf-16")),
        ("\x1b[2J".encode("utf-16-le"), None),
    ],
)
def test_what_is_taken_for_text(data: bytes, expected: tuple[str, str] | None) -> None:
    assert decoded(data) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a><b>1</b><c/></a>", "<a>\n  <b>1</b>\n  <c/>\n</a>"),
        ('<?xml version="1.0"?><a><b/></a>', '<?xml version="1.0"?>\n<a>\n  <b/>\n</a>'),
        ("<a/><b/>", "<a/>\n<b/>"),
        ('<n:a xmlns:n="u"><n:b/></n:a>', '<n:a xmlns:n="u">\n  <n:b/>\n</n:a>'),
        ("<a>mixed <b/> text</a>", None),
        ("<a>", None),
        ('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', None),
        ('{"a": [1, 2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}'),
        ('{"a": 1.10}', None),
        ("{a}", None),
        ("plain", None),
    ],
)
def test_documents_over_several_lines(text: str, expected: str | None) -> None:
    assert indented(text) == expected


def test_an_empty_result_has_its_header() -> None:
    stream = Terminal()
    from sbql.grammar.types import NVARCHAR_MAX

    Screen(stream).result(ResultSet([ResultColumn("name", NVARCHAR_MAX)], []), View("table"))
    assert "name" in stream.getvalue()
