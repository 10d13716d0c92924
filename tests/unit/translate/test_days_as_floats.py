"""A datetime as float: the days since 1900 and 300ths of a second (documentation: "datetime
(Transact-SQL)", its accuracy), over a column."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from sbql.engine.instance import Instance

DAY = 300 * 86400
"""300ths of a second."""


@pytest.mark.parametrize("day", [-53690, -1, 0, 25566, 25567, 45350, 2958463])
def test_each_300th_is_its_part_of_a_day(day: int) -> None:
    instance = Instance.open(None)
    session = instance.connect()
    session.run("CREATE TABLE dbo.t (k int, d datetime)")
    places = [*range(0, DAY, 19_997), 1, 2, DAY // 2, DAY - 1]
    for start in range(0, len(places), 1000):
        rows = []
        for k in places[start : start + 1000]:
            milliseconds = (k * 10 + 1) // 3  # .000, .003, .007
            moment = datetime(1900, 1, 1) + timedelta(days=day, milliseconds=milliseconds)
            rows.append(f"({k}, '{moment.isoformat(timespec='milliseconds')}')")
        (outcome,) = session.run(f"INSERT dbo.t VALUES {', '.join(rows)}")
        assert not hasattr(outcome, "error"), outcome
    found = dict(session.run("SELECT k, CAST(d AS float) FROM dbo.t")[0].rows)
    assert found == {k: (day * DAY + k) / DAY for k in places}
    instance.close()
