"""Plain XML is kept as the parser keeps it: texts of its marks at random, with a comment behind them, which
takes the parser's way, and without."""

from __future__ import annotations

import random

import pytest

from sbql.grammar.errors import SqlError
from sbql.grammar.values.xml_plain import plain_xml
from sbql.grammar.values.xml_text import parse_xml

NAMES = ("a", "b", "a-b", "_x", "a.b", "x1", "é", "a:b", "xml", "xmlns", "xml:space", "1")
CHARACTERS = (
    "x",
    "y",
    " ",
    "\n",
    "\t",
    "]]",
    "é",
    "日",
    "😀",
    "'",
    '"',
    "=",
    "/",
    "]]>",
    "\r",
    "&amp;",
    "&#32;",
    "\x01",
    "\u2028",
    "\x85",
    "\x7f",
    "\ufffe",
)
VALUES = ("v", "z", " ", "é", "\n", "\t", ">", "&lt;", "'", "日", "preserve")
COMMENT = "<!---->"


def some(chance: random.Random, rare: tuple[str, ...], usual: str, most: int) -> str:
    return "".join(chance.choice(rare) if chance.random() < 0.3 else usual for _ in range(chance.randint(0, most)))


def element(chance: random.Random, depth: int) -> str:
    name = chance.choice(NAMES if chance.random() < 0.2 else NAMES[:6])
    attributes = ""
    for _ in range(chance.choice((0, 0, 0, 1, 2))):
        quote = '"' if chance.random() < 0.9 else "'"
        between = chance.choice((" ", " ", " ", "  ", "\n", ""))
        attributes += f"{between}{chance.choice(NAMES)}={quote}{some(chance, VALUES, 'z', 3)}{quote}"
    blank = " " * (chance.random() < 0.1)
    if chance.random() < 0.2:
        return f"<{name}{attributes}{blank}/>"
    inner = "".join(
        element(chance, depth - 1) if depth and chance.random() < 0.4 else some(chance, CHARACTERS, "x", 3)
        for _ in range(chance.randint(0, 3))
    )
    closed = name if chance.random() < 0.97 else chance.choice(NAMES)
    return f"<{name}{attributes}{blank}>{inner}</{closed}{blank}>"


def kept(text: str, preserve: bool) -> str | None:
    try:
        return parse_xml(text, preserve=preserve)
    except SqlError:
        return None


@pytest.mark.parametrize("seed", range(20))
def test_plain_texts_are_kept_as_the_parser_keeps_them(seed: int) -> None:
    chance, count = random.Random(seed), 0
    for _ in range(400):
        text = some(chance, CHARACTERS, " ", 2) + element(chance, 2) + some(chance, CHARACTERS, "x", 1)
        if chance.random() < 0.3:
            text += element(chance, 1)
        if chance.random() < 0.1:
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice("<>/&\"' =x") + text[place + chance.randint(0, 1) :]
        preserve = chance.random() < 0.3
        count += plain_xml(text, preserve, 128) is not None
        parsed, found = kept(text + COMMENT, preserve), kept(text, preserve)
        assert found == (parsed.removesuffix(COMMENT) if parsed is not None else None), (text, preserve)
        if found is not None:  # in its form already, and with tags that do not belong together
            for text in (found, found.replace("</a>", "</b>", 1), found.replace('="', '="" z="', 1)):
                parsed, again = kept(text + COMMENT, preserve), kept(text, preserve)
                assert again == (parsed.removesuffix(COMMENT) if parsed is not None else None), (text, preserve)
    assert count > 20


@pytest.mark.parametrize("before", ["", '<?xml version="1.0"?>', '<?xml version="1.0"?> \n'])
def test_a_declaration_goes_away(before: str) -> None:
    assert parse_xml(f'{before}<a b="1"> <c></c>\n</a>') == '<a b="1"><c/></a>'


def test_elements_stand_in_one_another_to_a_depth() -> None:
    """128 levels (documentation: "xml (Transact-SQL)")."""
    assert parse_xml("<a>" * 128 + "</a>" * 128).count("<a") == 128
    with pytest.raises(SqlError) as error:
        parse_xml("<a>" * 129 + "</a>" * 129)
    assert error.value.number == 6335
    assert parse_xml("<a>" * 127 + "<b/>" + "</a>" * 127).count("<b/>") == 1
    with pytest.raises(SqlError) as error:
        parse_xml("<a>" * 128 + "<b/>" + "</a>" * 128)
    assert error.value.number == 6335
    for text in ("</all><all>", "<a/></all><all>x", "</a><a>"):
        with pytest.raises(SqlError):
            parse_xml(text)


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_lines_of_an_error_are_counted_by_any_end(end: str) -> None:
    with pytest.raises(SqlError) as error:
        parse_xml(f"<a>{end}{end}<b></a>")
    assert error.value.number == 9436
    assert "line 3" in error.value.message


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
def test_a_fault_is_found_behind_any_end_of_a_line(end: str) -> None:
    """Of an attribute without a value: equal expected."""
    with pytest.raises(SqlError) as error:
        parse_xml(f"<x/>{end}<a b/>")
    assert error.value.number == 9414
    assert "line 2" in error.value.message


def test_the_end_of_a_section_is_no_text() -> None:
    """XML 1.0, 2.4: ]]> must not appear in content; error 9454 says so."""
    for text in ("a]]>", "<a>]]></a>"):
        with pytest.raises(SqlError) as error:
            parse_xml(text)
        assert error.value.number == 9454


def test_only_blanks_of_xml_are_white_space() -> None:
    assert parse_xml(" \t\r\n") == ""
    assert parse_xml("\u00a0") == "\u00a0"
