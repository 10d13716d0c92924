"""TABLESAMPLE: each row is a page of its own, and is in the sample or not by a hash of its row id and the seed.

So a sample of n percent has about n percent of the rows, REPEATABLE gives the same rows again while they are not
changed, and ROWS is turned into a percentage first, as on SQL Server. It must not know joins.
"""

from __future__ import annotations

import hashlib
from typing import Any

from sbql.catalog.records import Table
from sbql.engine.query.context import Context, is_constant, source
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.typed_sql import quote
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, FLOAT

ROW_ID = "$rid"
PARTS = 1_000_000


@source(ast.SampledTable)
def sampled_table(node: ast.SampledTable, cx: Context) -> str:
    """Raises 475 for other than a table, 478 in a view or an inline function, 482 for what is no constant."""
    name = str(node.table.name)
    if cx.statement.view_depth:
        raise sql_error(478, span=node.span)
    if len(node.table.name.parts) == 1 and cx.statement.find_common_table(node.table.name.name) is not None:
        raise sql_error(475, span=node.span)
    found = resolve(cx.session, node.table.name, missing_ok=True)
    if found is not None and not isinstance(found, Table):
        raise sql_error(475, span=node.span)
    for part in (node.size, node.seed):
        if part is not None and not is_constant(part):
            raise sql_error(482, span=part.span)
    text = cx.source(node.table)
    storage, _, alias = text.rpartition(" AS ")
    scope = cx.statement.scope
    size = compile_scalar(node.size, scope)
    seed = compile_scalar(node.seed, scope) if node.seed is not None else None
    is_rows = node.is_rows
    if size.is_constant:
        _size(size.value, is_rows, name)

    def parts(frame: Frame) -> float:
        return _size(size.run(frame), is_rows, name)

    def salt(frame: Frame) -> int:
        given = seed.run(frame) if seed is not None else int(frame.session.instance.host.random() * 2**31)
        return _salt(given, name)

    share = cx.statement.parameter(parts, FLOAT)
    if is_rows:
        share = f"({share} * 100.0 / greatest((SELECT count(*) FROM {storage}), 1))"
    salted = cx.statement.parameter(salt, BIGINT)
    test = f"hash({quote(ROW_ID)}, {salted}) % {PARTS} < {share} * {PARTS // 100}"
    return f"(SELECT * FROM {storage} WHERE {test}) AS {alias}"


def _size(value: Any, is_rows: bool, name: str) -> float:
    """Raises 476, 477, 479."""
    if is_rows:
        if not isinstance(value, int) or isinstance(value, bool):
            raise sql_error(477, name)
        if value <= 0:
            raise sql_error(479, value, name)
        return float(value)
    try:
        percent = float(value)
    except (TypeError, ValueError):
        raise sql_error(482) from None
    if not 0 <= percent <= 100:
        raise sql_error(476, percent, name)
    return percent


def _salt(seed: Any, name: str) -> int:
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise sql_error(477, name)
    if seed <= 0:
        raise sql_error(479, seed, name)
    digest = hashlib.blake2b(str(seed).encode(), digest_size=7).digest()
    return int.from_bytes(digest, "big")
