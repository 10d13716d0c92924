"""Documents of JSON at random, with all that JSON may have in odd places, and texts that are none."""

from __future__ import annotations

import json
import random
import re

__all__ = ["BROKEN", "NAMES", "NUMBERS", "PIECES", "STRINGS", "WRITTEN", "document", "spaced"]

NUMBERS = ("0", "-0", "-0.0", "1", "-1", "7", "42", "255", "256", "1.5", "1.50", "-2.25", "0.1", "0.005", "1.005", "1.00499999999999999999", "1e5", "1E5", "1e-5", "0.00001", "15e-1", "1E400", "1e22", "100000000000000000000.0", "12345678901234567890", "123456789012345678901234567890", "999999999.999999", "9999999999.5", "1234567.891", "2147483647", "-2147483648", "2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "20240229", "1.0", "1.10e+2", "0.1234567", "99999.995")  # fmt: skip
STRINGS = ("", "a", "ba", "lines", "tRuE nAn", "an inF", "Finance, ]", "of ,}", " ", "x", "abc", "1", "-1", "+1", "5-", "--5", "-", "1-2", "007", "1.5", "1.50", "1.005", "-0", "0", "1e5", "1,5", "$1", " 7", "7 ", "true", "True", "false", "null", "2024-02-29", "2023-02-29", "2024-01-02 03:04:05", "2024-01-02T03:04:05.123", "2024-1-2", "20240102", "2024-02-30", "2024-02-29T24:00:00", "2024-02-29 23:59:60", "2024-02-29 23:59:59.999", "2024-02-29T23:59:59.995", "2024-02-29T01:02", "2024-02-29T01:02:03Z", "2024-02-29T01:02:03.1", "2024-02-29 01:02:03.1234567", "2024-02-29t01:02:03", "2024-02-29  01:02:03", "0000-01-01", "0001-01-01", "1752-12-31", "1753-01-01", "1753-01-01 00:00:00.001", "1753-01-02", "9999-12-30 23:59:59.999", "9999-12-31", "9999-12-31T23:59:59.999", "2024-13-01", "1899-12-31T00:00:00.001", "1582-10-10", "12:30", "[", "{", "[1, 2]", "{}", "NaN", "inf", ",]", "\u00e9", "\U0001d49c", "\U0010f123", "a/b", 'a"b', "a\\b", "a\nb", "\x00", "\x1f", "\\u00e9", "\\ud800", "x" * 60, "0E984A7C-0F4C-4D9A-8C3F-1C2D3E4F5A6B", "0e984a7c-0f4c-4d9a-8c3f-1c2d3e4f5a6b", "{0E984A7C-0F4C-4D9A-8C3F-1C2D3E4F5A6B}", "0E984A7C0F4C4D9A8C3F1C2D3E4F5A6B0000")  # fmt: skip
WRITTEN = (r'"\u0041"', r'"\u00e9"', r'"\ud835\udc9c"', r'"\ud800"', r'"\udbfc\udd23"', r'"x\u0000y"', r'"a\/b"', '"a/b"', r'"\\ud800"', '"\U0010f800"')  # fmt: skip
"""Strings as they stand."""
BROKEN = ("", " ", "{", "[", "5", '"x"', "null", "true", "[1,]", "[1 2]", '{"a":1,}', '{"a" 1}', "{a:1}", "[NaN]", '{"a":-inf}', "[nan]", '{"a":Infinity}', "[01]", "[1.]", "[+1]", "[.5]", "[tru]", "['a']", '["a\nb"]', '["\t"]', '["\\x"]', "[1]x", "[1]]", "\ufeff[1]", "\u00a0[1]", "[1]\x0b", "/**/[1]", "[" * 129 + "]" * 129, "[" * 200 + "]" * 200, '{"a":' * 130 + "1" + "}" * 130, "[" * 127 + "1" + "]" * 127)  # fmt: skip
NAMES = ("a", "b", "c", "A", "lines", "a b", "x.y", "\u00e9", "", "ba", "xlines", 'b"a', "b\\a", "nan", "Info")

PIECES = ("[]", "{}", "[[]]", "[[[]]]", "[[[[]]]]", "[[[[1.50]]]]", "[[[1.50]]]", "[[[[[]]]]]", '{"a":{"a":{"a":{"a":1.0}}}}', '{"a":[{"a":[ 1e5]}]}', '["]", "[", "\\"]", 1.50]', '{"}":"{\\\\"}', "[ ]", "[1.0, 1.00]", '[{"a": 1.50}]')  # fmt: skip
WORDS = ("nan", "inf", "infinity", "-nan", "-inf", "-infinity")


def spaced(choice: random.Random, text: str) -> str:
    return choice.choice(("", "", "", "", " ", "\n\t")) + text + choice.choice(("", "", "", "", " ", "\r\n"))


def value(choice: random.Random, depth: int, tame: float) -> str:
    """JSON, most of it as the columns want it if it is tame."""
    draw = choice.random()
    if draw < tame:
        return choice.choice(("1", "42", '"abc"', '"x"', "null", "7"))
    if depth < 4 and draw > 0.9:
        return container(choice, depth + 1, tame)
    kind = choice.randrange(5)
    if kind == 0:
        return choice.choice(("true", "false", "null"))
    if kind == 1:
        return choice.choice(NUMBERS)
    if kind == 2 and choice.random() < 0.3:
        return choice.choice(WRITTEN)
    return json.dumps(choice.choice(STRINGS), ensure_ascii=choice.random() < 0.3)


def container(choice: random.Random, depth: int, tame: float, *, of_objects: bool = False) -> str:
    count = choice.choice((0, 1, 1, 2, 2, 3, 5))

    def inner() -> str:
        if of_objects and choice.random() < 0.95:
            return members()
        return value(choice, depth, tame)

    def members() -> str:
        found = []
        for _ in range(choice.choice((0, 1, 2, 3, 4))):
            name = json.dumps(
                choice.choice(NAMES[:5] if choice.random() < 0.8 else NAMES), ensure_ascii=choice.random() < 0.3
            )
            name = r'"\u0061"' if choice.random() < 0.02 else name
            below = (
                container(choice, depth + 1, tame)
                if depth < 4 and choice.random() < 0.15
                else value(choice, depth, tame)
            )
            found.append(f"{spaced(choice, name)}:{spaced(choice, below)}")
        return "{" + ",".join(found) + "}"

    if of_objects or choice.random() < 0.5:
        return "[" + ",".join(spaced(choice, inner()) for _ in range(count)) + "]"
    return members()


def _with_comma(choice: random.Random, text: str) -> str:
    """A comma where none may be: before a bracket that closes."""
    places = [place for place, sign in enumerate(text) if sign in "]}"]
    place = choice.choice(places or [len(text)])
    return f"{text[:place]},{spaced(choice, '')}{text[place:]}"


def _with_word(choice: random.Random, text: str) -> str:
    """A word that is a number to some, in whatever case, for a value, in a list or alone."""
    word = "".join(choice.choice((sign, sign.upper())) for sign in choice.choice(WORDS))
    found = re.search(r'(?<=[:\[,])[ \t\r\n]*(?:"[^"\\]*"|[-0-9a-z.]+)(?=[ \t\r\n]*[,\]}])', text)
    return f"[{text},{word}]" if found is None else text[: found.start()] + spaced(choice, word) + text[found.end() :]


def _with_depth(choice: random.Random, text: str) -> str:
    """About as deep as may be."""
    depth = choice.randrange(120, 132)
    return choice.choice(("[" * depth + text + "]" * depth, '{"a":' * depth + text + "}" * depth))


def document(choice: random.Random) -> str | None:
    draw = choice.random()
    if draw < 0.03:
        return None
    if draw < 0.08:
        return choice.choice(BROKEN)
    tame = choice.choice((0.3, 0.8, 0.95, 1.0))
    text = container(choice, 0, tame, of_objects=choice.random() < 0.6)
    if choice.random() < 0.4:
        text = '{"lines":' + spaced(choice, text) + choice.choice(("", ',"lines":[1]', ',"c":"x"')) + "}"
    if choice.random() < 0.3:
        try:  # as DuckDB writes it, most often
            text = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
        except ValueError:
            pass
    if choice.random() < 0.03:  # something is missing
        place = choice.randrange(len(text) + 1)
        text = text[:place] + text[place + 1 :]
    if choice.random() < 0.06:
        text = choice.choice((_with_comma, _with_word, _with_depth))(choice, text)
    return text if "\ud800" not in text else None
