"""What Tab offers at the prompt: keywords, names of the current database, columns of tables that the text names,
variables.

It looks at the word before the cursor and at the catalog, never at the grammar: what is offered may be wrong in its
place, and is only offered. It must not run anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from sbql.catalog.views import system_views
from sbql.engine.describe.names import names_for
from sbql.engine.functions.globals import GLOBALS
from sbql.engine.session import Session
from sbql.grammar.names import bracketed
from sbql.repl.highlight import KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from sbql.repl.sessions import AnySession

__all__ = ["TSqlCompleter", "offers"]

_WORD = re.compile(
    r"(?:(?P<schema>\w+)\.)?(?P<open>[\['\"]?)(?P<stem>(?<=\[)[^\]\n]*|(?<=['\"])[^'\"\n]*|@{0,2}[\w#]*)$"
)
_LONGEST_WORD = 300
"""Characters before the cursor in which a word is looked for: a name has 128, and a schema before it."""
_CLOSING = {"[": "]", "'": "'", '"': '"'}
_PLAIN = re.compile(r"[^\W\d]\w*")


def offers(before: str, text: str, session: AnySession) -> tuple[int, list[str]]:
    """How much of `before`, the text before the cursor, is to be replaced, and by what, in the order of the
    alphabet."""
    found = _WORD.search(before[-_LONGEST_WORD:])
    if found is None:
        return 0, []
    stem, mark, schema = found["stem"], found["open"], found["schema"]
    if not (stem or mark or schema):
        return 0, []
    if stem.startswith("@@"):
        return len(stem), _matching(stem, GLOBALS)
    if stem.startswith("@"):
        return len(stem), _matching(stem, re.findall(r"@\w+", before.removesuffix(found[0])))
    if mark:
        names = _matching(stem, _known(session, ""))
        return len(mark + stem), [f"{mark}{name}{_CLOSING[mark]}" for name in names]
    if schema is not None and schema.lower() in ("sys", "information_schema"):
        return len(stem), _matching(stem, (v.name for v in system_views() if v.schema.lower() == schema.lower()))
    words = _known(session, text)
    names = [name if _PLAIN.fullmatch(name) else bracketed(name) for name in _matching(stem, words)]
    if schema is None:
        shape = str.lower if stem.islower() else str.upper
        names += [shape(word) for word in _matching(stem, KEYWORDS)] + _matching(stem, ("sys", "INFORMATION_SCHEMA"))
    return len(stem), sorted(set(names), key=str.lower)


def _matching(stem: str, names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name.lower().startswith(stem.lower())}, key=str.lower)


def _known(session: AnySession, text: str) -> set[str]:
    """Databases, what has a name in the current one, and columns of the tables whose names stand in the text."""
    words = re.findall(r"\w+", text)
    return names_for(session, words) if isinstance(session, Session) else set(session.call("names", {"words": words}))


class TSqlCompleter(Completer):
    """The completer that prompt_toolkit asks. The session is asked for anew each time: a lost one is replaced."""

    def __init__(self, session: Callable[[], AnySession]) -> None:
        self._session = session

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        length, words = offers(document.text_before_cursor, document.text, self._session())
        for word in words:
            yield Completion(word, start_position=-length)
