"""The options of a notification: what is read, and which error a fault is."""

from __future__ import annotations

import pytest

from sbql.engine.subscriptions.options import Deployment, parse_options
from sbql.grammar.errors import SqlError


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("service=S", Deployment("S")),
        ("Service=S;Local Database=Shop", Deployment("S", "", "Shop")),
        ("SERVICE = a b ; local   database = Shop ;", Deployment("a b", "", "Shop")),
        ("service=S;broker instance=CEE7A5C1-0A45-4D51-B1C9-0B8DCE3D6AE6", Deployment("S", "CEE7A5C1-0A45-4D51-B1C9-0B8DCE3D6AE6")),
        ("local database=Shop;service='a;b=''c''';", Deployment("a;b='c'", "", "Shop")),
        ('service="//shop/told"', Deployment("//shop/told")),
    ],
)  # fmt: skip
def test_what_is_read(text: str, found: Deployment) -> None:
    assert parse_options(text) == found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("", 9233),
        ("local database=Shop", 9233),
        ("service=" + "x" * 257, 9226),
        ("service='S", 9227),
        ("=S", 9228),
        ("server=S", 9229),
        ("service=S;service=T", 9230),
        ("service", 9231),
        ("service='S' T", 9232),
        ("service=S;local database=Shop;broker instance=X", 9234),
        ("service=;local database=Shop", 9235),
    ],
)
def test_what_is_refused(text: str, number: int) -> None:
    with pytest.raises(SqlError) as raised:
        parse_options(text)
    assert raised.value.number == number
