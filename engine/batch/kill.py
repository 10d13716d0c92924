"""KILL: the end of another session."""

from __future__ import annotations

from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import is_in_server_role
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import KillStatement
from sbql.grammar.errors import sql_error


@handles(KillStatement)
def compile_kill(node: KillStatement, compiler: Compiler) -> Step:
    """Raises 6115 in a transaction, 6102 (no permission), 6104 (the own session), 6106 (no such session), 6107 (not a
    user's), 6120."""

    session_id = node.session_id.value

    def run(frame: Frame) -> int:
        session = frame.session
        if session.trancount:
            raise sql_error(6115)
        if not is_in_server_role(session, "processadmin"):
            raise sql_error(6102)
        if session_id == session.spid:
            raise sql_error(6104)
        other = session.instance.sessions.get(session_id)
        if other is None:
            raise sql_error(6106, session_id)
        if node.status_only:
            raise sql_error(6120, session_id)
        if other.is_background and other.spid not in session.instance.scheduler.tasks:
            raise sql_error(6107)
        other.end()
        said = sql_error(18100, other.spid, session.spid, session.login.name).message
        session.instance.log(18100, said, f"spid {session.spid}")
        return 0

    return Step(run)
