"""value() and exist() over random documents: a query, which has a native form for ordinary ones, gives what the
methods give in Python, document by document."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from native_sweep import Sweep

from sbql.engine.documents.xml_methods import value_function, xml_exist
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.scalars.scope import Scope
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_data_type
from sbql.grammar.values.xml_text import parse_xml

PATHS = (
    "(/a/b)[1]", "/a[1]/b[1]", "(/a/b/text())[1]", "(a/b/c)[1]", "(/a/b[1])[1]", "/a[1]/b[1]/c[1]", "(/a/b/@k)[1]", "(/a/@k)[1]", "/a[1]/b[1]/@k", "(/b)[1]",
    "(/a)[1]", "(/a/text())[1]", "(/a/b.c)[1]", "(/a/b/c/d)[1]", "(//b)[1]", "(/a/b)[2]", "(/a/*)[1]", "(/a/c/@k.l)[1]", "(/a/b/c/@k)[1]", "(/a/b/c/text())[1]",
    '(/a/b[@k = "1"])[1]', "(//@k)[1]", "(//c)[1]", "(//b.c)[1]", "(//b/@k)[1]",
)  # fmt: skip
TYPES = (
    "int", "nvarchar(max)", "nvarchar(3)", "varchar(4)", "varchar(max)", "nchar(4)", "char(3)", "bit", "tinyint", "smallint", "bigint", "decimal(5,2)", "decimal(4,0)",
    "numeric(3,3)", "money", "smallmoney", "date", "datetime", "datetime2", "datetime2(3)", "smalldatetime", "time", "float", "uniqueidentifier", "datetimeoffset", "varbinary(8)",
)  # fmt: skip
TEXTS = (
    "5", "-7", "007", "-0", "12345678901", "255", "256", "0.5", "-0.5", "1.50", "123.456", "7.0", "", "x", "x y", "é", "Zażółć gęślą", "😀b", "a😀", "&amp;", "&#13;x", "1\n", " 12 ",
    "\t3", "true", "2024-02-29", "2023-02-29", "0000-01-01", "2024-02-29T13:05:06", "1900-02-28T23:59:59", "2024-02-29T24:00:00", "2024-02-29T13:05:06Z", "2024-02-29T13:05:06.5",
    "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6F9619FF8B86D011B42D00C04FC964FF", "x&gt;y", "1e3", "+5", "\u00a05", "&lt;b&gt;9&lt;/b&gt;", "ab'c\"d", "/", "xmlns", "-0.00", "1752-12-31T00:00:00", "0000-01-01T00:00:00", "99999", "9999.99", "2024-02-29T13:05:06.999", "9999-12-31T23:59:59.999", "2024-02-29T13:05:06.123456", "2024-02-29T13:05:06.1234567", "0.1", "-0.0", "1234567890123456.7", "999999", "99999999999999999999", "0.125",
)  # fmt: skip
SHAPES = (
    "<a><b><c>1</c></b><b>5</b></a>", "<a><b/><b>5</b></a>", "<a><b><c>1</c></b><b><c>2</c></b></a>", "<a><c><b>1</b></c><b>2</b></a>", "<a><c/></a><b>5</b>", "<a><c/>5</a>", "<c><b/>7</c><b>8</b>", "<a><bb>1</bb><c><d><d><b>2</b></d></d></c><b>3</b></a>",
    "<b>1</b><a><b>2</b></a>", '<a><b k="1"/><b j="2" k="3">x</b></a>', "<a><c><d><e>1</e></d></c><b>2</b></a>", "<a><!--<b>1</b>--><b>2</b></a>", "<a><b><!--x-->1</b><b>2</b></a>",
    "<a><b>1<c/>2</b><b>3</b></a>", '<a><c k="&gt;&lt;b&gt;"/><b>1</b></a>', "<a><b>6&amp;</b><b>7</b></a>", '<a><b k="a&amp;"/><b k="c"/></a>', "<a/><a><b>8</b></a>",
    "<a><b><c><d>9</d></c></b><b><c>7</c></b></a>", "<a><b><d/></b><b><c>7</c></b></a>", "<a><b><c><d><e/></d></c></b><b><c>7</c></b></a>", '<a k="1" k.l="2"><c k.l="3"/></a>',
)  # fmt: skip
"""What a wrong way would stumble over."""
ODD = ("<!-- <b>1</b> -->", "<?p <b>2</b>?>", "<![CDATA[<b>3</b>]]>", "<n:b xmlns:n='u'>4</n:b>", "<b xmlns='u'>5</b>")


class Documents:
    """Makes them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def one(self) -> str:
        roots = self.chance.choices((1, 2, 0), (12, 2, 1))[0]
        return "".join(self.element("a", 1) if self.chance.random() < 0.9 else self.text() for _ in range(roots))

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def element(self, name: str, depth: int) -> str:
        chance = self.chance
        attributes = "".join(
            f' {key}="{self.text().replace(chr(34), "&quot;")}"' for key in ("k", "k.l", "bk") if chance.random() < 0.25
        )
        parts = []
        for _ in range(chance.choice((0, 1, 1, 2, 3)) if depth < 2 or depth < 5 and chance.random() < 0.4 else 0):
            if chance.random() < 0.3:
                parts.append(self.text())
            parts.append(self.element(chance.choice("b b b b c c c d a b.c bxc bb".split()), depth + 1))
        if not parts or chance.random() < 0.1:
            parts.append(self.text())
        if chance.random() < 0.04:
            parts.insert(chance.randrange(len(parts) + 1), chance.choice(ODD))
        return f"<{name}{attributes}>{''.join(parts)}</{name}>"


