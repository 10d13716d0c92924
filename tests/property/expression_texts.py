"""Random T-SQL expressions: texts whose leaves are literals or values of a type, written `«int»`.

Decides which expressions are tried: mostly those whose types fit, now and then any. What a leaf's value is, and what an
expression means, is others' business.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

__all__ = ["CLASSES", "FUNCTIONS", "LEFT_OUT", "Text", "conditions", "expressions", "types_in"]

Text = st.SearchStrategy[str]

CLASSES = {
    "number": (
        "bit", "tinyint", "smallint", "int", "bigint", "decimal(9,2)", "decimal(18,0)", "decimal(38,10)", "numeric(5,4)", "smallmoney",
        "money", "real", "float",
    ),
    "text": ("char(6)", "varchar(10)", "varchar(max)", "nchar(6)", "nvarchar(10)", "nvarchar(max)"),
    "binary": ("binary(4)", "varbinary(8)", "varbinary(max)"),
    "date": ("date", "time(3)", "time(7)", "smalldatetime", "datetime", "datetime2(3)", "datetime2(7)", "datetimeoffset(3)", "datetimeoffset(7)"),
    "guid": ("uniqueidentifier",),
    "xml": ("xml",),
    "variant": ("sql_variant",),
}  # fmt: skip
"""Classes to the types of leaves."""

LITERALS = {
    "number": ("0", "1", "-7", "3", "255", "2147483648", "1.5", "0.00125", "-12.50", "2.5e0", "$3.14159"),
    "text": ("'abc'", "'AB '", "''", "N'ä%'", "'12'", "'1.5'", "'x1'", "'2024-02-29'", "'[a-c]%'", "'a_c'"),
    "binary": ("0x", "0x00", "0x0102FF", "0x6162"),
    "date": (
        "CAST('20240229' AS date)",
        "CAST('2024-02-29T12:30:15.997' AS datetime)",
        "CAST('2024-02-29T12:30:15.9999999' AS datetime2)",
        "CAST('12:30:15.1234567' AS time)",
        "CAST('2024-02-29T12:30:15.1234567+02:00' AS datetimeoffset)",
    ),
    "guid": ("CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier)",),
    "xml": ("CAST('<a>1</a>' AS xml)",),
    "variant": ("CAST(1.5 AS sql_variant)", "CAST(N'abc' AS sql_variant)"),
}

TARGETS = (
    *(name for names in CLASSES.values() for name in names), "varchar(3)", "varchar(30)", "nvarchar(40)", "char(40)", "decimal(4,1)",
    "decimal(38,20)", "datetime2(0)", "datetime2(6)", "time(0)", "datetimeoffset(2)", "binary(16)", "varbinary(3)",
)  # fmt: skip

STYLES = (
    "", ", NULL", *(f", {n}" for n in range(15)), *(f", {n}" for n in range(20, 26)), *(f", {n}" for n in range(100, 115)), ", 120", ", 121",
    ", 126", ", 127", ", 130", ", 131", ", «tinyint»",
)  # fmt: skip
COLLATIONS = ("Latin1_General_BIN", "Latin1_General_CS_AS", "Latin1_General_CI_AI", "DATABASE_DEFAULT")

DATE_PARTS = (
    "year",
    "quarter",
    "month",
    "day",
    "dayofyear",
    "week",
    "weekday",
    "hour",
    "minute",
    "second",
    "millisecond",
    "microsecond",
)

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "ABS": ("number",), "ACOS": ("number",), "ASCII": ("text",), "ASIN": ("number",), "ATAN": ("number",), "ATN2": ("number", "number"),
    "BINARY_CHECKSUM": ("any", "any"), "BIT_COUNT": ("number",), "CEILING": ("number",), "CHAR": ("number",),
    "CHARINDEX": ("text", "text", "small"), "CHECKSUM": ("any", "any"), "COMPRESS": ("text",), "CONCAT": ("any", "any", "any"),
    "CONCAT_WS": ("text", "any", "any"), "COS": ("number",), "COT": ("number",), "DATALENGTH": ("any",),
    "DATEADD": ("part", "small", "date"), "DATEDIFF": ("part", "date", "date"), "DATEDIFF_BIG": ("part", "date", "date"),
    "DATEFROMPARTS": ("year", "small", "small"), "DATENAME": ("part", "date"), "DATEPART": ("part", "date"),
    "DATETIME2FROMPARTS": ("year", "small", "small", "small", "small", "small", "small", "3"),
    "DATETIMEFROMPARTS": ("year", "small", "small", "small", "small", "small", "small"),
    "DATETIMEOFFSETFROMPARTS": ("year", "small", "small", "small", "small", "small", "small", "small", "small", "3"),
    "DATETRUNC": ("part", "date"), "DECRYPTBYPASSPHRASE": ("text", "binary"), "DATE_BUCKET": ("part", "small", "date"), "DAY": ("date",), "DECOMPRESS": ("binary",),
    "DEGREES": ("number",), "DIFFERENCE": ("text", "text"), "EOMONTH": ("date", "small"), "EXP": ("number",), "FLOOR": ("number",),
    "FORMAT": ("number", "format"), "GET_BIT": ("number", "small"), "HASHBYTES": ("hash", "text"), "ISDATE": ("text",),
    "ISJSON": ("json",), "ISNUMERIC": ("any",), "JSON_MODIFY": ("json", "path", "text"), "JSON_PATH_EXISTS": ("json", "path"),
    "JSON_QUERY": ("json", "path"), "JSON_VALUE": ("json", "path"), "LEFT": ("text", "small"), "LEFT_SHIFT": ("number", "small"),
    "LEN": ("any",), "LOG": ("number", "number"), "LOG10": ("number",), "LOWER": ("text",), "LTRIM": ("text",), "MONTH": ("date",),
    "NCHAR": ("number",), "PARSENAME": ("name", "small"), "PATINDEX": ("text", "text"), "PI": (), "POWER": ("number", "number"),
    "QUOTENAME": ("text",), "RADIANS": ("number",), "REPLACE": ("text", "text", "text"), "REPLICATE": ("text", "small"),
    "REVERSE": ("text",), "RIGHT": ("text", "small"), "RIGHT_SHIFT": ("number", "small"), "ROUND": ("number", "small"),
    "RTRIM": ("text",), "SET_BIT": ("number", "small"), "SIGN": ("number",), "SIN": ("number",),
    "SMALLDATETIMEFROMPARTS": ("year", "small", "small", "small", "small"), "SOUNDEX": ("text",), "SPACE": ("small",),
    "SQRT": ("number",), "SQUARE": ("number",), "STR": ("number", "small", "small"), "STRING_ESCAPE": ("text", "'json'"),
    "STUFF": ("text", "small", "small", "text"), "SUBSTRING": ("text", "small", "small"), "SWITCHOFFSET": ("date", "zone"),
    "TAN": ("number",), "TIMEFROMPARTS": ("small", "small", "small", "small", "3"), "TODATETIMEOFFSET": ("date", "zone"),
    "TRANSLATE": ("text", "'abc'", "'xyz'"), "TRIM": ("text",), "UNICODE": ("text",), "UPPER": ("text",), "YEAR": ("date",),
    "SQL_VARIANT_PROPERTY": ("any", "'BaseType'"),
    "COALESCE": ("any", "same"), "ISNULL": ("any", "same"), "NULLIF": ("any", "same"), "CHOOSE": ("small", "any", "same"),
    "GREATEST": ("any", "same"), "LEAST": ("any", "same"),
}  # fmt: skip
"""Functions to the classes of their arguments. `same` is the class of `any` before it."""

LEFT_OUT = {
    **dict.fromkeys(
        ("FILEGROUPPROPERTY", "FILEGROUP_ID", "FILEGROUP_NAME", "FILEPROPERTY", "FILE_ID", "FILE_IDEX", "FILE_NAME", "STATS_DATE",
         "FULLTEXTCATALOGPROPERTY", "FULLTEXTSERVICEPROPERTY", "GETANSINULL", "CURRENT_REQUEST_ID", "TYPEPROPERTY",
         "COLLATIONPROPERTY"), "tells about the server, not about its arguments"),
    **dict.fromkeys(("FN_VARBINTOHEXSTR", "FN_VARBINTOHEXSUBSTRING", "FN_SQLVARBASETOSTR"), "called by names of two parts"),
    "PWDCOMPARE": "compares with the hash of a password, which is random",
}  # fmt: skip
"""Deterministic functions that are not tried, and why."""

SPECIAL = {
    "part": st.sampled_from(DATE_PARTS),
    "year": st.sampled_from(("2024", "1900", "1", "0", "«int»")),
    "small": st.sampled_from(("0", "1", "2", "3", "-1", "12", "«tinyint»", "NULL")),
    "format": st.sampled_from(("'N2'", "'0.00'", "'X'", "'#,##0'")),
    "hash": st.sampled_from(("'MD5'", "'SHA2_256'", "'sha1'", "'none'")),
    "json": st.sampled_from(('\'{"a":{"b":[1,2]},"c":null}\'', "'[1,2]'", "'{bad'", "NULL", "«varchar(10)»")),
    "path": st.sampled_from(("'$.a'", "'$.a.b[1]'", "'strict $.z'", "'$.c'", "'$'", "'lax $.a.b'")),
    "name": st.sampled_from(("'a.b.c'", "'[a.b].c'", "'a'", "«varchar(10)»")),
    "zone": st.sampled_from(("'+02:00'", "'-05:30'", "90", "'+15:00'", "«smallint»")),
}

_CLASS_NAMES = tuple(CLASSES)
_USUAL = ("number", "number", "number", "text", "text", "text", "date", "date", "binary", "guid", "xml", "variant")


def leaves(kind: str) -> Text:
    typed = st.sampled_from(CLASSES[kind]).map("«{}»".format)
    plain = st.one_of(typed, typed, typed, st.sampled_from(LITERALS[kind]), st.just("NULL"))
    if kind != "text":
        return plain
    collated = st.builds("{} COLLATE {}".format, typed, st.sampled_from(COLLATIONS))
    return st.one_of(plain, plain, plain, plain, collated)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2, kind: str | None = None) -> str:
    """A scalar expression. `kind` is what it mostly is."""
    kind = kind or draw(st.sampled_from(_USUAL))
    if draw(st.integers(0, 24)) == 7:
        kind = draw(st.sampled_from(_CLASS_NAMES))
    if depth == 0:
        return draw(leaves(kind))
    return draw(draw(st.sampled_from(_FORMS.get(kind, _ANY)))(depth - 1, kind))


@st.composite
def binary(draw: st.DrawFn, depth: int, kind: str) -> str:
    operators = {"number": "+ - * / % & | ^", "text": "+ + +", "date": "+ -", "binary": "+ & |"}.get(
        kind, "+ -"
    ).split()
    second = draw(st.sampled_from(("number", "date"))) if kind == "date" else kind
    left, right = draw(expressions(depth, kind)), draw(expressions(depth, second))
    text = f"{left} {draw(st.sampled_from(operators))} {right}"
    return f"({text})" if draw(st.booleans()) or depth == 0 else text


@st.composite
def unary(draw: st.DrawFn, depth: int, kind: str) -> str:
    return f"({draw(st.sampled_from('-+~'))} {draw(expressions(depth, kind))})"


@st.composite
def case(draw: st.DrawFn, depth: int, kind: str) -> str:
    then, otherwise = draw(expressions(depth, kind)), draw(expressions(depth, kind))
    if draw(st.booleans()):
        subject, when = draw(expressions(0, kind)), draw(expressions(0, kind))
        return f"CASE {subject} WHEN {when} THEN {then} ELSE {otherwise} END"
    test = draw(conditions(depth))
    if draw(st.booleans()):
        return f"IIF({test}, {then}, {otherwise})"
    return (
        f"CASE WHEN {test} THEN {then} END"
        if draw(st.booleans())
        else f"CASE WHEN {test} THEN {then} ELSE {otherwise} END"
    )


@st.composite
def cast(draw: st.DrawFn, depth: int, kind: str) -> str:
    inner = draw(expressions(depth))
    goals = CLASSES[kind] if draw(st.booleans()) else TARGETS
    target, word = draw(st.sampled_from(goals)), draw(st.sampled_from(("", "", "TRY_")))
    if draw(st.booleans()):
        return f"{word}CAST({inner} AS {target})"
    style = draw(st.sampled_from(STYLES))
    return f"{word}CONVERT({target}, {inner}{style})"


def argument(rule: str, depth: int, kind: str) -> Text:
    if rule in SPECIAL:
        return SPECIAL[rule]
    if rule in ("any", "same"):
        return expressions(depth, kind)
    return expressions(depth, rule) if rule in CLASSES else st.just(rule)


@st.composite
def calls(draw: st.DrawFn, depth: int, kind: str, name: str | None = None) -> str:
    name = name or draw(st.sampled_from(sorted(FUNCTIONS)))
    return f"{name}({', '.join([draw(argument(rule, depth, kind)) for rule in FUNCTIONS[name]])})"


Form = Callable[[int, str], Text]
_ANY: tuple[Form, ...] = (case, cast, cast, calls)
_FORMS: dict[str, tuple[Form, ...]] = {
    "number": (binary, binary, binary, unary, *_ANY),
    "text": (binary, *_ANY),
    "date": (binary, *_ANY),
    "binary": (binary, *_ANY),
}


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> str:
    """A search condition."""
    kind = draw(st.sampled_from(_USUAL))
    below = max(depth - 1, 0)

    def one() -> str:
        return draw(expressions(below, kind))

    no = draw(st.sampled_from(("", "", "NOT ")))
    form = draw(st.integers(0, 9))
    if form < 4 or depth == 0:
        return f"{one()} {draw(st.sampled_from(('=', '<>', '<', '<=', '>', '>=')))} {one()}"
    if form == 4:
        return f"{one()} {no}BETWEEN {one()} AND {one()}"
    if form == 5:
        return f"{one()} {no}IN ({', '.join(one() for _ in range(draw(st.integers(1, 4))))})"
    if form == 6:
        escape = draw(st.sampled_from(("", "", " ESCAPE '!'", " ESCAPE '\\'", " ESCAPE «varchar(10)»")))
        return f"{draw(expressions(below, 'text'))} {no}LIKE {draw(expressions(below, 'text'))}{escape}"
    if form == 7:
        return f"{one()} IS {no}NULL"
    if form == 8:
        return f"NOT ({draw(conditions(below))})"
    return f"({draw(conditions(below))} {draw(st.sampled_from(('AND', 'OR')))} {draw(conditions(below))})"


def types_in(text: str) -> list[str]:
    """The types of the leaves of a text."""
    return sorted({part.partition("»")[0] for part in text.split("«")[1:]})
