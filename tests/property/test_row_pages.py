"""Rows that come in pages are those that were committed last: against a dictionary, in
random orders of reading and writing.

The table is larger than its pages, the budget larger or smaller than the table; keys lie close or far apart, below zero
too, at the ends of their type, in the order of the rows or not; rows have texts, numbers and dates, NULL among them.
Two sessions write, by keys, as sets, in transactions that are rolled back; a third reads.
"""

from __future__ import annotations

import os
import random

import pytest
from told import told

from sbql.engine.instance import Instance

SEEDS = int(os.environ.get("ROW_PAGES_SEEDS", "2"))
STEPS = 220
LAYOUTS = {
    "in order": ("int", lambda i: i),
    "far apart": ("bigint", lambda i: i * 1_000_003 - 400_000_000),
    "mixed": ("int", lambda i: (i * 7919) % 100_003 - 50_000),
    "small": ("smallint", lambda i: i - 1 - 32768 if i % 2 else 32768 - i),
    "at the ends": ("bigint", lambda i: (1 << 63) - i if i % 3 else i - (1 << 63)),
    "one far away": ("int", lambda i: i if i > 1 else 2_000_000_000),
}


def filled(kind: str, keys: list[int], budget: int):
    """An instance with a table of these keys, its sessions, and what the table holds."""
    instance = Instance.open(None, row_cache=budget)
    instance.store.feed.rows.pages.patience = 0
    sessions = [instance.connect() for _ in range(3)]
    told(sessions[0], f"CREATE TABLE t (b varchar(40), k {kind} NOT NULL PRIMARY KEY, c int, e date)")
    for start in range(0, len(keys), 500):
        rows = ", ".join(
            f"('row {key}', {key}, {at % 7 or 'NULL'}, '2024-02-03')"
            for at, key in enumerate(keys[start : start + 500])
        )
        assert told(sessions[0], f"INSERT INTO t VALUES {rows}") == []  # fmt: skip
    assert told(sessions[0], "SET NOCOUNT ON") == []
    model = {row[0]: row[1:] for row in told(sessions[0], "SELECT k, b, c, CONVERT(varchar(10), e, 120) FROM t")}
    assert set(model) == set(keys)
    return instance, sessions, model


ASKED = ("b", "c", "CONVERT(varchar(10), e, 120)")
ALL = (0, 1, 2)


def read(session, kind: str, key: int, asked: tuple[int, ...] = ALL) -> list[object]:
    columns = ", ".join(ASKED[place] for place in asked) or "k, COALESCE(NULL, k)"
    return told(session, f"DECLARE @k {kind} = {key}; SELECT {columns} FROM t WHERE k = @k")


def wanted(model: dict, key: int, asked: tuple[int, ...] = ALL) -> list[object]:
    return [tuple(model[key][place] for place in asked) or (key, key)] if key in model else []


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_reads_by_key_are_those_of_a_dictionary(layout, seed):
    rng = random.Random(f"{layout} {seed}")
    kind, key_of = LAYOUTS[layout]
    keys = [key_of(i) for i in range(1, rng.choice([300, 1500]))]
    budget = rng.choice([1 << 25, 120_000, 30_000])
    instance, (one, other, reader), model = filled(kind, keys, budget)
    rows, most_pages, near = instance.store.feed.rows, 0, rng.randrange(len(keys))
    try:
        instance.locks.sets_from = 2
        for _ in range(STEPS):
            near = (near + rng.randrange(3)) % len(keys) if rng.random() < 0.9 else rng.randrange(len(keys))
            key, what, writer = keys[near], rng.random(), rng.choice([one, other])
            if what < 0.7:
                asked = tuple(rng.sample(ALL, rng.randrange(4)))
                assert read(reader, kind, key, asked) == wanted(model, key, asked), (key, budget)
            elif what < 0.8:
                assert (
                    told(writer, f"UPDATE t SET c = ISNULL(c, 0) + 10, b = 'new ' + LEFT(b, 30) WHERE k = {key}") == []
                )
                if key in model:
                    b, c, e = model[key]
                    model[key] = "new " + b[:30], (c or 0) + 10, e
            elif what < 0.84:
                told(
                    writer,
                    f"BEGIN TRANSACTION; UPDATE t SET c = 9 WHERE k = {key}; DELETE FROM t WHERE k = {keys[near - 1]}",
                )
                for one_key in (key, keys[near - 1], keys[near - 2]):
                    row = wanted(model, one_key, (1,)) if one_key != keys[near - 1] else []
                    assert read(writer, kind, one_key, (1,)) == ([(9,)] if row and one_key == key else row)
                told(writer, "ROLLBACK")
            elif what < 0.87:
                text = f"UPDATE t SET b = 'never', c = 0 WHERE k = {key}; DELETE FROM t WHERE k = {keys[near - 1]}"
                told(writer, f"BEGIN TRANSACTION; {text}; ROLLBACK")
            elif what < 0.92:
                assert told(writer, f"DELETE FROM t WHERE k = {key}") == []
                model.pop(key, None)
            elif what < 0.97 and key not in model:
                assert told(writer, f"INSERT INTO t VALUES (NULL, {key}, 5, '2024-03-04')") == []
                model[key] = (None, 5, "2024-03-04")
            elif what > 0.99:
                assert told(writer, "UPDATE t SET e = '2025-01-01' WHERE c > 3") == []
                model.update({k: (b, c, "2025-01-01") for k, (b, c, _) in model.items() if (c or 0) > 3})
            most_pages = max(most_pages, rows.pages.size)
            assert rows.size <= budget * 1.3, "the budget counts what is doubted and what is dropped about"
        assert most_pages or layout in ("at the ends", "one far away", "mixed"), "nothing came in pages"
        for key in keys:
            assert read(reader, kind, key) == wanted(model, key), key
    finally:
        instance.close()


