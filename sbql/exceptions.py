"""The exceptions of PEP 249, and which one a T-SQL error number becomes.

A table decides the class; the number, severity, state, line and procedure of the T-SQL error are always kept, because a
program that knows Service Broker looks at the number. It must not know how errors arise.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from sbql.grammar.errors import SqlError

__all__ = [
    "DataError",
    "DatabaseError",
    "Error",
    "IntegrityError",
    "InterfaceError",
    "InternalError",
    "NotSupportedError",
    "OperationalError",
    "ProgrammingError",
    "Warning",
    "errors_of_opening",
    "from_sql_errors",
]


class Warning(builtins.Warning):
    """What PRINT and RAISERROR below severity 11 say: found in `Cursor.messages`, never raised."""


class Error(Exception):
    """Base of everything that this driver raises."""


class InterfaceError(Error):
    """Wrong use of the driver, such as a closed cursor."""


class DatabaseError(Error):
    """A T-SQL error.

    Attributes:
        number, severity, state, line, procedure, message: as ERROR_NUMBER() and its sisters.
        errors: all errors of the batch in order; a batch goes on after most of them. The first one is this one.
    """

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.message = str(args[0]) if args else ""
        self.number = 0
        self.severity = 0
        self.state = 0
        self.line = 0
        self.procedure: str | None = None
        self.errors: list[DatabaseError] = [self]


class DataError(DatabaseError):
    """A value does not convert or does not fit."""


class OperationalError(DatabaseError):
    """Not the program's fault: a deadlock, a time-out, a full disk, a file that is in use."""


class IntegrityError(DatabaseError):
    """A key, a foreign key, a CHECK or NOT NULL."""


class InternalError(DatabaseError):
    """The transaction's state does not allow it: doomed, or not there."""


class ProgrammingError(DatabaseError):
    """The text is wrong: syntax, names, counts of parameters."""


class NotSupportedError(DatabaseError):
    """T-SQL that sbql does not run."""


_CLASSES: tuple[tuple[type[DatabaseError], frozenset[int]], ...] = (
    (IntegrityError, frozenset({515, 530, 544, 545, 547, 548, 550, 1505, 2601, 2627, 8101})),
    (
        OperationalError,
        frozenset({701, 845, 1101, 1105, 1204, 1205, 1222, 3617, 3960, 3961, 4060, 5123, 9002, 17892, 18456}),
    ),
    (InternalError, frozenset({266, 628, 3902, 3903, 3915, 3916, 3930, 3931, 3998, 6401})),
    (
        DataError,
        frozenset(
            {
                220,
                232,
                235,
                241,
                242,
                244,
                245,
                248,
                256,
                257,
                293,
                295,
                296,
                517,
                529,
                535,
                537,
                2628,
                3606,
                3607,
                8114,
                8115,
                8117,
                8134,
                8152,
                8169,
                9400,
                9402,
                9410,
                9411,
                9413,
                9420,
                9436,
                9455,
                13609,
                6909,
                6910,
                6926,
            }
        ),
    ),
    (NotSupportedError, frozenset({40510, 40514, 40515, 40517})),
)
_CLASS_OF = {number: kind for kind, numbers in _CLASSES for number in numbers}


def _class_of(error: SqlError) -> type[DatabaseError]:
    found = _CLASS_OF.get(error.number)
    if found is not None:
        return found
    if error.number >= 50000:
        return DatabaseError  # THROW and RAISERROR: only the script knows what it means
    if error.severity in (15, 16):
        return ProgrammingError
    return OperationalError if error.severity >= 17 else DatabaseError


def _convert(error: SqlError, kind: type[DatabaseError]) -> DatabaseError:
    result = kind(error.message)
    result.number, result.severity, result.state = error.number, error.severity, error.state
    result.line, result.procedure = error.line, error.procedure
    where = f"Procedure {error.procedure}, line {error.line}" if error.procedure else f"line {error.line}"
    result.args = (f"Msg {error.number}, {where}: {error.message}",)
    return result


def from_sql_errors(errors: Iterable[SqlError], kind: type[DatabaseError] | None = None) -> DatabaseError:
    """The exception to raise for the errors of one batch: its first, which lists them all. Of a RAISERROR that ends the
    session that is the error that was raised, not what is told in front of it (2745). `kind` overrides the table."""
    converted = [_convert(error, kind or _class_of(error)) for error in errors]
    first = next((one for one in converted if one.number != 2745), converted[0])
    first.errors = converted
    return first


@contextmanager
def errors_of_opening() -> Iterator[None]:
    """Around what opens or reaches a store: SqlErrors, and errors of files and sockets, become OperationalError."""
    try:
        yield
    except SqlError as error:
        raise from_sql_errors([error], OperationalError) from None
    except (OSError, ValueError) as error:
        raise OperationalError(str(error)) from error
