"""Two sessions over one table of two rows, (1, 10) and (2, 20): what each of them
does, and the rules that say who waits.

The rules are those of docs/spec/isolation.md over plain rows, in twenty lines. What a statement then gives needs no
rule: one that waited does what it would have done after the other had ended, one that did not what it would have done
before the other began. Nothing here knows locks or images.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FIRSTS", "LEVELS", "SECONDS", "First", "Second", "is_conflict", "is_refused", "waits"]

Row = tuple[int, int]
Match = Callable[[Row], bool]

LEVELS = ("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE", "SNAPSHOT")
ROWS: tuple[Row, ...] = ((1, 10), (2, 20))


@dataclass(frozen=True)
class First:
    """What the transaction that stays open has done: rows changed or locked as they were (`old`), rows as they would be
    (`new`); `shares`: it reads, and keeps writers out."""

    text: str
    old: tuple[Row, ...] = ()
    new: tuple[Row, ...] = ()
    shares: bool = False
    level: str = "READ COMMITTED"
    changes: bool = True

    @property
    def keys(self) -> set[int]:
        """Keys that it adds or removes."""
        return {id for id, _ in self.old} ^ {id for id, _ in self.new} if self.changes else set()

    @property
    def is_writer(self) -> bool:
        return bool(self.old or self.new)


READ = "SELECT id, v FROM dbo.T{hint} WHERE id = 1"
MERGE = (
    "MERGE dbo.T AS t USING (VALUES {rows}) AS s(id, v) ON s.id = t.id"
    " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT VALUES (s.id, s.v);"
)
FIRSTS = {
    "insert": First("INSERT dbo.T VALUES (3, 30)", new=((3, 30),)),
    "update of the key": First("UPDATE dbo.T SET id = 3 WHERE id = 1", old=((1, 10),), new=((3, 10),)),
    "update of a value": First("UPDATE dbo.T SET v = 30 WHERE id = 1", old=((1, 10),), new=((1, 30),)),
    "delete": First("DELETE dbo.T WHERE id = 1", old=((1, 10),)),
    "merge": First(MERGE.format(rows="(1, 30), (3, 30)"), old=((1, 10),), new=((1, 30), (3, 30))),
    "select with updlock": First(READ.format(hint=" WITH (UPDLOCK)"), old=((1, 10),), changes=False),
    "select with holdlock": First(READ.format(hint=" WITH (HOLDLOCK)"), shares=True),
    "select with readpast": First(READ.format(hint=" WITH (READPAST)")),
    "select from a view at SERIALIZABLE": First("SELECT id, v FROM dbo.V", level="SERIALIZABLE", shares=True),
    "select by a scalar function at SERIALIZABLE": First("SELECT dbo.S()", level="SERIALIZABLE", shares=True),
    **{
        f"select at {level}": First(READ.format(hint=""), level=level, shares=level in ("REPEATABLE READ", "SERIALIZABLE"))
        for level in LEVELS
    },
}  # fmt: skip


@dataclass(frozen=True)
class Second:
    """What the other one then tries. `matches`: the rows of its search, None for what searches nothing. `keys` it adds
    or removes. `reads`: it changes nothing; `hint` as written."""

    text: str
    matches: Match | None = None
    keys: frozenset[int] = frozenset()
    reads: bool = False
    hint: str = ""


def _any(row: Row) -> bool:
    return True


def _has(place: int, value: int) -> Match:
    return lambda row: row[place] == value


def _read(hint: str, where: str, matches: Match) -> Second:
    with_ = f" WITH ({hint})" if hint else ""
    return Second(f"SELECT id, v FROM dbo.T{with_} {where} ORDER BY id", matches, reads=True, hint=hint)


def _through(hint: str, where: str, matches: Match) -> Second:
    """The hint behind the name of a common table expression, which reads another."""
    common = f"WITH a AS (SELECT id, v FROM dbo.T {where}), b AS (SELECT id, v FROM a)"
    return Second(f"{common} SELECT id, v FROM b WITH ({hint}) ORDER BY id", matches, reads=True, hint=hint)


SECONDS = {
    "insert of key 3": Second("INSERT dbo.T VALUES (3, 33)", keys=frozenset({3})),
    "insert of key 5": Second("INSERT dbo.T VALUES (5, 50)", keys=frozenset({5})),
    "update where id = 1": Second("UPDATE dbo.T SET v += 1 WHERE id = 1", _has(0, 1)),
    "update where id = 2": Second("UPDATE dbo.T SET v += 1 WHERE id = 2", _has(0, 2)),
    "update where id = 3": Second("UPDATE dbo.T SET v += 1 WHERE id = 3", _has(0, 3)),
    "update where v = 30": Second("UPDATE dbo.T SET v += 1 WHERE v = 30", _has(1, 30)),
    "update of key 2 to 3": Second("UPDATE dbo.T SET id = 3 WHERE id = 2", _has(0, 2), frozenset({2, 3})),
    "delete where id = 1": Second("DELETE dbo.T WHERE id = 1", _has(0, 1), frozenset({1})),
    "delete where v = 30": Second("DELETE dbo.T WHERE v = 30", _has(1, 30)),
    "delete": Second("DELETE dbo.T", _any, frozenset({1, 2})),
    "merge of 3": Second(MERGE.format(rows="(3, 33)"), _has(0, 3), frozenset({3})),
    "merge of 1": Second(MERGE.format(rows="(1, 11)"), _has(0, 1)),
    "update with readpast": Second("UPDATE dbo.T WITH (READPAST) SET v += 1", _any, hint="READPAST"),
    "select": _read("", "", _any),
    "select with updlock where id = 1": _read("UPDLOCK", "WHERE id = 1", _has(0, 1)),
    "select with updlock where v = 30": _read("UPDLOCK", "WHERE v = 30", _has(1, 30)),
    "select with holdlock": _read("HOLDLOCK", "WHERE id = 2", _has(0, 2)),
    "select with readpast": _read("READPAST", "", _any),
    "select from a view": Second("SELECT id, v FROM dbo.V ORDER BY id", _any, reads=True),
    "select from a function of several statements": Second("SELECT id, v FROM dbo.M() ORDER BY id", _any, reads=True),
    "select from an expression with readpast": _through("READPAST", "", _any),
    "select from an expression with updlock where v = 30": _through("UPDLOCK", "WHERE v = 30", _has(1, 30)),
    "select from a view with holdlock": Second("SELECT id, v FROM dbo.V WITH (HOLDLOCK) ORDER BY id", _any, reads=True, hint="HOLDLOCK"),
}  # fmt: skip


def is_refused(second: Second, level: str) -> bool:
    """READPAST where it may not be: error 650, before anything else."""
    return second.hint == "READPAST" and level not in ("READ COMMITTED", "REPEATABLE READ")


def waits(first: First, second: Second, level: str) -> bool:
    """Whether the second one has to wait."""
    if is_refused(second, level):
        return False
    keeps = level in ("REPEATABLE READ", "SERIALIZABLE")
    if second.reads and second.hint != "UPDLOCK":
        return first.is_writer and (keeps or second.hint == "HOLDLOCK")
    if first.shares:
        return True
    if (second.reads and keeps) or (second.matches is not None and level == "SERIALIZABLE"):
        return first.is_writer
    if second.keys & first.keys and _adds(second):
        return True
    if second.matches is None or second.hint == "READPAST":
        return False
    new = () if level == "SNAPSHOT" or not first.changes else first.new
    return any(second.matches(row) for row in (*first.old, *new))


def _adds(second: Second) -> bool:
    """Whether it adds a key for sure; one that it removes is that of a row that it finds."""
    return not second.text.startswith("DELETE")


def is_conflict(first: First, second: Second) -> int:
    """The error of a write at SNAPSHOT when the first one has committed: 3960 where it had found a row that was
    changed, 2627 where it adds a key that was added; 0 for neither."""
    if second.matches is not None and any(second.matches(row) for row in first.old) and first.changes:
        return 3960
    added = {id for id, _ in first.new} - {id for id, _ in first.old}
    return 2627 if second.keys & added and first.changes else 0
