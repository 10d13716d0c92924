"""Where names in routes are in fact."""

from __future__ import annotations

import pytest

from sbql.engine.network.address_map import AddressMap


def test_far_addresses_are_those_of_the_map() -> None:
    addresses = AddressMap.parse(["Trader:4022=127.0.0.1:40221", " [::1]:4022 = [::1]:5000 "])
    assert addresses.far("trader:4022") == addresses.far("TRADER:4022") == "127.0.0.1:40221"
    assert addresses.far("::1:4022") == "[::1]:5000"
    assert addresses.far("other:4022") == "other:4022"


def test_an_entry_without_a_host_is_for_the_own_endpoint() -> None:
    addresses = AddressMap({":4022": "127.0.0.1:40221"})
    assert addresses.own(None, 4022) == addresses.own("10.0.0.1", 4022) == ("127.0.0.1", 40221)
    assert addresses.own(None, 4023) == (None, 4023)
    assert addresses.far("trader:4022") == "trader:4022"


@pytest.mark.parametrize("text", ["a:1", "a=b", "a:1=b", "a:1=b:x", "a:0=b:1", "a:1=b:65536", "a:1=:2", "=", ""])
def test_what_maps_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"maps nothing|no address|no host"):
        AddressMap.parse([text])
