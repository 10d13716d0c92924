r"""Collation: when two strings are equal, and which comes first.

A collation's name says what does not count (case, accents, width, kana); it and the type of
the strings choose one of three rules:

- *windows*, of all national text and of varchar under a Windows collation: characters are equal by
  `text_weights` (ß is ss, Æ is AE). The order is a word sort: letters first, then accents, then case,
  in the end hyphens and apostrophes;
- *code page*, of varchar under the SQL_ collations (the default is SQL_Latin1_General_CP1_CI_AS): characters one by
  one, signs, digits, letters, with accented letters after their base letter;
- *binary*, of _BIN and _BIN2: UTF-16 units.

Trailing blanks never count. It decides keys only; whoever compares rows in DuckDB uses the same keys: for
text of ASCII, and for what `PLAIN` describes, DuckDB's own functions give what `key_function` gives, for all
other text these functions run there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from sbql.grammar.errors import sql_error
from sbql.grammar.types import DATABASE_DEFAULT_COLLATION, SqlType
from sbql.grammar.values.anchored_weights import BEHIND, AnchoredWeights
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation_names import collation_named
from sbql.grammar.values.kinds import is_national
from sbql.grammar.values.text_weights import SPECIAL, fold_table, other_place, places
from sbql.grammar.values.utf16 import expanded

__all__ = [
    "BINARY",
    "CODE_PAGE",
    "DOUBLE",
    "KEPT",
    "LEVEL",
    "PLAIN",
    "WINDOWS",
    "Rule",
    "counts_characters",
    "fold_function",
    "followers",
    "is_case_sensitive",
    "key_function",
    "key_of",
    "known_collation",
    "last_weights",
    "order_of",
    "own_letters",
    "own_order",
    "rule_numbered",
    "rule_of",
    "sort_key_function",
    "variant_text_key",
    "without_accent",
]

_BLANK = " "
BINARY, CODE_PAGE, WINDOWS = "binary", "code page", "windows"

PLAIN = (
    (0x00, 0xA9), (0xAB, 0xB1), (0xB4, 0xB8), (0xBB, 0xC5), (0xC7, 0xDD), (0xE0, 0xE5), (0xE7, 0xFD), (0xFF, 0x12F), (0x131, 0x131),
    (0x134, 0x151), (0x154, 0x17E), (0x180, 0x1C3), (0x1FE, 0x24F), (0x386, 0x386), (0x388, 0x3C1), (0x3C3, 0x482), (0x48A, 0x52F),
    (0x5D0, 0x5EA), (0x621, 0x64A), (0x660, 0x669), (0x671, 0x6D5), (0x900, 0x93B), (0x93D, 0x950), (0xE01, 0xE37), (0xE3F, 0xE47),
    (0x1E00, 0x1E9D), (0x1E9F, 0x1EFF), (0x2010, 0x2044), (0x20A0, 0x20C0), (0x2190, 0x2328), (0x2500, 0x2775), (0x3001, 0x3002),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
)  # fmt: skip
"""The commonest characters of which the usual rule for nvarchar makes no more than lower case: text of nothing
else is its own key in lower case. Their capitals are DuckDB's, and none composes with another: of marks there is
the virama alone. The long s is no such, for it is an s to a regular expression that ignores case."""

DOUBLE = {"ß": "ss", "æ": "ae", "þ": "th", "œ": "oe", "ς": "σ"}
"""Small letters that are equal to two, or to another one: beside plain ones they are all that a key replaces."""


KEPT = (
    (0x3041, 0x3096),
    (0x30FB, 0x30FC),
    (0x1F300, 0x1F6FF),
    (0x1F900, 0x1F9FF),
    (0x20000, 0x2A6DF),
)
"""More characters that are their own key: hiragana, and supplementary ones, which LIKE counts
in units and so cannot be plain."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How strings of one collation and kind of type compare. `case` to `width` say what is ignored."""

    kind: str
    case: bool = True
    accent: bool = False
    kana: bool = True
    width: bool = True

    @property
    def number(self) -> int:
        """A number that stands for the rule in SQL; `rule_numbered` gives it back."""
        flags = self.case | self.accent << 1 | self.kana << 2 | self.width << 3
        return (BINARY, CODE_PAGE, WINDOWS).index(self.kind) << 4 | flags

    @property
    def is_usual(self) -> bool:
        """The rule of nvarchar under the default collation."""
        return self == _USUAL

    @property
    def folds_plainly(self) -> bool:
        """Whether it makes no more of a character of `PLAIN` than lower case, if that: accents count."""
        return self.kind == WINDOWS and not self.accent


