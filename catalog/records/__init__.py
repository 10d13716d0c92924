"""Records: everything the catalog and the broker keep, as msgspec structs, so that a record is its own stored form.

`objects` holds what DDL makes (frozen: a change is a new record); `broker` holds what dialogs make (endpoints,
groups, messages: mutable, because they change on the hot path and are the engine's working state); `deliveries` what
consumers and writers outside of T-SQL keep.
"""

from sbql.catalog.records.broker import *  # noqa: F403
from sbql.catalog.records.deliveries import *  # noqa: F403
from sbql.catalog.records.objects import *  # noqa: F403
from sbql.catalog.records.tables import *  # noqa: F403
