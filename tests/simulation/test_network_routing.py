"""What routes decide between instances: addresses in names, brokers, several routes for one service, routes that
expire, and a service that is asked for them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import pytest

from sbql.engine.simulated_network import Machine, Network

SHOP = """CREATE DATABASE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)
GO
USE shop
CREATE QUEUE desk
GO
"""
SERVICE = "CREATE SERVICE [{name}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[{name}] TO public"
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [{me}] TO SERVICE '{to}'{broker} WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('{text}'); SELECT @h"""
DESK = "SELECT CAST(message_body AS varchar(50)) FROM desk WHERE message_type_name = 'DEFAULT' ORDER BY queuing_order"
BROKER = "SELECT CAST(service_broker_guid AS varchar(36)) FROM sys.databases WHERE name = 'shop'"
STATUS = "SELECT transmission_status FROM sys.transmission_queue"


class World:
    """A, which begins; B and C have a way back to it."""

    def __init__(self) -> None:
        self.network = Network(2)
        self.a, self.b, self.c = (self.network.add(name) for name in "ABC")
        for machine in (self.a, self.b, self.c):
            machine.execute(SHOP)
        self.service(self.a, "//A")
        for machine in (self.b, self.c):
            self.route(machine, "SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'")

    def service(self, machine: Machine, name: str) -> None:
        machine.execute(SERVICE.format(name=name), "shop")

    def route(self, machine: Machine, options: str, name: str = "there") -> None:
        machine.execute(f"CREATE ROUTE [{name}] WITH {options}", "shop")

    def begin(self, to: str, text: str = "first", broker: str = "") -> str:
        broker = f", '{broker}'" if broker else ""
        return str(self.a.execute(BEGIN.format(me="//A", to=to, text=text, broker=broker), "shop")[0][0][0])

    def desk(self, machine: Machine) -> list[str]:
        return [row[0] for row in machine.execute(DESK, "shop")[0]]

    def broker(self, machine: Machine) -> str:
        return str(machine.execute(BROKER)[0][0][0])

    def status(self) -> list[str]:
        return [row[0] for row in self.a.execute(STATUS, "shop")[0]]


@pytest.fixture
def world() -> Iterator[World]:
    found = World()
    with found.network:
        yield found


@pytest.mark.spec("CHOICE-6")
def test_transport_finds_the_address_in_the_name_of_the_service(world: World) -> None:
    """And the way back in the name of the initiator's."""
    world.service(world.b, "TCP://B:4022/desk")
    world.service(world.a, "TCP://A:4022/desk")
    for machine in (world.a, world.b):
        world.route(machine, "ADDRESS = 'TRANSPORT'", "by name")
    world.a.execute(BEGIN.format(me="TCP://A:4022/desk", to="TCP://B:4022/desk", text="first", broker=""), "shop")
    world.network.deliver()
    assert world.desk(world.b) == ["first"]
    world.b.execute(
        "DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('back')",
        "shop",
    )
    world.network.deliver()
    assert world.desk(world.a) == ["back"]


@pytest.mark.spec("MATCH-2", "MATCH-11", "MATCH-12")
def test_a_broker_is_found_by_its_own_route(world: World) -> None:
    """The same service in two instances: the one that was named gets it, and keeps it when the routes change."""
    brokers = {}
    for machine in (world.b, world.c):
        world.service(machine, "//X")
        brokers[machine.name] = world.broker(machine)
        options = (
            f"SERVICE_NAME = '//X', BROKER_INSTANCE = '{brokers[machine.name]}', ADDRESS = 'TCP://{machine.name}:4022'"
        )
        world.route(world.a, options, machine.name)
    handle = world.begin("//X", "for C", brokers["C"])
    world.begin("//X", "for B", brokers["B"])
    world.network.deliver()
    assert (world.desk(world.b), world.desk(world.c)) == (["for B"], ["for C"])
    world.a.execute(f"DROP ROUTE C; SEND ON CONVERSATION '{handle}' ('more for C')", "shop")
    world.network.advance(100)
    assert world.desk(world.b) == ["for B"] and len(world.status()) == 1  # no route for that broker: it waits
    world.route(world.a, "SERVICE_NAME = '//X', ADDRESS = 'TCP://C:4022'", "without a broker")
    world.network.deliver()
    assert world.desk(world.c) == ["for C", "more for C"]


@pytest.mark.spec("CHOICE-11", "CHOICE-12", "CHOICE-13", "MATCH-4")
@pytest.mark.parametrize("with_broker", [True, False], ids=["a broker each", "without brokers"])
def test_new_dialogs_are_shared_among_several_routes_and_stay_where_they_are(world: World, with_broker: bool) -> None:
    for machine in (world.b, world.c):
        world.service(machine, "//X")
        broker = f"BROKER_INSTANCE = '{world.broker(machine)}', " if with_broker else ""
        world.route(world.a, f"SERVICE_NAME = '//X', {broker}ADDRESS = 'TCP://{machine.name}:4022'", machine.name)
    handles = [world.begin("//X", f"{number}:0") for number in range(30)]
    world.network.deliver()
    for part in (1, 2):
        for number, handle in enumerate(handles):
            world.a.execute(f"SEND ON CONVERSATION '{handle}' ('{number}:{part}')", "shop")
    world.network.deliver()
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for machine in (world.b, world.c):
        for text in world.desk(machine):
            number, part = text.split(":")
            places[number].append((machine.name, part))
    shares = Counter()
    for found in places.values():
        assert [part for _, part in found] == ["0", "1", "2"] and len({name for name, _ in found}) == 1
        shares[found[0][0]] += 1
    assert sum(shares.values()) == 30 and min(shares["B"], shares["C"]) >= 6


