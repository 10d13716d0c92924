"""ALTER SERVICE … ON QUEUE: messages keep the order in which they stood, whatever the age of their conversations, and
stand behind those of the new queue."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dialog_shop import Shop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    found = Shop(tmp_path / "shop.duckdb")
    yield found
    found.instance.close()


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("order", [(0, 1, 2, 0), (2, 0, 1, 2), (1, 2, 1, 0)], ids=str)
def test_messages_keep_their_order(shop: Shop, order: tuple[int, ...], restarts: bool) -> None:
    shop.run("CREATE SERVICE third ON QUEUE other_queue (talk)")
    handle = shop.value("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE lefty TO SERVICE 'third' ON CONTRACT talk WITH ENCRYPTION = OFF; SELECT @h")  # fmt: skip
    shop.run(f"SEND ON CONVERSATION '{handle}' ('there')")
    for number, which in enumerate(order):
        shop.run(f"SEND ON CONVERSATION '{shop.mine[which]}' ('{number}')")
    if restarts:
        shop.reopen()
    shop.run("ALTER SERVICE righty ON QUEUE other_queue")
    stood = "SELECT CAST(message_body AS varchar(9)) FROM other_queue ORDER BY queuing_order"
    assert [row[0] for row in shop.rows(stood)] == ["there", *map(str, range(len(order)))]
    received = []
    while rows := shop.rows("RECEIVE TOP (1) CAST(message_body AS varchar(9)) FROM other_queue"):
        received += [row[0] for row in rows]
    assert received == ["there", *map(str, range(len(order)))]
