"""sp_sequence_get_range: a range of values of a sequence at once."""

from __future__ import annotations

from sbql.catalog.records import Sequence
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.describe.sequence_values import take_range
from sbql.engine.security import check_permission
from sbql.engine.security.resolver import resolve
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import SQL_VARIANT
from sbql.grammar.values.conversions import convert


@procedure("sp_sequence_get_range")
def sp_sequence_get_range(call: ProcedureCall) -> Work:
    """Raises 201, 208, 11726, 11732."""
    name, count, *_ = call.values(required=2)
    if "@range_first_value" not in call.outputs:
        raise sql_error(201, call.name, "@range_first_value")
    session = call.session
    found = resolve(session, parse_object_name(name))
    if not isinstance(found, Sequence):
        raise sql_error(11726, name)
    if not session.contexts[-1].is_sa:
        check_permission(session, "UPDATE", found, session.running_module)
    if count < 1:
        raise sql_error(11732, found.name)
    first, last, cycles = take_range(session, found, count)
    call.give("@range_cycle_count", cycles)
    for parameter, value in (
        ("@range_first_value", first), ("@range_last_value", last), ("@sequence_increment", found.increment),
        ("@sequence_min_value", found.minimum), ("@sequence_max_value", found.maximum),
    ):  # fmt: skip
        call.give(parameter, convert(value, found.type, SQL_VARIANT))
    return 0
    yield
