"""What people build on drivers: SQLAlchemy's tables, reflection and transactions, and pandas, through three dialects;
and a few of SQLAlchemy's own tests, of which `make sqlalchemy-suite` runs all."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")
pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed here")

import sqlalchemy as sa
from tds_drivers import module_of, odbc_driver, skip_unless_there

import sbql

PASSWORD = "Secret-1234"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        session = server.instance.connect()
        session.run("CREATE DATABASE shop")
        session.close()
        yield server.endpoints[1].port


@pytest.fixture(scope="module", params=["pymssql", "pyodbc", "mssqlpython"])
def engine(request: pytest.FixtureRequest, port: int) -> Iterator[Any]:
    name = request.param
    options = "?TrustServerCertificate=yes"
    if name == "pyodbc":
        skip_unless_there("msodbcsql")
        module_of("msodbcsql").native_uuid = False  # as SQLAlchemy expects it
        options += f"&driver={quote(odbc_driver('msodbcsql'))}"
    else:
        skip_unless_there("mssql_python" if name == "mssqlpython" else name)
    engine = sa.create_engine(
        f"mssql+{name}://sa:{PASSWORD}@127.0.0.1:{port}/shop{'' if name == 'pymssql' else options}"
    )
    yield engine
    engine.dispose()


@pytest.fixture
def tables(engine: Any) -> Iterator[Any]:
    metadata = sa.MetaData()
    customers = sa.Table(
        "customers", metadata, sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.Unicode(50), nullable=False, index=True),
    )  # fmt: skip
    sa.Table(
        "orders", metadata, sa.Column("id", sa.BigInteger, primary_key=True), sa.Column("customer", sa.ForeignKey(customers.c.id), nullable=False),
        sa.Column("price", sa.Numeric(12, 2)), sa.Column("at", sa.DateTime), sa.Column("day", sa.Date), sa.Column("note", sa.UnicodeText),
        sa.Column("picture", sa.LargeBinary), sa.Column("paid", sa.Boolean), sa.Column("key", sa.Uuid), sa.Column("weight", sa.Float),
    )  # fmt: skip
    metadata.create_all(engine)
    yield metadata.tables
    metadata.drop_all(engine)


def test_rows_go_and_come(engine: Any, tables: Any) -> None:
    import uuid

    customers, orders = tables["customers"], tables["orders"]
    values = {
        "price": Decimal("19.90"), "at": dt.datetime(2024, 2, 29, 12, 30, 15), "day": dt.date(2024, 2, 29), "note": "ж" * 5000,
        "picture": b"\0\1\2", "paid": True, "key": uuid.UUID(int=42), "weight": 1.25,
    }  # fmt: skip
    with engine.begin() as connection:
        (customer,) = connection.execute(customers.insert().values(name="Åsa ж")).inserted_primary_key
        connection.execute(
            orders.insert(), [{"customer": customer, **values}, {"customer": customer, **dict.fromkeys(values)}]
        )
    with engine.connect() as connection:
        found = (
            connection.execute(sa.select(orders, customers.c.name).join(customers).order_by(orders.c.id))
            .mappings()
            .all()
        )
    assert [{name: row[name] for name in values} for row in found] == [values, dict.fromkeys(values)]
    assert {row["name"] for row in found} == {"Åsa ж"}


def test_a_transaction_is_undone(engine: Any, tables: Any) -> None:
    customers = tables["customers"]
    with engine.connect() as connection:
        connection.execute(customers.insert().values(name="gone"))
        connection.rollback()
    with engine.connect() as connection:
        with connection.begin() as outer:
            connection.execute(customers.insert().values(name="kept"))
            with connection.begin_nested() as inner:
                connection.execute(customers.insert().values(name="undone"))
                inner.rollback()
            outer.commit()
        assert connection.execute(sa.select(customers.c.name)).scalars().all() == ["kept"]


def test_errors_are_of_their_class(engine: Any, tables: Any) -> None:
    orders = tables["orders"]
    with (
        engine.connect() as connection,
        pytest.raises((sa.exc.IntegrityError, sa.exc.DBAPIError), match=r"(?i)foreign key"),
    ):
        connection.execute(orders.insert().values(customer=99))


def test_reflection_finds_what_was_made(engine: Any, tables: Any) -> None:
    found = sa.inspect(engine)
    assert {"customers", "orders"} <= set(found.get_table_names())
    columns = {column["name"]: column for column in found.get_columns("orders")}
    assert str(columns["price"]["type"]) == "NUMERIC(12, 2)"
    assert columns["customer"]["nullable"] is False
    assert found.get_pk_constraint("orders")["constrained_columns"] == ["id"]
    (foreign,) = found.get_foreign_keys("orders")
    assert (foreign["constrained_columns"], foreign["referred_table"], foreign["referred_columns"]) == (
        ["customer"],
        "customers",
        ["id"],
    )
    assert [index["column_names"] for index in found.get_indexes("customers")] == [["name"]]
    again = sa.Table("orders", sa.MetaData(), autoload_with=engine)
    assert [column.name for column in again.columns] == [column.name for column in tables["orders"].columns]


def test_limits_and_returned_values(engine: Any, tables: Any) -> None:
    customers = tables["customers"]
    with engine.begin() as connection:
        connection.execute(customers.insert(), [{"name": f"n{n:02}"} for n in range(20)])
        page = sa.select(customers.c.name).order_by(customers.c.name).offset(5).limit(3)
        assert connection.execute(page).scalars().all() == ["n05", "n06", "n07"]
        changed = sa.update(customers).where(customers.c.name == "n00").values(name="first").returning(customers.c.name)
        assert connection.execute(changed).scalars().all() == ["first"]
        assert connection.execute(sa.delete(customers).where(customers.c.name != "first")).rowcount == 19


def test_pandas_writes_and_reads(engine: Any) -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed here")
    frame = pandas.DataFrame({"n": range(500), "s": [f"ж{n}" for n in range(500)], "x": [n / 4 for n in range(500)]})
    frame.to_sql("frames", engine, index=False, if_exists="replace", dtype={"s": sa.Unicode(20)})
    found = pandas.read_sql("SELECT n, s, x FROM frames ORDER BY n", engine)
    assert found.equals(frame)
    assert pandas.read_sql_table("frames", engine).shape == (500, 3)


OF_ITS_OWN = """
from sqlalchemy.testing.suite.test_insert import InsertBehaviorTest, LastrowidTest, ReturningTest
from sqlalchemy.testing.suite.test_results import RowFetchTest
from sqlalchemy.testing.suite.test_rowcount import RowCountTest
from sqlalchemy.testing.suite.test_types import BooleanTest, IntegerTest
from sqlalchemy.testing.suite.test_update_delete import SimpleUpdateDeleteTest
"""
PLUGIN = """
import pytest
from sqlalchemy.dialects import registry

pytest.register_assert_rewrite("sqlalchemy.testing.assertions")
from sqlalchemy.testing.plugin.pytestplugin import *
"""


def test_some_of_its_own_tests_pass(port: int, tmp_path: Path) -> None:
    skip_unless_there("pymssql")
    (tmp_path / "test_own.py").write_text(OF_ITS_OWN)
    (tmp_path / "conftest.py").write_text(PLUGIN)
    (tmp_path / "setup.cfg").write_text(
        "[sqla_testing]\nrequirement_cls=sqlalchemy.testing.requirements:SuiteRequirements\nprofile_file=profiles.txt\n"
    )
    url = f"mssql+pymssql://sa:{PASSWORD}@127.0.0.1:{port}/shop"
    options = ["-q", "-p", "no:sbql", "-p", "no:cacheprovider", "-W", "ignore", "--rootdir", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "--dburi", url, "test_own.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=110,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout
