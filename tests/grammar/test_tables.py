"""The parse table: its conflicts, and how it is kept."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import sbql.grammar.parser as parser
import sbql.grammar.tables as tables
from sbql.grammar.builders import BUILDERS
from sbql.grammar.keywords import PHRASES, RESERVED

HERE = Path(__file__).parent
TABLE = tables.load_table()


def test_conflicts_are_the_known_ones() -> None:
    """Lark settles each as shift. A new line here means that the grammar now reads some text another way: look why."""
    known = (HERE / "conflicts.tsv").read_text(encoding="utf-8").splitlines()
    assert [f"{c.terminal}\t{c.rule}\t{count}" for c, count in TABLE.conflicts] == known


def test_every_builder_belongs_to_a_rule() -> None:
    assert BUILDERS.keys() - {rule.builder for rule in TABLE.rules} == set()


def test_every_phrase_is_a_terminal() -> None:
    terminals = {terminal for row in TABLE.actions.every() for terminal in row}
    assert {terminal for phrases in PHRASES.values() for _, terminal in phrases} - terminals == set()


def test_every_reserved_word_of_the_grammar_is_spelled_in_upper_case() -> None:
    words = {spelling for spelling in TABLE.literals if spelling[0].isalpha()}
    assert words == {word.upper() for word in words}
    assert len(words & RESERVED) > 100


def test_a_stored_table_is_the_built_one(tmp_path: Path) -> None:
    tables.save_table(TABLE, "key", tmp_path / "t.bin")
    read = tables._read(tmp_path / "t.bin", "key")
    assert read is not None and (read.rules, read.literals, read.conflicts) == (
        TABLE.rules,
        TABLE.literals,
        TABLE.conflicts,
    )
    assert read.actions.every() == TABLE.actions.every() and read.gotos.every() == TABLE.gotos.every()
    assert tables._read(tmp_path / "t.bin", "another") is None


def test_rows_are_read_when_they_are_asked_for() -> None:
    given: list[dict[str, int]] = [{"B": -70_000, "A": 3}, {}, {"A": 3, "B": -70_000}, {"C": 1 << 20}]
    rows = tables.Rows(tables.Rows.of(given).plain)
    assert not rows and rows[2] is rows[0] and len(rows) == 2
    assert rows.every() == given and "D" not in rows[1]


@pytest.mark.parametrize("content", [b"", b"key", b"key\n", b"key\nnonsense", b"key\n\x80\x05N."])
def test_a_damaged_table_is_no_table(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.bin").write_bytes(content)
    assert tables._read(tmp_path / "t.bin", "key") is None


@pytest.fixture
def small_grammar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a grammar that builds at once."""
    monkeypatch.setattr(tables, "GRAMMAR_PARTS", ("common",))
    (tmp_path / "lark").mkdir()
    (tmp_path / "lark" / "common.lark").write_text('batch: "A" | "B"\ndata_type: "T"\n')
    return tmp_path


def test_table_is_built_once_and_again_when_stale(small_grammar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = tables.build_table

    def counted(text: str) -> tables.ParseTable:
        built.append(text)
        return build(text)

    monkeypatch.setattr(tables, "build_table", counted)
    for _ in range(2):
        tables.load_table(small_grammar, small_grammar / "cache")
    assert len(built) == 1
    (small_grammar / "lark" / "common.lark").write_text('batch: "A" | "C"\ndata_type: "T"\n')
    assert "C" in tables.load_table(small_grammar, small_grammar / "cache").literals
    assert len(built) == 2
    assert sorted(p.name for p in small_grammar.iterdir()) == ["lark", "tables.bin"]


def test_read_only_package_keeps_its_table_in_the_cache(small_grammar: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = tables.save_table

    def refuse(table: tables.ParseTable, key: str, path: Path) -> None:
        if path.parent == small_grammar:
            raise PermissionError(13, "read-only")
        save(table, key, path)

    monkeypatch.setattr(tables, "save_table", refuse)
    cache = small_grammar / "cache" / "tables.bin"
    tables.load_table(small_grammar, cache)
    assert cache.exists()
    shutil.rmtree(cache.parent)
    cache.parent.write_text("a file where the folder should be")
    assert tables.load_table(small_grammar, cache).literals


def test_parsing_does_not_load_lark() -> None:
    tables.load_table()
    parse = "from sbql.grammar.parser import parse_batch; parse_batch('SELECT 1')"
    code = f"import sys; {parse}; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_threads_share_the_table() -> None:
    parser._loaded.cache_clear()
    found: list[object] = []

    def parse() -> None:
        found.append(parser.parse_batch("SELECT a + 1 FROM t"))

    threads = [threading.Thread(target=parse) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(tree == found[0] for tree in found)
