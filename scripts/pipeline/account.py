"""The account of a run: what had to become of the entries, beside the Parquet files,
the desk's tables and the aggregate.

What is expected comes from the generator alone. Each line is a comparison of what
independent parts of the pipeline say.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from entries import entries
from queries import LANDED

KINDS = {
    "broken": "code = 9615",
    "invalid": "code BETWEEN 6900 AND 6999",
    "unknown": "code = 101",
    "double": "code = 102",
    "accepted": "code IS NULL",
}
"""What may become of an entry, as a condition on landed and settled rows."""


@dataclass(frozen=True)
class Line:
    what: str
    expected: Any
    found: dict[str, Any]

    @property
    def holds(self) -> bool:
        return all(value == self.expected for value in self.found.values())


def expected_rows(spark: Any, total: int) -> Any:
    """The entries with `kind`: of several fit ones with one order number one is accepted, the others are doubles."""
    found = entries(spark, 0, total, total).selectExpr(
        "*", "row_number() OVER (PARTITION BY order_id, wrong IS NULL ORDER BY entry) AS place"
    )
    return found.selectExpr(
        "*", "CASE WHEN wrong IS NOT NULL THEN wrong WHEN place > 1 THEN 'double' ELSE 'accepted' END AS kind"
    )


def account(spark: Any, desk: Any, folder: Path, total: int) -> list[Line]:
    """`desk`: a connection to the store that the run has used. `folder`: where its files are."""
    expected = expected_rows(spark, total).cache()
    landed = spark.read.schema(LANDED).parquet(str(folder / "entries")).cache()
    kinds = {row.kind: row["count"] for row in expected.groupBy("kind").count().collect()}
    lines = [
        Line("entries answered", total, {
            "files": landed.count(), "numbers in the files": landed.select("conversation_handle", "number").distinct().count(),
            "table": _value(desk, "SELECT COUNT(*) FROM Desk.dbo.settlements"),
        }),
        Line("conversations with a gap", 0, {"table": _value(desk, GAPS)}),
    ]  # fmt: skip
    for kind, condition in KINDS.items():
        found = {
            "files": landed.where(condition).count(),
            "table": _value(desk, f"SELECT COUNT(*) FROM Desk.dbo.settlements WHERE {condition}"),
        }
        lines.append(Line(kind, kinds.get(kind, 0), found))
    lines.append(Line("refused without a reason", 0, {
        "files": landed.where("code IS NOT NULL AND reason IS NULL").count(),
        "table": _value(desk, "SELECT COUNT(*) FROM Desk.dbo.settlements WHERE code IS NOT NULL AND reason IS NULL"),
    }))  # fmt: skip
    lines += by_symbol(expected, landed, spark.read.parquet(str(folder / "positions")), desk)
    lines += [Line(what, 0, {"broker": _value(desk, query)}) for what, query in LEFT.items()]
    expected.unpersist()
    landed.unpersist()
    return lines


def by_symbol(expected: Any, landed: Any, positions: Any, desk: Any) -> list[Line]:
    """Trades, position and turnover of each symbol, in four ways."""
    sums = "count(*) AS trades", "sum(IF(side = 'B', volume, -volume)) AS position", "sum(volume * price) AS turnover"
    parts = {
        "generator": _sums(expected.where("kind = 'accepted'"), *sums),
        "files": _sums(landed.where("code IS NULL"), *sums),
        "aggregate": _sums(
            positions, "sum(trades) AS trades", "sum(position) AS position", "sum(turnover) AS turnover"
        ),
        "table": {symbol: tuple(map(str, rest)) for symbol, *rest in desk.execute(TABLE_SUMS).fetchall()},
    }
    parts = {name: {s: tuple(_plain(v) for v in values) for s, values in part.items()} for name, part in parts.items()}
    symbols = sorted({symbol for part in parts.values() for symbol in part})
    return [
        Line(f"{symbol} *", parts["generator"].get(symbol), {
            name: part.get(symbol) for name, part in parts.items() if name != "generator"
        })
        for symbol in symbols
    ]  # fmt: skip


def _sums(frame: Any, *sums: str) -> dict[str, tuple[Any, ...]]:
    from pyspark.sql.functions import expr

    rows = frame.groupBy("symbol").agg(*(expr(text) for text in sums)).collect()
    return {row.symbol: (row.trades, row.position, row.turnover) for row in rows}


def _plain(value: Any) -> str:
    """A number as text, without the zeros that its type adds."""
    text = str(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _value(desk: Any, query: str) -> Any:
    return desk.execute(query).fetchall()[0][0]


GAPS = """SELECT COUNT(*) FROM
    (SELECT handle FROM Desk.dbo.settlements GROUP BY handle HAVING MIN(number) <> 0 OR MAX(number) <> COUNT(*) - 1) AS gaps"""
TABLE_SUMS = """SELECT symbol, COUNT(*), SUM(CASE side WHEN 'B' THEN volume ELSE -volume END), SUM(volume * price)
FROM Desk.dbo.settlements WHERE code IS NULL GROUP BY symbol"""
LEFT = {
    "entries left in the queue": "SELECT COUNT(*) FROM Brokerage.dbo.entryQueue",
    "answers left in the queue": "SELECT COUNT(*) FROM Desk.dbo.answerQueue",
    "messages not delivered": "SELECT COUNT(*) FROM Desk.sys.transmission_queue",
    "conversations open": "SELECT (SELECT COUNT(*) FROM Desk.sys.conversation_endpoints WHERE state <> 'CD')"
    " + (SELECT COUNT(*) FROM Brokerage.sys.conversation_endpoints WHERE state <> 'CD')",
}
