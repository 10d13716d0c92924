"""Files of named tokens, for clients that do not read the endpoint file.

It decides how such a file is written, a line for each: a name for people, the login that the token means, the token,
with blanks between them; `#` begins a comment. Only its owner may read it. It must not know who comes with a token.
"""

from __future__ import annotations

import os
import stat

__all__ = ["read_tokens"]

_SHORTEST = 16
"""Characters of a token: what is shorter can be guessed."""


def read_tokens(path: str | os.PathLike[str]) -> dict[str, str]:
    """The logins by token. Raises OSError when the file cannot be read, ValueError when others may
    read it or a line is not as above."""
    logins: dict[str, str] = {}
    with open(path, encoding="utf-8") as file:
        if os.name == "posix" and stat.S_IMODE(os.fstat(file.fileno()).st_mode) & 0o077:
            raise ValueError("others may read it; chmod 600 keeps the tokens secret")
        for number, line in enumerate(file, 1):
            words = line.split("#", 1)[0].split()
            if not words:
                continue
            if len(words) != 3:
                raise ValueError(f"line {number} has {len(words)} words; a line has three: name, login, token")
            if any(word.endswith(",") for word in words):  # it would be a login of that name, which nobody has
                raise ValueError(f"line {number} has commas: name, login and token stand with blanks between them")
            _, login, token = words
            if len(token) < _SHORTEST:
                raise ValueError(f"the token in line {number} has fewer than {_SHORTEST} characters")
            if token in logins:
                raise ValueError(f"the token in line {number} stands there twice")
            logins[token] = login
    return logins
