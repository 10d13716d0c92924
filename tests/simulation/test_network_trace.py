"""Every event that a network can cause in the trace is caused here, each by what it stands for; and the
trace of two instances read together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import msgspec
import pytest
from tampering import damaged_bodies
from test_dialog_security import Pair, folder
from test_network import Certified, Chain, Silence, Two

from sbql.engine.broker.trace import SUBCLASSES
from sbql.engine.network.frames import BrokerError, Envelope, Frame, Sealed, encode
from sbql.engine.network.framing import framed
from sbql.engine.simulated_network import Machine
from sbql.engine.simulated_wires import SimulatedTransport
from sbql.engine.tracing import TraceFile
from sbql.repl import trace_command

__all__ = ["folder"]

Seen = set[tuple[str, str]]
NETWORK = (
    "Broker:Connection", "Broker:Forwarded Message Sent", "Broker:Forwarded Message Dropped", "Broker:Message Classify", "Broker:Transmission",
    "Broker:Remote Message Acknowledgement", "Audit Broker Conversation", "Audit Broker Login", "Broker:Message Undeliverable",
    "Broker:Corrupted Message",
)  # fmt: skip


def watch(seen: Seen, *machines: Machine) -> None:
    for machine in machines:
        assert machine.instance is not None
        machine.instance.trace(lambda event: seen.add((event.event_class, event.subclass)))


def answer(two: Two) -> None:
    two.b.execute(
        "DECLARE @h uniqueidentifier; SELECT TOP (1) @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('back')",
        "shop",
    )


def talk(two: Two, seen: Seen) -> None:
    """There and back, with a receipt alone, and one with a message: an answer that goes at once has it."""
    two.network.advance(100)
    two.begin()
    two.network.run_until(lambda: bool(two.queue(two.b)))
    answer(two)
    two.network.deliver()
    handle = two.a.execute("SELECT TOP (1) conversation_handle FROM desk", "shop")[0][0][0]
    session = two.b.connect("shop")
    session.run(
        "BEGIN TRANSACTION; DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('and'); COMMIT"
    )
    two.a.execute(f"SEND ON CONVERSATION '{handle}' ('both at once')", "shop")
    two.a.execute(f"END CONVERSATION '{handle}'", "shop")
    two.network.deliver()
    two.network.advance(200)


def nobody_there(two: Two, seen: Seen) -> None:
    two.b.execute("ALTER ENDPOINT broker STATE = STOPPED")
    two.begin()
    two.network.advance(5)


def a_way_that_breaks(two: Two, seen: Seen) -> None:
    two.begin()
    two.network.deliver()
    two.network.cut("A", "B")
    two.network.advance(1)


def a_way_that_breaks_while_something_is_sent(two: Two, seen: Seen) -> None:
    two.begin()
    two.network.deliver()
    wire = next(wire for wire in two.network.board.wires if wire.machine == "A")
    wire.events.lost(wire, "broken pipe", by_sending=True)
    two.network.advance(1)


def no_route(two: Two, seen: Seen) -> None:
    two.a.execute("DROP ROUTE there", "shop")
    two.begin()
    two.network.advance(5)
    two.a.execute("CREATE SERVICE [//B] ON QUEUE desk ([DEFAULT])", "shop")
    two.network.advance(100)


def somebody_who_never_logs_in(two: Two, seen: Seen) -> None:
    SimulatedTransport(two.network.board, "X").connect("b:4022", Silence())
    two.network.advance(60)


def somebody_who_speaks_something_else(two: Two, seen: Seen) -> None:
    transport = SimulatedTransport(two.network.board, "X")
    wire = transport.connect("b:4022", Silence())
    two.network.advance(1)
    wire.send([b"GET / HTTP/1.1\r\nHost: b\r\n\r\n" * 4])
    two.network.advance(5)


def somebody_with_another_way_in(two: Two, seen: Seen) -> None:
    two.b.execute("ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = DISABLED)")
    two.a.execute("ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = REQUIRED)")
    two.begin()
    two.network.advance(5)


def an_error_for_a_dialog_that_is_not_there(two: Two, seen: Seen) -> None:
    """Out of sequence, as those of a broker are. It comes where a dialog of ours is answered."""
    two.begin()
    two.network.deliver()
    assert two.a.instance is not None and two.a.instance.transmitter is not None
    found = [link for link in two.a.instance.transmitter.neighbours.links() if link.is_online]
    way = Envelope(UUID(int=77), True, "//B", None, "//A", UUID(int=78))
    found[0].wire.send([framed(encode(BrokerError(way, 8462, "gone")))])
    two.network.advance(1)


def a_message_that_is_damaged(two: Two, seen: Seen) -> None:
    """In a way that the digest of the frame does not show: what is wrong was wrong before it was put on the way."""
    two.network.board.mischief.rewrite = damaged_bodies
    two.begin()
    two.network.advance(2)


CASES = (
    talk, nobody_there, a_way_that_breaks, a_way_that_breaks_while_something_is_sent, no_route, somebody_who_never_logs_in,
    somebody_who_speaks_something_else, somebody_with_another_way_in, an_error_for_a_dialog_that_is_not_there, a_message_that_is_damaged,
)  # fmt: skip


def of_two(case: Callable[[Two, Seen], None]) -> Seen:
    two, seen = Two(), Seen()
    with two.network:
        watch(seen, two.a, two.b)
        case(two, seen)
    return seen


def of_a_hub() -> Seen:
    seen = Seen()
    for enabled in ("ENABLED", "DISABLED"):
        chain = Chain(1)
        with chain.network:
            watch(seen, *chain.hubs)
            chain.hubs[0].execute(f"ALTER ENDPOINT broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = {enabled})")
            chain.begin()
            chain.network.advance(3)
    return seen


def of_certificates(path: Path) -> Seen:
    seen = Seen()
    for change in ("DROP CERTIFICATE theirs", "REVOKE CONNECT ON ENDPOINT::broker FROM A"):
        path.mkdir(exist_ok=True)
        pair = Certified(path)
        with pair.network:
            watch(seen, pair.a, pair.b)
            pair.b.execute(change)
            pair.begin()
            pair.network.advance(3)
        path = path / "again"
    return seen


def of_dialog_security(keys: Path) -> Seen:
    """Each of the four reasons for which a target does not take a secured message."""
    seen = Seen()

    def without_header(one: str, frame: Frame) -> list[Frame]:
        return [msgspec.structs.replace(frame, header=None) if isinstance(frame, Sealed) else frame]

    def with_another_box(one: str, frame: Frame) -> list[Frame]:
        return [msgspec.structs.replace(frame, box=bytes(len(frame.box))) if isinstance(frame, Sealed) else frame]

    for on_the_way, change in (
        (without_header, ""), (with_another_box, ""), (None, "DROP CERTIFICATE A"), (None, "ALTER AUTHORIZATION ON CERTIFICATE::B TO A"),
    ):  # fmt: skip
        pair = Pair(keys)
        with pair.network:
            pair.full()
            watch(seen, pair.a, pair.b)
            if on_the_way is not None:
                pair.on_the_way = on_the_way
            if change:
                pair.b.execute(change, "shop")
            pair.begin()
            pair.network.advance(2)
            assert pair.queue(pair.b) == []
    return seen


@pytest.mark.spec(
    "EVENT-3",
    "EVENT-4",
    "EVENT-5",
    "EVENT-6",
    "EVENT-7",
    "EVENT-9",
    "EVENT-10",
    "EVENT-11",
    "EVENT-12",
    "EVENT-13",
    "TRACE-20",
)
def test_each_event_of_a_network_is_caused_by_something(folder: Path, tmp_path: Path) -> None:
    seen = Seen().union(
        *(of_two(case) for case in CASES), of_a_hub(), of_certificates(tmp_path), of_dialog_security(folder)
    )
    wanted = {(name, subclass) for name in NETWORK for subclass in SUBCLASSES[name] or ("",)}
    assert wanted - seen == set()


def test_the_traces_of_two_instances_are_read_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line says whose it is, and a conversation has one id in both."""
    two = Two()
    files = [tmp_path / f"{name}.jsonl" for name in "AB"]
    with two.network:
        for machine, file in zip((two.a, two.b), files, strict=True):
            assert machine.instance is not None
            machine.instance.trace(TraceFile(file))
        two.begin()
        two.network.deliver()
        row = two.a.execute("SELECT conversation_id FROM sys.conversation_endpoints", "shop")[0][0]
    assert trace_command.run([*map(str, files), "--conversation", str(row[0])]) == 0
    lines = capsys.readouterr().out.splitlines()
    whose = [line.split()[2] for line in lines]
    assert whose[0] == "A" and whose[-1] == "A" and "B" in whose  # begun by A, taken by B, and A has heard of it
    assert any(" SEND Message " in line for line in lines) and any(
        " Received Sequenced Message " in line for line in lines
    )
    assert [line.split()[1] for line in lines] == sorted(line.split()[1] for line in lines)
    assert trace_command.run([str(files[0])]) == 0
    assert all(line.split()[2] != "A" for line in capsys.readouterr().out.splitlines())
