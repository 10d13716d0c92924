"""System views: every file gives the columns and stored types its header names, and shows what the catalog holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sbql.catalog.bootstrap import new_database
from sbql.catalog.changes import LocalTable
from sbql.catalog.duck_types import duck_type
from sbql.catalog.first_start import bootstrap
from sbql.catalog.live_relations import LIVE_RELATIONS, live_relation
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.records import (
    Certificate,
    Column,
    ConversationEndpoint,
    EventNotification,
    Index,
    InstanceEndpoint,
    KeyColumn,
    MasterKey,
    MessageType,
    Module,
    Permission,
    Queue,
    Route,
    Sequence,
    Service,
    Table,
    TableConstraint,
    UserType,
    XmlSchemaCollection,
)
from sbql.catalog.relations import CATALOG_RELATIONS, catalog_relation
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.catalog.store import Store
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.catalog.views import SystemView, queue_contents, system_view, system_views
from sbql.grammar.types import INT, XML, decimal, nvarchar

from .conftest import guid, message

VIEWS = [*system_views(), queue_contents()]
QUEUE = 70000
TABLE = 70010


def view_locals(
    view: SystemView, snapshot: CatalogSnapshot, live: dict[str, list[tuple[Any, ...]]] | None = None
) -> list[LocalTable]:
    """The local tables that a query over `view` needs. `live`: rows by live relation; one that is missing is empty."""
    names, rows = sorted(view.relations), live or {}
    tables = [catalog_relation(name, snapshot) for name in names if name in CATALOG_RELATIONS]
    return tables + [live_relation(name, list(rows.get(name, ()))) for name in names if name in LIVE_RELATIONS]


def full_catalog(snapshot: CatalogSnapshot) -> CatalogSnapshot:
    """One of everything in database 5."""
    at = {"database_id": 5, "create_date": 1.6e9, "modify_date": 1.6e9}
    key = TableConstraint(id=70011, name="PK_t", type="PK", columns=(KeyColumn("id"),), is_clustered=True)
    check = TableConstraint(id=70012, name="CK_t", type="C", condition="[n]>(0)", is_system_named=True)
    foreign = TableConstraint(
        id=70013, name="FK_t", type="F", columns=(KeyColumn("n"),), referenced_id=TABLE, referenced_columns=("id",),
        on_delete="SET NULL",
    )  # fmt: skip
    columns = (
        Column(name="id", column_id=1, type=INT, is_nullable=False, is_identity=True),
        Column(name="n", column_id=2, type=decimal(10, 2), default="((0))", default_name="DF__t__n", default_id=70014),
        Column(name="twice", column_id=3, type=decimal(12, 2), computed="[n]*(2)"),
        Column(name="x", column_id=4, type=XML.__class__("xml", collection="70005#CONTENT#0")),
        Column(name="name", column_id=5, type=nvarchar(50), user_type="dbo.Name"),
    )
    table = Table(
        id=TABLE, name="t", schema_id=1, columns=columns, constraints=(key, check, foreign), storage_schema="Shop.dbo",
        indexes=(Index(index_id=2, name="IX", columns=(KeyColumn("n", True),), included=("name",)),), storage_name="t", **at,
    )  # fmt: skip
    return new_database(snapshot, "Shop", guid(5), 1.6e9).with_records([
        table,
        UserType(id=70015, name="Name", schema_id=1, base=nvarchar(50), **at),
        UserType(id=70016, name="List", schema_id=1, table=Table(id=70017, name="List", schema_id=1, columns=columns[:1], **at), **at),
        Queue(id=QUEUE, name="Orders", schema_id=1, max_readers=3, activation_procedure="dbo.p", **at),
        Service(id=70001, name="//Orders", queue_id=QUEUE, contract_ids=(6,), **at),
        MessageType(id=70002, name="//M", validation="X", xml_collection_id=70005, **at),
        Route(id=70003, name="r", remote_service_name="//x", lifetime=1.7e9, address="TCP://h:4022", **at),
        Module(id=70004, name="p", schema_id=1, type="P", definition="CREATE PROCEDURE p AS", execute_as="OWNER", **at),
        Module(id=70018, name="tr", schema_id=1, type="TR", definition="CREATE TRIGGER", parent_id=TABLE, events=("INSERT",), **at),
        XmlSchemaCollection(id=70005, name="Shapes", schema_id=1, **at),
        EventNotification(
            id=70006, name="n", scope="QUEUE", parent_id=QUEUE, events=("QUEUE_ACTIVATION",), service_name="//N",
            broker_instance="CURRENT DATABASE", **at,
        ),
        Certificate(id=70007, name="c", subject="CN=c", certificate_der=b"der", **at),
        MasterKey(id=70008, name="", **at),
        Sequence(id=70009, name="s", schema_id=1, type=INT, **at),
        Permission(
            id=70019, name="1", class_="SERVICE", major_id=70001, grantee_principal_id=0, grantor_principal_id=1,
            permission="SEND", state="G", **at,
        ),
        InstanceEndpoint(id=70020, name="e", database_id=0, authentication="CERTIFICATE", certificate_name="c"),
    ])  # fmt: skip


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with Store.open() as opened:
        endpoint = ConversationEndpoint(
            conversation_handle=guid(1), conversation_id=guid(2), is_initiator=False, database_id=5, service_id=70001,
            contract_id=6, conversation_group_id=guid(3), state="CO", far_service="//f", far_broker_instance=guid(0xAB),
            lifetime=1.7e9,
        )  # fmt: skip
        opened.submit([message(1), message(2), endpoint])
        yield opened


@pytest.fixture(scope="module")
def snapshot(store: Store) -> CatalogSnapshot:
    return full_catalog(bootstrap(store, 1.5e9, lambda: guid(1)))


@pytest.fixture
def unit(store: Store) -> UnitOfWork:
    return store.connect().begin()


def sample(kind: str) -> Any:
    return {"VARCHAR": "x", "BOOLEAN": True, "DOUBLE": 1.5e9, "UUID": guid(9), "BLOB": b"x"}.get(kind, 5)


def live_rows() -> dict[str, list[tuple[Any, ...]]]:
    """A row of database 5 in every live relation."""
    return {name: [tuple(sample(kind) for _, kind in columns)] for name, columns in LIVE_RELATIONS.items()}


def show(
    unit: UnitOfWork, snapshot: CatalogSnapshot, view: SystemView | None, database_id: int = 5
) -> list[dict[str, Any]]:
    assert view is not None
    found = unit.query(
        MarkedSql.of(view.text(database_id, QUEUE)),
        locals=view_locals(view, snapshot, live_rows()),
        broker=[] if view.reads_broker else None,
    )
    return [dict(zip([c.name for c in view.columns], row, strict=True)) for row in found]


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: f"{view.schema}.{view.name}")
def test_columns_and_types_are_the_headers(unit: UnitOfWork, snapshot: CatalogSnapshot, view: SystemView) -> None:
    locals = view_locals(view, snapshot, live_rows())
    broker: list[Any] | None = [] if view.reads_broker else None
    sql = MarkedSql.of(view.text(5, QUEUE))
    described = unit.query(sql.within("DESCRIBE ", ""), locals=locals, broker=broker)
    assert [(row[0], row[1].replace('"', "")) for row in described] == [
        (c.name, duck_type(c.type)) for c in view.columns
    ]
    for row in unit.query(sql, locals=locals, broker=broker):
        for column, value in zip(view.columns, row, strict=True):
            assert value is not None or column.is_nullable, column.name


def test_there_is_a_header_for_every_view() -> None:
    assert len(VIEWS) > 80
    for view in VIEWS:
        assert view.columns, view.name


def test_names_are_found_in_any_case() -> None:
    assert system_view("SYS", "Services") is not None
    assert system_view("information_schema", "tables") is not None
    assert system_view("dbo", "sysobjects") is system_view("sys", "sysobjects")
    assert system_view("dbo", "services") is None
    assert system_view("sys", "nothing") is None


def test_views_show_their_database_only(unit: UnitOfWork, snapshot: CatalogSnapshot) -> None:
    names = [row["name"] for row in show(unit, snapshot, system_view("sys", "services"))]
    assert "//Orders" in names
    assert len(names) == 4
    assert len(show(unit, snapshot, system_view("sys", "services"), 4)) == 3
    assert [r["name"] for r in show(unit, snapshot, system_view("sys", "routes"), 1)] == []
    assert len(show(unit, snapshot, system_view("sys", "databases"))) == 5


def test_queue_contents(unit: UnitOfWork, snapshot: CatalogSnapshot) -> None:
    first, second = show(unit, snapshot, queue_contents())
    assert (first["queuing_order"], second["queuing_order"]) == (1, 2)
    assert first["conversation_group_id"] == guid(3)
    assert first["service_contract_name"] == "DEFAULT"
    assert first["validation"] == "N "
    assert list(first)[:3] == ["status", "priority", "queuing_order"]


def test_some_facts(unit: UnitOfWork, snapshot: CatalogSnapshot) -> None:
    def rows(name: str, schema: str = "sys") -> list[dict[str, Any]]:
        return show(unit, snapshot, system_view(schema, name))

    assert {r["name"]: r["validation_desc"] for r in rows("service_message_types")}["DEFAULT"] == "BINARY"
    (endpoint,) = rows("conversation_endpoints")
    assert (endpoint["is_initiator"], endpoint["state_desc"]) == (0, "CONVERSING")
    assert endpoint["far_broker_instance"] == "00000000-0000-0000-0000-0000000000AB"
    assert {r["type"] for r in rows("objects")} == {
        "U ",
        "PK",
        "C ",
        "F ",
        "D ",
        "S ",
        "SQ",
        "IT",
        "P ",
        "TR",
        "TT",
        "SO",
    }
    internal = [r for r in rows("internal_tables") if r["parent_object_id"] == QUEUE]
    assert [r["rows"] for r in rows("partitions") if r["object_id"] == internal[0]["object_id"]] == [2]
    base = {r["name"]: r["object_id"] for r in rows("objects") if r["type"] == "S "}
    assert [r["rows"] for r in rows("partitions") if r["object_id"] == base["sysdesend"]] == [1]
    assert [r["column_id"] for r in rows("index_columns") if r["index_id"] == 2] == [2, 5]
    assert [r["user_type_id"] for r in rows("columns") if r["name"] == "name"] == [70015]
    assert [r["xml_collection_id"] for r in rows("columns") if r["name"] == "x" and r["object_id"] == TABLE] == [70005]
    assert [r["delete_referential_action_desc"] for r in rows("foreign_keys")] == ["SET_NULL"]
    assert [(r["type"], r["class_desc"]) for r in rows("database_permissions")] == [("SN  ", "SERVICE")]
    assert [r["execute_as_principal_id"] for r in rows("sql_modules") if r["object_id"] == 70004] == [-2]
    assert [r["connection_auth"] for r in rows("service_broker_endpoints")] == [4]
    assert [r["NUMERIC_PRECISION"] for r in rows("COLUMNS", "INFORMATION_SCHEMA") if r["COLUMN_NAME"] == "n"] == [10]
    assert {r["is_master_key_encrypted_by_server"] for r in rows("databases") if r["name"] == "Shop"} == {True}


def test_a_transaction_sees_its_own_definitions(unit: UnitOfWork, snapshot: CatalogSnapshot) -> None:
    view = system_view("sys", "service_queues")
    before = len(show(unit, snapshot, view))
    mine = snapshot.with_record(Queue(id=79000, database_id=5, name="Mine", schema_id=1))
    assert len(show(unit, mine, view)) == before + 1
    assert len(show(unit, snapshot, view)) == before


def test_own_broker_changes_show_in_views(unit: UnitOfWork, snapshot: CatalogSnapshot) -> None:
    view = queue_contents()
    found = unit.query(MarkedSql.of(view.text(5, QUEUE)), locals=view_locals(view, snapshot), broker=[message(3)])
    assert len(found) == 3
