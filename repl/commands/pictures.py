"""`\\diagram`: pictures of what the broker has, as text on the screen or into a file.

It decides what the argument means. What is drawn, and how, is `engine.pictures`'; asking is
done in the session of whoever types.
"""

from __future__ import annotations

from sbql.repl.commands.command import CommandError, Desk

__all__ = ["diagram"]

_ENDINGS = (".svg", ".mmd", ".txt")


def diagram(desk: Desk, argument: str) -> None:
    """`argument`: nothing for the services of the database, `states`, or a conversation; and perhaps a file."""
    from sbql.engine.pictures import conversation, conversation_states, topology

    words = argument.split()
    file = words.pop() if words and words[-1].lower().endswith(_ENDINGS) else None
    if len(words) > 1:
        raise CommandError("\\diagram [ID|states] [FILE]: a file is .svg, .mmd (Mermaid) or .txt")
    try:
        if not words:
            picture = topology(desk.session)
        elif words[0].lower() == "states":
            picture = conversation_states()
        else:
            picture = conversation(desk.session, words[0].strip("'{}"))
        if file is not None:
            picture.save(file)
    except (LookupError, ValueError) as error:
        raise CommandError(
            f"{error.args[0] if error.args else error}. \\conversations lists those that there are"
        ) from None
    except OSError as error:
        raise CommandError(f"cannot write {file}: {error.strerror or error}") from None
    desk.say(picture.text if file is None else f"Written to {file}.")
