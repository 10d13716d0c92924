"""BULK INSERT: rows of a text file into a table.

Decides what the options mean and what becomes of a row that does not fit: it is told (4863 to 4869) and left out, up to
MAXERRORS. CHECK and FOREIGN KEY constraints and triggers count only when an option asks for them. Native files, format
files and external data sources are error 40517.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from sbql.catalog.records import Table
from sbql.engine.modification.bulk_rows import Layout, records, terminator
from sbql.engine.modification.identity_values import identity_value
from sbql.engine.modification.locking import locked
from sbql.engine.modification.row_changes import write
from sbql.engine.modification.target import bound_target, check_permission, find_target, rows_of
from sbql.engine.outcomes import RowsAffected
from sbql.engine.ports import Session
from sbql.engine.query.bulk_files import decoded, read_file
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step, handles
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.column_conversion import assignment
from sbql.engine.tables.row_images import Inserted, RowImages
from sbql.engine.work import Suspend, Work
from sbql.grammar.ast import BulkInsertStatement, BulkOption, Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.checkpoints import checked

_WITHOUT_EFFECT = frozenset({"KILOBYTES_PER_BATCH", "ORDER", "ROWS_PER_BATCH", "TABLOCK"})
_WORDS = frozenset({"CHECK_CONSTRAINTS", "FIRE_TRIGGERS", "KEEPIDENTITY", "KEEPNULLS"})
_TEXTS = frozenset(
    {"CODEPAGE", "DATAFILETYPE", "ERRORFILE", "FIELDQUOTE", "FIELDTERMINATOR", "FORMAT", "ROWTERMINATOR"}
)
_NUMBERS = frozenset({"BATCHSIZE", "FIRSTROW", "LASTROW", "MAXERRORS"})
_NAMED = frozenset(
    {
        "DATA_SOURCE",
        "ERRORFILE_DATA_SOURCE",
        "FORMATFILE",
        "FORMATFILE_DATA_SOURCE",
        "KILOBYTES_PER_BATCH",
        "ROWS_PER_BATCH",
    }
)
"""Options that are only named, by error 40517."""
_TRUNCATED = frozenset({2628, 8152})
_OFTEN = 1024
"""Rows between two words of how far it is."""
_OVERFLOWS = frozenset({220, 242, 244, 248, 8115})


class _Options(Struct):
    words: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def layout(self) -> Layout:
        is_csv = self.texts.get("FORMAT", "").upper() == "CSV"
        field_end = terminator(self.texts.get("FIELDTERMINATOR", "," if is_csv else "\\t"))
        row_end = terminator(self.texts.get("ROWTERMINATOR", "\\n"))
        return Layout(field_end or "\n", row_end, self.texts.get("FIELDQUOTE", '"') if is_csv else "", is_csv)

    @property
    def code_page(self) -> str | None:
        return "WIDE" if self.texts.get("DATAFILETYPE", "").lower() == "widechar" else self.texts.get("CODEPAGE")


def _options(given: tuple[BulkOption, ...], span: Span) -> _Options:
    """Raises 40517 for an option that is not here, 102 for one that is none and for a value of the wrong kind."""
    found = _Options()
    for option in given:
        name, value = option.name, option.value
        if name in _WITHOUT_EFFECT:
            continue
        if name in _WORDS and value is None:
            found.words.add(name)
        elif name in _TEXTS and value is not None:
            found.texts[name] = str(value)
        elif name in _NUMBERS and isinstance(value, int):
            found.numbers[name] = value
        elif name in _WORDS | _TEXTS | _NUMBERS:
            raise sql_error(102, name, span=option.span)
        elif name in _NAMED:
            raise sql_error(40517, f"BULK INSERT … {name}", span=option.span)
        else:
            raise sql_error(102, name, span=option.span).advise(did_you_mean(name, _WORDS | _TEXTS | _NUMBERS | _NAMED))
    kind = found.texts.get("DATAFILETYPE", "char").lower()
    if kind not in ("char", "widechar", "native", "widenative"):
        raise sql_error(102, kind, span=span)
    if kind not in ("char", "widechar"):
        raise sql_error(40517, f"BULK INSERT … DATAFILETYPE = '{kind}'", span=span)
    if found.texts.get("FORMAT", "CSV").upper() != "CSV":
        raise sql_error(102, found.texts["FORMAT"], span=span)
    return found


@handles(BulkInsertStatement)
def compile_bulk_insert(node: BulkInsertStatement, compiler: Compiler) -> Step:
    options = _options(node.options, node.span)

    def run(frame: Frame) -> Work:
        session = frame.session
        _bound(session, node, options)
        text = decoded(read_file(session, node.file), options.code_page)
        loader: _Loader | None = None
        rows: Iterator[list[Any]] = iter(())
        size = options.numbers.get("BATCHSIZE") or None
        count = 0
        while True:
            with session.statement() as txn:
                version, bound = session.catalog.version, _bound(session, node, options)
                bound = yield from locked(
                    session, txn, version, bound, lambda: _bound(session, node, options), lambda found: (found,)
                )
                if loader is None or loader.bound.table is not bound.table:  # it has been changed between two batches
                    loader = _Loader(session, bound, options, node.span)
                    rows = islice(loader.rows(text), count, None)
                batch = list(islice(rows, size))
                if batch or not count:
                    yield from _load(frame, txn, bound, batch, "KEEPIDENTITY" in options.words)
            count += len(batch)
            if size is None or len(batch) < size:
                break
        return RowsAffected(count, "BULK INSERT")

    return Step(run, waits=True)


def _bound(session: Session, node: BulkInsertStatement, options: _Options) -> BoundTable:
    """The table without what a bulk load does not look at. Raises 208, 229, 40517."""
    if not isinstance(find_target(session, node.target.name), Table):
        raise sql_error(40517, "BULK INSERT into a view", span=node.target.span)
    bound = bound_target(session, node.target)
    check_permission(session, bound.table, "INSERT", node.target.span)
    if "CHECK_CONSTRAINTS" not in options.words:
        bound = bound.unchecked()
    return bound if "FIRE_TRIGGERS" in options.words else msgspec.structs.replace(bound, triggers=())


def _load(
    frame: Frame, txn: Any, bound: BoundTable, rows: list[list[Any]], keeps_identity: bool
) -> Generator[Suspend, None, None]:
    store = rows_of(bound, None, frame, txn)
    images = RowImages("INSERT", [Inserted(row) for row in rows])
    if bound.identity is not None and rows:
        if keeps_identity:
            for row in rows:
                store.note_identity(int(row[bound.identity]))
        else:
            values, images.is_fresh_identity = store.take_identities(len(rows))
            for row, value in zip(rows, values, strict=True):
                row[bound.identity] = identity_value(bound, value)
        frame.identities = rows[-1][bound.identity], rows[-1][bound.identity]
    yield from write(frame, txn, store, images)


class _Loader:
    """Rows of the file as rows of the table; those that do not fit are counted, told and written to ERRORFILE."""

    def __init__(self, session: Session, bound: BoundTable, options: _Options, span: Span) -> None:
        self.session, self.bound, self.options, self.span = session, bound, options, span
        self.layout = options.layout
        self.most = options.numbers.get("MAXERRORS", 10)
        self.errors = 0
        self.error_file = self._error_file(options.texts.get("ERRORFILE"))
        self.converters = [
            assignment(NVARCHAR_MAX, t, bound.full_name, c.name, session.options)
            for t, c in zip(bound.types, bound.table.columns, strict=True)
        ]

    def _error_file(self, name: str | None) -> Path | None:
        """Raises 4861 for a file that is there already."""
        if name is None:
            return None
        path = Path(self.session.instance.files.path(name))
        if path.exists():
            raise sql_error(4861, name, "80(The file exists.)")
        return path

    def rows(self, text: str) -> Iterator[list[Any]]:
        numbers = self.options.numbers
        first, last = numbers.get("FIRSTROW", 1), numbers.get("LASTROW", 0)
        read = 0
        try:
            for number, (line, fields) in enumerate(checked(records(text, self.layout, self.bound.width)), 1):
                read += len(line)
                if number % _OFTEN == 0:
                    self.session.gets_on(100 * read // len(text))
                if number < first:
                    continue
                if last and number > last:
                    return
                try:
                    yield self._row(number, fields)
                except SqlError as error:
                    self._told(error, line)
        finally:
            self.session.gets_on(100)

    def _told(self, error: SqlError, line: str) -> None:
        """Raises 4865 after one error too many."""
        self.errors += 1
        if self.error_file is not None:
            with self.error_file.open("a", encoding="utf-8", newline="") as file:
                file.write(line)
        if self.session.try_depth:
            raise error
        self.session.report(error.at(self.span))
        if self.errors > self.most:
            raise sql_error(4865, self.most)

    def _row(self, number: int, fields: list[str]) -> list[Any]:
        frame = Frame(self.session, 0)
        return self.bound.of_row(frame, lambda: self._filled(frame, number, fields))

    def _filled(self, frame: Frame, number: int, fields: list[str]) -> list[Any]:
        """Raises 4863, 4864, 4866, 4867, 4869."""
        bound = self.bound
        if len(fields) != bound.width:
            raise sql_error(4866, number, min(len(fields), bound.width))
        row: list[Any] = [None] * bound.width
        for place, text in enumerate(fields):
            column = bound.table.columns[place]
            if column.computed is not None or place == bound.row_version:
                continue
            if place == bound.identity and "KEEPIDENTITY" not in self.options.words:
                continue
            row[place] = self._value(frame, number, place, text)
            if row[place] is None and not column.is_nullable:
                raise sql_error(4869, number, place + 1, column.name)
        return row

    def _value(self, frame: Frame, number: int, place: int, text: str) -> Any:
        column = self.bound.table.columns[place]
        if not text:
            default: Callable[[Any], Any] | None = self.bound.defaults[place]
            if default is None or "KEEPNULLS" in self.options.words:
                return None
            return default(frame)
        convert = self.converters[place]
        try:
            return text if convert is None else convert(text)
        except SqlError as error:
            kind = 4863 if error.number in _TRUNCATED else 4867 if error.number in _OVERFLOWS else 4864
            raise sql_error(kind, number, place + 1, column.name) from None
