"""A plugin of pytest under which every store on disk has a broker's log from its first commit on, also in
the processes that tests/crash kills.

python -m pytest -p log_at_once tests/crash tests/faults tests/simulation
"""

from __future__ import annotations

import os

from sbql.catalog.broker_log import begin_after

os.environ["LOG_AFTER"] = "0"
begin_after.batches = 0
