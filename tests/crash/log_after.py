"""For processes that tests kill: after how many batches a store has a broker's log, as LOG_AFTER in the environment
says (0: from the first on; many: never)."""

from __future__ import annotations

import os
from typing import Final

from sbql.catalog.broker_log import begin_after

__all__ = ["LOG_AFTER"]

LOG_AFTER: Final = {"without a log": "1000000", "with a log": "0"}
"""What tests try both of."""

begin_after.batches = int(os.environ.get("LOG_AFTER", begin_after.batches))
