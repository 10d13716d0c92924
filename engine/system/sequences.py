"""sp_sequence_get_range: a range of values of a sequence at once."""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Sequence
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure, whole_number
from sbql.engine.describe.sequence_values import take_range
from sbql.engine.security import check_permission
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.types import INT

_PARAMETERS = (
    "@sequence_name", "@range_size", "@range_first_value", "@range_last_value", "@range_cycle_count", "@sequence_increment",
    "@sequence_min_value", "@sequence_max_value",
)  # fmt: skip


@procedure("sp_sequence_get_range")
def sp_sequence_get_range(call: ProcedureCall) -> Work:
    """Raises 201, 208, 11726, 11732."""
    name, size, *_ = call.values(*_PARAMETERS, required=2)
    places = {p: a for p, a in zip(_PARAMETERS, call.arguments, strict=False) if a.name is None}
    places |= {a.name.lower(): a for a in call.arguments if a.name is not None}
    if "@range_first_value" not in places or places["@range_first_value"].assign is None:
        raise sql_error(201, call.name, "@range_first_value")
    session = call.session
    found = session.resolve(parse_object_name(str(name)))
    if not isinstance(found, Sequence):
        raise sql_error(11726, str(name))
    if not session.contexts[-1].is_sa:
        check_permission(session, "UPDATE", found, session.running_module)
    count = whole_number(size)
    if count < 1:
        raise sql_error(11732, found.name)
    first, last, cycles = take_range(session, found, count)
    results: dict[str, tuple[Any, Any]] = {
        "@range_first_value": (first, found.type),
        "@range_last_value": (last, found.type),
        "@range_cycle_count": (cycles, INT),
        "@sequence_increment": (found.increment, found.type),
        "@sequence_min_value": (found.minimum, found.type),
        "@sequence_max_value": (found.maximum, found.type),
    }
    for parameter, (value, sql_type) in results.items():
        argument = places.get(parameter)
        if argument is not None and argument.assign is not None:
            argument.assign(value, sql_type)
    return 0
    yield
