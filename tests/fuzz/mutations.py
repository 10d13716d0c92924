"""Mutations of the corpus (every script of the project): tokens and bytes deleted, doubled, swapped, replaced,
spliced."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from sbql.engine.scripts import ScriptError, read_script

__all__ = ["Mutations", "corpus", "written_corpus"]

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r"--[^\n]*|/\*.*?\*/|N?'(?:[^']|'')*'|\[[^\]]*\]|@*\w+|\s+|.", re.S)
DIGITS = re.compile(r"\d+", re.ASCII)
EXTREME = (
    "NULL", "0", "-1", "1", "2147483648", "9223372036854775808", "1e308", "1e400", "0.1", "''", "N''", "0x", "@nosuch", "*", "(", ")", ",",
    ";", ".", "'", "[", "/*", "--\n", "BEGIN", "END", "SELECT", "DEFAULT", "GO", "\x00", "\u2028", "\ud83d", "𝄞", "99999999999999999999999",
    "REPLICATE('x', 9000)", "(SELECT 1)", "CAST(NULL AS xml)", "NEWID()", "@@TRANCOUNT", "TOP (0)", "DISTINCT", "GETDATE()", "1/0",
)  # fmt: skip


@cache
def corpus() -> tuple[tuple[str, ...], ...]:
    """The batches of each script."""
    files = sorted([*ROOT.glob("scripts/**/*.sql"), *ROOT.glob("tests/sql/**/*.sql")])
    result = []
    for file in files:
        try:
            result.append(tuple(batch.text for batch in read_script(file).batches()))
        except ScriptError:
            continue  # needs -v variables
    return tuple(batches for batches in result if batches)


PIECE = re.compile(r"\w+|\s+|''|.", re.S)


def _is_written(token: str) -> bool:
    """Whether a token is a literal with something written in another language: XML, XQuery, JSON, a path."""
    return _kind(token) == "'" and len(token) > 3 and any(c in token for c in "</$({@[")


def _inside(token: str) -> list[str]:
    """The pieces of a literal."""
    found: list[str] = PIECE.findall(token[token.index("'") + 1 : -1].replace("''", "'"))
    return found


@cache
def written_corpus() -> tuple[tuple[str, ...], ...]:
    """The tokens of the batches with such literals."""
    batches = (tuple(TOKEN.findall(batch)) for batches in corpus() for batch in batches)
    return tuple(tokens for tokens in batches if any(map(_is_written, tokens)))


@cache
def _pieces() -> tuple[str, ...]:
    """The pieces of these literals, each as often as it stands there."""
    return tuple(
        piece for tokens in written_corpus() for token in tokens if _is_written(token) for piece in _inside(token)
    )


def _kind(token: str) -> str:
    if token[0] == "@":
        return "@"
    if token[0] == "'" or token[:2] == "N'":
        return "'"
    if token[0].isdigit():
        return "0"
    if token[0].isalpha() or token[0] == "[":
        return "word" if token.isupper() else "name"
    return "sign"


@cache
def _by_kind() -> dict[str, list[str]]:
    """The tokens of the corpus, each as often as it stands there."""
    result: dict[str, list[str]] = {}
    for batches in corpus():
        for batch in batches:
            for token in TOKEN.findall(batch):
                if not token.isspace() and not token.startswith(("--", "/*")):
                    result.setdefault(_kind(token), []).append(token)
    return result


class Mutations:
    """The same `chance` makes the same texts."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def any_batch(self) -> str:
        return self.chance.choice(self.chance.choice(corpus()))

    def mutated(self, text: str) -> str:
        if self.chance.random() < 0.15:
            return self._bytes(text)
        tokens: list[str] = TOKEN.findall(text)
        for _ in range(self.chance.choice((1, 1, 1, 2, 3, 6))):
            self._tokens(tokens)
        return "".join(tokens)

    def with_a_long_number(self) -> str:
        """A batch with digits, in a literal or out of one, that are a number which no type
        takes: of 19 digits or thousands."""
        text = self.any_batch()
        places = [found.span() for found in DIGITS.finditer(text)]
        if places:
            start, end = self.chance.choice(places)
            digits = self.chance.choice("90") * self.chance.choice((19, 39, 310, 4250, 5000, 20_000))
            text = text[:start] + digits + text[end:]
        return text

    def written(self) -> str:
        """A batch with changes inside of a literal: in XML, XQuery, JSON or a path."""
        tokens = list(self.chance.choice(written_corpus()))
        at = self.chance.choice([i for i, token in enumerate(tokens) if _is_written(token)])
        pieces = _inside(tokens[at])
        for _ in range(self.chance.choice((1, 1, 2, 3, 6))):
            self._pieces(pieces)
        tokens[at] = "N'" + "".join(pieces).replace("'", "''") + "'"
        return "".join(tokens)

    def _pieces(self, pieces: list[str]) -> None:
        at, other = self.chance.randrange(len(pieces)), self.chance.randrange(len(pieces))
        kind = self.chance.randrange(6)
        if kind == 0 and len(pieces) > 1:
            del pieces[at]
        elif kind == 1:
            pieces.insert(at, pieces[other])
        elif kind == 2:
            pieces[at], pieces[other] = pieces[other], pieces[at]
        elif kind == 3:
            pieces[at : at + self.chance.randrange(1, 8)] = [self.chance.choice(_pieces())]
        elif kind == 4:
            start = self.chance.randrange(len(_pieces()))
            pieces[at:at] = _pieces()[start : start + self.chance.randrange(1, 12)]
        else:
            pieces[at] = self.chance.choice(_pieces())

    def _tokens(self, tokens: list[str]) -> None:
        places = [i for i, token in enumerate(tokens) if not token.isspace() and not token.startswith(("--", "/*"))]
        if not places:
            tokens.append(self.chance.choice(EXTREME))
            return
        at, other = self.chance.choice(places), self.chance.choice(places)
        kind = self.chance.randrange(16)
        if kind > 6:
            rich = [i for i in places if _kind(tokens[i]) not in ("word", "sign")]
            at = self.chance.choice(rich) if rich else at
            tokens[at] = self._alike(tokens[at])
        elif kind == 0:
            del tokens[at]
        elif kind == 1:
            tokens.insert(at, tokens[other] + " ")
        elif kind == 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        elif kind == 3:
            tokens[at] = self.chance.choice(EXTREME)
        elif kind == 4:
            tokens[at : at + self.chance.randrange(1, 12)] = []
        elif kind == 5:
            donor = TOKEN.findall(self.any_batch())
            start = self.chance.randrange(len(donor)) if donor else 0
            tokens[at:at] = [" ", *donor[start : start + self.chance.randrange(1, 25)], " "]
        else:
            donor = [t for t in TOKEN.findall(self.any_batch()) if not t.isspace()]
            tokens[at] = self.chance.choice(donor or [""])

    def _alike(self, token: str) -> str:
        """Another token of the same kind, so that the text still parses."""
        if self.chance.random() < 0.2 and (token[0].isdigit() or token[0] in "'N@"):
            return self.chance.choice(EXTREME)
        pool = _by_kind().get(_kind(token))
        return self.chance.choice(pool) if pool else token

    def _bytes(self, text: str) -> str:
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(self.chance.choice((1, 2, 5, 20))):
            at = self.chance.randrange(len(data) + 1)
            kind = self.chance.randrange(3)
            if kind == 0:
                data[at:at] = bytes([self.chance.randrange(256)])
            elif kind == 1:
                del data[at : at + self.chance.randrange(1, 6)]
            elif at < len(data):
                data[at] ^= 1 << self.chance.randrange(8)
        return data.decode("utf-8", "replace")
