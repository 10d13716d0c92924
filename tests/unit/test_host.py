"""GUIDs of a host are random ones, the same as uuid makes of the same bits."""

from __future__ import annotations

import random
from uuid import RFC_4122, UUID

from sbql.engine.host import SystemHost, VirtualHost


def test_a_guid_is_that_of_uuid() -> None:
    host, bits = VirtualHost(7), random.Random(7)
    assert [host.new_guid() for _ in range(1000)] == [UUID(int=bits.getrandbits(128), version=4) for _ in range(1000)]


def test_guids_of_the_system_are_of_version_4() -> None:
    made = {SystemHost().new_guid() for _ in range(100)}
    assert len(made) == 100
    assert {(guid.version, guid.variant) for guid in made} == {(4, RFC_4122)}
