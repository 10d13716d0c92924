"""Results as JUnit XML, for the servers that run tests. A pure function; who writes the file is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import PurePath
from xml.etree import ElementTree

from sbql.repl.testing.results import Result

__all__ = ["junit_xml"]


def junit_xml(results: Sequence[Result], began: datetime, seconds: float) -> bytes:
    """A document of one suite: a testcase for each script, its folder as the class, with `failure` or
    `error` and what the error log told."""
    suites = ElementTree.Element("testsuites", name="sbql test")
    counted = {outcome: str(sum(result.outcome == outcome for result in results)) for outcome in ("failed", "error")}
    suite = ElementTree.SubElement(
        suites, "testsuite", name="sbql", tests=str(len(results)), failures=counted["failed"], errors=counted["error"], skipped="0",
        time=f"{seconds:.3f}", timestamp=began.isoformat(timespec="seconds"),
    )  # fmt: skip
    for result in results:
        path = PurePath(result.name)
        folder = ".".join(part for part in path.parent.parts if part not in (path.anchor, ".."))
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=folder or path.stem,
            name=path.stem,
            file=path.as_posix(),
            time=f"{result.seconds:.3f}",
        )
        if result.outcome == "passed":
            continue
        tag = "failure" if result.outcome == "failed" else "error"
        ElementTree.SubElement(case, tag, message=_clean(f"{result.place}: {result.message}")).text = _clean(
            result.text
        )
        if result.log:
            ElementTree.SubElement(case, "system-err").text = _clean("\n".join(result.log))
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n'.encode()


def _clean(text: str) -> str:
    """What XML cannot hold is not lost but written out."""
    return "".join(char if _may_stand(char) else f"\\x{ord(char):02x}" for char in text)


def _may_stand(char: str) -> bool:
    return char in "\t\n\r" or " " <= char <= "\ud7ff" or "\ue000" <= char <= "\ufffd" or char >= "\U00010000"
