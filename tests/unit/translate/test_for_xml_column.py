"""The name of FOR XML's column: SQL Server's own for a text, none for an xml value (TYPE)."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize(
    ("clause", "name"),
    [("PATH", "XML_F52E2B61-18A1-11d1-B105-00805F49916B"), ("PATH, TYPE", ""), ("RAW, TYPE, ROOT", "")],
)
def test_name(instance: Any, clause: str, name: str) -> None:
    (result,) = (
        outcome for outcome in instance.connect().run(f"SELECT 1 AS a FOR XML {clause}") if hasattr(outcome, "rows")
    )
    assert [column.name for column in result.columns] == [name]