@pytest.mark.spec("ROUTE-11", "ROUTE-12", "ROUTE-29", "DELAY-2")
def test_a_route_that_has_expired_leads_nowhere_until_it_is_revived(world: World) -> None:
    world.service(world.b, "//X")
    world.route(world.a, "SERVICE_NAME = '//X', ADDRESS = 'TCP://B:4022', LIFETIME = 60")
    handle = world.begin("//X")
    world.network.deliver()
    world.network.advance(100)
    world.a.execute(f"SEND ON CONVERSATION '{handle}' ('second')", "shop")
    world.network.advance(100)
    assert world.desk(world.b) == ["first"] and world.status() != [""]
    world.a.execute("ALTER ROUTE there WITH LIFETIME = 60", "shop")
    world.network.deliver()
    assert world.desk(world.b) == ["first", "second"]


@pytest.mark.spec("DYNAMIC-2", "DYNAMIC-6", "DYNAMIC-12")
def test_a_service_is_asked_for_the_way_to_another_instance(world: World) -> None:
    """An activated procedure answers with a route; on the other side one gives the way back."""
    answer = """CREATE PROCEDURE answer AS
    BEGIN
        DECLARE @h uniqueidentifier, @type sysname, @body varbinary(max), @service nvarchar(256), @text nvarchar(max);
        RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name, @body = message_body FROM asked;
        IF @type = 'http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice/MissingRoute'
        BEGIN
            WITH XMLNAMESPACES (DEFAULT 'http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice/MissingRoute')
            SELECT @service = CAST(@body AS xml).value('(/MissingRoute/SERVICE_NAME)[1]', 'nvarchar(256)');
            SET @text = 'CREATE ROUTE [found] WITH SERVICE_NAME = ''' + @service + ''', ADDRESS = ''TCP://' + SUBSTRING(@service, 3, 1) + ':4022''';
            EXEC (@text);
        END;
        IF @h IS NOT NULL END CONVERSATION @h;
    END"""
    configuration = """CREATE QUEUE asked
    GO
    CREATE SERVICE [SQL/ServiceBroker/BrokerConfiguration] ON QUEUE asked ([http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice])
    CREATE ROUTE asking WITH SERVICE_NAME = 'SQL/ServiceBroker/BrokerConfiguration', ADDRESS = 'LOCAL'
    ALTER QUEUE asked WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = answer, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"""
    world.b.execute("DROP ROUTE there", "shop")
    world.service(world.b, "//B")
    for machine in (world.a, world.b):
        machine.execute(answer, "shop")
        machine.execute(configuration, "shop")
    world.begin("//B")
    world.network.deliver()
    assert world.desk(world.b) == ["first"]
    assert world.a.execute("SELECT remote_service_name, address FROM sys.routes WHERE name = 'found'", "shop") == [
        [("//B", "TCP://B:4022")]
    ]
    assert world.b.execute("SELECT remote_service_name, address FROM sys.routes WHERE name = 'found'", "shop") == [
        [("//A", "TCP://A:4022")]
    ]


@pytest.mark.spec("DYNAMIC-13")
@pytest.mark.parametrize("answers", [True, False])
def test_a_service_is_asked_for_a_binding(world: World, answers: bool) -> None:
    """A dialog with ENCRYPTION waits for it; with one that is made it goes on, and needs what it needs otherwise."""
    notice = "http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice"
    world.service(world.b, "//B")
    world.route(world.a, "SERVICE_NAME = '//B', ADDRESS = 'TCP://B:4022'")
    world.route(world.a, "SERVICE_NAME = 'SQL/ServiceBroker/BrokerConfiguration', ADDRESS = 'LOCAL'", "asking")
    world.a.execute(f"""CREATE USER b WITHOUT LOGIN; CREATE QUEUE asked
    GO
    CREATE SERVICE [SQL/ServiceBroker/BrokerConfiguration] ON QUEUE asked ([{notice}])""", "shop")  # fmt: skip
    secure = BEGIN.replace("ENCRYPTION = OFF", "ENCRYPTION = ON").format(me="//A", to="//B", broker="", text="first")
    for _ in range(2):  # one request for all
        world.a.execute(secure, "shop")
    world.network.advance(10)
    assert all("is being located" in text for text in world.status()[:2])
    asked = "RECEIVE conversation_handle, message_type_name, CAST(message_body AS nvarchar(400)) FROM asked"
    ((handle, kind, body),) = world.a.execute(asked, "shop")[0]
    assert kind == f"{notice}/MissingRemoteServiceBinding"
    assert (
        body.lstrip("\ufeff")
        == f'<MissingRemoteServiceBinding xmlns="{kind}"><SERVICE_NAME>//B</SERVICE_NAME></MissingRemoteServiceBinding>'
    )
    if answers:
        world.a.execute("CREATE REMOTE SERVICE BINDING found TO SERVICE '//B' WITH USER = b", "shop")
    world.a.execute(f"END CONVERSATION '{handle}'", "shop")
    world.network.advance(30)
    assert world.a.execute(asked, "shop") == [[]]
    assert all(("master key" if answers else "is being located") in text for text in world.status())
    world.network.advance(100)
    assert len(world.a.execute(asked, "shop")[0]) == (0 if answers else 1)
