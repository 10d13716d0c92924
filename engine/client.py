"""Client: what a session knows of the program at its other end, and of the way in between.

It decides what a program in this process looks like. Doors fill it in for those who come over a network; views and
functions show it. It must not know what a door is.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ANY_CLIENT", "NOTIFYING", "Client"]


class Client(NamedTuple):
    """The texts are what the client said of itself, and nothing that is checked (docs/differences.md). `host_name` ''
    is this instance's own; `language` is the one that it asks for, '' the server's. `version` and `protocol_version`
    are those of TDS, as sys.dm_exec_sessions and sys.dm_exec_connections have them."""

    program_name: str = "sbql"
    host_name: str = ""
    process_id: int | None = None
    interface: str = "sbql"
    version: int | None = None
    protocol_version: int = 0x74000004
    packet_size: int | None = None
    transport: str = "Shared memory"
    is_encrypted: bool = False
    address: str = "<local machine>"
    port: int | None = None
    local_address: str | None = None
    local_port: int | None = None
    language: str = ""


ANY_CLIENT = Client()
"""A program in this process that does not say who it is."""
NOTIFYING = Client("sbql event notifications")
"""What the sessions look like in which event notifications are sent. They may begin while an instance ends."""