_USUAL = Rule(WINDOWS)


def rule_numbered(number: int) -> Rule:
    flags = [bool(number >> bit & 1) for bit in range(4)]
    return Rule((BINARY, CODE_PAGE, WINDOWS)[number >> 4], *flags)


@lru_cache(maxsize=1024)
def rule_of(collation: str | None, national: bool) -> Rule:
    """The rule of a collation (None: the default) for national text or for text of a code page."""
    words = (collation or DATABASE_DEFAULT_COLLATION).upper().split("_")
    if is_binary_collation(collation):
        return Rule(BINARY, False, False, False, False)
    kind = CODE_PAGE if words[0] == "SQL" and not national else WINDOWS
    return Rule(kind, "CS" not in words, "AI" in words, "KS" not in words, "WS" not in words)


def is_binary_collation(collation: str | None) -> bool:
    """True for …_BIN and …_BIN2."""
    return collation is not None and collation.upper().removesuffix("_UTF8").endswith(("_BIN", "_BIN2"))


def is_case_sensitive(collation: str | None) -> bool:
    """True for …_CS… and binary collations. None is the default collation, which is not."""
    return collation is not None and ("_CS" in collation.upper() or is_binary_collation(collation))


@lru_cache(maxsize=1024)
def counts_characters(collation: str | None) -> bool:
    """Whether a supplementary character is one to LEN, SUBSTRING and their kin: under _SC and _UTF8,
    and in versions that have no other."""
    words = (collation or "").upper().split("_")
    return "SC" in words or "UTF8" in words or "140" in words


def known_collation(name: str) -> str:
    """The collation that a COLLATE clause names. Raises 448 for a name that is none: UTF-8 comes with supplementary
    characters only, from version 100 on."""
    upper = name.upper()
    if upper in ("DATABASE_DEFAULT", "CATALOG_DEFAULT"):
        return DATABASE_DEFAULT_COLLATION
    if "_" not in upper or not upper.endswith(("_BIN", "_BIN2", "_AS", "_AI", "_WS", "_KS", "_SC", "_UTF8", "_VSS")):
        raise sql_error(448, name)
    if upper.endswith("_UTF8") and not (
        upper.endswith(("_SC_UTF8", "_BIN2_UTF8")) and "_100_" in upper or "_140_" in upper
    ):
        raise sql_error(448, name)
    found = collation_named(name)
    return found.name if found is not None else name


def key_function(sql_type: SqlType) -> Callable[[str], str]:
    """The equality key for a character type, by its collation: equal keys mean equal strings, and a key is its own
    key."""
    return key_of(rule_of(sql_type.collation, is_national(sql_type)))


def sort_key_function(sql_type: SqlType) -> Callable[[str], str]:
    """The order key for a character type, by its collation; also equal exactly when the equality key is."""
    return order_of(rule_of(sql_type.collation, is_national(sql_type)))


def fold_function(rule: Rule) -> Callable[[str], str]:
    """What the equality key of a rule does but for blanks at the end."""
    if rule.kind == BINARY:
        return _units
    if rule.kind == WINDOWS:
        return _windows_fold(rule)
    if rule.accent:
        return _without_accents if not rule.case else lambda text: _without_accents(text.lower())
    return str.lower if rule.case else str


@lru_cache(maxsize=64)
def key_of(rule: Rule) -> Callable[[str], str]:
    """The equality key of a rule."""
    fold = fold_function(rule)
    if rule.kind == CODE_PAGE:
        return lambda text: fold(text.rstrip(_BLANK))
    return lambda text: fold(text).rstrip(_BLANK)


