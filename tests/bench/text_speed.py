"""What comparison of text costs: `python tests/bench/text_speed.py [rows]` prints seconds
of the processor for each statement.

Each figure is the least of five runs of one statement in memory. To compare two states of the tree, run it in both, one
after the other and again: what counts is the ratio.
"""

from __future__ import annotations

import argparse
import time

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

SETUP = """
CREATE TABLE a (id int, v varchar(40), n nvarchar(40), u nvarchar(40), w nvarchar(40), x varchar(40), y varchar(40));
INSERT INTO a SELECT value, CONCAT('Customer ', value), CONCAT(N'Customer ', value), CONCAT(N'Käufer ', value), CONCAT(N'Straße ', value), CONCAT('customer ', {rows} - value),
  CONCAT(CHAR(65 + value % 26), CHAR(97 + value % 17), ' ', value)
FROM GENERATE_SERIES(1, {rows});
SELECT * INTO b FROM a WHERE id % 2 = 0;
"""
WORK = {
    "varchar =": "SELECT COUNT(*) FROM a WHERE v = 'customer 77'",
    "varchar = varchar": "SELECT COUNT(*) FROM a WHERE v = x",
    "varchar < varchar": "SELECT COUNT(*) FROM a WHERE v < y",
    "varchar < varchar that begins alike": "SELECT COUNT(*) FROM a WHERE v < x",
    "varchar < constant": "SELECT COUNT(*) FROM a WHERE y < 'Miller'",
    "varchar BETWEEN constants": "SELECT COUNT(*) FROM a WHERE v BETWEEN 'customer 2' AND 'customer 5'",
    "nvarchar = (Latin)": "SELECT COUNT(*) FROM a WHERE u = N'käufer 77'",
    "nvarchar = (Latin, and a constant of ASCII)": "SELECT COUNT(*) FROM a WHERE u = N'kunde 77'",
    "nvarchar = (ß, and a constant of ASCII)": "SELECT COUNT(*) FROM a WHERE w = N'sturm 77'",
    "nvarchar = nvarchar": "SELECT COUNT(*) FROM a WHERE n = u",
    "varchar LIKE": "SELECT COUNT(*) FROM a WHERE v LIKE 'customer 7%'",
    "nvarchar = (ASCII)": "SELECT COUNT(*) FROM a WHERE n = N'customer 77'",
    "nvarchar LIKE (ASCII)": "SELECT COUNT(*) FROM a WHERE n LIKE N'customer 7%'",
    "nvarchar join (ASCII)": "SELECT COUNT(*) FROM a JOIN b ON a.n = b.n",
    "nvarchar join (Latin)": "SELECT COUNT(*) FROM a JOIN b ON a.u = b.u",
    "nvarchar join (ß)": "SELECT COUNT(*) FROM a JOIN b ON a.w = b.w",
    "varchar join": "SELECT COUNT(*) FROM a JOIN b ON a.v = b.v",
    "GROUP BY nvarchar": "SELECT COUNT(*) FROM (SELECT n FROM a GROUP BY n) AS g",
    "ORDER BY nvarchar": "SELECT MAX(r) FROM (SELECT ROW_NUMBER() OVER (ORDER BY n) AS r FROM a) AS o",
    "ORDER BY varchar": "SELECT MAX(r) FROM (SELECT ROW_NUMBER() OVER (ORDER BY v) AS r FROM a) AS o",
    "fetch nvarchar": "SELECT n FROM a",
    "LEFT, CAST of nvarchar": "SELECT COUNT(LEFT(n, 5)), COUNT(CAST(n AS nvarchar(5))) FROM a",
}


def main(rows: int) -> None:
    instance = Instance.open(None, clock="virtual", seed=0)
    session = instance.connect()
    try:
        ready = list(session.run(SETUP.format(rows=rows)))
        assert not any(isinstance(outcome, ErrorOutcome) for outcome in ready), ready
        for name, text in WORK.items():
            times = []
            for _ in range(5):
                start = time.process_time()
                outcomes = list(session.run(text))
                times.append(time.process_time() - start)
                assert not any(isinstance(outcome, ErrorOutcome) for outcome in outcomes), (name, outcomes)
            print(f"{min(times):8.4f}  {name}", flush=True)
    finally:
        instance.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", type=int, nargs="?", default=100_000, help="rows of the table (%(default)s)")
    main(parser.parse_args().rows)
