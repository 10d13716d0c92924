"""RabbitMQ for comparison: a node of its own in a folder of its own, a durable queue,
persistent messages, publisher confirms.

Where `rabbitmq-server` or the Python package `pika` is not installed, there is nothing to
measure. Started by `bench_network.py`.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

WINDOW = 1000
"""Messages that may be on their way without a confirm, as in a dialog of ours."""
_SCRIPTS = Path("/usr/lib/rabbitmq/bin")
"""Where Debian has the scripts themselves; those on the PATH want to be the system's node."""
PATIENCE = 120.0


def missing() -> str:
    """What is not installed; empty: nothing."""
    if _server() is None:
        return "rabbitmq-server is not installed"
    return "" if importlib.util.find_spec("pika") is not None else "pika is not installed"


def _server() -> str | None:
    own = _SCRIPTS / "rabbitmq-server"
    return str(own) if own.exists() else shutil.which("rabbitmq-server")


@contextmanager
def node() -> Iterator[int]:
    """A node that listens to this machine alone; its port."""
    with tempfile.TemporaryDirectory() as name:
        probes = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
        port, distribution, mapper = (probe.getsockname()[1] for probe in probes)
        for probe in probes:
            probe.close()
        environment = {
            **os.environ, "HOME": name, "RABBITMQ_NODENAME": "sbqlbench@localhost", "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(port), "RABBITMQ_DIST_PORT": str(distribution), "ERL_EPMD_PORT": str(mapper), "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_MNESIA_BASE": f"{name}/mnesia", "RABBITMQ_LOG_BASE": f"{name}/log", "RABBITMQ_CONFIG_FILE": f"{name}/none",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{name}/plugins", "RABBITMQ_PID_FILE": f"{name}/pid",
        }  # fmt: skip
        server = _server()
        assert server is not None
        process = subprocess.Popen([server], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            _wait_for(port, process)
            yield port
        finally:
            process.terminate()
            process.wait(60)
            with suppress(FileNotFoundError):  # Erlang's mapper of ports, on a port of its own too
                subprocess.run(["epmd", "-kill"], env=environment, capture_output=True, check=False)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    begun = time.monotonic()
    while time.monotonic() < begun + PATIENCE and process.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise SystemExit("RabbitMQ does not start")


def measure(port: int, size: int, messages: int) -> float:
    """Messages a second from the first to the last confirm."""
    import pika

    body, properties = b"x" * size, pika.BasicProperties(delivery_mode=2)
    state = {"sent": 0, "confirmed": 0, "begun": 0.0, "ended": 0.0}
    connection: Any

    def publish(channel: Any) -> None:
        while state["sent"] < messages and state["sent"] - state["confirmed"] < WINDOW:
            channel.basic_publish("", "bench", body, properties)
            state["sent"] += 1

    def confirmed(channel: Any, frame: Any) -> None:
        assert type(frame.method).__name__ == "Ack"
        state["confirmed"] = frame.method.delivery_tag if frame.method.multiple else state["confirmed"] + 1
        if state["confirmed"] >= messages:
            state["ended"] = time.monotonic()
            connection.close()
        else:
            publish(channel)

    def failed(_: Any, reason: object) -> None:
        raise SystemExit(f"RabbitMQ ends the connection: {reason}")

    def begin(channel: Any) -> None:
        channel.add_on_close_callback(lambda c, reason: None if state["ended"] else failed(c, reason))

        def is_there(_: Any) -> None:
            state["begun"] = time.monotonic()
            publish(channel)

        channel.confirm_delivery(lambda frame: confirmed(channel, frame))
        channel.queue_delete(
            "bench", callback=lambda _: channel.queue_declare("bench", durable=True, callback=is_there)
        )

    connection = pika.SelectConnection(
        pika.ConnectionParameters("127.0.0.1", port, heartbeat=0),
        on_open_callback=lambda c: c.channel(on_open_callback=begin),
        on_open_error_callback=failed,
        on_close_callback=lambda c, reason: c.ioloop.stop() if state["ended"] else failed(c, reason),
    )
    connection.ioloop.start()
    return messages / (state["ended"] - state["begun"])