@lru_cache(maxsize=64)
def order_of(rule: Rule) -> Callable[[str], str]:
    """The order key of a rule."""
    if rule.kind == BINARY:
        return key_of(rule)
    if rule.kind == WINDOWS:
        return _windows_order(rule)
    if rule.case:
        return _code_page_order if not rule.accent else lambda text: _code_page_order(_without_accents(text.lower()))
    return _code_page_case_order if not rule.accent else lambda text: _code_page_case_order(_without_accents(text))


def own_order(rule: Rule) -> str:
    """The characters, letters as small ones, of which text is its own order key but for case and blanks at
    its end. Empty where case counts."""
    if not rule.case or rule.kind == BINARY:
        return ""
    return _weights(rule).anchors


def own_letters(rule: Rule) -> tuple[tuple[str, str], ...]:
    """Ranges of small letters beyond ASCII of which the same is true."""
    return (*_LETTERS, *_BLOCKS) if rule.kind == WINDOWS and rule.case else ()


def followers(rule: Rule) -> tuple[str, str]:
    """What stands in an order key before each of some more signs of ASCII, and these signs."""
    weights = _weights(rule)
    return weights.leader + BEHIND, weights.followers


def last_weights(rule: Rule) -> dict[str, str]:
    """The signs that count last, by where they stand, and what stands for them in the last level of an order key,
    behind those for letters, accents and case."""
    weights = _weights(rule)
    return {sign: weights[ord(sign)] for sign in SPECIAL} if rule.kind == WINDOWS else {}


def _weights(rule: Rule) -> AnchoredWeights:
    return _first_weights() if rule.kind == WINDOWS else _CODE_PAGE


def _units(text: str) -> str:
    """So that the order of characters is that of units, which is not that of code points: halves of pairs come before
    U+E000."""
    if text.isascii() or max(text) < "\ud800":
        return text
    return "".join([_unit(ord(unit)) for unit in expanded(text)])


def _unit(code: int) -> str:
    return chr(code if code < 0xD800 else code + 0x10000 - 0xD800 if code < 0xE000 else code + 0x20000)


# --- windows -----------------------------------------------------------------------------------------------


_NOT_PLAIN: Final = re.compile("[^" + "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in PLAIN) + "]|Σ")
"""Σ is a small letter of its own at the end of a word, to Python."""


def _windows_fold(rule: Rule) -> Callable[[str], str]:
    lower = rule.case
    is_plain = rule.is_usual

    def fold(text: str) -> str:
        if text.isascii():
            return text.lower() if lower else text
        if is_plain and _NOT_PLAIN.search(text) is None:
            return text.lower()
        folded = text.translate(fold_table(rule.case, rule.accent, rule.kana, rule.width))
        return folded if unicodedata.is_normalized("NFC", folded) else unicodedata.normalize("NFC", folded)

    return fold


def _primary_weight(character: str) -> str:
    found = places().get(character)
    return other_place(character) if found is None else found[0]


class _SecondWeights(dict[int, str]):
    """For str.translate: code points to secondary weights. Letters that sort by themselves have the least: σ is second
    to ς, of which the fold makes σ."""

    def __init__(self) -> None:
        super().__init__({ord("σ"): "\2"})

    def __missing__(self, code: int) -> str:
        found = places().get(chr(code))
        weight = self[code] = "\2" * len(other_place(chr(code))) if found is None else chr(2 + found[1])
        return weight


@cache
def _first_weights() -> AnchoredWeights:
    # + comes late: , and . are commoner
    letters = "".join(chr(code) for low, high in _LETTERS for code in range(ord(low), ord(high) + 1))
    return AnchoredWeights(_primary_weight, without=SPECIAL + "+", letters=letters, blocks=_BLOCKS)


