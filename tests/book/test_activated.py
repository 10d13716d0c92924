"""Every procedure of scripts/activated is loaded, activated and exercised by a script that passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sbql.repl.testing import ScriptFailure, run_script

SCRIPTS = Path(__file__).parents[2] / "scripts"
ACTIVATED = sorted((SCRIPTS / "activated").glob("*.sql"))
INCLUDE = re.compile(r"^:r\s+(\S+)\s*$", re.MULTILINE)


def with_includes(script: Path) -> set[Path]:
    """The script and everything that it pulls in with :r, directly or not."""
    found = {script}
    for name in INCLUDE.findall(script.read_text(encoding="utf-8")):
        found |= with_includes((script.parent / name).resolve())
    return found


def users_of(procedure: Path) -> list[Path]:
    """The scripts with expectations that create the procedure, name it in an ACTIVATION clause, and send messages."""
    name = procedure_name(procedure)
    activates = re.compile(rf"PROCEDURE_NAME\s*=\s*[\w.]*\b{name}\b")
    users = []
    for script in sorted(SCRIPTS.rglob("*.sql")):
        files = with_includes(script)
        if script == procedure or procedure not in files or "\n--! " not in script.read_text(encoding="utf-8"):
            continue
        text = "\n".join(file.read_text(encoding="utf-8") for file in files - {procedure})
        if activates.search(text) and "SEND ON CONVERSATION" in text:
            users.append(script)
    return users


def procedure_name(procedure: Path) -> str:
    created = re.findall(r"^CREATE PROCEDURE dbo\.(\w+)", procedure.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(created) == 1, f"{procedure.name} creates {len(created)} procedures; it should create one"
    return str(created[0])


@pytest.mark.parametrize("procedure", ACTIVATED, ids=[path.stem for path in ACTIVATED])
def test_header_says_which_queue_it_serves(procedure: Path) -> None:
    """The first line names database and queue."""
    first = procedure.read_text(encoding="utf-8").splitlines()[0]
    assert re.match(r"-- Serves: \w+\.dbo\.\w+ \(", first), first


@pytest.mark.timeout(60)
@pytest.mark.parametrize("procedure", ACTIVATED, ids=[path.stem for path in ACTIVATED])
def test_activated_procedure(procedure: Path) -> None:
    """A script that activates the procedure passes."""
    users = users_of(procedure)
    assert users, f"no script activates {procedure.name}"
    failures = []
    for script in users:
        try:
            run_script(script)
        except ScriptFailure as failure:
            failures.append(f"{script.relative_to(SCRIPTS)}: {failure}")
        else:
            return
    pytest.fail("\n\n".join(failures), pytrace=False)
