"""What docstrings and comments name is there: names in backticks, and the facts of docs/spec.

A module or function that gets another name leaves its old one behind in the texts of its neighbours.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("grammar", "catalog", "engine", "repl", "spark_udfs", "sbql")
FILES = sorted(file for room in ROOMS for file in (ROOT / room).rglob("*.py"))

NO_NAMES = {
    "AB", "DF__Trades__Price__", "PK__Trades__", "Sept", "assert", "broker_conversation_endpoints", "broker_conversation_groups", "broker_messages",
    "broker_transmission_queue", "column1", "column2", "dbo.TradeList", "do_", "from_xml",
}  # fmt: skip
"""What stands in backticks and is a value, a name that is put together, or one of Spark's."""


def texts(source: str) -> Iterator[str]:
    """Strings that stand as statements, as docstrings do, and comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def names_in(source: str) -> set[str]:
    """What the code names, and the words of its strings: columns, options, statements."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "attr", "name", "arg", "module", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                found.update(value.split("."))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
            found.update([node.value, *re.findall(r"\w+", node.value)])
    return found


def modules() -> dict[str, set[str]]:
    """Each module and folder by its dotted name, without sbql in front, with the names that its text has."""
    found: dict[str, set[str]] = {}
    for file in FILES:
        parts = list(file.relative_to(ROOT).with_suffix("").parts)
        parts = parts[1:] if parts[0] == "sbql" else parts
        own = names_in(file.read_text(encoding="utf-8"))
        found[".".join(part for part in parts if part != "__init__")] = own
    return found


KNOWN = modules()
ENDINGS = {".".join(name.split(".")[start:]) for name in KNOWN for start in range(name.count(".") + 1)}
EVERYWHERE = set().union(*KNOWN.values()) | {part for name in KNOWN for part in name.split(".")}
FOLDERS = {name for name in KNOWN if (ROOT / name.replace(".", "/")).is_dir()}
BEGINNINGS = {"sbql", *(name.rpartition(".")[2] for name in FOLDERS if name)}


def is_there(name: str) -> bool:
    """A dotted name that begins with a folder is a module below it, or something that such a module has; of any other
    each part is a name of the code."""
    first, dot, rest = name.partition(".")
    if not dot or first not in BEGINNINGS:
        return name in ENDINGS or set(name.split(".")) <= EVERYWHERE
    wanted = rest if first == "sbql" else name
    home, _, last = wanted.rpartition(".")
    if wanted in ENDINGS or name in EVERYWHERE or (first == "sbql" and wanted in EVERYWHERE):
        return True
    return any(last in own for module, own in KNOWN.items() if module == home or module.endswith(f".{home}"))


def test_names_in_backticks_are_there() -> None:
    lost = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in FILES
        for text in texts(file.read_text(encoding="utf-8"))
        for name in re.findall(r"(?<!`)`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`(?!`)", text)
        if not name.endswith((".py", ".md", ".txt")) and name not in NO_NAMES and not is_there(name)
    ]
    assert lost == []


def test_facts_that_texts_name_are_in_the_specification() -> None:
    """`docs/spec: SEND` means SEND-1 and the facts behind it."""
    spec = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "docs" / "spec").glob("*.md"))
    facts = set(re.findall(r"^- ([A-Z]+)-\d", spec, re.M))
    named = {
        (str(file.relative_to(ROOT)), fact)
        for file in FILES
        for text in texts(file.read_text(encoding="utf-8"))
        for words in re.findall(r"docs/spec:\s+([A-Z]+(?:,\s+[A-Z]+)*)", text)
        for fact in re.split(r",\s+", words)
    }
    assert len(named) > 40
    assert [pair for pair in sorted(named) if pair[1] not in facts] == []


def test_what_is_not_there_is_found() -> None:
    assert is_there("security.cryptography") and is_there("engine.result_html") and is_there("tables.comparison_keys")
    assert is_there("sbql.connect") and is_there("engine.session.Session")
    assert (
        not is_there("engine.crypto") and not is_there("security.dialog_keys") and not is_there("operations_of_doors")
    )
