"""What rows of table functions cost: `python tests/bench/bench_lists.py` prints processor seconds of
each statement, the least of three."""

from __future__ import annotations

import argparse
import time

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

WORK = {
    "GENERATE_SERIES": "SELECT SUM(CAST(value AS bigint)) FROM GENERATE_SERIES(1, 1000000)",
    "GENERATE_SERIES of decimals": "SELECT SUM(value) FROM GENERATE_SERIES(CAST(1 AS decimal(9, 1)), CAST(1000000 AS decimal(9, 1)))",
    "STRING_SPLIT by a sign": "SELECT COUNT(*) FROM STRING_SPLIT(REPLICATE(CAST('a,' AS varchar(max)), 2000000), ',')",
    "with its ordinal, nvarchar": "SELECT MAX(ordinal) FROM STRING_SPLIT(REPLICATE(CAST(N'a,' AS nvarchar(max)), 2000000), ',', 1)",
    "STRING_SPLIT by a letter": "SELECT COUNT(*) FROM STRING_SPLIT(REPLICATE(CAST('ab' AS varchar(max)), 2000000), 'B')",
    "FOR XML PATH": "DECLARE @x nvarchar(max) = (SELECT value AS [@v] FROM GENERATE_SERIES(1, 1000000) FOR XML PATH('r'))",
}


def main() -> None:
    instance = Instance.open(None, clock="virtual", seed=0)
    session = instance.connect()
    try:
        for name, text in WORK.items():
            times = []
            for _ in range(3):
                start = time.process_time()
                outcomes = list(session.run(text))
                times.append(time.process_time() - start)
                assert not any(isinstance(outcome, ErrorOutcome) for outcome in outcomes), (name, outcomes)
            print(f"{min(times):8.4f}  {name}", flush=True)
    finally:
        instance.close()


if __name__ == "__main__":
    argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0]).parse_args()
    main()
