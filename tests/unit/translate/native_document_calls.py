"""Calls of the sweep of native forms of documents, of the names of types and of trimming: of values of every type."""

from __future__ import annotations

from collections.abc import Iterator

from native_sweep import VALUES

__all__ = ["document_calls"]


def document_calls() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Expressions over a0, a1 …, and the types of these."""
    for t in VALUES:
        yield "SQL_VARIANT_PROPERTY(a0, 'BaseType')", (t,)
        yield "CAST(SQL_VARIANT_PROPERTY(a0, 'baseTYPE ') AS nvarchar(20))", (t,)
        yield "JSON_ARRAY(a0)", (t,)
        yield "JSON_ARRAY(a0, NULL, 'x', a0 NULL ON NULL)", (t,)
        yield "JSON_OBJECT('a': a0, N'\"é/\\': 5)", (t,)
        yield "JSON_OBJECT('a': a0, 'b': NULL, 'c': a0 ABSENT ON NULL)", (t,)
        yield "JSON_OBJECT(a0: 1)", (t,)
        yield (
            "JSON_ARRAY(JSON_ARRAY(a0), JSON_OBJECT('a': a0), JSON_QUERY(NULL), CAST(JSON_ARRAY(a0) AS nvarchar(max)))",
            (t,),
        )
    for t in ("char(10)", "nvarchar(40)", "int", "date"):
        yield "JSON_OBJECT(a0: a1, 'b': a0)", (t, "varchar(40)")
    for t in ("varchar(40)", "nvarchar(40)", "char(10)", "nchar(10)"):
        for characters in ("'ab'", "''", "' '", "'A%_b'", "N'é0'", "'0-5'"):
            for side in ("", "LEADING ", "TRAILING ", "BOTH "):
                yield f"TRIM({side}{characters} FROM a0)", (t,)
            yield f"LTRIM(a0, {characters})", (t,)
            yield f"RTRIM(a0, {characters})", (t,)
        yield "TRIM(NULL FROM a0)", (t,)
        for u in ("varchar(40)", "nvarchar(40)", "char(10)"):
            for side in ("", "LEADING ", "TRAILING ", "BOTH "):
                yield f"TRIM({side}LOWER(a1) FROM a0)", (t, u)
            yield "TRIM(BOTH LOWER(a1) + 'x' FROM a0)", (t, u)
            yield "TRIM(LEADING LEFT(a1, 1) FROM a0)", (t, u)
            yield "LTRIM(a0, a1)", (t, u)
            yield "RTRIM(a0, a1)", (t, u)
    for code in (0, 8, 9, 10, 12, 13, 31, 34, 47, 92, 127):
        yield f"JSON_ARRAY(a0 + CHAR({code}))", ("char(10)",)
        yield f"JSON_OBJECT(a0 + NCHAR({code}): NULL)", ("nchar(10)",)
    for t in ("varchar(40)", "nvarchar(40)", "char(10)", "nchar(10)", "varchar(30)", "nvarchar(300)", "nvarchar(max)"):
        for style in (0, 1):
            yield f"CAST(CONVERT(xml, a0, {style}) AS nvarchar(max))", (t,)
            yield f"CAST(TRY_CONVERT(xml, N'<a b=\"1\">' + a0 + N'</a>', {style}) AS nvarchar(max))", (t,)
        for code in (0, 9, 10, 13, 31, 38, 60, 62, 127, 160, 0xD83D, 0xFFFE, 0xFFFF):
            yield f"CAST(TRY_CAST(a0 + NCHAR({code}) AS xml) AS nvarchar(max))", (t,)
            yield f"CAST(TRY_CAST(NCHAR({code}) + LEFT(a0, 0) AS xml) AS nvarchar(max))", (t,)
    yield "JSON_ARRAY(CAST(a0 AS sql_variant), CAST(a0 AS varbinary(60)), CAST(a0 AS varchar(max)))", ("varchar(40)",)
