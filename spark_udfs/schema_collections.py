"""XML schema collections for Spark: their documents, and the StructType that `from_xml` reads their documents with.

It decides how XML becomes rows, which is how Spark's own from_xml does it: attributes begin with an
underscore, the text of an element that has attributes is `_VALUE`, what may come several times is an array.
It must not know where the collection is kept.
"""

from __future__ import annotations

from typing import Any, Final

from pyspark.sql import types as spark

from sbql.engine.documents.xml_schema_documents import check_schema_documents, compiled
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.names import parse_object_name
from sbql.spark_udfs.engines import Runner, engine_session, parameters_of

__all__ = ["documents_of", "schema_of"]

_SIMPLE: Final[dict[str, Any]] = {
    "boolean": spark.BooleanType, "double": spark.DoubleType, "float": spark.FloatType, "byte": spark.ShortType,
    "unsignedByte": spark.ShortType, "short": spark.ShortType, "unsignedShort": spark.IntegerType, "int": spark.IntegerType,
    "unsignedInt": spark.LongType, "long": spark.LongType, "date": spark.DateType, "dateTime": spark.TimestampType,
}  # fmt: skip
"""Types that are not here are STRING, but decimals: integers of any size are DECIMAL(38,0), decimals DECIMAL(38,10)
unless a facet of the schema says their digits."""

_DEPTH: Final = 20
_XSD: Final = "http://www.w3.org/2001/XMLSchema"
_BUILT_IN: Final = (_XSD, f"{_XSD}-instance", "http://www.w3.org/XML/1998/namespace")


def documents_of(collection: str, session: Runner | None = None) -> tuple[str, ...]:
    """The schema documents of a collection, by its name (`dbo.Orders`). Raises SqlError for one that is not there."""
    name = parse_object_name(collection)
    text = "SELECT CAST(XML_SCHEMA_NAMESPACE(@schema, @name) AS nvarchar(max))"
    asked = parameters_of({"schema": name.schema or "dbo", "name": name.name})
    outcomes = (session or engine_session()).run(text, parameters=asked)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
    rows = next(outcome.rows for outcome in outcomes if isinstance(outcome, ResultSet))
    if rows[0][0] is None:
        raise LookupError(f"there is no XML schema collection {collection}")
    return check_schema_documents(rows[0][0], ())


def schema_of(collection: str, element: str | None = None, session: Runner | None = None) -> spark.StructType:
    """What `from_xml(body, schema)` needs to read documents of the collection: the content of its root `element` (None:
    the only global one) as a StructType. `session` reads the collection; None: that of the engine in use. Raises
    LookupError for an element that is not there, naming those that are."""
    schema = compiled(documents_of(collection, session))
    names = {
        declared.local_name: declared
        for declared in schema.maps.elements.values()
        if hasattr(declared, "local_name") and declared.target_namespace not in _BUILT_IN
    }
    if element is None and len(names) == 1:
        element = next(iter(names))
    if element not in names:
        asked = "names no root element" if element is None else f"has no element {element}"
        raise LookupError(f"the schema collection {collection} {asked}; it declares {', '.join(sorted(names))}")
    found = _type(names[element].type, 0)
    return found if isinstance(found, spark.StructType) else spark.StructType([spark.StructField("_VALUE", found)])


def _type(kind: Any, depth: int) -> spark.DataType:
    """The Spark type of an XML type. One that contains itself is STRING where it goes deeper than anybody writes."""
    if kind.is_simple():
        return _simple(kind)
    if depth > _DEPTH:
        return spark.StringType()
    fields = [
        spark.StructField(f"_{name}", _simple(a.type)) for name, a in kind.attributes.items() if isinstance(name, str)
    ]
    if kind.has_simple_content():
        return spark.StructType([*fields, spark.StructField("_VALUE", _simple(kind.content))])
    counts: dict[str, tuple[Any, bool]] = {}
    for child in kind.content.iter_elements():
        if not hasattr(child, "type"):
            continue  # xs:any
        many = child.max_occurs is None or child.max_occurs > 1 or child.local_name in counts or _is_repeated(child)
        counts[child.local_name] = (child, many)
    for name, (child, many) in counts.items():
        inner = _type(child.type, depth + 1)
        fields.append(spark.StructField(name, spark.ArrayType(inner) if many else inner))
    if kind.mixed and fields:
        fields.append(spark.StructField("_VALUE", spark.StringType()))
    return spark.StructType(fields) if fields else spark.StringType()


def _is_repeated(particle: Any) -> bool:
    """Whether a group around the element may come several times."""
    parent = getattr(particle, "parent", None)
    while parent is not None and hasattr(parent, "max_occurs") and hasattr(parent, "model"):
        if parent.max_occurs is None or parent.max_occurs > 1:
            return True
        parent = getattr(parent, "parent", None)
    return False


def _simple(kind: Any) -> spark.DataType:
    primitive = kind
    while primitive is not None:
        name = getattr(primitive, "local_name", None)
        if name in _SIMPLE and getattr(primitive, "target_namespace", "") == _XSD:
            found: spark.DataType = _SIMPLE[name]()
            return found
        if name in ("integer", "decimal") and getattr(primitive, "target_namespace", "") == _XSD:
            return _decimal(kind, 0 if name == "integer" else 10)
        primitive = getattr(primitive, "base_type", None)
    return spark.StringType()


def _decimal(kind: Any, scale: int) -> spark.DecimalType:
    facets = {str(name).rpartition("}")[2]: facet for name, facet in (kind.facets or {}).items() if name is not None}
    digits = facets.get("totalDigits")
    fraction = facets.get("fractionDigits")
    scale = fraction.value if fraction is not None and scale else scale
    return spark.DecimalType(min(digits.value, 38) if digits is not None else 38, scale)
