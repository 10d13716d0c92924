"""Message bodies in Spark SQL: Arrow UDFs over whole columns of bodies.

It decides names, types and NULL (a NULL body gives NULL). They are pure: Spark may run them as often as
it likes, or not at all. What a function needs, such as the documents of a schema collection, travels
with it: no executor asks the engine.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from sbql.spark_udfs import bodies
from sbql.spark_udfs.schema_collections import documents_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from sbql.spark_udfs.engines import Runner

__all__ = ["decode_body", "invalid_xml", "is_well_formed", "register", "xml_value"]


def _bodies(column: Any) -> list[bytes | None]:
    """Raises TypeError for a column that holds no bytes."""
    kind = column.type
    if not (pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_null(kind)):
        raise TypeError(
            f"sbql's functions over message bodies take BINARY, as message_body is, not {str(kind).upper()}: give them the column as it came, "
            "or text as encode(column, 'utf-8')."
        )
    found: list[bytes | None] = column.to_pylist()
    return found


def _over(function: Callable[[bytes], Any], kind: Any) -> Callable[[Any], Any]:
    """A function of one body as one of a column of bodies."""

    def run(column: Any) -> Any:
        return pa.array([None if b is None else function(b) for b in _bodies(column)], type=kind)

    return run


def _arrow_udf(function: Callable[..., Any], result: str) -> Any:
    from pyspark.sql.functions import ArrowUDFType, arrow_udf

    with warnings.catch_warnings():  # type hints would import pyarrow's types where they are only names
        warnings.simplefilter("ignore", UserWarning)
        return arrow_udf(function, result, ArrowUDFType.SCALAR)


def decode_body() -> Any:
    """A column function: BINARY to STRING, by byte order mark, zero bytes, XML
    declaration, else UTF-8 or windows-1252."""
    return _arrow_udf(_over(bodies.decoded, pa.string()), "string")


def is_well_formed() -> Any:
    """A column function: BINARY to BOOLEAN, as a message type with VALIDATION = WELL_FORMED_XML decides."""
    return _arrow_udf(_over(bodies.is_well_formed, pa.bool_()), "boolean")


def invalid_xml(collection: str, session: Runner | None = None) -> Any:
    """A column function: BINARY to STRING, the reason why a body is not valid against the XML schema collection of this
    name, NULL for one that is. The documents of the collection are read now, and travel with the function."""
    documents = documents_of(collection, session)
    return _arrow_udf(_over(lambda body: bodies.fault(documents, body), pa.string()), "string")


def xml_value(path: str) -> Any:
    """A column function: BINARY to STRING, the value at an XPath such as `(/order/@symbol)[1]`, as the
    xml method value() gives it. NULL when nothing is there, or the body is no XML. Raises SqlError for a
    path that value() does not take."""
    bodies.value_reader(path)

    def run(column: Any) -> Any:
        read = bodies.value_reader(path)
        return pa.array([None if b is None else read(b) for b in _bodies(column)], type=pa.string())

    return _arrow_udf(run, "string")


def register(spark: SparkSession, collections: Iterable[str] = (), session: Runner | None = None) -> None:
    """Make them functions of this session's SQL: `sbql_decode(body)`, `sbql_is_well_formed(body)`,
    `sbql_xml_value(body, path)` and `sbql_invalid_xml(body, collection)` for the `collections` named here."""
    if isinstance(collections, str):
        raise TypeError(f"collections is a list of names: [{collections!r}]")
    documents = {name: documents_of(name, session) for name in collections}
    spark.udf.register("sbql_decode", decode_body())
    spark.udf.register("sbql_is_well_formed", is_well_formed())
    spark.udf.register("sbql_xml_value", _arrow_udf(_values, "string"))
    spark.udf.register("sbql_invalid_xml", _arrow_udf(_faults(documents), "string"))


def _values(column: Any, paths: Any) -> Any:
    readers: dict[str, Callable[[bytes], str | None]] = {}
    found: list[str | None] = []
    for body, path in zip(_bodies(column), paths.to_pylist(), strict=True):
        if body is None or path is None:
            found.append(None)
            continue
        if path not in readers:
            readers[path] = bodies.value_reader(path)
        found.append(readers[path](body))
    return pa.array(found, type=pa.string())


def _faults(documents: Mapping[str, tuple[str, ...]]) -> Callable[[Any, Any], Any]:
    def run(column: Any, names: Any) -> Any:
        found: list[str | None] = []
        for body, name in zip(_bodies(column), names.to_pylist(), strict=True):
            if name is not None and name not in documents:
                known = ", ".join(documents) or "none"
                raise ValueError(
                    f"register(spark, collections=…) was not given the collection {name}; it knows {known}"
                )
            found.append(None if body is None or name is None else bodies.fault(documents[name], body))
        return pa.array(found, type=pa.string())

    return run
