"""What DuckDB computes natively is what the scalar evaluator computes: values, types, NULLs, and the numbers of errors.

All functions, operators and conversions with native forms, over every type that they take and the ends of each. A usual
run takes a share of the calls, `make native` (NATIVE_SHARE=1) all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from native_calls import CALLS
from native_sweep import VALUES, Sweep

from sbql.engine.query.native_calls import NATIVE

SHARE = int(os.environ.get("NATIVE_SHARE", "151"))
"""One of so many calls is made."""


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    found = Sweep()
    yield found
    found.close()


def test_native_forms_are_what_scalars_are(sweep: Sweep) -> None:
    differences = [found for call, types in CALLS[::SHARE] for found in sweep.differences(call, types)]
    assert not differences, "\n".join(differences[:20])


def test_constants_fail_only_where_a_row_needs_them(sweep: Sweep) -> None:
    """DuckDB computes the condition of a CASE over constants ahead of the rows, in branches too that none takes."""
    failing = [found for call, types in CALLS[1 :: 3 * SHARE] for found in sweep.early(call, types)]
    assert not failing, "\n".join(failing[:20])


def test_what_stands_behind_a_known_value_is_not_computed(sweep: Sweep) -> None:
    """DuckDB computes ahead of coalesce() what stands there twice."""
    failing = [found for call, types in CALLS[2 :: 3 * SHARE] for found in sweep.needless(call, types)]
    assert not failing, "\n".join(failing[:20])


FAILING = ("ROUND(CAST(s AS float), 2)", "DATEADD(day, CAST(s AS int), d)", "d + i", "1 / (k - 1) + 1 / (k - 1)", "SQRT(-k) + SQRT(-k)", "CAST(s AS int) + CAST(s AS int)")  # fmt: skip
KNOWN = ("k", "n", "n + k", "(SELECT MAX(u.n) FROM dbo.behind AS u WHERE u.k = t.k)", "SUM(n) OVER (ORDER BY k)", "ISNULL(ISNULL(n, {0}), {0})", "CAST(HASHBYTES('MD2', s) AS int)")  # fmt: skip


@pytest.mark.parametrize("known", KNOWN)
def test_isnull_and_coalesce_stop_at_the_first_value(sweep: Sweep, known: str) -> None:
    """(Documentation: "COALESCE", which is a CASE, and "ISNULL".) What is known may be a query, a window or a call."""
    columns = "k int NOT NULL, n int NULL, s varchar(9), d datetime, i int"
    sweep.run(f"DROP TABLE IF EXISTS dbo.behind; CREATE TABLE dbo.behind ({columns})")
    sweep.run("INSERT dbo.behind VALUES (1, 1, 'x', '99990101', 2147483647)")
    for failing in FAILING:
        first = known.replace("{0}", "DATALENGTH(CAST(s AS int) + CAST(s AS int))")
        other = f"DATALENGTH({failing})"
        for text in (
            f"ISNULL({first}, {other})",
            f"COALESCE({first}, {other}, {other})",
            f"COALESCE({first}, 1 + {other}, k)",
        ):
            sweep.run(f"SELECT {text}, {text} FROM dbo.behind AS t")


WIDE = (
    "money",
    "decimal(22,4)",
    "decimal(38,10)",
    "decimal(38,16)",
    "decimal(38,18)",
    "decimal(38,0)",
    "decimal(19,0)",
)
"""Types of more than 18 digits, with numbers on both sides of those that DuckDB has in 64 bits."""
OF_WIDE = (
    "ROUND(a0, 0)", "ROUND(a0, 2)", "ROUND(a0, 3)", "FLOOR(a0)", "CEILING(a0)", "CAST(a0 AS int)", "CAST(a0 AS bigint)", "CAST(a0 AS tinyint)", "CAST(a0 AS varchar(50))", "CAST(a0 AS varchar(12))",
    "CAST(a0 AS decimal(18,2))", "CAST(a0 AS decimal(38,3))", "CAST(a0 AS money)", "FORMAT(a0, 'N2')", "FORMAT(a0, '0.0')", "FORMAT(a0, 'C', 'en-US')", "FORMAT(a0, 'P1')", "FORMAT(a0, 'N6')",
)  # fmt: skip


@pytest.mark.matrix
@pytest.mark.parametrize("name", WIDE)
def test_numbers_of_more_than_64_bits_and_of_fewer_are_what_scalars_make_of_them(sweep: Sweep, name: str) -> None:
    differences = [found for call in OF_WIDE for found in sweep.differences(call, (name,))]
    assert not differences, "\n".join(differences)


OF_PLACES = [
    (call, types)
    for call, types in CALLS
    if call.startswith(("SUBSTRING", "LEFT", "RIGHT", "STUFF", "DATEFROMPARTS")) and ("INDEX(" in call or "YEAR" in call or "year" in call)
]  # fmt: skip
"""Numbers of which it is known between which others they are: then no row is asked."""


@pytest.mark.matrix
def test_places_that_are_known_to_be_in_the_text_are_what_scalars_take_them_for(sweep: Sweep) -> None:
    assert len(OF_PLACES) > 40
    differences = [found for call, types in OF_PLACES for found in sweep.differences(call, types)]
    assert not differences, "\n".join(differences[:20])


LEAVING = {
    "TODATETIMEOFFSET({}, '-02:00')": "'9999-12-31T23:59:59'",
    "TODATETIMEOFFSET({}, 120)": "'0001-01-01'",
    "SWITCHOFFSET(CAST({} AS datetimeoffset(3)), '+02:00')": "'9999-12-31T23:59:59'",
    "SWITCHOFFSET(CAST({} AS datetimeoffset(7)), -120)": "'0001-01-01'",
}


@pytest.mark.parametrize("name", ["datetime2(0)", "datetime2(7)"])
@pytest.mark.parametrize("call", LEAVING)
def test_an_offset_leaves_the_calendar_at_one_end_only(sweep: Sweep, call: str, name: str) -> None:
    """Where nobody looks at the local time, too."""
    other = next(end for end in LEAVING.values() if end != LEAVING[call])
    sweep.run(f"DROP TABLE IF EXISTS dbo.o; CREATE TABLE dbo.o (o {name}); INSERT dbo.o VALUES ({other}), (NULL)")
    counted = f"SELECT COUNT(DISTINCT {call.format('o')}) FROM dbo.o WHERE o IS NOT NULL"
    assert sweep.session.run(counted)[0].rows == [(1,)]
    sweep.run(f"INSERT dbo.o VALUES ({LEAVING[call]})")
    (error, *_) = sweep.session.run(counted)
    assert error.error.number == 9813


REPEATED = [(call, types) for call, types in CALLS if call.startswith("REPLICATE(") and types[0].endswith("int")]


@pytest.mark.matrix
def test_signs_are_repeated_as_often_as_scalars_repeat_them(sweep: Sweep) -> None:
    """Few of them are a piece of many."""
    assert len(REPEATED) > 40
    differences = [found[:300] for call, types in REPEATED for found in sweep.differences(call, types)]
    assert not differences, "\n".join(differences[:20])


CUT = [
    (call, types)
    for call, types in CALLS
    if types[0] in ("varchar(40)", "nvarchar(40)", "char(10)") and call.startswith("CAST(") and call.endswith(("char(3))", "char(4))", "char(5))", "char(12))"))
    or any(f" {n})" in call for n in (800, 1999, 3998, 3999, 7990, 7998))
]  # fmt: skip
"""Texts that become shorter ones, and sums of texts that are about as long as any may be."""


@pytest.mark.matrix
def test_texts_are_cut_where_scalars_cut_them(sweep: Sweep) -> None:
    assert len(CUT) >= 24
    differences = [found[:300] for call, types in CUT for found in sweep.differences(call, types)]
    assert not differences, "\n".join(differences[:20])


FAILING = (
    "CAST(SQRT(-1) AS varchar(40))",
    "CAST(SQRT(-1) AS nvarchar(40))",
    "CAST(CAST('x' AS int) AS char(10))",
    "CAST(1 / 0 AS varchar(9))",
)
AROUND = (
    "UPPER({})", "LOWER({})", "LEN({})", "-CAST({} AS smallint)", "ABS(CAST({} AS int))", "IIF({} LIKE '%[0-9]%', 1, 0)", "IIF({} LIKE 'a%', 1, 0)",
    "PATINDEX('%[a]%', {})", "REPLACE({}, 'a', 'b')", "IIF({} = 'a', 1, 0)", "CONVERT(date, {})", "ISNULL({}, 'a')", "LEFT({}, 2) + 'x'",
)  # fmt: skip


@pytest.mark.parametrize("around", AROUND)
def test_a_constant_that_fails_fails_no_branch_that_is_not_taken(sweep: Sweep, around: str) -> None:
    """Whichever share of the calls is swept."""
    sweep.run("DROP TABLE IF EXISTS dbo.k; CREATE TABLE dbo.k (k int); INSERT dbo.k VALUES (1)")
    for failing in FAILING:
        text = around.format(failing)
        assert sweep.session.run(f"SELECT CASE WHEN k < 0 THEN {text} END FROM dbo.k")[0].rows == [(None,)], text
        (error, *_) = sweep.session.run(f"SELECT CASE WHEN k > 0 THEN {text} END FROM dbo.k")
        assert error.error.number in (3623, 245, 8134), text


def test_every_native_function_is_called() -> None:
    assert {name for name in NATIVE if not any(call.startswith(f"{name}(") for call, _ in CALLS)} == set()


PLAIN = {
    "YEAR(a)": "date", "DATEADD(day, 1, a)": "datetime", "DATEDIFF(minute, a, a)": "datetime2(7)", "CAST(a AS varchar(11))": "int",
    "CONVERT(varchar(19), a, 120)": "datetime", "CAST(a AS int)": "varchar(20)", "CAST(a AS date)": "varchar(20)", "ROUND(a, 1)": "decimal(9,2)",
    "a * a": "float", "a + 1": "datetime", "a * 2": "money", "CAST(a AS decimal(5,2))": "decimal(9,2)", "POWER(a, 2)": "int",
}  # fmt: skip


@pytest.mark.parametrize("call", PLAIN)
def test_python_is_asked_for_odd_rows_only(sweep: Sweep, call: str) -> None:
    """The function of Python in the other branch of CASE is neither called for these rows nor ahead of them."""
    name = PLAIN[call]
    plain = {
        "varchar(20)": "'2024-02-29'" if "date" in call else "'42'",
        "float": "2.5",
        "int": "7",
        "decimal(9,2)": "1.25",
        "money": "3",
    }
    value = plain.get(name, "'2024-02-29'")
    for text in (
        f"DROP TABLE IF EXISTS dbo.plain; CREATE TABLE dbo.plain (a {name})",
        f"INSERT dbo.plain VALUES ({value}), ({value})",
    ):
        sweep.run(text)
    assert sweep.asked(f"SELECT {call} FROM dbo.plain") == 0


@pytest.mark.parametrize("target", ["tinyint", "int", "bigint", "decimal(9,2)", "money", "float"])
def test_texts_with_letters_are_no_numbers_without_python(sweep: Sweep, target: str) -> None:
    """Nothing but an exponent has one."""
    sweep.run(
        "DROP TABLE IF EXISTS dbo.words; CREATE TABLE dbo.words (a varchar(20)); INSERT dbo.words VALUES ('item 5'), ('12a'), (' x'), ('ABC')"
    )
    text = f"SELECT COUNT(*) FROM dbo.words WHERE TRY_CAST(a AS {target}) IS NULL"
    assert sweep.session.run(text)[0].rows == [(4,)]
    assert sweep.asked(text) == 0


@pytest.mark.parametrize("declared", ["varchar(20)", "nvarchar(20)", "nvarchar(20) COLLATE Latin1_General_CS_AS"])
@pytest.mark.parametrize(
    "condition", ["a BETWEEN 'item 3' AND 'item 5'", "a > 'item 3' AND a < 'item 5'", "'item 5' >= a AND 'item 3' <= a"]
)
def test_texts_between_constants_need_no_keys_where_a_letter_decides(
    sweep: Sweep, declared: str, condition: str
) -> None:
    """Python has those of texts beyond ASCII: DuckDB would compute what stands in two
    conditions once, but for every row."""
    sweep.run(f"DROP TABLE IF EXISTS dbo.named; CREATE TABLE dbo.named (a {declared})")
    sweep.run(
        "INSERT dbo.named VALUES (N'y\u00e9'), (N'a\u00e9'), (N'Item 4\u00e9'), (N'item 44\u00e9'), (N'item 6\u00e9'), (NULL)"
    )
    text = f"SELECT COUNT(*), SUM(IIF({condition}, 1, 0)) FROM dbo.named"
    assert sweep.session.run(text)[0].rows == [(6, 2)]
    assert sweep.asked(text) == 0


def test_values_have_every_type_with_a_null() -> None:
    assert all(len(values) > 1 for values in VALUES.values())


OF_FRACTIONS = (
    "FORMAT(a0, 'N2')", "FORMAT(a0, 'C')", "FORMAT(a0, 'F0')", "FORMAT(a0, 'P1')", "FORMAT(a0, '0.00')", "FORMAT(a0, '#,##0')", "FORMAT(a0, 'N10', 'de-DE')", "FORMAT(a0, 'G')", "POWER(a0, 2)", "POWER(a0, 3)", "POWER(a0, 1)", "POWER(a0, 0)",
    "POWER(a0, 0.5)", "POWER(a0, -1)", "SIGN(a0)", "ABS(a0)", "CEILING(a0)", "FLOOR(a0)", "ROUND(a0, 0)", "ROUND(a0, 2)", "ROUND(a0, 37)", "ROUND(a0, 2, 1)", "DEGREES(a0)", "RADIANS(a0)", "SQRT(a0)", "STR(a0, 10, 5)", "- a0", "a0 + a0", "a0 * a0", "a0 / 3", "a0 % 0.01",
    "CAST(a0 AS money)", "CAST(a0 AS int)", "CAST(a0 AS real)", "CAST(a0 AS decimal(9,2))", "CAST(a0 AS varchar(50))", "CAST(a0 AS bit)", "CHECKSUM(a0)", "CAST(a0 AS datetime)",
)  # fmt: skip


@pytest.mark.parametrize("name", ["decimal(38,38)", "decimal(38,37)", "decimal(4,4)"])
def test_numbers_that_are_fractions_are_what_scalars_make_of_them(sweep: Sweep, name: str) -> None:
    """DuckDB has no room for a bound of 1 beside the longest of them, and reads no 1e-13 as one."""
    differences = [found for call in OF_FRACTIONS for found in sweep.differences(call, (name,))]
    assert not differences, "\n".join(differences)


OF_ZEROS = (
    "PATINDEX('%@%', a0)", "PATINDEX('%a@b%', a0)", "PATINDEX('%@', a0)", "PATINDEX('@%', a0)", "PATINDEX('%[@]%', a0)", "PATINDEX('%[^@]%', a0)", "PATINDEX('%_@%', a0)", "IIF(a0 LIKE '%@%', 1, 0)", "IIF(a0 LIKE '%a@[b]%', 1, 0)", "IIF(a0 LIKE '%@', 1, 0)",
    "IIF(a0 LIKE '%!@' ESCAPE '!', 1, 0)", "CHARINDEX('@', a0)", "CHARINDEX('b@', a0)", "REPLACE(a0, '@', '-')", "REPLACE(a0, '@b', '-')", "REPLACE(a0, 'B@', '@')", "REPLACE(a0, 'b', '@')", "REPLACE(a0, '@', '')", "TRANSLATE(a0, '@', '-')", "TRANSLATE(a0, 'a@b', 'xyz')",
    "TRANSLATE(a0, 'ab', '@x')", "TRIM('@' FROM a0)", "TRIM('b@' FROM a0)", "LTRIM(a0, '@')", "RTRIM(a0, '@')", "STUFF(a0, 1, 1, '@')", "CONCAT(a0, '@')", "CONCAT_WS('@', a0, a0)", "REPLICATE('@', LEN(a0))", "QUOTENAME(a0, '@')", "IIF(a0 = 'a@b', 1, 0)", "IIF(a0 < 'a@c', 1, 0)",
    "IIF(a0 IN ('@', 'ab'), 1, 0)", "a0 + '@'", "DIFFERENCE(a0, 'a@b')", "NULLIF(a0, '@')", "CHECKSUM(a0, '@')", "FORMATMESSAGE('@%s@', a0)", "JSON_OBJECT('a@':a0)", "JSON_ARRAY(a0, '@')",
)  # fmt: skip
"""With the character where @ is."""


@pytest.mark.parametrize("name", ["varchar(50)", "nvarchar(50)"])
def test_the_character_0_in_a_literal_is_one_like_others(sweep: Sweep, name: str) -> None:
    """DuckDB's text ends in front of it."""
    calls = [call.replace("@", "\0") for call in OF_ZEROS]
    calls += [call.replace("'", "N'", 1) for call in calls if "'" in call]
    differences = [ascii(found) for call in calls for found in sweep.differences(call, (name,))]
    differences += [ascii(found) for found in sweep.differences("FORMAT(a0, 'yyyy\0MM')", ("date",))]
    assert not differences, "\n".join(differences)
