"""A proxy that harms what it carries: it stalls, resets, and cuts within a frame, so often and then no more."""

from __future__ import annotations

import contextlib
import random
import socket
import struct
import threading
import time

__all__ = ["ChaosProxy"]

_CHUNK = 16 * 1024
_RESET = struct.pack("ii", 1, 0)


class ChaosProxy:
    """Listens, and connects to `target` for each who comes. `harms`: what it has done."""

    def __init__(self, target: int, seed: int, most: int) -> None:
        self._target = target
        self._chance = random.Random(seed)
        self._most = most
        self._lock = threading.Lock()
        self.harms: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        """Bytes from `one` to `other` until somebody ends it."""
        left = self._until_harm()
        try:
            while data := one.recv(_CHUNK):
                left -= len(data)
                if left > 0:
                    other.sendall(data)
                    continue
                harm, left = self._harm(), self._until_harm()
                if harm == "stall":
                    time.sleep(self._chance.uniform(0.2, 2.0))
                elif harm == "reset":
                    other.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                    break
                elif harm == "cut":
                    other.sendall(data[: self._chance.randrange(len(data))])
                    break
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _until_harm(self) -> int:
        return self._chance.choice((3_000, 50_000, 300_000, 1_000_000))

    def _harm(self) -> str:
        with self._lock:
            if len(self.harms) >= self._most:
                return ""
            self.harms.append(self._chance.choice(("stall", "reset", "cut")))
            return self.harms[-1]
