"""The trade entries of the pipeline, made by Spark from their numbers alone, and what has to become of them.

Entry n is the same in every run. It decides what is wrong with which: some are cut off, some break the schema,
some name a symbol that nobody knows, some are another entry once more. `wrong` says so without looking at the
message, which the account relies on.
"""

from __future__ import annotations

from typing import Any

SYMBOLS = (
    "AA.N", "AXP.N", "BA.N", "CAT.N", "CSCO.O", "DIS.N", "GE.N", "IBM.N", "INTC.O", "JPM.N", "KO.N", "MCD.N", "MSFT.O", "ORCL.O",
    "WMT.N", "XOM.N",
)  # fmt: skip
UNKNOWN = "YUKN.O"
ACCOUNTS = 200
PER_THOUSAND = {"broken": 5, "invalid": 5, "unknown": 5, "double": 10}
OPENING = "2026-01-05 09:00:00"
TRADING_DAY = 8 * 3600


def entries(spark: Any, first: int, after: int, total: int) -> Any:
    """Entries `first` to `after` - 1 of `total`: entry, wrong, order_id, account, symbol, side,
    volume, price, traded_at, message_body.

    The trades are spread over one day. A double is an entry of the last fifty, word for word.
    """
    chance, bounds, bound = "pmod(xxhash64(order_id, 'wrong'), 1000)", {}, 0
    for name in ("broken", "invalid", "unknown"):
        bounds[name] = bound, bound + PER_THOUSAND[name]
        bound = bounds[name][1]
    wrong = " ".join(
        f"WHEN {chance} BETWEEN {low} AND {high - 1} THEN '{name}'" for name, (low, high) in bounds.items()
    )
    is_double = f"entry > 0 AND pmod(xxhash64(entry, 'double'), 1000) < {PER_THOUSAND['double']}"
    symbols = ", ".join(f"'{symbol}'" for symbol in SYMBOLS)
    return (
        spark.range(first, after).selectExpr("CAST(id AS INT) AS entry")
        .selectExpr("entry", f"IF({is_double}, GREATEST(0, entry - 1 - CAST(pmod(xxhash64(entry), 50) AS INT)), entry) AS order_id")
        .selectExpr("*", f"CASE {wrong} END AS wrong")
        .selectExpr(
            "*",
            f"printf('TR-%04d', pmod(xxhash64(order_id, 'account'), {ACCOUNTS})) AS account",
            f"IF(wrong = 'unknown', '{UNKNOWN}', element_at(array({symbols}), 1 + CAST(pmod(xxhash64(order_id, 'symbol'), {len(SYMBOLS)}) AS INT)))"
            " AS symbol",
            "IF(pmod(xxhash64(order_id, 'side'), 2) = 0, 'B', 'S') AS side",
            "100 * (1 + CAST(pmod(xxhash64(order_id, 'volume'), 20) AS INT)) * IF(wrong = 'invalid', -1, 1) AS volume",
            "CAST(10 + pmod(xxhash64(order_id, 'price'), 9000) / 100 AS DECIMAL(12, 2)) AS price",
            f"TIMESTAMP'{OPENING}' + make_dt_interval(0, 0, 0, CAST(CAST(order_id AS BIGINT) * {TRADING_DAY} DIV {total} AS INT)) AS traded_at",
        )
        .selectExpr(
            "*",
            "concat('<TradeEntry><RICCODE>', symbol, '</RICCODE><CustomerID>', account, '</CustomerID><OrderID>', order_id, '</OrderID><BuySell>',"
            " side, '</BuySell><Volume>', volume, '</Volume><Price>', price, '</Price><TradedAt>',"
            " date_format(traded_at, \"yyyy-MM-dd'T'HH:mm:ss'Z'\"), '</TradedAt>', IF(wrong = 'broken', '', '</TradeEntry>')) AS message_body",
        )
    )  # fmt: skip


def send(frame: Any, database: str, version: int) -> None:
    """Send the entries as messages, a dialog for each account, in one transaction of the engine; a version
    that was sent is not sent again."""
    messages = frame.coalesce(1).selectExpr("account AS conversation_key", "message_body")
    writer = messages.write.format("sbql").mode("append").option("database", database).option("inDatabase", "Desk")
    writer = writer.option("fromService", "//trades/Desk").option("toService", "//trades/Brokerage")
    writer = writer.option("onContract", "//trades/EnterTrades").option("messageType", "//trades/Entry")
    writer.option("encryption", "false").option("txnAppId", "desk").option("txnVersion", version).save()
