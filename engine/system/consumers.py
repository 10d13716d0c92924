"""What an administrator does about consumers: give back what one holds, or drop it. Who
holds what: sys.dm_sbql_consumers."""

from __future__ import annotations

from sbql.engine.definition.queues import find_queue
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.streaming.consumers import release_consumer
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name


@procedure("sp_sbql_release_consumer", "sp_sbql_drop_consumer")
def sp_sbql_release_consumer(call: ProcedureCall) -> Work:
    """@queue, @consumer (left out: spark). What the consumer was delivered and has not acknowledged can be received
    again, by anybody; its query ends with error 49941. sp_sbql_drop_consumer forgets the consumer, too. Raises 208,
    49945, 3906, and 574 in a transaction, because neither can be rolled back."""
    name, consumer = call.values(required=1)
    session = call.session
    if session.trancount:
        raise sql_error(574, call.name)
    queue = find_queue(session, parse_object_name(str(name)))
    session.rights.require("CONTROL", queue)
    release_consumer(session, queue, str(consumer or "spark"), drop=call.name == "sp_sbql_drop_consumer")
    return 0
    yield
