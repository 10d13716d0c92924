"""The file of `sbql serve --tokens`: what a line may be, and what is refused with its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbql.engine.server.token_file import read_tokens

ROOT = Path(__file__).parents[2]
TOKEN = "0123456789abcdef"


def written(folder: Path, text: str, mode: int = 0o600) -> Path:
    file = folder / "tokens.txt"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return file


def test_lines_comments_and_empty_lines(tmp_path: Path) -> None:
    text = f"# name login token\n\nreports  ann\t{TOKEN}1  # hers\nweb sa {TOKEN}2\n"
    assert read_tokens(written(tmp_path, text)) == {f"{TOKEN}1": "ann", f"{TOKEN}2": "sa"}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (f"ann {TOKEN}", "line 2 has 2 words"),
        (f"web sa my {TOKEN}", "line 2 has 4 words"),
        (f"web, sa, {TOKEN}", "line 2 has commas"),
        (f"web sa, {TOKEN}", "line 2 has commas"),
        ("web sa short", "the token in line 2 has fewer than 16 characters"),
        (f"web sa {TOKEN}", "the token in line 2 stands there twice"),
    ],
)
def test_what_is_refused(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        read_tokens(written(tmp_path, f"first sa {TOKEN}\n{line}\n"))


def test_others_may_not_read_it(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="chmod 600"):
        read_tokens(written(tmp_path, f"web sa {TOKEN}\n", 0o640))


def test_the_manual_shows_a_line_that_is_taken(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "server.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| `--tokens FILE` .*$", text, re.M)
    assert len(read_tokens(written(tmp_path, re.findall(r"`([^`]* ann [^`]*)`", row)[0]))) == 1
