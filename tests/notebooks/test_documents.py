"""The notebooks of docs/notebooks run, show what they promise, and stand there with the outputs of such a run."""

from __future__ import annotations

import os
import re
import shutil
import xml.etree.ElementTree as ET
from typing import Any

import pytest

pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")
pytest.importorskip("pandas", reason="pandas is not installed")

import nbformat
from executing import FOLDER, executed, outputs

_CHANGES = re.compile(r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|\d\d:\d\d:\d\d(\.\d+)?|\d{4}-\d\d-\d\d")


@pytest.fixture(scope="module")
def conversation() -> Any:
    return executed(FOLDER / "conversation.ipynb")


def svg_texts(output: Any) -> list[str]:
    root = ET.fromstring(output.data["image/svg+xml"])
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_the_queue_shows_the_orders_with_their_text(conversation: Any) -> None:
    (table,) = outputs(conversation, "%%sbql\nSELECT queuing_order")
    assert table.data["text/html"].count("<tr>") == 4
    assert "&lt;order symbol=&quot;XYZ&quot; quantity=&quot;50&quot;/&gt;" in table.data["text/html"]


def test_the_pictures_tell_the_conversation_before_and_after(conversation: Any) -> None:
    (before,) = outputs(conversation, "from sbql.engine.pictures")
    (after,) = outputs(conversation, "conversation(engine_session(), handle)")
    assert [text for text in svg_texts(before) if " · " in text] == [f"{n} · //trading/Order" for n in range(3)]
    assert svg_texts(before).count("not received yet") == 3
    assert [text for text in svg_texts(after) if " · " in text] == ["0–2 · 3 messages, received"] * 2 + [
        "3 · EndDialog"
    ]
    assert {"DO DISCONNECTED_OUTBOUND", "DI DISCONNECTED_INBOUND"} <= set(svg_texts(after))
    (objects,) = outputs(conversation, "topology(")
    assert {"//trading/Exchange", "dbo.ExchangeQueue", "[Trading].[dbo].[ConfirmOrders]"} <= set(svg_texts(objects))


def test_an_error_has_number_line_and_caret(conversation: Any) -> None:
    error = outputs(conversation, "%%sbql\nSELECT * FROM dbo.ExchangeQueue")[-1]
    lines = "\n".join(error.traceback).split("\n")
    assert lines[0] == "Msg 207, Level 16, State 1, Line 3"
    assert lines[-2:] == ["SELECT message_body, symbol", " " * 21 + "^"]


def test_the_replies_arrive_as_a_frame(conversation: Any) -> None:
    (frame,) = outputs(conversation, "replies")
    assert [line.split() for line in frame.data["text/plain"].split("\n")[1:]] == [
        ["0", "0", "ABC", "100"], ["1", "1", "XYZ", "50"], ["2", "2", "ABC", "25"],
    ]  # fmt: skip


def test_the_stored_outputs_are_those_of_a_run(conversation: Any) -> None:
    assert_stored_alike("conversation.ipynb", conversation)


def assert_stored_alike(name: str, executed: Any) -> None:
    """But for ids and times. `python tests/notebooks/executing.py` writes them anew."""
    stored = nbformat.read(FOLDER / name, as_version=4)
    assert [shown(cell) for cell in stored.cells] == [shown(cell) for cell in executed.cells]


def shown(cell: Any) -> list[str]:
    """Its source and what its outputs say. Lines of one stream belong together only as they happened to be flushed."""
    found = [cell.source]
    before = ""
    for output in cell.get("outputs", ()):
        data = output.get("data", {})
        text = output.get("text") or "\n".join(output.get("traceback", ())) or data.get("text/plain", "")
        if output.output_type == before == "stream":
            text = found.pop() + text
        before = output.output_type
        found.append(_CHANGES.sub("…", text))
    return found


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_a_queue_becomes_a_streaming_aggregate_and_replies() -> None:
    """One run of the notebook, which starts a Spark of its own."""
    pytest.importorskip("pyspark", reason="PySpark is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    stream = executed(FOLDER / "stream.ipynb", timeout=500)
    waiting, replies = tables(stream, "%%sbql\nSELECT COUNT(*) AS waiting")
    assert rows(waiting) == [["0"]], "the stream has taken all"
    assert rows(replies) == [["Oslo", "ABC", "1", "30"], ["Zurich", "ABC", "2", "75"], ["Zurich", "XYZ", "1", "50"]]
    (later,) = tables(stream, "%%sbql --out replies")
    assert rows(later) == [["Oslo", "ABC", "2", "100"], ["Oslo", "QRS", "1", "5"]], (
        "the state went on, and only what changed is told"
    )
    (picture,) = outputs(stream, "from sbql.engine.pictures")
    assert [text for text in svg_texts(picture) if "//trading/Position" in text] == [
        f"{n} · //trading/Position" for n in (1, 2)
    ]
    assert_stored_alike("stream.ipynb", stream)


def tables(notebook: Any, start: str) -> list[Any]:
    return [output for output in outputs(notebook, start) if output.output_type == "display_data"]


def rows(output: Any) -> list[list[str]]:
    """The cells of a result that is shown as text."""
    return [line.split() for line in output.data["text/plain"].split("\n")[2:-1]]
