"""What every node has: a span. And the small nodes for names that all parts of the tree share."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = [
    "NO_SPAN", "Batch", "DataTypeReference", "Identifier", "Node", "ObjectName", "Span", "Statement",
]


@dataclass(frozen=True, slots=True)
class Span:
    """Where a node stands in its batch: 1-based lines and columns, 0-based character offsets, end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int


NO_SPAN = Span(0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Base of all nodes."""

    span: Span = field(default=NO_SPAN, compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement(Node):
    """Base of everything that can stand alone in a batch."""


@dataclass(frozen=True, slots=True)
class Identifier(Node):
    """One part of a name. `value` is without delimiters; `quoted` tells [x] or "x" from a bare x."""

    value: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class DataTypeReference(Node):
    """A type as written: `nvarchar(max)`, `decimal(10, 2)`, `dbo.TradeList`, `xml(CONTENT dbo.Schemas)`.

    `arguments` holds integers, or the word 'max'. `xml_collection` is the schema collection of a typed xml, with
    `xml_kind` 'CONTENT' or 'DOCUMENT'.
    """

    name: ObjectName
    arguments: tuple[int | str, ...] = ()
    xml_collection: ObjectName | None = None
    xml_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Batch(Node):
    """The statements between two GO lines."""

    statements: tuple[Statement, ...]
