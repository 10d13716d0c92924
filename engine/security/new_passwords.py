"""What a password that a statement sets may be, whatever it protects: a login, a key, a file.

Decides its length alone: there is no policy of an operating system here. It must not know what is made of the password.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar.errors import sql_error

__all__ = ["new_password"]

_LONGEST: Final = 128
"""Characters, as the documents of CREATE LOGIN and of the keys say."""


def new_password(text: str) -> str:
    """The password. Raises 15117 for one that is too long; one that is only tried is
    wrong then, and no error of its own."""
    if len(text) > _LONGEST:
        raise sql_error(15117, _LONGEST)
    return text
