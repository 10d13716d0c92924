"""SET options. Those that change behaviour do; the others of ACCEPTED_OPTIONS are accepted; the rest is error 195."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.session_options import ACCEPTED_OPTIONS, ON_OFF_OPTIONS
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import Expression, SetOptionStatement, StringLiteral
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.values.languages import DATE_ORDERS, LANGUAGES, language_named

_LEVELS_OF_FIPS = ("ENTRY", "FULL", "INTERMEDIATE", "OFF")
_ISOLATION_LEVELS = ("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SNAPSHOT", "SERIALIZABLE")


def _integer(value: Any, option: str) -> int:
    """The value of an option that takes a whole number. Raises 2743."""
    try:
        return int(value)
    except (TypeError, ValueError):
        raise sql_error(2743, f"SET {option}", "integer") from None


def _set_number(field: str) -> Callable[[Any, Any], None]:
    def assign(session: Session, value: Any) -> None:
        setattr(session.options, field, _integer(value, field.upper()))

    return assign


def _set_textsize(session: Session, value: Any) -> None:
    """0 is the default of 4 KB, -1 the whole value."""
    session.options.textsize = _integer(value, "TEXTSIZE") or 4096


def _set_datefirst(session: Session, value: Any) -> None:
    day = _integer(value, "DATEFIRST")
    if not 1 <= day <= 7:
        raise sql_error(2742, value)
    session.options.datefirst = day


def _set_dateformat(session: Session, value: Any) -> None:
    text = str(value).lower()
    if text not in DATE_ORDERS:
        raise sql_error(2741, value)
    session.options.dates = session.options.dates._replace(order=text)


def _set_language(session: Session, value: Any) -> None:
    """Raises 2740."""
    found = language_named(str(value))
    if found is None:
        names = [one for language in LANGUAGES for one in (language.name, language.alias)]
        raise sql_error(2740, value).advise(did_you_mean(str(value), names) or "sys.syslanguages lists them.")
    session.options.speak(found)
    session.emit(InfoMessage(sql_error(5703, found.name).message, number=5703, severity=0))


def _set_context_info(session: Session, value: Any) -> None:
    if value is not None and not isinstance(value, bytes):
        raise sql_error(2743, "SET CONTEXT_INFO", "varbinary(128) NOT NULL")
    session.set_context_info(value)


def _set_isolation(session: Session, value: Any) -> None:
    level = str(value).upper()
    if level not in _ISOLATION_LEVELS:
        raise sql_error(102, value)
    session.options.isolation_level = level


def _set_deadlock_priority(session: Session, value: Any) -> None:
    words = {"LOW": -5, "NORMAL": 0, "HIGH": 5}
    number = words.get(str(value).upper())
    session.options.deadlock_priority = (
        number if number is not None else max(-10, min(10, _integer(value, "DEADLOCK_PRIORITY")))
    )


_VALUES: dict[str, Callable[[Any, Any], None]] = {
    "ROWCOUNT": _set_number("rowcount"),
    "TEXTSIZE": _set_textsize,
    "LOCK_TIMEOUT": _set_number("lock_timeout"),
    "DATEFIRST": _set_datefirst,
    "DATEFORMAT": _set_dateformat,
    "LANGUAGE": _set_language,
    "CONTEXT_INFO": _set_context_info,
    "TRANSACTION ISOLATION LEVEL": _set_isolation,
    "DEADLOCK_PRIORITY": _set_deadlock_priority,
}


@handles(SetOptionStatement)
def compile_set_option(node: SetOptionStatement, compiler: Compiler) -> Step:
    value = node.value
    actions: list[Callable[[Any, Any], None]] = []
    for option in node.options:
        if option == "ANSI_NULLS" and compiler.in_module:
            continue  # it stays as it was when the module was created
        if option in ON_OFF_OPTIONS:
            actions.append(_set_flag(ON_OFF_OPTIONS[option], value))
        elif option == "ANSI_DEFAULTS":
            fields = ("ansi_padding", "ansi_warnings", "cursor_close_on_commit", "implicit_transactions")
            actions += [_set_flag(f, value) for f in (*fields, "quoted_identifier", "ansi_null_dflt_on")]
            if not compiler.in_module:
                actions.append(_set_flag("ansi_nulls", value))
        elif option in _VALUES:
            actions.append(_VALUES[option])
        elif option.startswith("SHOWPLAN_") and value in ("ON", "OFF"):
            if value == "ON":  # the statements after it must not run
                raise sql_error(40517, f"SET {option}")
        elif option in ACCEPTED_OPTIONS:
            _check_accepted(option, value)
        else:
            meant = did_you_mean(option, [*ON_OFF_OPTIONS, *_VALUES, *ACCEPTED_OPTIONS])
            advice = meant or "A variable is set with its at sign: SET @name = value."
            raise sql_error(195, option, "SET option").advise(advice)
    given = compiler.scalar(value).run if isinstance(value, Expression) else lambda frame: value

    def run(frame: Frame) -> int:
        session = frame.session
        for action in actions:
            action(session, given(frame))
        return 0

    return Step(run)


def _check_accepted(option: str, value: Any) -> None:
    """An option without effect takes its values, too. Raises 102, 2743."""
    if option == "FIPS_FLAGGER":
        level = value.value.upper() if isinstance(value, StringLiteral) else value
        fits = level in _LEVELS_OF_FIPS
    elif option == "QUERY_GOVERNOR_COST_LIMIT":
        if isinstance(value, str):
            raise sql_error(2743, f"SET {option}", "integer")
        return
    else:
        fits = value in ("ON", "OFF")
    if not fits:
        raise sql_error(102, value if isinstance(value, str) else getattr(value, "value", "the value"))


def _set_flag(field: str, value: Any) -> Callable[[Any, Any], None]:
    if value not in ("ON", "OFF"):
        raise sql_error(102, value if isinstance(value, str) else getattr(value, "value", "the value"))
    is_on = value == "ON"
    # ANSI_NULL_DFLT_ON and _OFF: one of them at most.
    other = {"ansi_null_dflt_on": "ansi_null_dflt_off", "ansi_null_dflt_off": "ansi_null_dflt_on"}.get(field)

    def assign(session: Session, _: Any) -> None:
        options = session.options
        if getattr(options, field) is is_on:
            return
        setattr(options, field, is_on)
        if other is not None and is_on:
            setattr(options, other, False)
        options.settle()

    return assign
