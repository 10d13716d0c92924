"""Replays every listing and snippet of scripts/book, with the expectations written in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.repl.testing import ScriptFailure, run_script

ROOT = Path(__file__).parents[2]
LISTINGS = sorted((ROOT / "scripts" / "book").glob("*.sql"))
INSTANCES = sorted((ROOT / "scripts" / "book" / "instances").glob("*.sql"))
"""Those of several machines, each an instance of its own."""


@pytest.mark.timeout(60)
@pytest.mark.parametrize("script", LISTINGS, ids=[path.stem for path in LISTINGS])
def test_listing(script: Path) -> None:
    """The listing does what its expectations say."""
    try:
        run_script(script)
    except ScriptFailure as failure:
        pytest.fail(str(failure), pytrace=failure.__cause__ is not None)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("script", INSTANCES, ids=[path.stem for path in INSTANCES])
def test_listing_between_instances(script: Path) -> None:
    """The listing does what its expectations say, with the machines that its text speaks of."""
    test_listing(script)


def test_every_listing_of_the_chapter_is_there() -> None:
    """Listings 15-1 to 15-21 have a script each."""
    names = {path.stem for path in LISTINGS}
    missing = {f"listing-15-{number:02}" for number in range(1, 22)} - names
    assert not missing


@pytest.mark.parametrize("script", LISTINGS, ids=[path.stem for path in LISTINGS])
def test_every_listing_has_expectations(script: Path) -> None:
    """A script that only runs without an error proves little."""
    text = script.read_text(encoding="utf-8")
    assert "\n--! rows" in text or "\n--! error" in text


def test_the_table_of_listings_is_complete() -> None:
    """docs/listings.md has a row for each script, and no row for a script that is not there."""
    text = (ROOT / "docs" / "listings.md").read_text(encoding="utf-8")
    missing = [path.name for path in LISTINGS if f"`{path.name}`" not in text]
    missing += [path.name for path in INSTANCES if f"`instances/{path.name}`" not in text]
    assert not missing
    assert "would need a second instance" not in text
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    unknown = [row.split("`")[1] for row in rows if not list((ROOT / "scripts").rglob(row.split("`")[1]))]
    assert not unknown
