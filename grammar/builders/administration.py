"""Builders of DBCC, RECONFIGURE, ALTER INDEX, statistics and ALTER DATABASE SCOPED CONFIGURATION."""

from __future__ import annotations

from typing import Any, Final

from sbql.grammar.ast import (
    AlterIndexStatement,
    DbccStatement,
    Identifier,
    IntegerLiteral,
    ObjectName,
    ReconfigureStatement,
    Span,
    StatisticsStatement,
    UnaryExpression,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.table_options import STATEMENTS, checked
from sbql.grammar.option_forms import WrittenOption, check_options, forms_of, wrong_option
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

_STATISTICS: Final = """
    FULLSCAN/NORECOMPUTE
    SAMPLE number PERCENT/ROWS
    PERSIST_SAMPLE_PERCENT/INCREMENTAL/AUTO_DROP = ON/OFF
    MAXDOP = number
    STATS_STREAM = binary
    """
_CREATED: Final = forms_of(_STATISTICS)
_UPDATED: Final = forms_of(
    f"""
    {_STATISTICS}
    RESAMPLE/ALL/COLUMNS/INDEX
    RESAMPLE ON PARTITIONS
    ROWCOUNT/PAGECOUNT = number
    """
)
"""What CREATE and UPDATE STATISTICS take behind WITH."""

_CONFIGURATIONS: Final = forms_of(
    """
    MAXDOP = number/PRIMARY
    PAUSED_RESUMABLE_INDEX_ABORT_DURATION_MINUTES = number/PRIMARY
    ACCELERATED_PLAN_FORCING/ASYNC_STATS_UPDATE_WAIT_AT_LOW_PRIORITY/BATCH_MODE_ADAPTIVE_JOINS = ON/OFF/PRIMARY
    BATCH_MODE_MEMORY_GRANT_FEEDBACK/BATCH_MODE_ON_ROWSTORE/CE_FEEDBACK/DEFERRED_COMPILATION_TV = ON/OFF/PRIMARY
    DISABLE_BATCH_MODE_ADAPTIVE_JOINS/DISABLE_BATCH_MODE_MEMORY_GRANT_FEEDBACK = ON/OFF/PRIMARY
    DISABLE_INTERLEAVED_EXECUTION_TVF/DOP_FEEDBACK/EXEC_QUERY_STATS_FOR_SCALAR_FUNCTIONS = ON/OFF/PRIMARY
    FORCE_SHOWPLAN_RUNTIME_PARAMETER_COLLECTION/GLOBAL_TEMPORARY_TABLE_AUTO_DROP = ON/OFF/PRIMARY
    IDENTITY_CACHE/INTERLEAVED_EXECUTION_TVF/ISOLATE_SECURITY_POLICY_CARDINALITY = ON/OFF/PRIMARY
    LAST_QUERY_PLAN_STATS/LEDGER_DIGEST_STORAGE_ENDPOINT/LEGACY_CARDINALITY_ESTIMATION = ON/OFF/PRIMARY
    LIGHTWEIGHT_QUERY_PROFILING/MEMORY_GRANT_FEEDBACK_PERCENTILE_GRANT = ON/OFF/PRIMARY
    MEMORY_GRANT_FEEDBACK_PERSISTENCE/OPTIMIZE_FOR_AD_HOC_WORKLOADS/OPTIMIZED_PLAN_FORCING = ON/OFF/PRIMARY
    OPTIMIZED_SP_EXECUTESQL/PARAMETER_SENSITIVE_PLAN_OPTIMIZATION/PARAMETER_SNIFFING = ON/OFF/PRIMARY
    QUERY_OPTIMIZER_HOTFIXES/ROW_MODE_MEMORY_GRANT_FEEDBACK/TSQL_SCALAR_UDF_INLINING = ON/OFF/PRIMARY
    VERBOSE_TRUNCATION_WARNINGS/XTP_PROCEDURE_EXECUTION_STATISTICS/XTP_QUERY_EXECUTION_STATISTICS = ON/OFF/PRIMARY
    ELEVATE_ONLINE/ELEVATE_RESUMABLE = OFF/WHEN_SUPPORTED/FAIL_UNSUPPORTED
    DW_COMPATIBILITY_LEVEL = number/AUTO
    LEDGER_DIGEST_STORAGE_ENDPOINT = string
    """
)
_CLEARED: Final = ("PROCEDURE_CACHE",)
"""What ALTER DATABASE SCOPED CONFIGURATION sets and clears."""


@rule()
def dbcc(
    span: Span, command: Identifier, arguments: tuple[Any, ...] | None, options: tuple[str, ...] | None
) -> DbccStatement:
    found = tuple(_argument(span, a) for a in arguments or ())
    return DbccStatement(command.value.upper(), found, options or (), span=span)


def _argument(span: Span, value: Any) -> Any:
    """A number is its literal here; text and names come as they are."""
    if isinstance(value, int):
        literal = IntegerLiteral(abs(value), span=span)
        return literal if value >= 0 else UnaryExpression("-", literal, span=span)
    return value


@rule()
def dbcc_option(span: Span, name: Identifier, value: IntegerLiteral | None = None) -> str:
    return name.value.upper() if value is None else f"{name.value.upper()} = {value.value}"


@rule()
def reconfigure(span: Span, override: bool | None) -> ReconfigureStatement:
    return ReconfigureStatement(override is not None, span=span)


@rule()
def alter_index(
    span: Span, index: Identifier | None, table: ObjectName, action: Identifier, partition: Any, options: Any
) -> AlterIndexStatement:
    word = action.value.upper()
    if f"ALTER INDEX {word}" not in STATEMENTS or word == "SET":
        raise wrong_option(action, [one.split()[-1] for one in STATEMENTS if one.startswith("ALTER INDEX ")])
    if partition is not None and word in ("DISABLE", "PAUSE", "ABORT"):
        raise incorrect_syntax("PARTITION", f"ALTER INDEX … {word} takes no partition.", span)
    return AlterIndexStatement(
        index, table, word, _ignores_duplicates(checked(options, f"ALTER INDEX {word}")), span=span
    )


def _ignores_duplicates(options: tuple[str, ...]) -> bool | None:
    """What the option IGNORE_DUP_KEY says."""
    return True if "IGNORE_DUP_KEY = ON" in options else False if "IGNORE_DUP_KEY = OFF" in options else None


@rule()
def alter_index_set(
    span: Span, index: Identifier | None, table: ObjectName, options: tuple[WrittenOption, ...]
) -> AlterIndexStatement:
    return AlterIndexStatement(index, table, "SET", _ignores_duplicates(checked(options, "ALTER INDEX SET")), span=span)


# --- statistics, configuration -----------------------------------------------------------------------------


@rule("create_statistics")
def _create_statistics(
    span: Span, name: Identifier, table: ObjectName, columns: tuple[Identifier, ...], where: Any, options: Any
) -> StatisticsStatement:
    check_options(options or (), _CREATED)
    return StatisticsStatement("CREATE", (table,), columns, name, span=span)


@rule("update_statistics")
def _update_statistics(span: Span, table: ObjectName, names: Any, options: Any) -> StatisticsStatement:
    check_options(options or (), _UPDATED)
    return StatisticsStatement("UPDATE", (table,), span=span)


@rule("drop_statistics")
def _drop_statistics(span: Span, names: tuple[ObjectName, ...]) -> StatisticsStatement:
    return StatisticsStatement("DROP", names, span=span)


_SCOPED: Final = "ALTER DATABASE SCOPED CONFIGURATION"


@rule("scoped_configuration")
def _scoped_configuration(span: Span, secondary: Any, option: WrittenOption) -> UnsupportedStatement:
    check_options((option,), _CONFIGURATIONS)
    return UnsupportedStatement(_SCOPED, span=span)


@rule("scoped_configuration_clear")
def _scoped_configuration_clear(span: Span, word: Identifier, plan: Any) -> UnsupportedStatement:
    if word.value.upper() not in _CLEARED:
        raise wrong_option(word, _CLEARED)
    return UnsupportedStatement(_SCOPED, span=span)
