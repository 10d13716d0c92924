"""The machines of a simulated network as they are before anything happens: made once, and copied for each seed."""

from __future__ import annotations

import random
from functools import cache

from prefix_store import PrefixDisk

from sbql.catalog.store_image import StoreImage
from sbql.engine.simulated_network import Network

__all__ = ["ENCRYPTIONS", "NAMES", "add"]

NAMES = "ABC"
ENCRYPTIONS = ("DISABLED", "SUPPORTED", "REQUIRED")

_WORLD = """
CREATE DATABASE shop
GO
USE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = {encryption})
ALTER DATABASE shop SET HONOR_BROKER_PRIORITY ON
GO
CREATE QUEUE desk; CREATE SERVICE [//{name}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{name}] TO public
"""
_ROUTE = "USE shop; CREATE ROUTE [to {other}] WITH SERVICE_NAME = '//{other}', ADDRESS = 'TCP://{other}:4022'"


@cache
def _image(name: str, encryption: str) -> StoreImage:
    with Network(NAMES.index(name)) as network:
        machine = network.add(name)
        machine.execute(_WORLD.format(name=name, encryption=encryption))
        for other in NAMES.replace(name, ""):
            machine.execute(_ROUTE.format(other=other))
        assert machine.instance is not None
        return StoreImage(machine.instance.store)


def add(network: Network, name: str, encryption: str, offset: float, chance: random.Random) -> PrefixDisk | None:
    """A machine on a file when the network has a folder, else on a disk of which a test says what survives."""
    image = _image(name, encryption)
    if network.folder is not None:
        image.save(str(network.folder / f"{name}.duckdb"))
        network.add(name, on_disk=True, clock_offset=offset)
        return None
    disk = PrefixDisk(image, chance)
    network.add(name, disk=disk, clock_offset=offset)
    return disk
