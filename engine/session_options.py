"""SET options of a session: their defaults, which of them do something here, and which are accepted for their looks.

A procedure or dynamic batch gets a copy, so that SET inside a module ends with it, as on SQL Server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import methodcaller

from msgspec import Struct, field

from sbql.grammar.values.languages import DEFAULT_DATES, DateFormat, Language

__all__ = ["ACCEPTED_OPTIONS", "ON_OFF_OPTIONS", "SessionOptions"]


class SessionOptions(Struct):
    """What SET has set. The defaults are those of a new session."""

    nocount: bool = False
    xact_abort: bool = False
    implicit_transactions: bool = False
    ansi_nulls: bool = True
    quoted_identifier: bool = True
    concat_null_yields_null: bool = True
    ansi_warnings: bool = True
    ansi_padding: bool = True
    arithabort: bool = True
    numeric_roundabort: bool = False
    cursor_close_on_commit: bool = False
    noexec: bool = False
    parseonly: bool = False
    fmtonly: bool = False
    arithignore: bool = False
    ansi_null_dflt_on: bool = True
    ansi_null_dflt_off: bool = False
    rowcount: int = 0
    textsize: int = -1
    lock_timeout: int = -1
    datefirst: int = 7
    dates: DateFormat = DEFAULT_DATES
    isolation_level: str = "READ COMMITTED"
    deadlock_priority: int = 0
    identity_insert: dict[int, bool] = field(default_factory=dict)
    deviations: int = 0
    """Bits of @@OPTIONS: of the options that change what an expression means, those that are not as they are at first.
    What is compiled for one number is not used for another; 0 is what almost every session has."""

    def settle(self) -> None:
        """After a change: work out the deviations. ARITHABORT alone means nothing."""
        found = 0
        if not self.ansi_warnings:
            found |= _WARNINGS
        if not self.ansi_nulls:
            found |= _NULLS
        if not self.arithabort:
            found |= _ARITHABORT
        if not self.concat_null_yields_null:
            found |= _CONCAT_NULL
        if self.numeric_roundabort:
            found |= _ROUNDABORT
        self.deviations = found if found & (_WARNINGS | _ROUNDABORT) else found & ~_ARITHABORT

    def wrong_for_watching(self) -> str:
        """Those under which no query is watched and no watched table is written, with commas between.
        ANSI_WARNINGS makes up for ARITHABORT."""
        wanted = ("ANSI_NULLS", "QUOTED_IDENTIFIER", "CONCAT_NULL_YIELDS_NULL", "ANSI_WARNINGS", "ANSI_PADDING")
        found = [name for name in wanted if not getattr(self, ON_OFF_OPTIONS[name])]
        return ", ".join([*found, "NUMERIC_ROUNDABORT"] if self.numeric_roundabort else found)

    @contextmanager
    def executing(self) -> Iterator[None]:
        """While something runs that is no batch: NOEXEC, PARSEONLY and FMTONLY say nothing of it."""
        before = self.noexec, self.parseonly, self.fmtonly
        self.noexec = self.parseonly = self.fmtonly = False
        try:
            yield
        finally:
            self.noexec, self.parseonly, self.fmtonly = before

    def speak(self, language: Language) -> None:
        """A language brings its date order and first day of the week with it."""
        self.dates = DateFormat(language.dateformat, language)
        self.datefirst = language.datefirst

    def copy(self) -> SessionOptions:
        """For a module: the same settings, changed apart. IDENTITY_INSERT stays the session's."""
        return _copied(self)

    def for_module(self, uses_ansi_nulls: bool) -> SessionOptions:
        """A copy with the ANSI_NULLS that a module was created under."""
        own = self.copy()
        own.ansi_nulls = uses_ansi_nulls
        if uses_ansi_nulls != self.ansi_nulls:
            own.settle()
        return own

    def bits(self) -> int:
        """@@OPTIONS."""
        flags = (
            (2, self.implicit_transactions), (4, self.cursor_close_on_commit), (8, self.ansi_warnings),
            (16, self.ansi_padding), (32, self.ansi_nulls), (64, self.arithabort), (256, self.quoted_identifier),
            (128, self.arithignore), (512, self.nocount), (1024, self.ansi_null_dflt_on), (2048, self.ansi_null_dflt_off), (4096, self.concat_null_yields_null), (8192, self.numeric_roundabort),
            (16384, self.xact_abort),
        )  # fmt: skip
        return sum(bit for bit, is_on in flags if is_on)


_copied: Callable[[SessionOptions], SessionOptions] = methodcaller("__copy__")
"""What msgspec copies with, in a sixth of the time of a new record: every body that runs has a copy."""

_WARNINGS, _NULLS, _ARITHABORT, _CONCAT_NULL, _ROUNDABORT = 8, 32, 64, 4096, 8192

ON_OFF_OPTIONS = {
    "NOCOUNT": "nocount",
    "XACT_ABORT": "xact_abort",
    "IMPLICIT_TRANSACTIONS": "implicit_transactions",
    "ANSI_NULLS": "ansi_nulls",
    "QUOTED_IDENTIFIER": "quoted_identifier",
    "CONCAT_NULL_YIELDS_NULL": "concat_null_yields_null",
    "ANSI_WARNINGS": "ansi_warnings",
    "ANSI_PADDING": "ansi_padding",
    "ARITHABORT": "arithabort",
    "NUMERIC_ROUNDABORT": "numeric_roundabort",
    "CURSOR_CLOSE_ON_COMMIT": "cursor_close_on_commit",
    "NOEXEC": "noexec",
    "PARSEONLY": "parseonly",
    "FMTONLY": "fmtonly",
    "ARITHIGNORE": "arithignore",
    "ANSI_NULL_DFLT_ON": "ansi_null_dflt_on",
    "ANSI_NULL_DFLT_OFF": "ansi_null_dflt_off",
}
"""SET words with ON or OFF, and the field they set."""

ACCEPTED_OPTIONS = frozenset(
    {
        "ANSI_DEFAULTS", "FIPS_FLAGGER", "DISABLE_DEF_CNST_CHK", "FORCEPLAN",
        "NO_BROWSETABLE", "QUERY_GOVERNOR_COST_LIMIT", "REMOTE_PROC_TRANSACTIONS",
        "STATISTICS IO", "STATISTICS PROFILE", "STATISTICS TIME", "STATISTICS XML",
    }
)  # fmt: skip
"""Accepted without effect; listed in docs/differences.md."""
