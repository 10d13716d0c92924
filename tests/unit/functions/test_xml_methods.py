"""The xml methods: forms and examples of the pages "value() Method", "query() Method", "exist() Method", "nodes()
Method" and "XML Data Modification Language"."""

from __future__ import annotations

import pytest

from sbql.engine.documents.xml_changes import apply_change, compile_change
from sbql.engine.documents.xml_methods import nodes_function, xml_exist, xml_query, xml_value
from sbql.grammar.errors import SqlError
from sbql.grammar.types import BIT, DATETIME, INT, SqlType, nvarchar, varchar

ROOT = '<Root><Product id="1"><Name>A</Name></Product><Product id="2"><Name>B</Name></Product></Root>'
SPACED = '<r xmlns="urn:one" xmlns:p="urn:two"><p:c k="5">x</p:c></r>'


@pytest.mark.parametrize(
    ("path", "sql_type", "expected"),
    [
        ("(/Root/Product/@id)[1]", INT, 1), ("/Root[1]/Product[2]/Name[1]", varchar(10), "B"), ("(//Name)[2]", varchar(10), "B"), ("(/Root/None)[1]", INT, None),
        ("count(/Root/Product)", INT, 2), ("(/Root/Product[@id=2]/Name)[1]", varchar(10), "B"), (".", varchar(10), "AB"), ("(/Root/Product/Name/text())[1]", varchar(10), "A"),
    ],
)  # fmt: skip
def test_value(path: str, sql_type: SqlType, expected: object) -> None:
    assert xml_value(ROOT, path, sql_type) == expected


def test_a_document_may_begin_with_any_character() -> None:
    """None is taken for a reference to a node."""
    for code in (0xFDD0, 0xFDEF, 0xFFFD, 0x10FFFF, 9):
        assert xml_value(f"{chr(code)}5", ".", nvarchar(10)) == f"{chr(code)}5"


def test_value_of_null_is_null() -> None:
    assert xml_value(None, "(/a)[1]", INT) is None


@pytest.mark.parametrize("path", ["/Root/Product/@id", "/Root/Product/Name", "//Name", "/Root[1]/Product"])
def test_value_needs_a_singleton(path: str) -> None:
    with pytest.raises(SqlError) as caught:
        xml_value(ROOT, path, INT)
    assert caught.value.number == 2389


def test_values_of_other_types() -> None:
    assert xml_value("<a>true</a>", "(/a)[1]", BIT) is True
    assert str(xml_value("<a>2005-03-01T12:00:00Z</a>", "(/a)[1]", DATETIME)) == "2005-03-01 12:00:00"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/Root/Product[2]", '<Product id="2"><Name>B</Name></Product>'), ("/Root/None", ""), ("data(/Root/Product/@id)", "1 2"), ("/Root/Product/Name", "<Name>A</Name><Name>B</Name>"),
        ("for $p in /Root/Product where $p/@id = 2 return $p/Name", "<Name>B</Name>"), ("if (/Root) then 1 else 2", "1"),
    ],
)  # fmt: skip
def test_query(path: str, expected: str) -> None:
    assert xml_query(ROOT, path) == expected


def test_namespaces() -> None:
    declared = 'declare default element namespace "urn:one"; declare namespace q="urn:two"; '
    assert xml_value(SPACED, declared + "(/r/q:c/@k)[1]", INT) == 5
    assert xml_value(SPACED, "(/r/q:c/@k)[1]", INT, (("", "urn:one"), ("q", "urn:two"))) == 5
    assert xml_query(SPACED, declared + "/r/q:c") == '<p:c xmlns:p="urn:two" k="5">x</p:c>'
    with pytest.raises(SqlError) as caught:
        xml_value(SPACED, "(/z:r)[1]", INT)
    assert caught.value.number == 2229


def test_exist() -> None:
    assert xml_exist(ROOT, "/Root/Product[@id=2]") is True
    assert xml_exist(ROOT, "/Root/Product[@id=3]") is False
    assert xml_exist(ROOT, "false()") is True
    assert xml_exist(None, "/a") is None


def test_nodes_are_contexts_for_the_other_methods() -> None:
    rows = nodes_function("/Root/Product")(ROOT)
    assert [xml_value(row, "@id", INT) for row in rows] == [1, 2]
    assert [xml_value(row, "(Name)[1]", varchar(5)) for row in rows] == ["A", "B"]
    assert xml_query(rows[0], ".") == '<Product id="1"><Name>A</Name></Product>'
    assert nodes_function("/a")(None) == []


def test_variables() -> None:
    assert xml_value(ROOT, '(/Root/Product[@id = sql:variable("@i")]/Name)[1]', varchar(5), (), (2,)) == "B"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("delete /r/a[1]", "<r><a>2</a></r>"), ('replace value of (/r/a/text())[1] with "x"', "<r><a>x</a><a>2</a></r>"), ("insert <b/> into (/r)[1]", "<r><a>1</a><a>2</a><b/></r>"),
        ("insert <b/> as first into (/r)[1]", "<r><b/><a>1</a><a>2</a></r>"), ("insert <b/> after (/r/a)[1]", "<r><a>1</a><b/><a>2</a></r>"),
        ("insert (<b/>, <c>3</c>) before (/r/a)[2]", "<r><a>1</a><b/><c>3</c><a>2</a></r>"), ('insert attribute k {"v"} into (/r/a)[1]', '<r><a k="v">1</a><a>2</a></r>'),
        ("replace value of (/r/none/text())[1] with 5", "<r><a>1</a><a>2</a></r>"), ("delete /r/a/text()", "<r><a/><a/></r>"),
    ],
)  # fmt: skip
def test_modify(statement: str, expected: str) -> None:
    assert apply_change(compile_change(statement, ()), "<r><a>1</a><a>2</a></r>", ()) == expected


@pytest.mark.parametrize(
    ("statement", "number"), [("replace value of /r/a with 1", 2337), ("insert <b/> into /r/a", 2226), ("foo", 6305)]
)
def test_modify_errors(statement: str, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        apply_change(compile_change(statement, ()), "<r><a>1</a><a>2</a></r>", ())
    assert caught.value.number == number


@pytest.mark.parametrize(
    "name",
    "map array if for let return or and div to some text comment item sum made sorted element attribute schema-element document-node order where data self last true as of in".split(),
)
def test_words_of_the_language_are_names_too(name: str) -> None:
    document = f'<r><{name} {name}="1"><k>v</k></{name}></r>'
    assert xml_query(document, f"/r/{name}[k]/k") == "<k>v</k>"
    assert xml_query(document, f"for $x in //{name} where $x/@{name} = 1 return $x/k") == "<k>v</k>"
    assert (
        xml_query(document, f"<{name} {name}='{{count(/r/{name})}}'>{{string((/r/{name}/k)[1])}}</{name}>")
        == f'<{name} {name}="1">v</{name}>'
    )
