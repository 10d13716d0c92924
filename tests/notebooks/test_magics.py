"""%sbql and %%sbql in an IPython shell, without Spark."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.engine.pictures import topology
from sbql.spark_udfs import engines

pytest.importorskip("IPython", reason="IPython is not installed")

from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output


@pytest.fixture(scope="module")
def only_shell() -> InteractiveShell:
    shell = InteractiveShell.instance()
    shell.extension_manager.load_extension("sbql.spark_udfs")
    return shell


@pytest.fixture
def shell(only_shell: InteractiveShell) -> Iterator[InteractiveShell]:
    yield only_shell
    engines.release()


def run(shell: InteractiveShell, cell: str) -> Any:
    """What the cell shows: its text, and the mime bundles that it displays. Raises what the cell raises."""
    with capture_output() as captured:
        result = shell.run_cell(cell, store_history=False)
    error = result.error_before_exec or result.error_in_exec
    if error is not None:
        raise error
    captured.text = captured.stdout.replace(captured.stderr, "")
    return captured


def html(captured: Any) -> str:
    return "".join(output.data.get("text/html", "") for output in captured.outputs)


def test_a_cell_shows_results_messages_and_counts_in_order(shell: InteractiveShell) -> None:
    shown = run(shell, "%%sbql\nPRINT 'before'\nSELECT 1 AS a, N'<b>&' AS b, NULL AS c\nGO\nPRINT 'after'")
    assert shown.stdout.split("\n")[:4] == ["before", "(1 row affected)", "after", ""]
    table = html(shown)
    assert ">a</th>" in table
    assert "&lt;b&gt;&amp;" in table
    assert "<b>" not in table
    assert ">NULL</span>" in table
    plain = shown.outputs[0].data["text/plain"]
    assert plain.split("\n")[-1] == "(1 row)"


def test_an_error_points_at_its_word_and_fails_the_cell(shell: InteractiveShell) -> None:
    text = "%%sbql\nSELECT 1 AS a\nGO\nSELECT *\nFROM missing\nGO\nPRINT 'never'"
    with pytest.raises(sbql.SqlError) as caught:
        run(shell, text)
    assert (caught.value.number, caught.value.line) == (208, 4)
    lines = "\n".join(caught.value._render_traceback_()).split("\n")  # type: ignore[attr-defined]
    assert lines[0] == "Msg 208, Level 16, State 1, Line 4"
    assert lines[-2:] == ["FROM missing", "     ^"]


def test_lines_count_on_behind_directives_and_those_of_a_terminal_are_refused(shell: InteractiveShell) -> None:
    for script, expected in (
        ("SELECT 1 AS a\n:setvar x 1\nSELECT *\nFROM missing", (208, 4)),
        ("SELECT 1 AS a\nGO\n:out file", (49923, 3)),
        ("SELECT 1 AS a\nGO\n!!dir", (49923, 3)),
    ):
        with pytest.raises(sbql.SqlError) as caught:
            run(shell, f"%%sbql\n{script}")
        assert (caught.value.number, caught.value.line) == expected
    run(shell, "%%sbql\nSELECT 1 AS a\n:exit\nSELECT * FROM missing")


def test_the_caret_stands_below_a_syntax_error(shell: InteractiveShell) -> None:
    with pytest.raises(sbql.SqlError) as caught:
        run(shell, "%%sbql\nSELECT 1 FROM FROM t")
    assert "\n".join(caught.value._render_traceback_()).split("\n")[-2:] == ["SELECT 1 FROM FROM t", "              ^"]  # type: ignore[attr-defined]


def test_a_script_goes_on_after_errors_if_asked(shell: InteractiveShell) -> None:
    shown = run(shell, "%%sbql --continue\nSELECT 1 / 0\nGO\nPRINT 'still here'")
    assert "Msg 8134" in shown.stdout
    assert "still here" in shown.stdout


def test_results_become_variables(shell: InteractiveShell) -> None:
    run(shell, "%%sbql --out found --as rows\nSELECT 1 AS a UNION ALL SELECT 2 ORDER BY a")
    assert shell.user_ns["found"] == [(1,), (2,)]
    run(shell, "%sbql --quiet --out frame --as pandas SELECT 7 AS n, N'x' AS t")
    assert shell.user_ns["frame"].to_dict("records") == [{"n": 7, "t": "x"}]
    with pytest.raises(UsageError, match="has none"):
        run(shell, "%sbql --out nothing PRINT 'x'")


def test_values_of_the_notebook_are_parameters_and_never_text(shell: InteractiveShell) -> None:
    shell.user_ns["name"] = "O'Brien {name} $name"
    run(shell, "%sbql -p name --out back --as rows SELECT @name")
    assert shell.user_ns["back"] == [("O'Brien {name} $name",)]
    run(
        shell,
        "%sbql -v what=number --out back --as rows SELECT 5 AS $(what), '$name' AS {fn NOW} ".replace(
            " AS {fn NOW}", ""
        ),
    )
    assert shell.user_ns["back"] == [(5, "$name")]
    with pytest.raises(UsageError, match="no variable missing"):
        run(shell, "%sbql -p missing SELECT @missing")


def test_state_lasts_from_cell_to_cell(shell: InteractiveShell) -> None:
    run(
        shell,
        "%%sbql\nCREATE DATABASE Shop\nGO\nUSE Shop\nCREATE TABLE t (a int)\nBEGIN TRANSACTION\nINSERT t VALUES (1)",
    )
    run(shell, "%sbql ROLLBACK TRANSACTION")
    run(shell, "%sbql --out n --as rows SELECT COUNT(*), DB_NAME() FROM t")
    assert shell.user_ns["n"] == [(0, "Shop")]


def test_a_connection_of_the_notebook(shell: InteractiveShell) -> None:
    with sbql.connect() as connection:
        connection.execute("CREATE TABLE t (a int); INSERT t VALUES (5)")
        shell.user_ns["mine"] = connection
        run(shell, "%sbql --connection mine --out n --as rows SELECT a FROM t")
        assert shell.user_ns["n"] == [(5,)]
        engines.release()
        assert connection.execute("SELECT a FROM t").fetchone() == (5,)


def test_a_store_and_what_opens_it_twice(shell: InteractiveShell, tmp_path: Any) -> None:
    store = tmp_path / "shop with spaces.duckdb"
    run(shell, f"%sbql --store '{store}'\n%sbql CREATE TABLE t (a int)")
    with pytest.raises(sbql.Error):
        sbql.connect(store)
    engines.release()
    with sbql.connect(store) as connection:
        assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)


def test_a_store_that_is_served_and_a_server_by_its_address(shell: InteractiveShell, tmp_path: Any) -> None:
    """The same cells over the door: results, types, messages, errors with their caret, transactions, pictures."""
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    store = tmp_path / "shop.duckdb"
    with sbql.serve(store, tokens={"secret": "sa"}) as server:
        shell.user_ns["mine"] = "secret"
        for where in (f"--store '{store}'", f"--endpoint {server.endpoint.url} --token mine"):
            run(shell, f"%sbql {where}")
            shown = run(
                shell,
                "%%sbql --out back --as rows\nPRINT 'hello'\nSELECT NEWID() AS id, CAST(1.50 AS decimal(9, 2)) AS d",
            )
            assert "hello" in shown.stdout
            assert [type(value).__name__ for value in shell.user_ns["back"][0]] == ["UUID", "Decimal"]
            run(shell, "%%sbql\nCREATE TABLE t (a int)\nBEGIN TRANSACTION\nINSERT t VALUES (1)")
            run(shell, "%%sbql\nROLLBACK TRANSACTION\nGO\nDROP TABLE t")
            with pytest.raises(sbql.SqlError) as caught:
                run(shell, "%%sbql\nSELECT * FROM missing")
            lines = "\n".join(caught.value._render_traceback_()).split("\n")  # type: ignore[attr-defined]
            assert lines[-1] == " " * 14 + "^"
            assert topology(engines.engine_session()).diagram.title.endswith("database master")
        with pytest.raises(sbql.SqlError) as refused:
            engines.use(endpoint=server.endpoint.url, token="wrong")
        assert refused.value.number == 18456
        engines.release()


def test_large_results_are_cut_and_say_so(shell: InteractiveShell) -> None:
    text = "%sbql --limit 3 SELECT value FROM GENERATE_SERIES(1, 1000)"
    shown = run(shell, text)
    assert html(shown).count("<tr>") == 4
    assert "the first 3 of 1000 rows" in html(shown)
    assert "(the first 3 of 1000 rows)" in shown.outputs[0].data["text/plain"]


@pytest.mark.parametrize(
    "line",
    [
        "%sbql --nonsense SELECT 1",
        "%sbql --limit many SELECT 1",
        "%sbql --limit -1 SELECT 1",
        "%sbql --limit 1.5 SELECT 1",
        "%sbql --as rows SELECT 1",
        "%sbql --token t SELECT 1",
        "%sbql --store a --endpoint grpc://127.0.0.1:9 SELECT 1",
        "%sbql -v x SELECT 1",
        "%%sbql SELECT 1\nSELECT 2",
        "%sbql --out 'x SELECT",
    ],
)
def test_wrong_options_are_told(shell: InteractiveShell, line: str) -> None:
    with pytest.raises(UsageError, match="sbql"):
        run(shell, line)


@pytest.mark.parametrize(("options", "number"), [
    ("--database Nowhere", 911), ("--store nowhere/at/all.duckdb", 5133), ("--store x.duckdb --database Nowhere", 911),
    ("--endpoint grpc://127.0.0.1:9", 10061), ("--endpoint nonsense", 87), ("--endpoint grpc://127.0.0.1:9 --database Shop", 10061),
])  # fmt: skip
@pytest.mark.parametrize("cell", ["%sbql {}", "%sbql {} PRINT 'ran'", "%%sbql {}\nPRINT 'ran'"])
def test_a_way_that_leads_nowhere_is_one_sentence_and_nothing_runs(
    shell: InteractiveShell, options: str, number: int, cell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine that was in use stays, and no traceback is shown: the call of the magic
    says nothing that the line does not."""
    monkeypatch.chdir(tmp_path)
    run(shell, "%sbql CREATE TABLE #here (a int)")
    with capture_output() as captured:
        result = shell.run_cell(cell.format(options), store_history=False)
    error = result.error_in_exec
    assert isinstance(error, sbql.SqlError) and error.number == number
    assert "Traceback" not in captured.stdout and "ran" not in captured.stdout
    assert f"Msg {number}, Level" in captured.stdout and "Line 0" not in captured.stdout
    shown = run(shell, "%sbql SELECT OBJECT_ID(N'tempdb..#here') - OBJECT_ID(N'tempdb..#here') AS same")
    assert ">0</td>" in html(shown)


