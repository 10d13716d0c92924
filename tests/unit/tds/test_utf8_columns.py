"""Columns under a UTF-8 collation are announced and sent as nvarchar, which clients of every version read."""

from __future__ import annotations

import pytest

from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_71, TDS_72
from sbql.engine.tds.types import type_info
from sbql.grammar.types import MAX, SqlType, nvarchar

COLLATION = "Latin1_General_100_CI_AS_SC_UTF8"


@pytest.mark.parametrize("version", [TDS_71, TDS_72])
@pytest.mark.parametrize("name", ["char", "varchar"])
@pytest.mark.parametrize(("length", "shown"), [(10, 10), (8000, MAX), (MAX, MAX)])
def test_they_go_as_nvarchar(version: int, name: str, length: int, shown: int) -> None:
    column = SqlType(name, length=length, collation=COLLATION)
    assert type_info(column, version) == type_info(nvarchar(shown), version)
    for value in ("é😀", "", None):
        assert encoder(column, version)(value) == encoder(nvarchar(shown), version)(value)
