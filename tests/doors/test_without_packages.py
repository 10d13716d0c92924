"""What needs a package that is not installed says which, and loses nothing of what was to be had: arrow() and df() of a
cursor, `--as` of the magics."""

from __future__ import annotations

import pytest

import sbql

CALLS = {
    ("arrow", ("pyarrow",)): "arrow() needs pyarrow: pip install pyarrow",
    ("df", ("pyarrow",)): "df() needs pyarrow: pip install pyarrow",
    ("df", ("pandas",)): "df() needs pandas: pip install pandas",
    ("df", ("pandas", "pyarrow")): "df() needs pandas and pyarrow: pip install pandas pyarrow",
}


@pytest.mark.parametrize(("call", "missing"), list(CALLS))
def test_a_cursor(call: str, missing: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sbql.results.find_spec", lambda name: None if name in missing else object())
    with sbql.connect() as connection:
        cursor = connection.cursor().execute("SELECT 1 AS a")
        with pytest.raises(ImportError) as caught:
            getattr(cursor, call)()
        assert str(caught.value) == CALLS[call, missing]
        assert cursor.fetchall() == [(1,)]


@pytest.mark.parametrize("form", ["arrow", "pandas"])
def test_a_magic(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("IPython")
    from IPython.core.error import UsageError

    from sbql.engine.outcomes import ResultSet
    from sbql.spark_udfs.magics import handed_over

    monkeypatch.setattr("sbql.spark_udfs.magics.find_spec", lambda name: None)
    with pytest.raises(UsageError, match=rf"--as {form} needs .*pyarrow: pip install .*pyarrow"):
        handed_over(ResultSet([], []), form)