COUNT = 150
MOST = len(SHAPES) + len(TEXTS)
"""Documents of which it is asked how they fail."""


class World:
    """A table of documents, and what each is kept as."""

    def __init__(self, seed: int) -> None:
        self.instance = Instance.open()
        self.session = self.instance.connect()
        made = Documents(seed)
        each = [f'<a><b k="{text.replace(chr(34), "&quot;")}">{text}</b></a>' for text in TEXTS]
        texts = [*SHAPES, *each, *(made.one() for _ in range(COUNT - len(SHAPES) - len(each)))]
        self.kept: dict[int, str | None] = {COUNT: None}
        rows = [f"({COUNT}, NULL)"]
        for number, text in enumerate(texts):
            style = number % 2
            self.kept[number] = parse_xml(text, preserve=bool(style))
            rows.append(f"({number}, CONVERT(xml, N'{text.replace(chr(39), chr(39) * 2)}', {style}))")
        self.run("CREATE TABLE dbo.documents (n int, x xml)")
        self.run(f"INSERT dbo.documents VALUES {', '.join(rows)}")

    def run(self, text: str) -> Any:
        """The rows, or the number of an error."""
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                return outcome.error.number
            if isinstance(outcome, ResultSet):
                return outcome.rows
        return None

    def differences(self, call: str, method: Any) -> list[str]:
        """Where a query says something else than `method` of a document."""
        expected: dict[int, Any] = {}
        failing: dict[int, int] = {}
        for number, text in self.kept.items():
            try:
                expected[number] = method(text)
            except SqlError as error:
                failing[number] = error.number
        without = f" WHERE n NOT IN ({', '.join(map(str, failing))})" if failing else ""
        rows = self.run(f"SELECT n, {call} FROM dbo.documents{without}")
        if isinstance(rows, int):
            return [f"{call}: error {rows}"]
        found = [
            f"{call} of {self.kept[n]!r}: {v!r}, not {expected[n]!r}" for n, v in rows if repr(v) != repr(expected[n])
        ]
        said = self.errors(call, [*failing][:MOST])
        return found + [
            f"{call} of {self.kept[n]!r}: error {said[n]}, not {failing[n]}" for n in said if said[n] != failing[n]
        ]

    def errors(self, call: str, numbers: Sequence[int]) -> dict[int, int | None]:
        """What a query says of each of these documents, which fail."""
        if not numbers:
            return {}
        rows = self.run(f"""
            DECLARE @left TABLE (n int PRIMARY KEY); INSERT @left VALUES {", ".join(f"({n})" for n in numbers)}
            DECLARE @said TABLE (n int, error int); DECLARE @n int = (SELECT MIN(n) FROM @left), @v sql_variant
            WHILE @n IS NOT NULL BEGIN
                BEGIN TRY SELECT @v = {call} FROM dbo.documents WHERE n = @n; INSERT @said VALUES (@n, NULL) END TRY
                BEGIN CATCH INSERT @said VALUES (@n, ERROR_NUMBER()) END CATCH
                DELETE @left WHERE n = @n; SET @n = (SELECT MIN(n) FROM @left)
            END
            SELECT n, error FROM @said""")
        return dict(rows)


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    found = World(20)
    yield found
    found.instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("path", PATHS)
def test_values_are_those_of_python(world: World, path: str) -> None:
    chosen = TYPES if path == PATHS[0] else ("nvarchar(max)", *random.Random(path).sample(TYPES, 3))
    quoted = path.replace("'", "''")
    for name in chosen:
        method = value_function(path, Scope(None).resolve_type(parse_data_type(name)))
        assert not world.differences(f"x.value('{quoted}', '{name}')", method)


@pytest.mark.matrix
@pytest.mark.parametrize("path", [*PATHS, "/a/b", "//b", "/a/b/@k", "/a/b/text()", "/a/zz", "/a/b/c/d"])
def test_what_exists_is_what_python_finds(world: World, path: str) -> None:
    assert not world.differences(f"x.exist('{path}')", lambda text: xml_exist(text, path))


def test_ordinary_documents_need_no_python() -> None:
    sweep = Sweep()
    sweep.run("DROP TABLE IF EXISTS dbo.plain; CREATE TABLE dbo.plain (x xml)")
    sweep.run('INSERT dbo.plain VALUES (\'<a><c><d>x</d></c><b k="7">5</b></a>\'), (\'<a k="1">x<b k="8">6</b>y</a>\')')
    for path in ("(/a/b)[1]", "/a[1]/b[1]", "(/a/b/@k)[1]", "(a/b/text())[1]"):
        assert sweep.asked(f"SELECT x.value('{path}', 'int') FROM dbo.plain") == 0
    assert sweep.asked("SELECT COUNT(*) FROM dbo.plain WHERE x.exist('/a/b/@k') = 1 OR x.exist('/a/z') = 1") == 0
    sweep.close()
