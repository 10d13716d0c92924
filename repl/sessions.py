"""What the prompt and the command line work with: an instance here or elsewhere, and a
session of it. For annotations only."""

from __future__ import annotations

from sbql.engine.instance import Instance
from sbql.engine.server.remote_instance import RemoteInstance
from sbql.engine.server.remote_session import RemoteSession
from sbql.engine.server.tds_instance import TdsInstance
from sbql.engine.server.tds_session import TdsSession
from sbql.engine.session import Session

__all__ = ["AnyInstance", "AnySession"]

AnyInstance = Instance | RemoteInstance | TdsInstance
AnySession = Session | RemoteSession | TdsSession
