"""Alembic's migrations over SQL Server's protocol: each operation up and down, and
autogenerate, which finds nothing left to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")
pytest.importorskip("alembic", reason="Alembic is not installed here")
pytest.importorskip("pymssql", reason="pymssql is not installed here")

import sqlalchemy as sa
from alembic.autogenerate import api, compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations

import sbql

PASSWORD = "Secret-1234"


@pytest.fixture(scope="module")
def engine() -> Iterator[sa.Engine]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        session = server.instance.connect()
        session.run("CREATE DATABASE shop")
        session.close()
        engine = sa.create_engine(f"mssql+pymssql://sa:{PASSWORD}@127.0.0.1:{server.endpoints[1].port}/shop")
        yield engine
        engine.dispose()


def model() -> sa.MetaData:
    metadata = sa.MetaData()
    sa.Table(
        "customers", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.Unicode(50), nullable=False),
        sa.Column("state", sa.Integer, server_default="0"), sa.Column("at", sa.DateTime, server_default=sa.func.getdate()),
        sa.Column("kind", sa.Unicode(10), server_default="new"), sa.Column("size", sa.Numeric(9, 2), server_default="1.5"),
        sa.UniqueConstraint("name", name="uq_name"), sa.CheckConstraint("state BETWEEN 0 AND 9", name="ck_state"),
    )  # fmt: skip
    sa.Table(
        "orders", metadata, sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("customer", sa.Integer), sa.Column("day", sa.Date),
        sa.ForeignKeyConstraint(["customer"], ["customers.id"], name="fk_customer"), sa.Index("ix_day", "day", unique=False),
        sa.Column("double", sa.BigInteger, sa.Computed("id * 2")),
    )  # fmt: skip
    return metadata


OPTIONS = {"compare_type": True, "compare_server_default": True}


def differences(connection: sa.Connection, metadata: sa.MetaData) -> list[Any]:
    return list(compare_metadata(MigrationContext.configure(connection, opts=OPTIONS), metadata))


def test_autogenerate_finds_what_is_missing_and_then_nothing(engine: sa.Engine) -> None:
    metadata = model()
    with engine.begin() as connection:
        found = [difference[0] for difference in differences(connection, metadata)]
        assert sorted(found) == ["add_index", "add_table", "add_table"]
        metadata.create_all(connection)
    with engine.connect() as connection:
        assert differences(connection, metadata) == []
    changed = model()
    changed.tables["customers"].c.name.type = sa.Unicode(80)
    changed.tables["customers"].c.state.server_default = sa.DefaultClause("1")
    changed.tables["customers"].append_column(sa.Column("note", sa.Unicode(20)))
    with engine.connect() as connection:
        shown = api.produce_migrations(MigrationContext.configure(connection, opts=OPTIONS), changed)
        assert shown.upgrade_ops is not None
        kinds = {type(step).__name__ for table in shown.upgrade_ops.ops for step in getattr(table, "ops", [table])}
        assert kinds == {"AddColumnOp", "AlterColumnOp"}
    with engine.begin() as connection:
        metadata.drop_all(connection)


def columns(connection: sa.Connection, table: str = "t") -> dict[str, Any]:
    return {column["name"]: column for column in sa.inspect(connection).get_columns(table)}


def test_operations_go_up_and_down(engine: sa.Engine) -> None:
    with engine.begin() as connection:
        op = Operations(MigrationContext.configure(connection))
        op.create_table(
            "t", sa.Column("id", sa.Integer, primary_key=True), sa.Column("a", sa.Unicode(10), server_default="x")
        )
        op.bulk_insert(sa.table("t", sa.column("a", sa.Unicode)), [{"a": "one"}, {"a": "two"}])
        op.add_column("t", sa.Column("b", sa.Integer, server_default="7", nullable=False))
        assert connection.execute(sa.text("SELECT SUM(b) FROM t")).scalar() == 14
        op.alter_column("t", "a", existing_type=sa.Unicode(10), existing_nullable=True, type_=sa.Unicode(30))
        op.alter_column("t", "a", existing_type=sa.Unicode(30), nullable=False)
        op.alter_column(
            "t",
            "a",
            existing_type=sa.Unicode(30),
            existing_nullable=False,
            existing_server_default="x",
            server_default="y",
        )
        op.alter_column("t", "a", new_column_name="name", existing_type=sa.Unicode(30), existing_nullable=False)
        found = columns(connection)
        assert str(found["name"]["type"]).startswith("NVARCHAR(30)")
        assert found["name"]["nullable"] is False
        assert found["name"]["default"] == "('y')"
        op.create_index("ix_name", "t", ["name"], unique=True, mssql_where=sa.text("b > 0"))
        op.create_unique_constraint("uq_b", "t", ["id", "b"])
        op.create_check_constraint("ck_b", "t", "b > 0")
        op.create_table("child", sa.Column("id", sa.Integer, primary_key=True), sa.Column("t", sa.Integer))
        op.create_foreign_key("fk_t", "child", "t", ["t"], ["id"], ondelete="CASCADE")
        op.execute("UPDATE t SET b = b + 1")
        (index,) = (i for i in sa.inspect(connection).get_indexes("t") if i["name"] == "ix_name")
        assert index["dialect_options"]["mssql_where"] == "([b]>(0))"
        assert sa.inspect(connection).get_foreign_keys("child")[0]["options"] == {"ondelete": "CASCADE"}
        op.drop_constraint("fk_t", "child", type_="foreignkey")
        op.drop_table("child")
        op.drop_constraint("ck_b", "t", type_="check")
        op.drop_constraint("uq_b", "t", type_="unique")
        op.drop_index("ix_name", "t")
        op.drop_column("t", "b", mssql_drop_default=True)
        op.alter_column(
            "t",
            "name",
            server_default=None,
            existing_server_default="y",
            existing_type=sa.Unicode(30),
            existing_nullable=False,
        )
        assert list(columns(connection)) == ["id", "name"]
        assert columns(connection)["name"]["default"] is None
        op.rename_table("t", "t2")
        assert sa.inspect(connection).get_table_names() == ["t2"]
        with op.batch_alter_table("t2") as batch:
            batch.add_column(sa.Column("c", sa.Float, server_default="0"))
            batch.drop_column("c", mssql_drop_default=True)
        op.create_table_comment("t2", "what it is for")
        assert sa.inspect(connection).get_table_comment("t2") == {"text": "what it is for"}
        op.drop_table("t2")
        assert sa.inspect(connection).get_table_names() == []


def test_a_migration_that_fails_is_undone(engine: sa.Engine) -> None:
    with engine.connect() as connection:
        op = Operations(MigrationContext.configure(connection))
        op.create_table("gone", sa.Column("id", sa.Integer, primary_key=True))
        with pytest.raises(sa.exc.DBAPIError):
            op.add_column("gone", sa.Column("id", sa.Integer))
    with engine.connect() as connection:
        assert not sa.inspect(connection).has_table("gone")
