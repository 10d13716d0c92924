"""Which build runs is what is said, and the switch turns machine code off (in the compiled build, `make test-compiled`;
else there is none to turn off)."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES, PathFinder
from pathlib import Path

import pytest

from sbql.grammar.build import SWITCH, _SourceFinder, is_compiled

ASKED = """
import sbql, sbql.engine.locks, sbql.engine.broker.send, sbql.grammar.build as build
connection = sbql.connect(clock="virtual")
print(build.described(), {m.__file__.rpartition(".")[2] for m in (sbql.engine.locks, sbql.engine.broker.send)})
"""


@pytest.mark.parametrize("switch", ["0", "1", None])
def test_the_build_is_what_is_said(switch: str | None) -> None:
    environment = {name: value for name, value in os.environ.items() if name != SWITCH}
    if switch is not None:
        environment[SWITCH] = switch
    found = subprocess.run([sys.executable, "-c", ASKED], env=environment, capture_output=True, text=True, check=True)
    expected = "compiled {'so'}" if is_compiled() and switch != "0" else "pure Python {'py'}"
    assert found.stdout.strip() == expected


def test_source_is_preferred_to_machine_code_of_the_same_name(tmp_path: Path) -> None:
    for suffix in (".py", EXTENSION_SUFFIXES[0]):
        (tmp_path / f"hot{suffix}").touch()
    usual, preferred = (finder.find_spec("sbql.hot", [str(tmp_path)]) for finder in (PathFinder, _SourceFinder))
    assert usual is not None and usual.origin == str(tmp_path / f"hot{EXTENSION_SUFFIXES[0]}")
    assert preferred is not None and preferred.origin == str(tmp_path / "hot.py")
    assert _SourceFinder.find_spec("json", [str(tmp_path)]) is None, "other packages are not touched"
    assert _SourceFinder.find_spec("sbql", None) is None, "nor is where sbql itself comes from"
