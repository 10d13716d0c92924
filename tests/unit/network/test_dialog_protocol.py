"""The dialog protocol without an instance: frames as bytes, what is sent again when, and fragments over a bad way."""

from __future__ import annotations

import math
import random
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from sbql.engine.network import sending
from sbql.engine.network.assembly import STALE, Assembly, dialog_key
from sbql.engine.network.frames import (
    FRAGMENT_SIZE,
    MESSAGE,
    Accepted,
    Acknowledgement,
    BrokerError,
    Envelope,
    Fragment,
    Frame,
    Goodbye,
    Hello,
    Malformed,
    Ping,
    Pong,
    Proof,
    Receipt,
    decode,
    encode,
    fragment_count,
    integrity,
)
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.network.sending import Sender

ENVELOPE = Envelope(UUID(int=1), True, "//target", None, "//initiator", UUID(int=2))


def fragments(sequence: int, body: bytes, message_id: UUID = UUID(int=9)) -> list[Fragment]:
    count = fragment_count(len(body))
    check = integrity(ENVELOPE, sequence, MESSAGE, "//type", "//contract", message_id, body)
    return [
        Fragment(
            ENVELOPE, sequence, number, count, len(body), MESSAGE, "//type", "//contract", message_id, 60.0, False, 5, check,
            None, body[number * FRAGMENT_SIZE : (number + 1) * FRAGMENT_SIZE],
        )
        for number in range(count)
    ]  # fmt: skip


FRAMES: list[Frame] = [
    Hello((1, 2), UUID(int=3), b"n" * 32, ("CERTIFICATE", "WINDOWS"), "REQUIRED", ("a",)), Proof("CERTIFICATE", b"p", "CN=x", "12"), Accepted(),
    Goodbye(9760, "idle"), Ping(), Pong(), fragments(0, b"body")[0], Acknowledgement(ENVELOPE, Receipt(4, ((6, 7),), ((8, 0, 3),))),
    BrokerError(ENVELOPE, 8408, "no"),
]  # fmt: skip


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__name__)
def test_a_frame_comes_back(frame: Frame) -> None:
    assert decode(encode(frame)) == frame


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: type(frame).__name__)
def test_what_a_later_version_appends_is_skipped(frame: Frame) -> None:
    longer = [*msgspec.msgpack.decode(encode(frame)), "new"]
    assert decode(msgspec.msgpack.encode(longer)) == frame


def test_limits_of_names_and_numbers() -> None:
    for bad in (
        msgspec.structs.replace(fragments(0, b"")[0], message_type="x" * 257),
        msgspec.structs.replace(fragments(0, b"")[0], sequence=-1),
        msgspec.structs.replace(fragments(0, b"")[0], check=b"short"),
        msgspec.structs.replace(fragments(0, b"")[0], kind=3),
        msgspec.structs.replace(fragments(0, b"")[0], number=1),
        msgspec.structs.replace(fragments(0, b"abc")[0], body=b"ab"),
        msgspec.structs.replace(fragments(0, b"x" * FRAGMENT_SIZE * 2)[0], count=3),
        Acknowledgement(ENVELOPE, Receipt(0, ((1, 1),) * 65)),
    ):
        with pytest.raises(Malformed):
            decode(encode(bad))


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_frame_or_malformed(data: bytes) -> None:
    try:
        decode(data)
    except Malformed:
        pass


