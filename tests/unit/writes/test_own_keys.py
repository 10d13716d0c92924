"""OwnKeys follows the redo list of a transaction, forward and after a cut."""

from __future__ import annotations

from types import SimpleNamespace

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, UpdateRows
from sbql.engine.tables.own_keys import OwnKeys
from sbql.grammar.types import INT, varchar

BOUND = SimpleNamespace(storage="s.t", names=("$rid", "a", "b", "c"), types=(INT, varchar(10), INT))


def keys(*positions):
    return OwnKeys(BOUND, positions)


def insert(*rows):
    return InsertRows("s.t", BOUND.names, rows)


def test_inserted_keys_are_known_in_their_normal_form():
    own = keys(1)
    own.refresh([insert((1, 5, "Text ", 0)), InsertRows("s.other", BOUND.names, [(9, 5, "other", 0)])])
    assert own.added == {("text",): 1}
    assert own.removed == set()


def test_only_what_is_new_is_read():
    own = keys(0)
    redo = [insert((1, 5, "x", 0))]
    own.refresh(redo)
    redo.append(DeleteRows("s.t", [1, 77]))
    own.refresh(redo)
    assert own.added == {}
    assert own.removed == {1, 77}


def test_keys_may_be_exchanged_by_one_update():
    own = keys(0)
    own.refresh([insert((1, 5, "x", 0), (2, 6, "y", 0)), UpdateRows("s.t", ("$rid", "a"), [(1, 6), (2, 5)])])
    assert own.added == {(6,): 1, (5,): 2}


def test_an_update_of_other_columns_changes_nothing():
    own = keys(0)
    own.refresh([insert((1, 5, "x", 0)), UpdateRows("s.t", ("$rid", "c"), [(1, 9)])])
    assert own.added == {(5,): 1}
    assert own.is_usable


def test_a_cut_list_is_read_again():
    own = keys(0)
    first = insert((1, 5, "x", 0))
    own.refresh([first, insert((2, 6, "y", 0))])
    own.refresh([first])
    assert own.added == {(5,): 1}
    own.refresh([first, insert((3, 7, "z", 0))])
    assert own.added == {(5,): 1, (7,): 3}


def test_a_definition_or_half_a_key_ends_it():
    own = keys(0)
    own.refresh([Definition("ALTER TABLE s.t ADD COLUMN d INT", ("s.t",))])
    assert not own.is_usable
    half = keys(0, 1)
    half.refresh([insert((1, 5, "x", 0)), UpdateRows("s.t", ("$rid", "a"), [(1, 6)])])
    assert not half.is_usable
