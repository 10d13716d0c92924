"""Which DBCC commands SQL Server has, and the words that some take as arguments.

Decides what is said about a command or word that is none: 2526, 2560. What a command does is no business of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sbql.grammar.ast import DbccStatement, ObjectName
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean

__all__ = ["check_command"]

_NAMED: Final = frozenset(
    "AUTOPILOT BUFFER BYTES CHECKCONSTRAINTS CLONEDATABASE DBINFO DBREPAIR DBTABLE DETACHDB ERRORLOG EXTENTINFO FILEHEADER "
    "FLUSHAUTHCACHE FLUSHPROCINDB HELP IND INDEX LOG LOGINFO MEMORYSTATUS OUTPUTBUFFER PAGE PINTABLE PROCCACHE PSS RESOURCE "
    "RULEOFF RULEON SETCPUWEIGHT SETIOWEIGHT SHOWCONTIG SHOWFILESTATS SHOWWEIGHTS SHOW_STATISTICS SQLPERF STACKDUMP "
    "TRACESTATUS UNPINTABLE WRITEPAGE".split()
)
"""Commands that are only named, by error 40517."""

_REPAIRS: Final = frozenset({"NOINDEX", "REPAIR_ALLOW_DATA_LOSS", "REPAIR_FAST", "REPAIR_REBUILD"})
_CUTS: Final = frozenset({"NOTRUNCATE", "TRUNCATEONLY"})
_WORDS: Final = {
    "CHECKALLOC": _REPAIRS,
    "CHECKDB": _REPAIRS,
    "CHECKFILEGROUP": frozenset({"NOINDEX"}),
    "CHECKTABLE": _REPAIRS,
    "SHRINKDATABASE": _CUTS,
    "SHRINKFILE": _CUTS | {"EMPTYFILE"},
}
"""What may stand behind the first argument, where a word does."""


def check_command(node: DbccStatement, known: Iterable[str]) -> None:
    """Raises 2526 for a command that is none of `known` and not named here, 2560 for a word that is none of the
    command's."""
    known = {*known, *_NAMED}
    if node.command not in known and not _frees_library(node):
        raise sql_error(2526, span=node.span).advise(did_you_mean(node.command, known))
    words = _WORDS.get(node.command)
    for place, argument in enumerate(node.arguments[1:], 2):
        if words is not None and isinstance(argument, ObjectName) and str(argument).upper() not in words:
            raise sql_error(2560, place, span=argument.span).advise(did_you_mean(str(argument), words))


def _frees_library(node: DbccStatement) -> bool:
    """DBCC library (FREE), of extended procedures."""
    return [str(argument).upper() for argument in node.arguments] == ["FREE"]