_SECOND = _SecondWeights()
_LETTERS = (("α", "ρ"), ("σ", "ω"), ("а", "я"))
_BLOCKS = (("一", "\u9fff"), ("가", "힣"))
"""Han and Hangul, in the order of their units."""
_WITHOUT_SPECIAL = str.maketrans("", "", SPECIAL)
LEVEL = "\1"
"""Stands between levels: less than any weight."""


def _windows_order(rule: Rule) -> Callable[[str], str]:
    """Primary weights; after them, where they say something, accents, case, and where hyphens and apostrophes stand."""
    fold = _windows_fold(Rule(WINDOWS, True, rule.accent, True, True))
    keeps = _windows_fold(Rule(WINDOWS, False, rule.accent, True, True))
    raw, alike, first = key_of(rule), key_of(Rule(WINDOWS, rule.case, rule.accent, True, True)), _first_weights()

    def order(text: str) -> str:
        folded = fold(text).rstrip(_BLANK)
        letters = folded.translate(_WITHOUT_SPECIAL) if "-" in folded or "'" in folded else folded
        levels = [letters.translate(first)]
        levels.append("" if rule.accent or letters.isascii() else letters.translate(_SECOND).rstrip("\2"))
        levels.append("" if rule.case else _cases(keeps(text)))
        levels.append(folded.translate(first) if len(letters) != len(folded) else "")
        if not (rule.kana and rule.width) and not text.isascii() and raw(text) != alike(text):
            levels.append(raw(text).translate(first))
        return LEVEL.join(levels).rstrip(LEVEL)

    return order


def _cases(text: str) -> str:
    """Small letters before capitals."""
    return "".join(["\3" if c != c.lower() else "\2" for c in checked(text.rstrip(_BLANK), 65536)]).rstrip("\2")


# --- code page ---------------------------------------------------------------------------------------------


def _rank_table() -> dict[int, int]:
    """Code points to ranks in the private use area, for the characters of Latin-1 whose order is not that of code
    points."""

    def weight(character: str) -> tuple[int, str, int]:
        base = unicodedata.normalize("NFD", character)[0]
        group = 2 if base.isalpha() else 1 if base.isdigit() else 0
        return group, base, ord(character)

    characters = [chr(c) for c in range(32, 256) if not chr(c).isupper() and not 127 <= c < 160]
    return {ord(c): 0xE000 + rank for rank, c in enumerate(sorted(characters, key=weight))}


_RANKS = _rank_table()
_CODE_PAGE = AnchoredWeights(lambda character: chr(_RANKS.get(ord(character), ord(character))))


def _code_page_order(text: str) -> str:
    return text.rstrip(_BLANK).lower().translate(_CODE_PAGE)


def _code_page_case_order(text: str) -> str:
    """Letters first, whatever their case; then the small ones before the capitals."""
    trimmed = text.rstrip(_BLANK)
    return f"{trimmed.lower().translate(_CODE_PAGE)}\1{trimmed.swapcase()}"


def variant_text_key(sql_type: SqlType) -> Callable[[str], str]:
    """The key of text in a sql_variant, national text too: the store keeps such keys,
    so that they stay what they are."""
    rule = rule_of(sql_type.collation, False)
    if rule.kind == BINARY:
        return _trimmed
    if not rule.case:
        return _case_sensitive_variant_key
    if rule.accent:
        return lambda text: _variant_key(_without_accents(text.rstrip(_BLANK).lower()))
    return _variant_key


def _trimmed(text: str) -> str:
    return text.rstrip(_BLANK)


def _variant_key(text: str) -> str:
    return text.rstrip(_BLANK).lower().translate(_RANKS)


def _case_sensitive_variant_key(text: str) -> str:
    trimmed = text.rstrip(_BLANK)
    return f"{trimmed.lower().translate(_RANKS)}\1{trimmed.swapcase()}"


def without_accent(character: str) -> str:
    """The letter below the accents of a character of the code page."""
    return character if character.isascii() else unicodedata.normalize("NFD", character)[0]


def _without_accents(text: str) -> str:
    if text.isascii():
        return text
    return "".join(c for c in checked(unicodedata.normalize("NFD", text), 4096) if not unicodedata.combining(c))