def test_mutated_frames_are_frames_or_malformed() -> None:
    chance = random.Random(13)
    for _ in range(3000):
        data = bytearray(encode(chance.choice(FRAMES)))
        for _ in range(chance.randint(1, 4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            decode(bytes(data[: chance.randint(1, len(data))]))
        except Malformed:
            pass


def test_any_damage_of_the_stream_is_found() -> None:
    whole = framed(encode(FRAMES[6]))
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 0x10
        reader = FrameReader()
        reader.add(bytes(data))
        try:
            assert reader.take() is None  # a longer length: it waits for more
        except Malformed:
            pass


# --- sending -----------------------------------------------------------------------------------------------


def drain(sender: Sender, now: float, arrived_until: float = math.inf) -> list[tuple[int, int, bool]]:
    found = []
    while (item := sender.next(now, arrived_until)) is not None:
        found.append(item)
    return found


@pytest.mark.spec("WIRE-9")
def test_retries_come_after_4_8_16_32_64_and_every_64_seconds() -> None:
    sender = Sender()
    sender.offer(0, 10)
    now, times = 0.0, []
    for _ in range(8):
        assert drain(sender, now) == [(0, 0, now > 0)]
        assert drain(sender, now) == []
        following = sender.next_time()
        assert following is not None
        times.append(following - now)
        assert drain(sender, following - 0.001) == []
        now = following
    assert times == [4, 8, 16, 32, 64, 64, 64, 64]


@pytest.mark.spec("WIRE-11")
def test_only_fragments_that_the_other_side_lacks_are_sent_again() -> None:
    sender = Sender()
    sender.offer(0, FRAGMENT_SIZE * 5)
    assert [number for _, number, _ in drain(sender, 0.0)] == [0, 1, 2, 3, 4]
    assert list(sender.acknowledged(Receipt(0, (), ((0, 0, 1), (0, 3, 3))))) == []
    assert [number for _, number, _ in drain(sender, 4.0)] == [2, 4]


@pytest.mark.spec("WIRE-11")
def test_what_the_other_side_holds_it_may_lose() -> None:
    """Its memory is bounded, and ends with its process: who leaves fragments out does so once,
    and not over another connection."""
    for is_lost in (False, True):
        sender = Sender()
        sender.offer(0, FRAGMENT_SIZE * 3)
        drain(sender, 0.0)
        sender.acknowledged(Receipt(0, (), ((0, 0, 1),)))
        if is_lost:
            sender.way_lost(1.0)
        else:
            assert [number for _, number, _ in drain(sender, 4.0)] == [2]
        assert [number for _, number, _ in drain(sender, 12.0)] == [0, 1, 2]


def test_a_window_bounds_what_is_on_its_way_and_receipts_open_it() -> None:
    sender = Sender()
    for sequence in range(3000):
        sender.offer(sequence, 10)
    assert len(drain(sender, 0.0)) == sending.MOST_MESSAGES
    assert drain(sender, 0.0) == []
    assert list(sender.acknowledged(Receipt(10, ((12, 13),)))) == [*range(10), 12, 13]
    assert [sequence for sequence, _, _ in drain(sender, 0.0)] == list(range(1000, 1012))
    assert len(sender) == 2988


@pytest.mark.spec("WIRE-9")
def test_a_receiver_with_much_to_do_gets_nothing_twice() -> None:
    """Receipts come, for what went before: what is due is not lost. What later messages have overtaken is,
    and so is all of a way that broke."""
    sender = Sender()
    for sequence in range(3):
        sender.offer(sequence, 1)
        assert sender.next(float(sequence)) == (sequence, 0, False)
    assert list(sender.acknowledged(Receipt(1))) == [0] and sender.last_sent == 0.0
    assert drain(sender, 6.0, arrived_until=0.5) == []
    assert drain(sender, 10.0, arrived_until=1.0) == [(1, 0, True)]
    sender.way_lost(10.5)
    assert drain(sender, 10.5, arrived_until=0.5) == [(1, 0, True), (2, 0, True)]


def test_receipts_and_offers_out_of_order_find_their_messages() -> None:
    """The short cut for messages in order is not taken where they are not."""
    chance = random.Random(13)
    for _ in range(200):
        sender, left = Sender(), set(range(20))
        for sequence in chance.sample(range(20), 20):
            sender.offer(sequence, 1)
            if chance.random() < 0.3:
                drain(sender, 0.0)
        drain(sender, 0.0)
        while left:
            if chance.random() < 0.3:
                again = chance.choice(sorted(left))
                sender.withdraw(again)
                sender.postpone(again, 1, 9.0)
            upto = chance.randrange(21)
            later = ((chance.randrange(20), chance.randrange(20)),) if chance.random() < 0.5 else ()
            expected = {n for n in left if n < upto or any(first <= n <= last for first, last in later)}
            assert set(sender.acknowledged(Receipt(upto, later))) == expected
            left -= expected
        assert len(sender) == 0 and sender.next_time() is None


def test_a_receipt_may_be_for_what_was_sent_before_a_restart() -> None:
    sender = Sender()
    for sequence in range(4):
        sender.offer(sequence, 10)
    assert sender.next(0.0) == (0, 0, False)
    assert list(sender.acknowledged(Receipt(3))) == [0, 1, 2]
    assert drain(sender, 9.0) == [(3, 0, False)]


def test_a_message_larger_than_the_window_goes_alone() -> None:
    sender = Sender()
    for sequence in range(2):
        sender.offer(sequence, FRAGMENT_SIZE * (sending.MOST_FRAGMENTS + 1))
    assert {sequence for sequence, _, _ in drain(sender, 0.0)} == {0}


def test_a_lost_way_makes_everything_due_in_order() -> None:
    sender = Sender()
    for sequence in range(3):
        sender.offer(sequence, 1)
    drain(sender, 0.0)
    sender.withdraw(1)
    sender.way_lost(1.0)
    assert [sequence for sequence, _, _ in drain(sender, 1.0)] == [0, 2]


def test_offering_twice_sends_once() -> None:
    sender = Sender()
    for sequence in (0, 1, 0, 1):
        sender.offer(sequence, 1)
    assert [sequence for sequence, _, _ in drain(sender, 0.0)] == [0, 1]
    sender.offer(0, 1)
    assert len(sender) == 2


# --- assembly ----------------------------------------------------------------------------------------------


@pytest.mark.spec("WIRE-7")
def test_fragments_in_any_order_and_twice() -> None:
    body = bytes(range(256)) * 700
    parts = fragments(3, body)
    assembly = Assembly()
    order = [number for number in reversed(range(len(parts))) for _ in (1, 2)][:-1]
    found = [assembly.add(parts[number], 0.0) for number in order]
    assert found == [None] * (len(order) - 1) + [body]
    assert assembly.bytes_held == 0


def test_what_is_held_is_told_in_spans() -> None:
    parts = fragments(3, b"x" * FRAGMENT_SIZE * 6)
    assembly = Assembly()
    for number in (0, 1, 4):
        assembly.add(parts[number], 0.0)
    assert assembly.held(dialog_key(parts[0])) == ((3, 0, 1), (3, 4, 4))


@pytest.mark.spec("WIRE-8")
def test_a_changed_message_fails_the_integrity_check() -> None:
    (part,) = fragments(0, b"pay 10")
    for field, value in (
        ("body", b"pay 99"),
        ("message_type", "//other"),
        ("contract", "//other"),
        ("sequence", 1),
        ("kind", 1),
    ):
        with pytest.raises(Malformed):
            Assembly().add(msgspec.structs.replace(part, **{field: value}), 0.0)


def test_fragments_of_two_messages_under_one_number() -> None:
    assembly = Assembly()
    assembly.add(fragments(0, b"x" * FRAGMENT_SIZE * 2)[0], 0.0)
    with pytest.raises(Malformed):
        assembly.add(fragments(0, b"y" * FRAGMENT_SIZE * 2)[1], 0.0)
    assert assembly.bytes_held == 0


def test_memory_for_incomplete_messages_is_bounded_but_one_may_always_arrive() -> None:
    assembly = Assembly(most_bytes=FRAGMENT_SIZE * 3)
    large = fragments(0, b"x" * FRAGMENT_SIZE * 5)
    assert [assembly.add(part, 0.0) for part in large][-1] is not None
    assembly.add(large[0], 0.0)
    other = fragments(1, b"y" * FRAGMENT_SIZE * 5)
    for part in other[:4]:
        assembly.add(part, 0.0)
    assert assembly.bytes_held == FRAGMENT_SIZE * 3


def test_stale_fragments_are_given_up() -> None:
    assembly = Assembly()
    assembly.add(fragments(0, b"x" * FRAGMENT_SIZE * 2)[0], 0.0)
    assembly.forget_stale(STALE - 1)
    assert assembly.bytes_held == FRAGMENT_SIZE
    assembly.forget_stale(STALE)
    assert assembly.bytes_held == 0


@pytest.mark.spec("WIRE-10")
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, FRAGMENT_SIZE * 4), min_size=1, max_size=12),
    st.randoms(use_true_random=False),
    st.sampled_from([0.0, 0.2, 0.5]),
)
def test_over_a_bad_way_every_message_arrives_once(sizes: list[int], chance: random.Random, loss: float) -> None:
    """Fragments and receipts are lost, doubled and overtake each other; the receiver loses its memory now and then."""
    bodies = [bytes([number]) * size for number, size in enumerate(sizes)]
    sender, assembly, arrived = Sender(), Assembly(), dict[int, bytes]()
    for sequence, body in enumerate(bodies):
        sender.offer(sequence, len(body))
    now = 0.0
    for _ in range(400):
        way = [fragments(sequence, bodies[sequence])[number] for sequence, number, _ in drain(sender, now)]
        way = [part for part in way if chance.random() >= loss] + [part for part in way if chance.random() < loss / 2]
        chance.shuffle(way)
        for part in way:
            if part.sequence not in arrived and (body := assembly.add(part, now)) is not None:
                arrived[part.sequence] = body
        if chance.random() < 0.05:
            assembly = Assembly()
        contiguous = next(n for n in range(len(bodies) + 1) if n not in arrived)
        later = tuple((n, n) for n in sorted(arrived) if n > contiguous)
        if chance.random() >= loss:
            sender.acknowledged(Receipt(contiguous, later, assembly.held((ENVELOPE.conversation_id, True))))
        if not len(sender):
            break
        now = max(now, sender.next_time() or now)
    assert arrived == dict(enumerate(bodies))
