"""Code blocks of the documents run as written: each is run here, or in a test that is named,
or the table says why it cannot be.

A page's blocks of one language run in their order in one program, in a folder that `sbql init`
has made, so that orders.sql is there.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sbql
from sbql.repl.cli import main

ROOT = Path(__file__).parents[2]
FENCES = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]

SCRIPTS = {
    "docs/external-activation.md": "CREATE DATABASE Shop; USE Shop",
    "docs/query-notifications.md": "CREATE DATABASE Shop; USE Shop; CREATE LOGIN ann WITH PASSWORD = 'Secret-1234'; CREATE USER ann FOR LOGIN ann",
    "docs/security.md": """
        CREATE DATABASE Other; CREATE DATABASE Shop; USE Shop
        CREATE QUEUE WorkQueue
        GO
        CREATE PROCEDURE DoWork AS PRINT 'done'
        """,
    "docs/stuck.md": "CREATE DATABASE Shop; USE Shop; CREATE QUEUE Orders; CREATE SERVICE Customer ON QUEUE Orders; CREATE SERVICE Seller ON QUEUE Orders",
    "docs/monologs.md": """
        CREATE DATABASE Stock; USE Stock
        CREATE MESSAGE TYPE [//stock/Price] VALIDATION = WELL_FORMED_XML
        CREATE CONTRACT [//stock/PriceContract] ([//stock/Price] SENT BY INITIATOR)
        CREATE QUEUE PriceQueue; CREATE SERVICE [//stock/Prices] ON QUEUE PriceQueue
        CREATE QUEUE ChartQueue; CREATE SERVICE [//stock/Charts] ON QUEUE ChartQueue ([//stock/PriceContract])
        """,
}
"""Pages whose sql blocks run here, as one script each, and what stands before them."""

PROGRAMS = {
    "README.md": "",
    "docs/python.md": "",
    "docs/pictures.md": """
import sbql
with sbql.connect("shop.duckdb") as connection:
    sbql.run_file(connection, "orders.sql")
    connection.execute("EXEC PlaceOrder 1")
""",
}
"""Pages whose python blocks run here, as one program each, and what stands before them."""

ELSEWHERE = {
    ("docs/external-activation.md", "xml"): "tests/doors/test_external_activator.py",
    ("docs/query-notifications.md", "xml"): "tests/unit/subscriptions/test_rights.py",
    ("docs/getting-started.md", "sql"): "tests/house/test_documents.py",
    ("docs/getting-started.md", "python"): "tests/house/test_documents.py",
    ("docs/administration.md", "sql"): "tests/house/test_documents.py",
    ("docs/administration.md", "python"): "tests/house/test_documents.py",
    ("docs/spark.md", "sql"): "tests/spark/test_spark_page.py",
    ("docs/spark.md", "python"): "tests/spark/test_spark_page.py",
    ("docs/test-scripts.md", "sql"): "tests/doors/test_test_command.py",
    ("docs/testing-your-application.md", "sql"): "tests/doors/test_your_application.py",
    ("docs/testing-your-application.md", "python"): "tests/doors/test_your_application.py",
    ("docs/testing-your-application.md", "ini"): "tests/doors/test_your_application.py",
    ("docs/testing-your-application.md", "toml"): "tests/doors/test_your_application.py",
}
"""Blocks that another test runs, which names the page."""

NOT_RUN = {
    (
        "docs/clients.md",
        "python",
    ): "needs drivers and ODBC; tests/doors/test_tds_example.py runs the project that they are from",
    ("docs/clients.md", "dockerfile"): "needs Docker",
    ("docs/clients.md", "yaml"): "needs Docker",
    ("docs/clients.md", "ini"): "a file of the operating system",
    (
        "docs/network.md",
        "sql",
    ): "two machines; tests/doors/test_broker_network.py and the script of scripts/network do the same",
    ("docs/network.md", "python"): "tests/simulation has networks of this kind; the program is run by hand",
    (
        "docs/server.md",
        "python",
    ): "addresses, tokens and operations are examples; tests/doors/test_server.py has each call",
}
"""Blocks that do not run as they stand, and why."""

NO_PROGRAMS = {"", "sh", "text"}
"""Output, and commands for a shell, whose options tests/house/test_documents.py looks at."""


def blocks(page: str, language: str) -> list[str]:
    return [body for kind, body in FENCES.findall((ROOT / page).read_text(encoding="utf-8")) if kind == language]


def test_every_block_is_accounted_for() -> None:
    """A new page, or a block in another language, needs a line in one of the tables; and no line is stale."""
    found = {(page, kind) for page in PAGES for kind, _ in FENCES.findall((ROOT / page).read_text(encoding="utf-8"))}
    here = {*((page, "sql") for page in SCRIPTS), *((page, "python") for page in PROGRAMS)}
    assert {one for one in found if one[1] not in NO_PROGRAMS} == {*here, *ELSEWHERE, *NOT_RUN}
    for (page, _), test in ELSEWHERE.items():
        assert Path(page).name in (ROOT / test).read_text(encoding="utf-8"), test


@pytest.mark.parametrize("page", PROGRAMS)
def test_programs_run(page: str, tmp_path: Path) -> None:
    assert main(["init", str(tmp_path)]) == 0
    program = "\n".join([PROGRAMS[page], *blocks(page, "python")])
    done = subprocess.run(
        [sys.executable, "-"], input=program, cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    if page == "docs/pictures.md":
        assert (tmp_path / "dialog.svg").exists()
    else:
        assert "42" in done.stdout
    if page == "README.md":
        assert done.stdout == "[(42, 'paid')]\n"
        again = subprocess.run(
            [sys.executable, "-"], input=program, cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        assert (again.returncode, again.stdout) == (0, done.stdout)


@pytest.mark.parametrize("page", SCRIPTS)
def test_scripts_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # certificates are files
    with sbql.connect(str(tmp_path / "shop.duckdb"), clock="virtual") as connection:
        sbql.run_script(connection, SCRIPTS[page])
        for script in blocks(page, "sql"):
            sbql.run_script(connection, script)  # raises the first error
