"""Tidiness that a linter does not see: packages, module openings, sizes, and where clocks and chance come from."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")
FILES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

LONGEST_FILE = 450
"""The aim is 100 to 400; beyond this, a file is two."""
LONGEST_FUNCTION = 70

BANNED = {
    "time": {"time", "time_ns", "localtime", "gmtime", "ctime"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
    "dt": {"now", "utcnow", "today"},
    "uuid": {"uuid1", "uuid4", "uuid7"},
    "os": {"urandom"},
    "secrets": None,
    "random": None,
}
"""Names of modules and classes to the attributes that ask the real clock or real chance; None: all of them."""

THE_HOST = "engine/host.py"


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


def banned_calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        owner = node.func.value
        name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
        attributes = BANNED.get(name, set())
        if attributes is None or node.func.attr in attributes:
            yield node.lineno, f"{name}.{node.func.attr}"


def test_packages_are_declared() -> None:
    """Every folder with Python in it is installed: `pip install` would silently leave it out."""
    declared = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = set()
    for path in FILES:
        room, *inner = path.parent.relative_to(ROOT).parts
        found.add(".".join(["sbql", *([] if room == "sbql" else [room]), *inner]))
    assert found - declared == set()
    assert declared - found == set()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_module_opens_with_its_theory(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text, "a module docstring: what it decides, what it must not know"
    assert len(text) > 20


@pytest.mark.parametrize("path", [p for p in FILES if name_of(p) != THE_HOST], ids=name_of)
def test_clock_and_chance_come_from_the_host(path: Path) -> None:
    """Otherwise a run with a virtual clock would not repeat. time.monotonic is allowed, for time-outs of real waits."""
    assert list(banned_calls(ast.parse(path.read_text(encoding="utf-8")))) == []


def test_the_ban_sees_what_it_bans() -> None:
    code = "import time, datetime\ntime.time(); datetime.datetime.now(); random.choice([]); time.monotonic()"
    assert [call for _, call in banned_calls(ast.parse(code))] == ["time.time", "datetime.now", "random.choice"]


def test_files_stay_readable() -> None:
    too_long = {name_of(p): n for p in FILES if (n := len(p.read_text(encoding="utf-8").splitlines())) > LONGEST_FILE}
    assert too_long == {}


def test_functions_stay_readable() -> None:
    too_long = {}
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    too_long[f"{name_of(path)}:{node.name}"] = length
    assert too_long == {}


def test_types_are_ignored_only_where_a_library_has_none() -> None:
    """Classes and decorators of elementpath, pyarrow, pyspark and IPython are Any; mypy cannot tell the type of a
    lambda with a default, either. Everything else has a type that can be written."""
    found = {name_of(p): re.findall(r"# type: ignore\[([^\]]*)\]", p.read_text(encoding="utf-8")) for p in FILES}
    assert {name: codes for name, codes in found.items() if set(codes) - {"misc", "untyped-decorator"}} == {}


def test_the_oldest_python_is_the_same_everywhere() -> None:
    """What pip is told, what ruff and mypy look for, what the Makefile takes, what the documents say; and CI runs
    each Python that a classifier names."""
    configuration = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    oldest = configuration["project"]["requires-python"].removeprefix(">=")
    assert configuration["tool"]["mypy"]["python_version"] == oldest
    assert configuration["tool"]["ruff"]["target-version"] == "py" + oldest.replace(".", "")
    assert f"sys.version_info < ({oldest.replace('.', ', ')})" in (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in ("README.md", "docs/getting-started.md"):
        told = re.findall(r"Python\s(3\.\d+)", (ROOT / name).read_text(encoding="utf-8"))
        assert set(told) == {oldest}, name
    named = {
        found[1]
        for text in configuration["project"]["classifiers"]
        if (found := re.search(r":: Python :: (3\.\d+)$", text))
    }
    run = re.search(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "checks.yml").read_text(encoding="utf-8"))
    assert run is not None
    assert oldest in named
    assert named <= set(re.findall(r"3\.\d+", run[1]))


DIGITS = {
    "grammar/digits.py": "the one place that knows what int() takes",
    "grammar/values/collation.py": "a character's place in the order, not its value",
    "engine/broker/conversation_state.py": "our own table",
    "engine/documents/xml_changes.py": "names that the reader has made",
    "engine/documents/xquery/expressions.py": "where a number begins; the reader says whether it is one",
    "engine/native/arithmetic.py": "SQL that was made here",
    "engine/query/statement.py": "SQL that was made here",
    "engine/query/text_comparisons.py": "a character that is its own capital letter",
    "engine/query/time_zones.py": "values that were counted here",
}


def test_digits_are_those_that_int_takes() -> None:
    """`²` is a digit to str.isdigit(), and int() raises for it: a text of anybody's is asked by digits.is_whole (or
    isdecimal, all of which int() takes)."""
    found = {name_of(p) for p in FILES if re.search(r"\.is(?:digit|numeric)\b", p.read_text(encoding="utf-8"))}
    assert found == DIGITS.keys()


# --- the tree ----------------------------------------------------------------------------------------------

WALKS = {"fields", "__dataclass_fields__", "__match_args__"}
MAY_WALK = {
    "grammar/tree.py": "the one module that walks and rebuilds trees",
    "grammar/ast/base.py": "makes the node classes",
}


def looks_at_fields(path: Path) -> bool:
    """Whether a module takes dataclasses apart by the names of their fields."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
            if "fields" in {alias.name for alias in node.names}:
                return True
        if isinstance(node, ast.Attribute) and (
            node.attr in WALKS - {"fields"} or ast.unparse(node) == "dataclasses.fields"
        ):
            return True
    return False


def test_only_the_tree_module_walks_trees() -> None:
    """Walkers of their own know a part of the nodes each, and take date parts for columns: use sbql.grammar.tree."""
    assert {name_of(p) for p in FILES if looks_at_fields(p)} == MAY_WALK.keys()


def test_each_message_stands_once() -> None:
    """Of two entries the later one would win, in silence: a merge has doubled them before."""
    lines = (ROOT / "grammar" / "messages.tsv").read_text(encoding="utf-8").splitlines()
    numbers = [line.split("\t")[0] for line in lines if not line.startswith("#")]
    assert [number for number in set(numbers) if numbers.count(number) > 1] == []


def test_helpers_of_tests_have_a_name_of_their_own() -> None:
    """Tests import what stands beside them by its bare name, so a second file of that name is one or the other, by
    the order in which folders were met: alone each folder's tests pass, and together they do not."""
    names: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("*.py")):
        is_test = path.name.startswith("test_") or path.stem in ("conftest", "__init__")
        if not is_test and not (path.parent / "__init__.py").exists():
            names.setdefault(path.stem, []).append(name_of(path))
    assert {name: files for name, files in names.items() if len(files) > 1} == {}
    assert set(names) & sys.stdlib_module_names == set()
