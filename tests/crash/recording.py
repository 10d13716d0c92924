"""What a process wrote and synced, and the disks that a power failure could have left of it.

Decides what a power failure may do. What was synced stays; of what was not, any part may be there: nothing, all of it,
what came first, each write or not (disks reorder), the last one in part, with zeros or garbage for the rest. Names of
files (created, renamed, removed) reach the disk in their order, and with the next sync of any file, as the journals of
ext4 and XFS do it. It must not know what the files hold.
"""

from __future__ import annotations

import os
import random
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import pytest

__all__ = ["WAYS", "Operation", "leave", "record"]

SOURCE: Final = Path(__file__).with_name("recorder.c")
WAYS: Final = ("nothing", "everything", "the first", "the first, torn", "some", "some, torn")
"""What is left of what was not synced."""
NAMES: Final = frozenset("cur")
"""Operations on names."""
_SECTOR: Final = 512


class Operation(NamedTuple):
    """c: created. w: data written at offset. t: cut or extended to offset. e, z: allocated, zeroed `size` bytes. f:
    synced. r: renamed to `data`. u: removed. s: said on stdout."""

    op: str
    path: str
    offset: int
    data: bytes

    @property
    def size(self) -> int:
        (size,) = struct.unpack("<q", self.data)
        return int(size)


def record(folder: Path, child: Path, arguments: Sequence[str], log_after: str) -> tuple[Path, list[Operation]]:
    """Run a program that makes a store and ends with exit code 9: the folder of the store, and all that happened to it.
    Skips the test where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler (cc): nothing to record writes and syncs with")
    library, to, under = folder / "recorder.so", folder / "record", folder / "disk"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl", "-lpthread"], check=True)
    under.mkdir()
    how = {"LD_PRELOAD": str(library), "RECORD_UNDER": str(under), "RECORD_TO": str(to), "LOG_AFTER": log_after}
    command = [sys.executable, str(child), str(under / "s.duckdb"), *arguments]
    done = subprocess.run(command, env={**os.environ, **how}, capture_output=True, text=True, check=False)
    assert done.returncode == 9, done.stderr
    return under, list(_read(to))


def _read(path: Path) -> Iterator[Operation]:
    data, at = path.read_bytes(), 0
    while at < len(data):
        op, length = data[at : at + 1].decode(), struct.unpack_from("<I", data, at + 1)[0]
        at += 5
        name = data[at : at + length].decode()
        at += length
        offset, size = struct.unpack_from("<qQ", data, at)
        at += 16
        if at + size > len(data):
            return  # the process was killed here
        yield Operation(op, name, offset, data[at : at + size])
        at += size


@dataclass
class _Disk:
    """`names` to the contents of files. What waits for a sync: writes by file, and changes of names."""

    files: list[bytearray] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)

    def apply(self, operation: Operation, file: int) -> None:
        op, path, offset, data = operation
        if op == "c":
            self.names[path] = file
        elif op == "u":
            self.names.pop(path, None)
        elif op == "r":
            if path in self.names:
                self.names[data.decode()] = self.names.pop(path)
        else:
            content = self.files[file]
            end = offset + (len(data) if op == "w" else operation.size if op in "ez" else 0)
            if len(content) < end:
                content.extend(bytes(end - len(content)))
            if op == "w":
                content[offset:end] = data
            elif op == "z":
                content[offset:end] = bytes(end - offset)
            elif op == "t":
                del content[offset:]


def leave(operations: Sequence[Operation], way: str, chance: random.Random, folder: Path, under: Path) -> None:
    """Make in `folder` what a power failure after these operations may have left of the folder `under`."""
    disk = _Disk()
    now: dict[str, int] = {}
    waiting: list[tuple[Operation, int]] = []
    for operation in operations:
        op, path = operation.op, operation.path
        if op == "s" or op == "c" and path in now:
            continue
        if op == "c":
            now[path] = len(disk.files)
            disk.files.append(bytearray())
        file = now.get(path)  # None: a folder
        if op == "f":
            kept = []
            for item in waiting:
                if item[0].op in NAMES or item[1] == file:
                    disk.apply(*item)
                else:
                    kept.append(item)
            waiting = kept
        else:
            assert file is not None
            waiting.append((operation, file))
        if op == "u":
            del now[path]
        elif op == "r":
            now[operation.data.decode()] = now.pop(path)
    for operation, file in _left(waiting, way, chance):
        disk.apply(operation, file)
    for name, file in disk.names.items():
        target = folder / Path(name).relative_to(under)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(disk.files[file])


def _left(waiting: Sequence[tuple[Operation, int]], way: str, chance: random.Random) -> Iterator[tuple[Operation, int]]:
    how, _, torn = way.partition(", ")
    kept = list(waiting)
    if how == "nothing":
        return
    if how == "the first" or torn:
        kept = kept[: chance.randint(0, len(kept))]
    if how == "some":
        # Names keep their order: those that are left are the first ones.
        names = chance.randint(0, len(kept))
        kept = [item for i, item in enumerate(kept) if (i < names if item[0].op in NAMES else chance.random() < 0.5)]
    if torn and kept and kept[-1][0].op == "w":
        (last, file), kept = kept[-1], kept[:-1]
        yield from kept
        yield _torn(last, chance), file
    else:
        yield from kept


def _torn(write: Operation, chance: random.Random) -> Operation:
    """The write in part. The length of the file may have reached the disk before the data: zeros or garbage then."""
    size = len(write.data)
    place = chance.randrange(size + 1)
    if chance.random() < 0.5:
        place -= place % _SECTOR
    rest = chance.choice((b"", bytes(size - place), chance.randbytes(size - place)))
    return write._replace(data=write.data[:place] + rest)
