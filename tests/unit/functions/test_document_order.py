"""<< and >> of XQuery: every node comes before those that //node() finds behind it, an element before its attributes,
and these before its text; no comparison goes through the document, of which n rows would make n times n."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.engine.outcomes import ResultSet

DOCUMENT = '<r k="1">text<a/>tail<!-- c --><b x="2" y="3"><c>in</c><?p i?>end</b></r><second><a/></second>'


def answer(instance: Any, text: str) -> Any:
    (result,) = [one for one in instance.connect().run(text) if isinstance(one, ResultSet)]
    return result.rows[0][0]


def pairs(instance: Any, nodes: str, sign: str) -> list[str]:
    loops = f"for $a in {nodes} return for $b in {nodes} return if ($a {sign} $b) then 1 else 0"
    return str(answer(instance, f"DECLARE @x xml = N'{DOCUMENT}'; SELECT @x.query('{loops}')")).split()


@pytest.mark.parametrize("sign", ["<<", ">>"])
def test_all_pairs_of_nodes(instance: Any, sign: str) -> None:
    found = pairs(instance, "//node()", sign)
    count = round(len(found) ** 0.5)
    assert count == 12
    expected = [(i < j) if sign == "<<" else (i > j) for i in range(count) for j in range(count)]
    assert found == ["1" if one else "0" for one in expected]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("(/r)[1]", "(/r/@k)[1]"), ("(/r/@k)[1]", "(/r/text())[1]"), ("(/r/@k)[1]", "(/r/a)[1]"), ("(/r/b/@x)[1]", "(/r/b/@y)[1]"),
        ("(/r/a)[1]", "(/r/b/@x)[1]"), ("(/r/b/@y)[1]", "(/r/b/c)[1]"), ("(/r/b/c)[1]", "(/second/a)[1]"),
    ],
)  # fmt: skip
def test_attributes_stand_behind_their_element(instance: Any, first: str, second: str) -> None:
    for left, right, before in ((first, second, "true"), (second, first, "false"), (first, first, "false")):
        for sign, expected in (("<<", before), (">>", "true" if left != right and before == "false" else "false")):
            text = f"DECLARE @x xml = N'{DOCUMENT}'; SELECT @x.query('{left} {sign} {right}')"
            assert answer(instance, text) == expected


def test_nothing_is_before_nothing(instance: Any) -> None:
    assert answer(instance, "DECLARE @x xml = N'<r/>'; SELECT @x.query('(/none)[1] << (/r)[1]')") == ""


def test_the_place_of_each_row_is_found_without_a_walk(instance: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from elementpath.xpath_nodes import EtreeDocumentNode

    text = """
DECLARE @x xml = (SELECT value AS [@n] FROM GENERATE_SERIES(1, 200) FOR XML PATH ('i'), ROOT ('r'));
SELECT SUM(ABS(i.value('@n', 'int') - i.value('for $i in . return count(../i[. << $i]) + 1', 'int'))) FROM @x.nodes('/r/i') AS t(i);"""

    def walk(*_: Any, **__: Any) -> Any:
        raise AssertionError("a walk through the document")

    monkeypatch.setattr(EtreeDocumentNode, "iter_document", walk)
    monkeypatch.setattr(EtreeDocumentNode, "iter", walk)
    assert answer(instance, text) == 0