def test_help_lists_the_options(shell: InteractiveShell) -> None:
    shown = run(shell, "%sbql --help").stdout
    assert all(option in shown for option in ("--store FILE", "--as {spark,arrow,pandas,rows}", "-p NAME"))


# --- HTML of cursors and results ---------------------------------------------------------------------------------


def test_cursors_show_their_result_and_can_be_fetched_all_the_same() -> None:
    with sbql.connect() as connection:
        cursor = connection.execute("SELECT 1 AS [<i>], CAST(N'<order/>' AS varbinary(100)) AS body")
        shown = cursor._repr_html_()
        assert "&lt;i&gt;" in shown
        assert "<i>" not in shown
        assert "0x3C006F007200640065007200" in shown
        assert "&lt;order/&gt;" in shown
        assert cursor.fetchone() is not None
        assert connection.execute("CREATE TABLE t (a int)")._repr_html_().count("no result set") == 1
        cursor.close()
        assert "closed" in cursor._repr_html_()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("CAST(N'<a>é</a>' AS varbinary(99))", "&lt;a&gt;é&lt;/a&gt;"),
        ("CAST('<a>plain</a>' AS varbinary(99))", "&lt;a&gt;plain&lt;/a&gt;"),
        ("0x0102030405", None),
        ("0x", None),
        ("0xFF", None),
    ],
)
def test_bodies_show_the_text_that_they_carry(body: str, text: str | None) -> None:
    with sbql.connect() as connection:
        shown = connection.execute(f"SELECT {body} AS message_body")._repr_html_()
    assert ("the text in it" in shown) == (text is not None)
    assert text is None or text in shown
