"""Which kind of thing a name is, by where it stands.

It decides from the words of the unfinished statement and the rules that the grammar would begin here. It
must not know which names there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.grammar.expectations import Expectation

__all__ = ["kinds_of"]

_AFTER: Final[tuple[tuple[str, str], ...]] = (
    ("TO SERVICE", "service text"),
    ("FROM SERVICE", "service"),
    ("FOR SERVICE", "service"),
    ("ON CONTRACT", "contract"),
    ("ADD CONTRACT", "contract"),
    ("DROP CONTRACT", "contract"),
    ("CONTRACT ::", "contract"),
    ("ALTER MESSAGE TYPE", "message type"),
    ("DROP MESSAGE TYPE", "message type"),
    ("MESSAGE TYPE ::", "message type"),
    ("ON QUEUE", "queue"),
    ("ALTER QUEUE", "queue"),
    ("DROP QUEUE", "queue"),
    ("ALTER SERVICE", "service"),
    ("DROP SERVICE", "service"),
    ("SERVICE ::", "service"),
    ("ALTER ROUTE", "route"),
    ("DROP ROUTE", "route"),
    ("SERVICE_NAME =", "service text"),
    ("CONTRACT_NAME =", "contract"),
    ("LOCAL_SERVICE_NAME =", "service"),
    ("REMOTE_SERVICE_NAME =", "service text"),
    ("PROCEDURE_NAME =", "procedure"),
    ("USE", "database"),
    ("ALTER DATABASE", "database"),
    ("DROP DATABASE", "database"),
    ("BACKUP DATABASE", "database"),
    ("RESTORE DATABASE", "database"),
    ("EXEC", "procedure"),
    ("EXECUTE", "procedure"),
    ("ALTER PROCEDURE", "procedure"),
    ("DROP PROCEDURE", "procedure"),
    ("ALTER PROC", "procedure"),
    ("DROP PROC", "procedure"),
    ("ALTER FUNCTION", "function"),
    ("DROP FUNCTION", "function"),
    ("ALTER TABLE", "table"),
    ("DROP TABLE", "table"),
    ("TRUNCATE TABLE", "table"),
    ("ALTER VIEW", "table"),
    ("DROP VIEW", "table"),
)
"""What stands in front of a name, and what the name is. Whatever ends with the longest of them counts."""
_LISTS: Final = {
    ("CREATE", "SERVICE"): "contract",
    ("ALTER", "SERVICE"): "contract",
    ("CREATE", "CONTRACT"): "message type",
}
"""What the names in the parentheses of a statement are."""
_OF_QUEUES: Final = frozenset({"RECEIVE", "GET"})


def kinds_of(expected: Expectation) -> tuple[str, ...]:
    """The kinds of names that fit, the likeliest first; () where no name does, or a new one is to be made up."""
    before = expected.before
    found = _by_words(before)
    if not expected.is_sound:
        return (found,) if found is not None else ()
    if not expected.terminals & {"IDENT", "STRING", "VARIABLE"}:
        return ()
    if found is not None:
        return (found,)
    if "IDENT" not in expected.terminals:
        return ()
    if before and before[-1] in ("(", ",") and before[:2] in _LISTS:
        return (_LISTS[before[0], before[1]],)
    if before[-2:] == ("MESSAGE", "TYPE"):
        return ("message type of the dialog",) if before[0] == "SEND" else ()
    if before[-1:] == ("FROM",) and _first(before) in _OF_QUEUES:
        return ("queue",)
    if expected.rules & {"table_source", "table_primary", "target", "merge_target", "output_target"}:
        return ("table",)
    if expected.rules & {"expression", "assignment", "column_reference"}:
        return ("column", "alias", "function")
    if _first(before) == "RECEIVE" and "WHERE" in before:
        return ("column",)
    if before[-1:] == ("INTO",) and _first(before) in ("INSERT", "MERGE"):
        return ("table",)
    if len(before) > 1 and before[-1] in ("(", ",") and _first(before) == "INSERT":
        return ("column",)
    return ()


def _by_words(before: Sequence[str]) -> str | None:
    text = " ".join(before)
    hits = [(len(words), kind) for words, kind in _AFTER if text == words or text.endswith(f" {words}")]
    return max(hits)[1] if hits else None


def _first(before: Sequence[str]) -> str:
    """The word that the statement begins with, WAITFOR ( aside."""
    words = [word for word in before if word not in ("WAITFOR", "(")]
    return words[0] if words else ""
