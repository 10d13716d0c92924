"""Imports stay lazy: what is heavy is loaded only by whoever uses it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sbql.grammar.parser import parse_batch

OF_THE_NETWORK = {"sbql.engine.network.endpoint", "sbql.engine.network.address_map"}
"""The modules of the network that are asked whether there is any, and told where others are."""

HEAVY = ("lark", "numpy", "pandas", "prompt_toolkit", "pyarrow", "pygments", "pyspark", "rich", "xmlschema")


@pytest.fixture(scope="module", autouse=True)
def _parse_table() -> None:
    """Whoever parses first after a change of the grammar builds the parse table anew, for which Lark is loaded: not in
    the processes that are looked at here."""
    parse_batch("SELECT 1")


def loaded_after(code: str) -> set[str]:
    """Names of all modules that a fresh Python has loaded after `code`."""
    program = f"import sys\n{code}\nprint()\nprint('LOADED', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.splitlines()[-1].split()[1:])


def test_the_package_alone_loads_nothing() -> None:
    """`import sbql` is free, its DB-API constants included."""
    loaded = loaded_after("import sbql; sbql.apilevel, sbql.paramstyle, dir(sbql)")
    assert {name for name in loaded if name.startswith("sbql.")} == set()
    assert loaded.isdisjoint(HEAVY)


def test_the_grammar_does_not_load_the_engine() -> None:
    """A tool that only parses needs neither engine nor DuckDB."""
    loaded = loaded_after("from sbql.grammar.parser import parse_batch; parse_batch('SELECT 1')")
    assert not any(name.startswith(("sbql.engine", "sbql.catalog")) for name in loaded)
    assert loaded.isdisjoint({"_duckdb", "duckdb", *HEAVY})


def test_usage_errors_and_help_do_not_load_the_engine() -> None:
    loaded = loaded_after("from sbql.repl.cli import main; main(['--nonsense'])")
    assert "sbql.engine" not in loaded
    assert "duckdb" not in loaded


def test_checking_does_not_load_the_engine() -> None:
    """`sbql --check` only parses."""
    loaded = loaded_after("import os; from sbql.repl.cli import main; main(['--check', os.devnull])")
    assert "sbql.engine.session" not in loaded
    assert "duckdb" not in loaded


def test_a_query_loads_nothing_heavy() -> None:
    """`sbql -Q "SELECT 1"` starts without the libraries that it does not use; of
    DuckDB it loads the extension alone."""
    loaded = loaded_after("from sbql.repl.cli import main; assert main(['-Q', 'SELECT 1']) == 0")
    assert "_duckdb" in loaded
    assert "duckdb" not in loaded
    assert loaded.isdisjoint(HEAVY)
    assert not any(name.startswith(("sbql.engine.network.", "sbql.engine.tds")) for name in loaded - OF_THE_NETWORK)
    assert loaded.isdisjoint({"ssl", "cryptography"})


@pytest.mark.parametrize("name", ["connect", "SqlError", "IntegrityError", "NUMBER", "run_file", "Output"])
def test_names_of_the_face_resolve(name: str) -> None:
    import sbql

    assert getattr(sbql, name) is getattr(sbql, name)
    assert name in dir(sbql)


def test_every_public_name_resolves() -> None:
    import sbql

    for name in sbql.__all__:
        assert getattr(sbql, name) is not None
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = sbql.nothing_like_it
