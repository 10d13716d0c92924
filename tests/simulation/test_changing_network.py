"""Secured dialogs over bad networks, while the definitions that they rest on change: from seeds. `CHANGING_SEEDS` and
`CHANGING_FIRST` say how many, and which."""

from __future__ import annotations

import os
from pathlib import Path

import changing_network
import pytest

FIRST = int(os.environ.get("CHANGING_FIRST", "0"))
SEEDS = int(os.environ.get("CHANGING_SEEDS", "24"))


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("keys")
    changing_network.make_keys(folder)
    return folder


@pytest.mark.spec("SECURE-8", "SECURE-11", "NETWORK-1", "NETWORK-2", "NETWORK-7")
@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_every_message_arrives_once_whatever_is_defined_meanwhile(keys: Path, seed: int) -> None:
    changing_network.run(seed, keys)
