"""What is bound to names is kept by the version of the catalog, which no two catalogs share."""

from __future__ import annotations

from sbql.engine.instance import Instance


def test_no_catalog_is_taken_for_one_that_was_rolled_back() -> None:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    keys = set()
    for number in range(50):
        session.run(f"BEGIN TRANSACTION; CREATE TABLE t (x {'float' if number % 2 else 'numeric(5, 3)'})")
        keys.add(session.binding_key)
        session.run("ROLLBACK")
    assert len(keys) == 50
    instance.close()
