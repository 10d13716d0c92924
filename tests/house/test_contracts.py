"""The import contracts of pyproject.toml see everything: every file, and every folder that the wheel is made of."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text())
FOLDERS: dict[str, str] = CONFIGURATION["tool"]["setuptools"]["package-dir"]
"""Package -> the top-level folder that it is installed from."""


def modules_of_files() -> set[str]:
    """Names of all modules that ship, from the files."""
    found = set()
    for package, folder in FOLDERS.items():
        for file in (ROOT / folder).rglob("*.py"):
            inner = file.relative_to(ROOT / folder).with_suffix("").parts
            found.add(".".join((package, *(part for part in inner if part != "__init__"))))
    return found


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the top-level folders are the package `sbql`, as they are once installed."""
    root = tmp_path_factory.mktemp("tree")
    for package, folder in FOLDERS.items():
        target = root.joinpath(*package.split("."))
        shutil.copytree(ROOT / folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    return root


def test_the_linter_knows_every_module(tree: Path) -> None:
    """A folder without `__init__.py` would be in no contract."""
    program = "import grimp; print(*grimp.build_graph('sbql', cache_dir=None).modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tree, capture_output=True, text=True, check=True, timeout=60
    )
    assert set(done.stdout.split()) == modules_of_files()


def test_type_only_imports_count() -> None:
    assert CONFIGURATION["tool"]["importlinter"]["exclude_type_checking_imports"] is False


def test_no_contract_forgives_stale_ignores() -> None:
    """An arrow that is gone must go from the list too: alerting stays what it is by default, an error."""
    for contract in CONFIGURATION["tool"]["importlinter"]["contracts"]:
        assert "unmatched_ignore_imports_alerting" not in contract, contract["name"]


def test_no_circle_is_forgiven() -> None:
    (circles,) = (c for c in CONFIGURATION["tool"]["importlinter"]["contracts"] if c["type"] == "acyclic_siblings")
    assert "ignore_imports" not in circles
    assert {"sbql", *(package for package in FOLDERS if package != "sbql")} == set(circles["ancestors"])


def test_the_engine_and_the_house_are_covered_whole() -> None:
    """Layers that are exhaustive: a new room has to say where it stands."""
    exhaustive = {
        container
        for contract in CONFIGURATION["tool"]["importlinter"]["contracts"]
        if contract["type"] == "layers" and contract.get("exhaustive")
        for container in contract["containers"]
    }
    assert exhaustive >= {"sbql", "sbql.engine"}


def test_imports_by_string_keep_the_contracts_too(tree: Path) -> None:
    """Written out as imports, what `wiring` names breaks none of them; and a module that fills a registry stands above
    the registry, whose module it imports, never the other way round."""
    from sbql.engine.wiring import TABLES

    wiring = tree / "sbql" / "engine" / "wiring.py"
    text = wiring.read_text()
    modules = [module for table in TABLES.values() for module in table]
    try:
        wiring.write_text(text + "".join(f"\nimport {module}" for module in modules))
        command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()"]
        options = ["--config", str(ROOT / "pyproject.toml"), "--no-cache"]
        done = subprocess.run([*command, *options], cwd=tree, capture_output=True, text=True, timeout=60, check=False)
    finally:
        wiring.write_text(text)
    assert done.returncode == 0, done.stdout
    assert set(modules) <= modules_of_files()


def test_no_other_imports_by_string() -> None:
    """`wiring` is the only table of the engine."""
    found = [
        str(file.relative_to(ROOT))
        for file in (ROOT / "engine").rglob("*.py")
        if "import_module" in file.read_text() or "__import__" in file.read_text()
    ]
    assert found == ["engine/lazy_registry.py"]


def test_the_map_names_the_rooms_that_are_there() -> None:
    """docs/architecture.md has a line for each folder of the engine, in the order of
    the contract, and names the rest."""
    text = (ROOT / "docs" / "architecture.md").read_text()
    part = text[text.index("### The rooms of the engine") : text.index("## The way of one statement")]
    listed = re.findall(r"^\| `(\w+)/` \|", part, re.MULTILINE)
    engine = ROOT / "engine"
    assert sorted(listed) == sorted(d.name for d in engine.iterdir() if (d / "__init__.py").exists())
    (contract,) = (
        c for c in CONFIGURATION["tool"]["importlinter"]["contracts"] if c.get("containers") == ["sbql.engine"]
    )
    order = [room for layer in reversed(contract["layers"]) for room in layer.split(" : ")]
    assert listed == [room for room in order if room in listed]


@pytest.mark.parametrize("room", sorted(d.name for d in (ROOT / "engine").iterdir() if (d / "__init__.py").exists()))
def test_a_room_says_what_it_decides(room: str) -> None:
    """And what it must not know, and which way data flows."""
    text = ast.get_docstring(ast.parse((ROOT / "engine" / room / "__init__.py").read_text())) or ""
    flat = " ".join(text.split()).lower()
    assert "must not know" in flat or "must not" in flat
    assert len(text.splitlines()) >= 4
