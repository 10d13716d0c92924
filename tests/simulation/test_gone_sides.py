"""A side of a dialog is gone, and the other one writes to it or ends: it is told, with dialog security as without."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_dialog_security import BEGIN, BIND, OWN, SHOP, THEIRS, folder

from sbql.engine.simulated_network import Machine, Mischief, Network

__all__ = ["folder"]

ANONYMOUS = {"none": "", "anonymous": "ON", "full": "OFF"}
THEN = {
    "sends": "SEND ON CONVERSATION '{h}' ('late')",
    "ends": "END CONVERSATION '{h}'",
    "ends with error": "END CONVERSATION '{h}' WITH ERROR = 7 DESCRIPTION = 'x'",
}
SERVICE = "DROP SERVICE [//{me}]; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT])"
Result = tuple[list[str], int, int]
"""State of the side that is left, what waits there, and Error messages that it has got."""


class Dialog:
    """Between A and B: each has received a message of the other."""

    def __init__(self, folder: Path, security: str) -> None:
        self.network = Network(1)
        self.a, self.b = (self.network.add(name) for name in "AB")
        for machine, you in ((self.a, "B"), (self.b, "A")):
            machine.execute(SHOP.format(me=machine.name, you=you))
            machine.execute(f"USE shop; GRANT SEND ON SERVICE::[//{machine.name}] TO public")
            if ANONYMOUS[security]:
                own, theirs = (
                    text.format(name=name, you=you, folder=folder)
                    for text, name in ((OWN, machine.name), (THEIRS, you))
                )
                machine.execute(f"USE shop; {own}; {theirs}")
        if ANONYMOUS[security]:
            self.a.execute(f"USE shop; {BIND.format(anonymous=ANONYMOUS[security])}")
        self.a.execute(f"USE shop; {BEGIN.format(more=' WITH ENCRYPTION = OFF')}")
        self.network.advance(5)
        self.do(self.b, THEN["sends"])
        self.network.advance(5)

    def handles(self, machine: Machine) -> list[str]:
        return [
            str(row[0])
            for row in machine.execute(
                "SELECT conversation_handle FROM shop.sys.conversation_endpoints WHERE state <> 'CD'"
            )[0]
        ]

    def do(self, machine: Machine, text: str) -> None:
        (handle,) = self.handles(machine)
        machine.execute(f"USE shop; {text.format(h=handle)}")

    def result(self, machine: Machine) -> Result:
        def column(text: str) -> list[object]:
            return [row[0] for row in machine.execute(f"USE shop; {text}")[0]]

        states = [str(state) for state in column("SELECT state FROM sys.conversation_endpoints")]
        return (
            states,
            len(column("SELECT 0 FROM sys.transmission_queue")),
            len(column("SELECT 0 FROM desk WHERE message_type_name LIKE '%/Error'")),
        )


GONE: dict[str, Callable[[Dialog, Machine], None]] = {
    "cleaned up": lambda dialog, machine: dialog.do(machine, "END CONVERSATION '{h}' WITH CLEANUP"),
    "service made anew": lambda dialog, machine: dialog.do(machine, SERVICE.format(me=machine.name)),
}


def _write_to_one_that_is_gone(folder: Path, security: str, who: str, how: str, then: str) -> Result:
    dialog = Dialog(folder, security)
    with dialog.network as network:
        gone, left = (dialog.a, dialog.b) if who == "initiator" else (dialog.b, dialog.a)
        network.partition(["A"], ["B"])
        GONE[how](dialog, gone)
        dialog.do(left, THEN[then])
        network.heal()
        network.advance(400)
        return dialog.result(left)


@pytest.mark.spec("SECURE-11")
@pytest.mark.matrix
@pytest.mark.parametrize("then", THEN)
@pytest.mark.parametrize("how", GONE)
@pytest.mark.parametrize("who", ["initiator", "target"])
@pytest.mark.parametrize("security", [security for security in ANONYMOUS if security != "none"])
def test_who_writes_to_a_side_that_is_gone_is_told(folder: Path, security: str, who: str, how: str, then: str) -> None:
    states, waiting, errors = found = _write_to_one_that_is_gone(folder, security, who, how, then)
    assert found == _write_to_one_that_is_gone(folder, "none", who, how, then)
    if then == "sends":
        assert (states, waiting, errors) == (["ER"], 1, 1)
    else:
        assert (states, waiting, errors) == (["CD"] if who == "initiator" else [], 0, 0)


@pytest.mark.spec("SECURE-11", "NETWORK-6", "NETWORK-7")
@pytest.mark.parametrize("how", ["ends", "ends with error"])
@pytest.mark.parametrize("security", ANONYMOUS)
def test_both_sides_end_at_once_and_the_last_receipt_is_lost(folder: Path, security: str, how: str) -> None:
    """The initiator is gone with the end of the target, and its own end with it: the
    target repeats its end, and hears so."""
    dialog = Dialog(folder, security)
    with dialog.network as network:
        network.spoil(Mischief(0.5, 0.5))
        dialog.do(dialog.b, THEN[how])
        network.advance(0.3)
        dialog.do(dialog.a, THEN[how])
        network.run_until(lambda: not dialog.handles(dialog.a), 60)
        network.cut("A", "B")
        assert dialog.result(dialog.b)[:2] == (["DO"], 1)
        network.advance(400)
        assert dialog.result(dialog.b)[:2] == (["CD"], 0)
