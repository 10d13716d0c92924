"""`spark.sql` that knows Service Broker's statements: `install` and `uninstall`.

It decides which texts go to the engine: those that begin with a statement which Spark's parser has none of, or that
hold an @variable or @@function on their own. Everything else, BEGIN … END scripts and plain SELECTs too, goes to Spark
unchanged. The class attribute is replaced, not an object's: foreachBatch hands out new session objects. A statement
runs now and once; whatever Spark does with the DataFrame, it does with rows in memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from sbql.engine.outcomes import InfoMessage, Outcome, ResultSet
from sbql.grammar.batches import BatchText
from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import Source, scan
from sbql.spark_udfs.engines import engine_session, parameters_of, run_script, use
from sbql.spark_udfs.frames import count_frame, frame_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["install", "is_for_the_engine", "uninstall"]

_OBJECTS: Final = (
    ("QUEUE",), ("SERVICE",), ("CONTRACT",), ("MESSAGE", "TYPE"), ("ROUTE",), ("REMOTE", "SERVICE", "BINDING"), ("BROKER", "PRIORITY"),
)  # fmt: skip
_STARTS: Final = (
    ("RECEIVE",), ("SEND", "ON"), ("WAITFOR",), ("BEGIN", "DIALOG"), ("BEGIN", "CONVERSATION", "TIMER"), ("BEGIN", "TRAN"),
    ("BEGIN", "TRANSACTION"), ("COMMIT",), ("ROLLBACK",), ("END", "CONVERSATION"), ("GET", "CONVERSATION", "GROUP"),
    ("MOVE", "CONVERSATION"), ("PRINT",), *((verb, *kind) for verb in ("CREATE", "ALTER", "DROP") for kind in _OBJECTS),
)  # fmt: skip


def is_for_the_engine(text: str) -> bool:
    """Whether `spark.sql` gives this text to the engine."""
    ignored: list[SqlError] = []
    tokens = [token for token in scan(Source(text), ignored) if token.kind != "end"]
    words = [token.text.upper() for token in tokens[:4]]
    if words[:1] in (["EXEC"], ["EXECUTE"]):
        return words[1:2] != ["IMMEDIATE"]
    if any(tuple(words[: len(start)]) == start for start in _STARTS):
        return True
    if "\\" in text or "`" in text:  # Spark's own spelling of strings and names, in which an @ may be anything
        return False
    return any(token.kind == "VARIABLE" and len(token.text) > 1 for token in tokens)


class Hook:
    """What `install` returns. `results` and `messages` are those of the last text that went to the engine: all its
    result sets, and what PRINT said."""

    def __init__(self) -> None:
        self.results: list[ResultSet] = []
        self.messages: list[str] = []
        self._replaced: list[tuple[Any, Callable[..., Any]]] = []

    def run(self, spark: Any, text: str, args: Any = None) -> DataFrame:
        """The last result set of a text for the engine. Raises SqlError."""
        if args is not None and not isinstance(args, Mapping):
            raise TypeError("args of a statement for sbql is a mapping of @variables to values, not a list")
        messages: list[str] = []

        def note(outcome: Outcome, batch: BatchText) -> None:
            if isinstance(outcome, InfoMessage):
                messages.append(outcome.text)

        self.results, self.messages = [], messages
        self.results, count = run_script(engine_session(), text, parameters=parameters_of(args or {}), sink=note)
        return frame_of(spark, self.results[-1]) if self.results else count_frame(spark, count)

    def replace(self, kind: Any) -> None:
        """`kind.sql` asks this hook first."""
        original = kind.sql

        def sql(session: Any, sqlQuery: str, args: Any = None, **kwargs: Any) -> Any:
            if not kwargs and is_for_the_engine(sqlQuery):
                return self.run(session, sqlQuery, args)
            return original(session, sqlQuery, args, **kwargs)

        sql.__doc__ = original.__doc__
        kind.sql = sql
        self._replaced.append((kind, original))

    def restore(self) -> None:
        while self._replaced:
            kind, original = self._replaced.pop()
            kind.sql = original


_hook: Hook | None = None


def install(
    target: Any = None,
    *,
    store: str | os.PathLike[str] | None = None,
    endpoint: str | None = None,
    token: str = "",
    database: str = "master",
    login: str = "sa",
    served: bool = False,
) -> Hook:
    """Let `spark.sql` take Service Broker's statements, in this process. Twice is harmless.

    The arguments are those of `use`; without any of them, what is in use stays.
    """
    global _hook
    if any(given is not None for given in (target, store, endpoint)) or database != "master" or login != "sa" or served:
        use(target, store=store, endpoint=endpoint, token=token, database=database, login=login, served=served)
    if _hook is None:
        from pyspark.sql import SparkSession

        _hook = Hook()
        _hook.replace(SparkSession)
        for name in ("pyspark.sql.classic.session", "pyspark.sql.connect.session"):
            kind = getattr(sys.modules.get(name), "SparkSession", None)
            if kind is not None and kind is not SparkSession and "sql" in vars(kind):
                _hook.replace(kind)
    return _hook


def uninstall() -> None:
    """Give `spark.sql` back to Spark."""
    global _hook
    if _hook is not None:
        _hook.restore()
        _hook = None
