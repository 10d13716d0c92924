"""What every node has: a span. And the small nodes for names that all parts of the tree share.

`node` makes a class a node: a frozen dataclass with slots. sbql starts with two hundred of them and uses twenty, so
nothing is generated until it is needed: comparison, hash and repr are inherited from Node, and a class gets its
`__init__` with its first instance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, dataclass_transform, overload

__all__ = [
    "NO_SPAN",
    "Batch",
    "DataSpace",
    "DataTypeReference",
    "Identifier",
    "Node",
    "ObjectName",
    "Span",
    "Statement",
    "node",
]

C = TypeVar("C", bound=type)


@overload
def node(cls: C, /) -> C: ...
@overload
def node(*, kw_only: bool) -> Callable[[C], C]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: Any = None, /, *, kw_only: bool = False) -> Any:
    """Make a class a node: `@node`, or `@node(kw_only=True)` for one that others inherit from."""
    if cls is None:
        return lambda cls: _node(cls, kw_only)
    return _node(cls, kw_only)


def _node(cls: Any, kw_only: bool) -> Any:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else dataclass writes a signature there, slowly
    made = dataclass(slots=True, init=False, eq=False, repr=False, kw_only=kw_only)(cls)
    made.__init__ = _first_init
    return made


def _first_init(self: Any, *arguments: Any, **named: Any) -> None:
    cls = type(self)
    cls.__init__ = _make_init(cls)
    self.__init__(*arguments, **named)


def _make_init(cls: Any) -> Callable[..., None]:
    """What dataclass would generate for a frozen class."""
    names: dict[str, Any] = {"_set": object.__setattr__}
    positional: list[str] = []
    keywords: list[str] = []
    for part in fields(cls):
        assert part.default_factory is MISSING
        names[f"_{part.name}"] = part.default
        default = "" if part.default is MISSING else f"=_{part.name}"
        (keywords if part.kw_only else positional).append(part.name + default)
    body = "\n".join(f"    _set(self, {part.name!r}, {part.name})" for part in fields(cls))
    exec(f"def __init__(self, {', '.join([*positional, '*', *keywords])}):\n{body}", names)
    made: Callable[..., None] = names["__init__"]
    return made


class Span(NamedTuple):
    """Where a node stands in its batch: 1-based lines and columns, 0-based character offsets, end exclusive. A tuple,
    for every node is made with one."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


NO_SPAN = Span(0, 0, 0, 0, 0, 0)


@node(kw_only=True)
class Node:
    """Base of all nodes. Where a node stands is no part of what it says: the span is neither compared nor shown."""

    span: Span = field(default=NO_SPAN, compare=False, repr=False)

    if not TYPE_CHECKING:  # to mypy the fields are read-only, and others unknown

        def __setattr__(self, name, value):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")

        def __delattr__(self, name):
            raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return self is other or other.__class__ is self.__class__ and _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash((self.__class__, *_values(self)))

    def __repr__(self) -> str:
        shown, names = [], cast(Any, self).__match_args__
        for name in names:  # no generator: a deep tree needs all of the stack
            shown.append(f"{name}={getattr(self, name)!r}")
        return f"{self.__class__.__qualname__}({', '.join(shown)})"


@node(kw_only=True)
class Statement(Node):
    """Base of everything that can stand alone in a batch."""


def _values(node: Any) -> list[Any]:
    return [getattr(node, name) for name in node.__match_args__]


@node
class Identifier(Node):
    """One part of a name. `value` is without delimiters; `quoted` tells [x] or "x" from a bare x."""

    value: str
    quoted: bool = False


@node
class DataSpace(Node):
    """What a storage clause names: a filegroup, or a partition scheme with its `columns`.
    `default` may be the word or a name."""

    name: Identifier
    columns: tuple[Identifier, ...] = ()

    @property
    def is_scheme(self) -> bool:
        return bool(self.columns)


@node
class ObjectName(Node):
    """A one- to four-part name. A part left out (`db..t`) is None."""

    parts: tuple[Identifier | None, ...]

    @property
    def name(self) -> str:
        last = self.parts[-1]
        assert last is not None
        return last.value

    def _part(self, back: int) -> str | None:
        if len(self.parts) < back:
            return None
        part = self.parts[-back]
        return part.value if part is not None else None

    @property
    def schema(self) -> str | None:
        return self._part(2)

    @property
    def database(self) -> str | None:
        return self._part(3)

    @property
    def server(self) -> str | None:
        return self._part(4)

    def __str__(self) -> str:
        return ".".join(p.value if p is not None else "" for p in self.parts)


@node
class DataTypeReference(Node):
    """A type as written: `nvarchar(max)`, `decimal(10, 2)`, `dbo.TradeList`, `xml(CONTENT dbo.Schemas)`.

    `arguments` holds integers, or the word 'max'. `xml_collection` is the schema collection of a typed xml, with
    `xml_kind` 'CONTENT' or 'DOCUMENT'.
    """

    name: ObjectName
    arguments: tuple[int | str, ...] = ()
    xml_collection: ObjectName | None = None
    xml_kind: str | None = None


@node
class Batch(Node):
    """The statements between two GO lines."""

    statements: tuple[Statement, ...]
