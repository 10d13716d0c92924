"""`\\why`: why messages are stuck, and what repairs it.

It decides what its words mean: nothing asks about everything, an id about a conversation, one name about a
queue, two about a pair of services, and `repair` puts the statements into the input. It must not know what is
checked: sys.sp_sbql_diagnose says.
"""

from __future__ import annotations

import shlex
from uuid import UUID

from sbql.repl.commands.command import CommandError, Desk
from sbql.repl.why import Found, findings_text, question, repair_script

__all__ = ["why"]


def why(desk: Desk, argument: str) -> None:
    """`argument`: `[ID|QUEUE|FROM TO|repair]`. Names with blanks stand in quotes."""
    try:
        words = shlex.split(argument.rstrip(";"))
    except ValueError:
        raise CommandError("A quote is not closed. \\why takes an id, a queue, or two services.") from None
    if len(words) > 2:
        raise CommandError("\\why takes an id, a queue, or two services; names with blanks stand in quotes.")
    wants_repair = words == ["repair"]
    found = [Found(*row) for row in desk.rows(question({} if wants_repair else _asked(words)))]
    if not wants_repair:
        desk.say(findings_text(found).rstrip("\n"))
        if any(one.repair for one in found):
            desk.say("\n\\why repair puts the statements into the input.")
        return
    script = repair_script(found)
    if not script:
        raise CommandError("There is no statement that would repair anything.")
    desk.type(script)


def _asked(words: list[str]) -> dict[str, str]:
    if len(words) == 2:
        return {"from_service": words[0], "to_service": words[1]}
    if not words:
        return {}
    try:
        return {"conversation": str(UUID(words[0].strip("{}")))}
    except ValueError:
        return {"queue": words[0]}
