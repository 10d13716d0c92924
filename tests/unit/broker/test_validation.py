"""WELL_FORMED_XML takes what the xml type takes and what has an element: a CAST of the body does not fail."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

import pytest

import sbql
from sbql.engine.broker.validation import well_formed_problem

ROOT = "<a>x</a>"
DOCUMENT_TYPES = [
    "<!DOCTYPE a>",
    "<!DOCTYPE a [<!ELEMENT a ANY>]>",
    "<!DOCTYPE a SYSTEM 'a.dtd'>",
    "<!DOCTYPE a [<!ENTITY e 'x'>]>",
]
DECLARED = ["", "utf-8", "UTF-8", "utf-16", "UTF-16", "ucs-2", "iso-8859-1", "windows-1252", "us-ascii", "nonsense"]
ENCODED = {
    "utf-8": lambda text: text.encode(),
    "utf-8 with mark": lambda text: codecs.BOM_UTF8 + text.encode(),
    "utf-16": lambda text: text.encode("utf-16-le"),
    "utf-16 with mark": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "utf-16 big with mark": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}
WIDE = {"utf-16", "ucs-2"}
BODIES = {
    "element": ("<a/>", 0),
    "elements": ("<a/><b/>", 0),
    "text and element": ("text<a/>", 0),
    "comment": ("<!-- c --><a/>", 0),
    "instruction": ("<?p i?><a/>", 0),
    "unclosed": ("<a>", 9400),
    "crossed": ("<a><b></a></b>", 9436),
    "entity": ("<a>&amp;&#65;</a>", 0),
    "unknown entity": ("<a>&e;</a>", 9448),
    **{kind: (kind + ROOT, 6359) for kind in DOCUMENT_TYPES},
    "document type behind a comment": (f"<!-- c -->{DOCUMENT_TYPES[1]}{ROOT}", 6359),
}


@pytest.fixture(scope="module")
def connection() -> Iterator[sbql.Connection]:
    with sbql.connect() as found:
        yield found


def cast_error(connection: sbql.Connection, body: bytes) -> int:
    try:
        connection.execute("SELECT CAST(CAST(? AS varbinary(max)) AS xml)", (body,))
    except sbql.Error as error:
        return error.number or -1
    return 0


@pytest.mark.spec("TYPE-7")
@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("name", BODIES)
def test_what_the_xml_type_refuses_is_not_well_formed(connection: sbql.Connection, name: str, encoding: str) -> None:
    text, number = BODIES[name]
    body = ENCODED[encoding](text)
    assert (well_formed_problem(body) is not None) == bool(number)
    assert bool(cast_error(connection, body)) == bool(number)
    if number == 6359:
        assert cast_error(connection, body) == number


@pytest.mark.spec("TYPE-7")
@pytest.mark.parametrize("encoding", ENCODED)
@pytest.mark.parametrize("declared", DECLARED)
def test_a_declared_encoding_is_that_of_the_bytes(connection: sbql.Connection, declared: str, encoding: str) -> None:
    said = f" encoding='{declared}'" if declared else ""
    body = ENCODED[encoding](f"<?xml version='1.0'{said}?>{ROOT}")
    problem, error = well_formed_problem(body), cast_error(connection, body)
    assert (problem is not None) == bool(error), (problem, error)
    if declared and encoding.startswith("utf-16"):
        assert error == (0 if declared.lower() in WIDE else 9402)
    elif declared.lower() in WIDE and encoding == "utf-8":
        assert error == 9402
    elif declared.lower() in ("", "utf-8"):
        assert error == 0
