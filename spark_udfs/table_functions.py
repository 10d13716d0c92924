"""Table functions for Spark SQL: `sbql('…')`, a text that the engine runs, and
`sbql_send(TABLE(…))`, rows that become messages.

Spark evaluates a table function as often as it likes: for a self join, a sort, a task that is tried again. So
each call has the name of a request, made when Spark analyses it or given by the caller, and the engine does
what was asked under a name once. Analysing asks for the columns only. What a function knows (where the engine
is) travels with it, pickled by value.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import LongType, StructField, StructType
from pyspark.sql.udtf import AnalyzeArgument, AnalyzeResult

from sbql.engine.host import SystemHost
from sbql.grammar.errors import SqlError
from sbql.spark_udfs.engine_client import engine_at, told
from sbql.spark_udfs.engines import file_of
from sbql.spark_udfs.options import ConnectionOptions, SinkOptions, option_error
from sbql.spark_udfs.run_once import described, run_once
from sbql.spark_udfs.sink import Sender, check_columns, message_table
from sbql.spark_udfs.spark_types import arrow_table, named_schema_of, schema_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["register_table_functions"]

_COUNT = StructType([StructField("rows_affected", LongType())])
_SENT = StructType([StructField("sent", LongType())])


def register_table_functions(
    spark: SparkSession,
    *,
    store: str | os.PathLike[str] | None = None,
    endpoint: str | None = None,
    token: str = "",
    database: str = "master",
) -> None:
    """Let Spark SQL call `sbql` and `sbql_send` in this session. The engine is the process that serves `store`
    (`sbql serve`, `sbql.serve`), or the server at `endpoint`, which `token` opens; `database` is the T-SQL database of
    the texts. Raises SqlError 87 when neither is given."""
    from pyspark.sql.functions import udtf

    options = ConnectionOptions.of({
        "endpoint": endpoint, "database": None if store is None else file_of(store), "authtoken": token,
    })  # fmt: skip
    spark.udtf.register("sbql", udtf(_text_function(options, database)))
    spark.udtf.register("sbql_send", udtf(_send_function(options, database)))


@dataclass
class Asked(AnalyzeResult):  # type: ignore[misc]
    """What analysing has found, for the instance that runs. `name` is that of the request; `issued`:
    the moment, when it was made here."""

    name: str = ""
    issued: float | None = None
    count_only: bool = False


# --- sbql('…') ---------------------------------------------------------------------------------------------


def _text_function(options: ConnectionOptions, database: str) -> type:
    class Sbql:
        """sbql(text [, request_id => 'name'])"""

        def __init__(self, asked: Asked) -> None:
            self.asked = asked

        @staticmethod
        def analyze(text: AnalyzeArgument, request_id: AnalyzeArgument | None = None) -> Asked:
            return analysed(options, database, text, request_id)

        def eval(self, text: str, request_id: str | None = None) -> Iterator[tuple[Any, ...]]:
            yield from rows_of(options, database, self.asked, text, request_id)

    return Sbql


@told
def analysed(
    options: ConnectionOptions, database: str, text: AnalyzeArgument, request_id: AnalyzeArgument | None
) -> Asked:
    statement = _constant(text, "the text")
    columns, now = described(engine_at(options), database, statement)
    schema = _COUNT if columns is None else named_schema_of(columns)
    name = "" if request_id is None else request_id.value
    if name:
        return Asked(schema, name=str(name), count_only=columns is None)
    return Asked(schema, name=_new_name(), issued=now, count_only=columns is None)


@told
def rows_of(
    options: ConnectionOptions, database: str, asked: Asked, text: str, request_id: str | None
) -> list[tuple[Any, ...]]:
    """`request_id` may be known only now: an expression such as uuid(), which Spark computes once for a DataFrame."""
    is_own = not request_id
    name = asked.name if is_own else str(request_id)
    result = run_once(engine_at(options), database, text, name, asked.issued if is_own else None)
    if isinstance(result, int):
        return [(result,)] if asked.count_only else []
    if asked.count_only or schema_of(result.columns).names != asked.schema.names:
        raise SqlError(
            8180,
            f"The text has given the columns {', '.join(schema_of(result.columns).names)}; when Spark asked for them, they were "
            f"{', '.join(asked.schema.names)}. Make the DataFrame again, with a request_id of its own to see this answer.",
        )
    return list(zip(*(column.to_pylist() for column in arrow_table(result).columns), strict=True))


def _constant(argument: AnalyzeArgument, what: str) -> str:
    if argument.isTable or argument.value is None:
        raise option_error(
            f"Spark does not know {what} yet when it asks for the columns: write a literal, a parameter (:name), or EXECUTE IMMEDIATE … USING. "
            "Of a variable, the expression variable || '' is known."
        )
    return str(argument.value)


def _new_name() -> str:
    return f"spark {SystemHost().new_guid()}"


# --- sbql_send(TABLE(…)) -----------------------------------------------------------------------------------


@dataclass
class Sending(Asked):
    """Also how dialogs are begun, as options of the sink, and the columns of the table."""

    options: tuple[tuple[str, str], ...] = ()
    columns: tuple[str, ...] = ()


def _send_function(options: ConnectionOptions, database: str) -> type:
    class SbqlSend:
        """sbql_send(TABLE(SELECT …) [, from_service => …, to_service => …, on_contract => …, message_type => …,
        encryption => …, end_conversation => …, request_id => …]): all rows in one transaction, once."""

        def __init__(self, asked: Sending) -> None:
            self.asked = asked
            self.rows: list[tuple[Any, ...]] = []

        @staticmethod
        def analyze(
            messages: AnalyzeArgument, from_service: AnalyzeArgument | None = None, to_service: AnalyzeArgument | None = None,
            on_contract: AnalyzeArgument | None = None, message_type: AnalyzeArgument | None = None,
            encryption: AnalyzeArgument | None = None, end_conversation: AnalyzeArgument | None = None,
            request_id: AnalyzeArgument | None = None,
        ) -> Sending:  # fmt: skip
            given = {
                "fromService": from_service, "toService": to_service, "onContract": on_contract, "messageType": message_type,
                "encryption": encryption, "endConversation": end_conversation,
            }  # fmt: skip
            return sending(options, database, messages, given, request_id)

        def eval(self, messages: Any, *others: Any, **named: Any) -> None:
            self.rows.append(tuple(messages))

        def terminate(self) -> Iterator[tuple[Any, ...]]:
            yield (send_all(options, self.asked, self.rows),)

    return SbqlSend


@told
def sending(
    options: ConnectionOptions, database: str, messages: AnalyzeArgument, given: dict[str, AnalyzeArgument | None],
    request_id: AnalyzeArgument | None,
) -> Sending:  # fmt: skip
    if not messages.isTable:
        raise option_error("sbql_send takes a table: sbql_send(TABLE(SELECT … )).")
    assert isinstance(messages.dataType, StructType)
    named = {name: _option(argument.value) for name, argument in given.items() if argument is not None}
    sink = SinkOptions.of({**_where(options), "inDatabase": database, **named})
    check_columns(messages.dataType, sink)
    name = request_id.value if request_id is not None else None
    if request_id is not None and name is None:
        raise option_error("The request_id of sbql_send is a literal or a parameter.")
    return Sending(
        _SENT, withSinglePartition=True, name=str(name) if name else _new_name(), columns=tuple(messages.dataType.names),
        options=tuple({"inDatabase": database, **named}.items()),
    )  # fmt: skip


@told
def send_all(options: ConnectionOptions, asked: Sending, rows: list[tuple[Any, ...]]) -> int:
    """Send them, unless this request has; so many they are."""
    sink = SinkOptions.of({**_where(options), **dict(asked.options)})
    sender = Sender(sink)
    columns = [list(column) for column in zip(*rows, strict=True)]
    batch = message_table(asked.columns, columns)
    sender.send([sender.bring(iter([batch]), f"request {asked.name}", 0, 0)])
    return len(rows)


def _option(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _where(options: ConnectionOptions) -> dict[str, str]:
    known = {"endpoint": options.endpoint, "database": options.database, "authToken": options.token}
    return {name: value for name, value in known.items() if value}
