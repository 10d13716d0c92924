"""Every database has the built-in message types, contracts, services and queues that docs/spec lists, and no others
below 65536."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from spec import facts

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet

ADDRESS = "http://schemas.microsoft.com/SQL/"
DATABASES = ("master", "model", "msdb", "tempdb", "Made")

TYPES = "SELECT message_type_id, name, RTRIM(validation) FROM sys.service_message_types WHERE message_type_id < 65536"
CONTRACTS = """
SELECT c.name, m.name, u.is_sent_by_initiator, u.is_sent_by_target FROM sys.service_contracts c
JOIN sys.service_contract_message_usages u ON u.service_contract_id = c.service_contract_id
JOIN sys.service_message_types m ON m.message_type_id = u.message_type_id WHERE c.service_contract_id < 65536"""
SERVICES = """
SELECT s.name, SCHEMA_NAME(q.schema_id), q.name, c.name FROM sys.services s JOIN sys.service_queues q ON q.object_id = s.service_queue_id
LEFT JOIN sys.service_contract_usages u ON u.service_id = s.service_id
LEFT JOIN sys.service_contracts c ON c.service_contract_id = u.service_contract_id WHERE s.service_id < 65536"""
SIDES = {(True, False): "INITIATOR", (False, True): "TARGET", (True, True): "ANY"}


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    opened.connect().run("CREATE DATABASE Made")
    yield opened
    opened.close()


def rows(instance: Instance, database: str, query: str) -> Sequence[tuple[object, ...]]:
    results = [outcome for outcome in instance.connect(database).run(query) if isinstance(outcome, ResultSet)]
    return results[0].rows


def short(name: object) -> str:
    """A name without the address, which all but DEFAULT have."""
    assert name == "DEFAULT" or str(name).startswith(ADDRESS), name
    return str(name).removeprefix(ADDRESS)


@pytest.mark.parametrize("database", DATABASES)
def test_message_types(instance: Instance, database: str) -> None:
    got = sorted(
        (number, f"{number} {short(name)} {validation}") for number, name, validation in rows(instance, database, TYPES)
    )
    assert [line for _, line in got] == [fact.text for fact in facts("BUILTIN")]


@pytest.mark.parametrize("database", DATABASES)
def test_contracts(instance: Instance, database: str) -> None:
    got: dict[str, list[str]] = {}
    for contract, message_type, by_initiator, by_target in rows(instance, database, CONTRACTS):
        got.setdefault(short(contract), []).append(
            f"{short(message_type)} ({SIDES[bool(by_initiator), bool(by_target)]})"
        )
    assert sorted(f"{name}: {', '.join(sorted(types))}" for name, types in got.items()) == sorted(
        fact.text for fact in facts("BUILTINCONTRACT")
    )


@pytest.mark.parametrize("database", DATABASES)
def test_services(instance: Instance, database: str) -> None:
    got: dict[str, list[str]] = {}
    for service, schema, queue, contract in rows(instance, database, SERVICES):
        assert schema == "dbo"
        accepted = got.setdefault(f"{short(service)} on {queue}", [])
        if contract is not None:
            accepted.append(short(contract))
    assert sorted(f"{name}: {', '.join(sorted(contracts)) or 'none'}" for name, contracts in got.items()) == sorted(
        fact.text for fact in facts("BUILTINSERVICE")
    )
