"""The options of sp_configure: names, limits, defaults, the values that an instance keeps for them, and RECONFIGURE.

An option has the value that sp_configure gave it and the one in use, which RECONFIGURE makes of it. Whoever heeds an
option asks the instance for it; only memory and the degree of parallelism have to be told. Most options do nothing here
(docs/differences.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from sbql.catalog import live_relations as live
from sbql.catalog.memory_limit import limit_memory
from sbql.engine.ports import Instance
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import has_right
from sbql.engine.steps import Step, handles
from sbql.engine.system.broker_switches import DEFAULT_PORT, PORT_OPTION, port_in_use, set_port
from sbql.engine.work import Work
from sbql.grammar.ast import ReconfigureStatement
from sbql.grammar.errors import sql_error
from sbql.grammar.values.memory import set_limit

__all__ = ["OPTIONS", "configuration_rows", "tell_store", "values_of"]


class Option(NamedTuple):
    """`is_dynamic`: RECONFIGURE is enough, without a restart. `is_advanced`: shown
    with `show advanced options` only."""

    number: int
    name: str
    minimum: int
    maximum: int
    default: int
    is_dynamic: bool
    is_advanced: bool
    description: str


_D, _A = True, True
OPTIONS: Final = tuple(
    Option(*row)
    for row in (
        (101, "recovery interval (min)", 0, 32767, 0, _D, _A, "Maximum recovery interval in minutes"),
        (102, "allow updates", 0, 1, 0, _D, False, "Allow updates to system tables"),
        (103, "user connections", 0, 32767, 0, False, _A, "Number of user connections allowed"),
        (106, "locks", 5000, 2147483647, 0, False, _A, "Number of locks for all users"),
        (107, "open objects", 0, 2147483647, 0, False, _A, "Number of open database objects"),
        (109, "fill factor (%)", 0, 100, 0, False, _A, "Default fill factor percentage"),
        (114, "disallow results from triggers", 0, 1, 0, _D, _A, "Disallow returning results from triggers"),
        (115, "nested triggers", 0, 1, 1, _D, False, "Allow triggers to be invoked within triggers"),
        (116, "server trigger recursion", 0, 1, 1, _D, False, "Allow recursion for server level triggers"),
        (117, "remote access", 0, 1, 1, False, False, "Allow remote access"),
        (124, "default language", 0, 9999, 0, _D, False, "default language"),
        (400, "cross db ownership chaining", 0, 1, 0, _D, False, "Allow cross db ownership chaining"),
        (503, "max worker threads", 128, 65535, 0, _D, _A, "Maximum worker threads"),
        (505, "network packet size (B)", 512, 32767, 4096, _D, _A, "Network packet size"),
        (518, "show advanced options", 0, 1, 0, _D, False, "show advanced options"),
        (542, "remote proc trans", 0, 1, 0, _D, False, "Create DTC transaction for remote procedures"),
        (544, "c2 audit mode", 0, 1, 0, False, _A, "c2 audit mode"),
        (1126, "default full-text language", 0, 2147483647, 1033, _D, _A, "default full-text language"),
        (1127, "two digit year cutoff", 1753, 9999, 2049, _D, _A, "two digit year cutoff"),
        (1505, "index create memory (KB)", 704, 2147483647, 0, _D, _A, "Memory for index create sorts (kBytes)"),
        (1517, "priority boost", 0, 1, 0, False, _A, "Priority boost"),
        (1519, "remote login timeout (s)", 0, 2147483647, 10, _D, False, "remote login timeout"),
        (1520, "remote query timeout (s)", 0, 2147483647, 600, _D, False, "remote query timeout"),
        (1531, "cursor threshold", -1, 2147483647, -1, _D, _A, "cursor threshold"),
        (1532, "set working set size", 0, 1, 0, False, _A, "set working set size"),
        (1534, "user options", 0, 32767, 0, _D, False, "user options"),
        (1535, "affinity mask", -2147483648, 2147483647, 0, _D, _A, "affinity mask"),
        (1536, "max text repl size (B)", -1, 2147483647, 65536, _D, False, "Maximum size of a text field in replication."),
        (1537, "media retention", 0, 365, 0, _D, _A, "Tape retention period in days"),
        (1538, "cost threshold for parallelism", 0, 32767, 5, _D, _A, "cost threshold for parallelism"),
        (1539, "max degree of parallelism", 0, 32767, 0, _D, _A, "maximum degree of parallelism"),
        (1540, "min memory per query (KB)", 512, 2147483647, 1024, _D, _A, "minimum memory per query (kBytes)"),
        (1541, "query wait (s)", -1, 2147483647, -1, _D, _A, "maximum time to wait for query memory (s)"),
        (1543, "min server memory (MB)", 0, 2147483647, 0, _D, _A, "Minimum size of server memory (MB)"),
        (1544, "max server memory (MB)", 128, 2147483647, 2147483647, _D, _A, "Maximum size of server memory (MB)"),
        (1545, "query governor cost limit", 0, 2147483647, 0, _D, _A, "Maximum estimated cost allowed by query governor"),
        (1546, "lightweight pooling", 0, 1, 0, False, _A, "User mode scheduler uses lightweight pooling"),
        (1547, "scan for startup procs", 0, 1, 0, False, _A, "scan for startup stored procedures"),
        (1562, "clr enabled", 0, 1, 0, _D, False, "CLR user code execution enabled in the server"),
        (1563, "max full-text crawl range", 0, 256, 4, _D, _A, "Maximum  crawl ranges allowed in full-text indexing"),
        (1568, "default trace enabled", 0, 1, 1, _D, _A, "Enable or disable the default trace"),
        (1569, "blocked process threshold (s)", 0, 86400, 0, _D, _A, "Blocked process reporting threshold"),
        (1576, "remote admin connections", 0, 1, 0, _D, False, "Dedicated Admin Connections are allowed from remote clients"),
        (1579, "backup compression default", 0, 1, 0, _D, False, "Enable compression of backups by default"),
        (1580, PORT_OPTION, 1024, 32767, DEFAULT_PORT, _D, _A, "Port of the Service Broker endpoint, as before its release"),
        (1581, "optimize for ad hoc workloads", 0, 1, 0, _D, _A, "When this option is set, plan cache size is further reduced for single-use adhoc OLTP workload."),
        (16384, "Agent XPs", 0, 1, 0, _D, _A, "Enable or disable Agent XPs"),
        (16386, "Database Mail XPs", 0, 1, 0, _D, _A, "Enable or disable Database Mail XPs"),
        (16388, "Ole Automation Procedures", 0, 1, 0, _D, _A, "Enable or disable Ole Automation Procedures"),
        (16390, "xp_cmdshell", 0, 1, 0, _D, _A, "Enable or disable command shell"),
        (16391, "Ad Hoc Distributed Queries", 0, 1, 0, _D, _A, "Enable or disable Ad Hoc Distributed Queries"),
        (16392, "Replication XPs", 0, 1, 0, _D, _A, "Enable or disable Replication XPs"),
        (16393, "contained database authentication", 0, 1, 0, _D, False, "Enables contained databases and contained authentication"),
    )
)  # fmt: skip


def configuration_rows(instance: Instance) -> Iterator[live.ConfigurationOption]:
    for option in OPTIONS:
        value, in_use = values_of(instance, option)
        yield live.ConfigurationOption(
            configuration_id=option.number, name=option.name, minimum=option.minimum, maximum=option.maximum, value=value,
            value_in_use=in_use, description=option.description, is_dynamic=option.is_dynamic, is_advanced=option.is_advanced,
        )  # fmt: skip


def values_of(instance: Instance, option: Option) -> tuple[int, int]:
    """What sp_configure has set, and what is in use."""
    kept, used = instance.configured, instance.configuration
    if option.name == PORT_OPTION:
        port = port_in_use(instance)
        return kept.get(option.name, port), port
    return kept.get(option.name, option.default), used.get(option.name, option.default)


@handles(ReconfigureStatement)
def compile_reconfigure(node: ReconfigureStatement, compiler: Compiler) -> Step:
    """Raises 574 in a transaction, 5812 without ALTER SETTINGS, 701 when more memory is taken than there is to be, what
    CREATE and ALTER ENDPOINT raise for the broker's port."""

    def run(frame: Frame) -> Work:
        session = frame.session
        if session.trancount:
            raise sql_error(574, "CONFIG", span=node.span)
        if not has_right(session, "ALTER SETTINGS", "SERVER"):
            raise sql_error(5812, span=node.span)
        _install(session.instance)
        port = session.instance.configured.pop(PORT_OPTION, None)
        if port is not None and port != port_in_use(session.instance):
            yield from set_port(session, port)
        return 0

    return Step(run, waits=True)


def _install(instance: Instance) -> None:
    for option in OPTIONS:
        value, used = values_of(instance, option)
        if value == used or not option.is_dynamic or option.name == PORT_OPTION:
            continue
        _tell(instance, option, value)
        instance.configuration[option.name] = value


def tell_store(instance: Instance) -> None:
    """The store is another one than that for which the options in use were installed. Raises SqlError 701."""
    for option in OPTIONS:
        if option.name in instance.configuration:
            _tell(instance, option, instance.configuration[option.name])


def _tell(instance: Instance, option: Option, value: int) -> None:
    if option.name == _MEMORY:
        _limit_memory(instance, value if value < option.maximum else None)
    elif option.name == _PARALLELISM:
        instance.store.parallelism.limit(1 if instance.host.repeats else value)


_MEMORY: Final = "max server memory (MB)"
_PARALLELISM: Final = "max degree of parallelism"


def _limit_memory(instance: Instance, megabytes: int | None) -> None:
    """Of DuckDB, and of the values that Python makes, which count what the whole process has."""
    limit_memory(instance.store, megabytes)
    set_limit(instance, None if megabytes is None else megabytes << 20)