def test_a_page_that_a_commit_has_overtaken_is_not_kept(monkeypatch):
    """Somebody commits another value of a row of the page after it was read, and before it is kept."""
    instance, (_, other, reader), model = filled("int", list(range(1, 400)), 1 << 25)
    try:
        look_up, read_by = reader.store.look_up, []
        assert read(reader, "int", 1) == [model[1]]  # which tells how far the keys go, and how large rows are

        def overtaken(sql, params, *most):
            rows = look_up(sql, params, *most)
            read_by.append(len(rows))
            if len(rows) > 1:
                told(other, "UPDATE t SET c = 77 WHERE k IN (300, 301)")
            return rows

        monkeypatch.setattr(reader.store, "look_up", overtaken)
        assert read(reader, "int", 299) == [model[299]]
        assert max(read_by) > 1, "no page was read"
        for key in (300, 301):
            assert read(reader, "int", key) == [(model[key][0], 77, model[key][2])]
    finally:
        instance.close()


@pytest.mark.parametrize("keys", [[], [1], [1, 1_000_000_000], [-5, 7, 12_000]])
def test_pages_come_of_a_table_that_was_small_when_it_was_read_first(keys):
    """How wide a page is was found out when there were a few rows, or none."""
    instance, (one, _, reader), model = filled("int", keys or [3], 1 << 25)
    try:
        if not keys:
            told(one, "DELETE FROM t")
        for key in [*keys, *keys, 3, 4, 5]:
            assert read(reader, "int", key) == wanted(model if keys else {}, key)
        told(
            one,
            "DELETE FROM t; INSERT INTO t SELECT CONCAT('row ', value), value, value, NULL FROM GENERATE_SERIES(1, 40000)",
        )
        for key in range(1, 40_001, 97):
            assert read(reader, "int", key) == [(f"row {key}", key, None)]
        assert instance.store.feed.rows.pages.size > 100_000, "no page came"
    finally:
        instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("write", ["UPDATE t SET c = -1 WHERE k = {old}", "DELETE t WHERE k = {old}"])
@pytest.mark.parametrize("again", [False, True], ids=["", "and back"])
def test_a_row_whose_key_moves_to_another_page_is_not_believed_in_the_old_one(write: str, again: bool) -> None:
    """The page that it has moved to is read behind it, so that nothing of it is in doubt there."""
    keys = list(range(2, 12_002, 2))
    instance, sessions, model = filled("int", keys, 8 << 20)
    for key in keys[:100]:
        assert read(sessions[0], "int", key) == [model[key]]
    old, new = 50, 11_001
    assert told(sessions[1], f"UPDATE t SET k = {new} WHERE k = {old}") == []
    if again:
        assert told(sessions[1], f"UPDATE t SET k = {old + 1} WHERE k = {new}; UPDATE t SET k = {new} WHERE k = {old + 1}") == []  # fmt: skip
    for key in keys[-600:]:
        assert read(sessions[0], "int", key) == [model[key]]
    assert read(sessions[0], "int", old) == []
    assert told(sessions[0], write.format(old=old)) == []
    assert read(sessions[0], "int", new) == read(sessions[2], "int", new) == [model[old]]
    instance.close()


def test_of_a_large_table_only_what_is_asked_for_is_read_at_first(monkeypatch):
    """The whole row comes when it is asked for again."""
    instance, (_, other, reader), model = filled("int", list(range(1, 3000)), 30_000)
    try:
        for key in range(1, 2900, 97):  # pages come and go
            assert read(reader, "int", key, (0,)) == wanted(model, key, (0,))
        for paged in instance.store.feed.rows.pages._all():
            paged._credit = -1_000_000
            paged.shed_all()
        look_up, texts = reader.store.look_up, []

        def looked_up(sql, params, *most):
            texts.append(sql)
            return look_up(sql, params, *most)

        monkeypatch.setattr(reader.store, "look_up", looked_up)
        assert read(reader, "int", 1500, (1,)) == wanted(model, 1500, (1,))
        assert '"c"' in texts[-1] and '"b"' not in texts[-1] and "$rid" not in texts[-1]
        assert read(reader, "int", 1500, (1,)) == wanted(model, 1500, (1,))
        assert '"b"' in texts[-1] and "$rid" in texts[-1]
        count = len(texts)
        told(other, "UPDATE t SET c = 78 WHERE k = 1500")
        assert read(reader, "int", 1500, (1,)) == [(78,)]
        assert read(reader, "int", 1500) == [(model[1500][0], 78, model[1500][2])]
        assert len(texts) == count, "it is kept"
        told(reader, "BEGIN TRANSACTION; UPDATE t SET c = 1 WHERE k = 1")
        assert read(reader, "int", 1601, (1,)) == wanted(model, 1601, (1,))
        assert '"b"' not in texts[-1] and "$rid" in texts[-1]
        told(reader, "ROLLBACK")
    finally:
        instance.close()
