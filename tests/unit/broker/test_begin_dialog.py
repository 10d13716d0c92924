"""BEGIN DIALOG and broker priority."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.catalog.records import BrokerPriority, Queue
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.ready_index import Group
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.grammar.build import is_compiled
from sbql.grammar.errors import SqlError, sql_error

CONTRACT, LEFT, RIGHT = "//contract", "//left", "//right"


def test_makes_an_initiator_and_no_target(world):
    """2.12: the initiator endpoint is in SO; the target's is not made before the first SEND."""
    handle = world.begin(lifetime=600)
    endpoint = world.endpoint(handle)
    assert (endpoint.state, endpoint.is_initiator, endpoint.far_service) == ("SO", True, RIGHT)
    assert endpoint.lifetime == world.host.now() + 600
    assert endpoint.far_broker_instance is None
    assert len(list(world.state.records())) == 1


@pytest.mark.parametrize(
    ("number", "changes"),
    [
        (8421, {"service": None}),
        (8421, {"to": None}),
        (8417, {"contract": None}),
        (8423, {"service": "//LEFT"}),
        (8425, {"contract": "//Contract"}),
        (8413, {"broker_instance": "x" * 129}),
        (8406, {"lifetime": None}),
        (8411, {"lifetime": 0}),
        (8411, {"lifetime": -1}),
        (8411, {"lifetime": 2**31}),
        (8426, {"related_conversation": UUID(int=9)}),
        (8414, {"related_conversation_group": UUID(int=0)}),
    ],
)
def test_refusals(world, number, changes):
    with pytest.raises(SqlError) as raised:
        world.begin(**changes)
    assert raised.value.number == number
    assert not world.state.endpoints
    assert not world.state.groups


@pytest.mark.parametrize("seconds", [1, 2**31 - 1])
def test_the_bounds_of_a_lifetime(world, seconds):
    assert world.endpoint(world.begin(lifetime=seconds)).lifetime == world.host.now() + seconds


def test_a_missing_lifetime_is_told_the_bounds(world):
    with pytest.raises(SqlError, match=r"\b1\b.*\b2147483647\b"):
        world.begin(lifetime=None)


def test_a_group_is_told_to_the_trace_when_it_is_made(world):
    events = []
    world.state.trace = events.append
    first = world.begin()
    world.begin(related_conversation=first)
    made = [e for e in events if e.event_class == "Broker:Conversation Group" and e.subclass == "Create"]
    assert [e.conversation_handle for e in made] == [first]


def test_to_service_is_not_checked(world):
    """The target need not exist: a dialog without SEND contacts nobody."""
    assert world.state_of(world.begin("//nowhere")) == "SO"


def test_current_database_is_the_own_broker(world):
    endpoint = world.endpoint(world.begin(broker_instance="current database"))
    assert UUID(endpoint.asked_broker_instance) == UUID(int=0x5A)


def test_related_conversation_joins_its_group(world):
    first = world.begin()
    second = world.begin(related_conversation=first)
    group = world.endpoint(first).conversation_group_id
    assert world.endpoint(second).conversation_group_id == group
    assert world.count_of_groups() == 1


def test_unknown_related_group_is_made(world):
    """13.2 trap 19: an unknown group id makes a group with this id."""
    wanted = UUID(int=77)
    assert world.endpoint(world.begin(related_conversation_group=wanted)).conversation_group_id == wanted
    world.begin(related_conversation_group=wanted)
    assert world.count_of_groups() == 1


def test_a_group_has_one_service(world):
    """9610: FROM service and group must fit."""
    handle = world.begin()
    with pytest.raises(SqlError) as raised:
        world.begin(service=RIGHT, related_conversation=handle)
    assert raised.value.number == 9610


def test_rolled_back_dialog_is_gone(world):
    transaction = world.transaction()
    begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    transaction.rollback()
    assert not world.state.endpoints
    assert not world.state.groups
    assert not world.locks._locks


@pytest.mark.parametrize(
    ("rules", "level"),
    [
        ([], 5),
        ([(None, None, None, 1)], 1),
        ([(None, None, None, 1), (None, None, RIGHT, 2)], 2),
        ([(None, None, RIGHT, 2), (None, 401, None, 3)], 3),
        ([(None, 401, None, 3), (None, 401, RIGHT, 4)], 4),
        ([(None, 401, RIGHT, 4), (200, None, None, 6)], 6),
        ([(200, None, None, 6), (200, None, RIGHT, 7)], 7),
        ([(200, None, RIGHT, 7), (200, 401, None, 8)], 8),
        ([(200, 401, None, 8), (200, 401, RIGHT, 9)], 9),
        ([(201, None, None, 10), (None, 402, None, 10), (None, None, "//RIGHT", 10)], 5),
    ],
)
def test_priority_precedence(world, rules, level):
    """2.7: CLR, CL*, C*R, C**, *LR, *L*, **R, ***; none: 5. Names compare byte by byte."""
    for number, (contract, service, remote, priority) in enumerate(rules):
        world.put(
            BrokerPriority(
                id=900 + number,
                database_id=5,
                name=f"p{number}",
                service_contract_id=contract,
                local_service_id=service,
                remote_service_name=remote,
                priority=priority,
            )
        )
    assert world.endpoint(world.begin()).priority == level


def test_needs_receive_on_the_queue(world):
    """Permissions: RECEIVE on the FROM service's queue and REFERENCES on the contract."""
    asked = []

    def refuse(permission, securable):
        asked.append((permission, securable.name))
        if isinstance(securable, Queue):
            raise sql_error(8494, "x")

    transaction = world.transaction(rights=Rights(require=refuse))
    with pytest.raises(SqlError):
        begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    assert asked == [("RECEIVE", "left")]
    assert transaction.is_empty


@pytest.mark.skipif(is_compiled(), reason="puts a method of its own into a compiled class")
def test_many_dialogs_of_one_transaction_do_not_go_through_each_others_messages(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Locking a group looks at all that the transaction has sent; for a new group that
    would be the square of their number."""
    looked: list[Group] = []
    applied = BrokerTransaction.apply_arrivals_to

    def counted(self: BrokerTransaction, group: Group) -> None:
        looked.append(group)
        applied(self, group)

    monkeypatch.setattr(BrokerTransaction, "apply_arrivals_to", counted)
    session = instance.connect()
    session.run("CREATE DATABASE Shop")
    session.run(
        "USE Shop; CREATE QUEUE a; CREATE QUEUE b; CREATE SERVICE a ON QUEUE a; CREATE SERVICE b ON QUEUE b ([DEFAULT])"
    )
    outcomes = session.run("""
        DECLARE @h uniqueidentifier, @n int = 0
        BEGIN TRAN
        WHILE @n < 20
        BEGIN
            SET @n += 1
            BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'b' WITH ENCRYPTION = OFF;
            SEND ON CONVERSATION @h (0x01);
        END
        COMMIT
        SELECT COUNT(*) FROM b""")
    assert [o.rows for o in outcomes if isinstance(o, ResultSet)] == [[(20,)]]
    assert looked == []
