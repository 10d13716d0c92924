"""Names of unnamed constraints, trees with replaced nodes, and lock escalation."""

from __future__ import annotations

import re
from types import SimpleNamespace

from sbql.engine.locks import LockOwner, LockTable
from sbql.engine.modification.locking import ESCALATION_LIMIT, lock_all
from sbql.engine.table_state import Loaded, TableStates
from sbql.engine.tables.elements import system_name
from sbql.engine.tables.row_expressions import parse_condition, parse_expression
from sbql.grammar.ast import ColumnReference, VariableReference
from sbql.grammar.tree import columns_in, rewrite
from sbql.grammar.types import INT


def test_system_names_look_like_the_servers():
    assert re.fullmatch(r"PK__Trades__[0-9A-F]{16}", system_name("PK", "Trades", None, 70000))
    assert re.fullmatch(r"UQ__LongTabl__[0-9A-F]{16}", system_name("UQ", "LongTableName", None, 70000))
    assert re.fullmatch(r"DF__Trades__Price__[0-9A-F]{8}", system_name("DF", "Trades", "Price", 70000))
    assert re.fullmatch(r"CK__LongTable__Price__[0-9A-F]{8}", system_name("CK", "LongTableName", "Price", 70000))


def test_columns_of_an_expression_without_date_parts():
    tree = parse_condition("DATEDIFF(day, a, t.b) > 0 AND (a = c OR @v = 1)")
    assert [c.name for c in columns_in(tree)] == ["a", "b", "c"]


def test_rewrite_leaves_the_rest_as_it_is():
    tree = parse_expression("DATEADD(year, n, d) + n")
    changed = rewrite(
        tree, lambda node: VariableReference("@" + node.name) if isinstance(node, ColumnReference) else None
    )
    assert changed == parse_expression("DATEADD(year, @n, @d) + @n")
    assert rewrite(tree, lambda node: None) is tree


def transaction(locks, name):
    return SimpleNamespace(owner=LockOwner(name), instance=SimpleNamespace(locks=locks))


def drive(work):
    try:
        while True:
            next(work)
    except StopIteration as end:
        return end.value


def test_many_row_locks_become_one_table_lock():
    locks = LockTable()
    txn = transaction(locks, "one")
    locks.try_acquire(txn.owner, ("table", 7), "S")
    drive(lock_all(txn, 7, [("row", 7, i) for i in range(ESCALATION_LIMIT + 1)]))
    assert txn.owner.held == {("table", 7): "X"}


def test_no_escalation_while_others_work_on_the_table():
    locks = LockTable()
    txn, other = transaction(locks, "one"), transaction(locks, "two")
    for each in (txn, other):
        locks.try_acquire(each.owner, ("table", 7), "S")
    drive(lock_all(txn, 7, [("row", 7, i) for i in range(ESCALATION_LIMIT + 1)]))
    assert len(txn.owner.held) == ESCALATION_LIMIT + 2


def test_identities_go_on_from_what_the_rows_say():
    states = TableStates()
    state = states.state(1, lambda: Loaded(row_id=9, identity=40), 0.0)
    assert states.take_row_ids(state, 2) == 10
    values, is_fresh = states.take_identities(state, 1, 5, 2, INT)
    assert (list(values), is_fresh) == ([45, 50], True)
    states.note_identity(state, 1000, 5, INT)
    assert list(states.take_identities(state, 1, 5, 1, INT)[0]) == [1005]
    states.reseed(state, 0)
    values, is_fresh = states.take_identities(state, 1, 5, 1, INT)
    assert (list(values), is_fresh) == ([5], False)
