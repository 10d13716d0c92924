"""BULK INSERT and OPENROWSET(BULK …) over files in a scratch folder: terminators, CSV, options, errors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

TABLE = "CREATE TABLE t (id int IDENTITY (1, 1), name varchar(8) DEFAULT 'none', day date, n decimal(5, 2), CHECK (n < 100))"


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Instance.open(clock="virtual")
    connected = opened.connect()
    connected.run(TABLE)
    yield connected
    opened.close()


def run(session: Session, text: str) -> tuple[list[tuple[Any, ...]], list[int]]:
    """The rows of all results, and the numbers of the errors."""
    outcomes = session.run(text)
    rows = [tuple(map(str, row)) for o in outcomes if isinstance(o, ResultSet) for row in o.rows]
    return rows, [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)]


def load(session: Session, path: Path, data: bytes, options: str = "") -> tuple[list[tuple[Any, ...]], list[int]]:
    path.write_bytes(data)
    _, errors = run(session, f"BULK INSERT t FROM '{path}' {options}")
    rows, _ = run(session, "SELECT id, name, day, n FROM t ORDER BY id")
    return rows, errors


CASES = [
    # Tabs and lines are the defaults; the last line needs no end.
    (b"9\ta\t2020-01-02\t1.5\r\n9\t\t\t\n", "", [("1", "a", "2020-01-02", "1.50"), ("2", "none", "None", "None")], []),
    (b"h|h|h|h;9|b|20200102|2;", "WITH (FIELDTERMINATOR = '|', ROWTERMINATOR = ';', FIRSTROW = 2)", [("1", "b", "2020-01-02", "2.00")], []),
    (b"7,c,,1\n8,d,,2\n9,e,,3\n", "WITH (FIELDTERMINATOR = ',', ROWTERMINATOR = '0x0a', KEEPIDENTITY, FIRSTROW = 2, LASTROW = 2)", [("8", "d", "None", "2.00")], []),
    (b"7,,,1\n", "WITH (FIELDTERMINATOR = ',', KEEPNULLS)", [("1", "None", "None", "1.00")], []),
    (b'5,"a ""b"", c",,1\r\n6,"x\ny",,2\r\n', "WITH (FORMAT = 'CSV', KEEPIDENTITY)", [("5", 'a "b", c', "None", "1.00"), ("6", "x\ny", "None", "2.00")], []),
    (b"5;'a;b';;1\n", "WITH (FORMAT = 'CSV', FIELDQUOTE = '''', FIELDTERMINATOR = ';')", [("1", "a;b", "None", "1.00")], []),
    ("1\té\t\t1\n".encode(), "WITH (CODEPAGE = '65001')", [("1", "é", "None", "1.00")], []),
    (b"1\t\xe9\t\t1\n", "WITH (CODEPAGE = 'ACP')", [("1", "é", "None", "1.00")], []),
    (b"1\t\x82\t\t1\n", "", [("1", "é", "None", "1.00")], []),
    ("1\té\t\t1\n".encode("utf-16"), "WITH (DATAFILETYPE = 'widechar')", [("1", "é", "None", "1.00")], []),
    # CHECK counts only when it is asked for, types always.
    (b"1\ta\t\t500\n", "", [("1", "a", "None", "500.00")], []),
    (b"1\ta\t\t500\n", "WITH (CHECK_CONSTRAINTS)", [], [547]),
    (b"1\ta\t\t1\n1\tmuch too long\t\t1\n1\ta\tno day\t1\n1\ta\t\t99999\n1\tb\t\t2\n", "", [("1", "a", "None", "1.00"), ("2", "b", "None", "2.00")], [4863, 4864, 4867]),
    (b"1\ta\tx\t1\n1\tb\t\t1\n1\tc\tx\t1\n", "WITH (MAXERRORS = 1)", [], [4864, 4864, 4865]),
    (b"1\ta\t\t1\n2\tb\n", "", [], [4832]),
    (b"1,a,,1,5\n", "WITH (FORMAT = 'CSV')", [], [4866]),
    (b"x\ta\t\t1\n\ta\t\t1\n", "WITH (KEEPIDENTITY)", [], [4864, 4869]),
    (b"", "WITH (CODEPAGE = '99999')", [], [4868]),
    (b"", "WITH (DATAFILETYPE = 'native')", [], [40517]),
    (b"", "WITH (FORMATFILE = 'x.fmt')", [], [40517]),
    (b"1\ta\t\t1\n", "WITH (TABLOCK, ROWS_PER_BATCH = 10, ORDER (id), KILOBYTES_PER_BATCH = 5, BATCHSIZE = 1)", [("1", "a", "None", "1.00")], []),
]  # fmt: skip


@pytest.mark.parametrize(("data", "options", "rows", "errors"), CASES)
def test_bulk_insert(
    session: Session, tmp_path: Path, data: bytes, options: str, rows: list[tuple[str, ...]], errors: list[int]
) -> None:
    assert load(session, tmp_path / "data.txt", data, options) == (rows, errors)


def test_triggers_fire_when_asked(session: Session, tmp_path: Path) -> None:
    run(session, "CREATE TRIGGER tr ON t AFTER INSERT AS SELECT COUNT(*) FROM inserted")
    (tmp_path / "a.txt").write_bytes(b"1\ta\t\t1\n1\tb\t\t1\n")
    assert run(session, f"BULK INSERT t FROM '{tmp_path}/a.txt'") == ([], [])
    assert run(session, f"BULK INSERT t FROM '{tmp_path}/a.txt' WITH (FIRE_TRIGGERS)") == ([("2",)], [])


def test_batches_commit_by_themselves(session: Session, tmp_path: Path) -> None:
    run(session, "CREATE UNIQUE INDEX u ON t (name)")
    data = b"1\ta\t\t1\n1\tb\t\t1\n1\tc\t\t1\n1\ta\t\t1\n"
    rows, errors = load(session, tmp_path / "a.txt", data, "WITH (BATCHSIZE = 2)")
    assert ([r[1] for r in rows], errors) == (["a", "b"], [2601])


def test_error_file(session: Session, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    load(session, tmp_path / "a.txt", b"1\ta\tx\t1\n1\tb\t\t1\n", f"WITH (ERRORFILE = '{bad}')")
    assert bad.read_bytes() == b"1\ta\tx\t1\n"
    assert load(session, tmp_path / "a.txt", b"1\tc\t\t1\n", f"WITH (ERRORFILE = '{bad}')")[1] == [4861]


def test_an_error_can_be_caught(session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"1\ta\tx\t1\n")
    text = f"BEGIN TRY BULK INSERT t FROM '{tmp_path}/a.txt' END TRY BEGIN CATCH SELECT ERROR_NUMBER(), ERROR_LINE() END CATCH"
    assert run(session, text) == ([("4864", "1")], [])


@pytest.mark.parametrize(
    ("data", "kind", "value"),
    [
        (b"\x00\xff", "SINGLE_BLOB", r"b'\x00\xff'"),
        (b"<a>\xe9</a>", "SINGLE_CLOB", "<a>é</a>"),
        ("<a>é</a>".encode("utf-16"), "SINGLE_NCLOB", "<a>é</a>"),
        ("<a>é</a>".encode(), "SINGLE_CLOB, CODEPAGE = '65001'", "<a>é</a>"),
    ],
)
def test_a_file_as_one_value(session: Session, tmp_path: Path, data: bytes, kind: str, value: str) -> None:
    (tmp_path / "a.xml").write_bytes(data)
    assert run(session, f"SELECT BulkColumn FROM OPENROWSET(BULK '{tmp_path}/a.xml', {kind}) AS f") == ([(value,)], [])


def test_a_message_body_from_a_file(session: Session, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(b"<order id='7'/>")
    source = f"OPENROWSET(BULK '{tmp_path}/a.xml', SINGLE_BLOB) AS f (body)"
    text = f"DECLARE @x xml = (SELECT CAST(body AS xml) FROM {source}); SELECT @x.value('(/order/@id)[1]', 'int')"
    assert run(session, text) == ([("7",)], [])
    assert run(session, f"SELECT n.x.value('@id', 'int') FROM {source} CROSS APPLY (SELECT CAST(body AS xml) AS d) AS c CROSS APPLY d.nodes('/order') AS n (x)")[0] == [("7",)]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("SELECT * FROM OPENROWSET(BULK '{0}/none', SINGLE_BLOB) AS f", 4860),
        ("SELECT * FROM OPENROWSET(BULK '{0}', SINGLE_BLOB) AS f", 4861),
        ("SELECT * FROM OPENROWSET(BULK '{0}/wide', SINGLE_CLOB) AS f", 4806),
        ("SELECT * FROM OPENROWSET(BULK '{0}/plain', SINGLE_NCLOB) AS f", 4809),
        ("SELECT * FROM OPENROWSET(BULK '{0}/plain', SINGLE_CLOB)", 491),
        ("SELECT * FROM OPENROWSET(BULK '{0}/plain', SINGLE_CLOB, SINGLE_BLOB) AS f", 471),
        ("SELECT * FROM OPENROWSET(BULK '{0}/plain', CODEPAGE = 'ACP') AS f", 472),
        ("SELECT * FROM OPENROWSET(BULK '{0}/plain', FORMATFILE = 'x') AS f", 40517),
        ("BULK INSERT t FROM '{0}/none'", 4860),
        ("BULK INSERT nowhere FROM '{0}/plain'", 208),
        (
            "CREATE USER u WITHOUT LOGIN; GRANT INSERT ON t TO u; EXECUTE AS USER = 'u'; BULK INSERT t FROM '{0}/plain'",
            4834,
        ),
    ],
)
def test_what_is_wrong_with_a_file(session: Session, tmp_path: Path, text: str, number: int) -> None:
    (tmp_path / "wide").write_bytes("a".encode("utf-16"))
    (tmp_path / "plain").write_bytes(b"a")
    assert run(session, text.format(tmp_path)) == ([], [number])
