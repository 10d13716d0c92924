"""varchar under a collation holds the characters of its code page, in whichever way they come there.

What a page has is told by Python's codecs, for each page of a collation that SQL Server has.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import last_rows, prepared

from sbql.engine.session import Session
from sbql.grammar.values.codepage import page_of_collation
from sbql.grammar.values.collation_names import all_collations, code_page_of

PAGES = {
    found.code_page: found.name
    for found in all_collations().values()
    if found.name.endswith(("_CI_AS", "_100_CI_AS_SC_UTF8"))
}
"""A collation of each."""
SAMPLES = {
    1250: "Łódź, Žižkov, Győr", 1251: "Привет, Ёлка", 1252: "Größe, café €", 1253: "Καλημέρα", 1254: "İstanbul, ığdır", 1255: "שלום", 1256: "سلام", 1257: "Ķekava, Šiauliai",
    1258: "Đăng", 874: "สวัสดี", 437: "Größe ½", 850: "Größe ½", 932: "日本語, カナ", 936: "中文", 949: "한국어", 950: "中文", 65001: "Łódź Привет 日本語 😀",
}  # fmt: skip
WAYS = {
    "VALUES": "INSERT t (v) VALUES (@n)",
    "SELECT": "INSERT t (v) SELECT n FROM s",
    "a variable of the page": "DECLARE @x nvarchar(100) = @n; INSERT t (v) SELECT @x",
    "UPDATE": "INSERT t (v) VALUES ('x'); UPDATE t SET v = @n",
    "UPDATE of many": "INSERT t (v) VALUES ('x'); UPDATE t SET v = n FROM t CROSS JOIN s",
    "MERGE": "MERGE t USING s ON 1 = 0 WHEN NOT MATCHED THEN INSERT (v) VALUES (s.n);",
    "SELECT INTO": "SELECT CAST(n COLLATE {0} AS varchar(100)) AS v INTO u FROM s; INSERT t (v) SELECT v FROM u",
    "a table variable": "DECLARE @t TABLE (v varchar(100) COLLATE {0}); INSERT @t VALUES (@n); INSERT t (v) SELECT v FROM @t",
    "a #table": "CREATE TABLE #t (v varchar(100) COLLATE {0}); INSERT #t SELECT n FROM s; INSERT t (v) SELECT v FROM #t",
    "its bytes": "INSERT t (v) SELECT CAST(CAST(n COLLATE {0} AS varchar(100)) AS varbinary(100)) FROM s",
}


def codec_of(page: int) -> str:
    return "utf-8" if page == 65001 else f"cp{page}"


@pytest.fixture(params=PAGES, ids=lambda page: PAGES[page])
def page(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def session(page: int) -> Iterator[Session]:
    made = (
        f"CREATE TABLE t (v varchar(100) COLLATE {PAGES[page]}); CREATE TABLE s (n nvarchar(100) COLLATE {PAGES[page]})"
    )
    with prepared(made, f"SET NOCOUNT ON; INSERT s VALUES (N'{SAMPLES[page]}')") as session:
        yield session


def test_there_is_a_sample_of_each() -> None:
    assert set(SAMPLES) == {found.code_page for found in all_collations().values()} == set(PAGES)
    for page, text in SAMPLES.items():
        assert text.encode(codec_of(page)).decode(codec_of(page)) == text and not text.isascii()


@pytest.mark.spec("TEXT-17")
@pytest.mark.matrix
@pytest.mark.parametrize("way", WAYS)
def test_its_characters_are_kept(session: Session, page: int, way: str) -> None:
    text, codec = SAMPLES[page], codec_of(page)
    written = f"SET NOCOUNT ON; DECLARE @n nvarchar(100) = N'{text}'; {WAYS[way].format(PAGES[page])}"
    assert last_rows(session, written) is None
    ((kept, data, size, length),) = last_rows(
        session, "SELECT v, CAST(v AS varbinary(200)), DATALENGTH(v), LEN(v) FROM t"
    )
    assert (kept, data, size, length) == (text, text.encode(codec), len(text.encode(codec)), len(text))
    assert last_rows(session, f"SELECT COUNT(*) FROM t WHERE v = N'{text}' AND v LIKE N'{text[:2]}%'") == [(1,)]


@pytest.mark.matrix
def test_functions_go_by_the_page(session: Session, page: int) -> None:
    text, codec = SAMPLES[page], codec_of(page)
    last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES (N'{text}')")
    asked = (
        "LEFT({0}, 2), RIGHT({0}, 2), SUBSTRING({0}, 2, 3), {0} + '!', REPLACE({0}, LEFT({0}, 1), 'x'), CHARINDEX(RIGHT({0}, 1), {0}), STUFF({0}, 1, 1, ''),"
        " CONCAT({0}, 1)"
    )
    expected = (
        text[:2], text[-2:], text[1:4], f"{text}!", text.replace(text[0], "x"), text.index(text[-1]) + 1, text[1:], f"{text}1",
    )  # fmt: skip
    assert last_rows(session, f"SELECT {asked.format('v')} FROM t") == [expected]
    assert last_rows(session, f"SELECT {asked.format(f'v COLLATE {PAGES[page]}')} FROM t") == [expected]
    for function, change in (("UPPER", str.upper), ("LOWER", str.lower)):
        changed = "".join(new if len(new := change(c)) == 1 and _has(new, codec) else c for c in text)
        assert last_rows(session, f"SELECT {function}(v) FROM t") == [(changed,)]


def _has(character: str, codec: str) -> bool:
    return character.encode(codec, "replace").decode(codec) == character


@pytest.mark.matrix
def test_all_its_bytes_mean_their_characters(page: int) -> None:
    found, codec = page_of_collation(PAGES[page]), codec_of(page)
    if found.counts_bytes:
        pytest.skip("a byte is no character")
    for byte in range(256):
        known = bytes([byte]).decode(codec, "ignore")
        assert found.decode(bytes([byte])) == (known or chr(byte))
        assert found.encode(found.decode(bytes([byte]))) == bytes([byte])


@pytest.mark.parametrize(
    ("collation", "given", "kept"),
    [
        ("Cyrillic_General_CI_AS", "Łódź Привет", "Lodz Привет"),
        ("Polish_CI_AS", "Łódź Привет", "Łódź ??????"),
        ("Greek_CI_AS", "é Ω 日", "e Ω ?"),
        ("Japanese_CI_AS", "日本 é 😀", "日本 e ??"),
        ("Latin1_General_CI_AS", "Łódź €", "Lódz €"),
    ],
)
def test_what_it_lacks_becomes_the_nearest_letter_or_a_question_mark(collation: str, given: str, kept: str) -> None:
    with prepared(f"CREATE TABLE t (v varchar(40) COLLATE {collation}, c char(20) COLLATE {collation})") as session:
        last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES (N'{given}', N'{given}')")
        last_rows(session, f"INSERT t SELECT n, n FROM (VALUES (N'{given}')) s (n)")
        (one, other) = last_rows(session, "SELECT v, RTRIM(c) FROM t")
        assert one == other == (kept, kept)


def test_lengths_are_bytes() -> None:
    with prepared("CREATE TABLE t (v varchar(5) COLLATE Japanese_CI_AS, c char(5) COLLATE Japanese_CI_AS)") as session:
        last_rows(session, "SET NOCOUNT ON; INSERT t VALUES (N'日本', N'日本')")
        assert last_rows(session, "SELECT v, c, DATALENGTH(c) FROM t") == [("日本", "日本 ", 5)]
        found = last_rows(
            session,
            "SELECT CAST(N'日本語' COLLATE Japanese_CI_AS AS varchar(5)), DATALENGTH(CAST(v AS char(5))) FROM t",
        )
        assert found == [("日本", 5)]
        caught = "BEGIN TRY INSERT t (v) VALUES (N'日本語') END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH"
        assert last_rows(session, caught) == [(2628,)]


def test_text_goes_from_page_to_page() -> None:
    with prepared(
        "CREATE TABLE t (p varchar(20) COLLATE Polish_CI_AS, c varchar(20) COLLATE Cyrillic_General_CI_AS, l varchar(20))"
    ) as session:
        last_rows(session, "SET NOCOUNT ON; INSERT t VALUES (N'Łódź', N'Лодзь', N'café')")
        last_rows(session, "UPDATE t SET p = c, c = p, l = p")
        assert last_rows(session, "SELECT p, c, l FROM t") == [("?????", "Lodz", "Lódz")]


def test_versions_that_the_list_has_not_have_the_page_of_their_family() -> None:
    assert code_page_of("Japanese_XJIS_140_CI_AS") == 932
    assert code_page_of("Latin1_General_140_CI_AS") == 1252
    assert code_page_of("SQL_Hungarian_CP1250_CI_AS") == 1250
    assert code_page_of("Serbian_Cyrillic_100_CI_AS") == 1251
    assert code_page_of("Japanese_XJIS_140_CI_AS_UTF8") == 65001
