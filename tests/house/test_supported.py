"""docs/supported.md says what the code's own registries say. `python tests/house/test_supported.py` writes it anew."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sbql.catalog.procedures import procedure_names
from sbql.catalog.views import system_views
from sbql.engine.batch.set_options import _VALUES
from sbql.engine.definition.alter_database import _ACCEPTED, _BROKER_OPTIONS, _FIELDS
from sbql.engine.definition.drops import WITHOUT_EFFECT
from sbql.engine.describe.procedure_registry import ACCEPTED, SYSTEM_PROCEDURES, UNSUPPORTED
from sbql.engine.describe.system_functions import SYSTEM_FUNCTIONS
from sbql.engine.functions.globals import GLOBALS
from sbql.engine.query.aggregates import _AGGREGATES
from sbql.engine.query.context import LIST_FUNCTIONS
from sbql.engine.query.unsupported_views import MISSING
from sbql.engine.query.windows import _WINDOWS
from sbql.engine.scalars.calls import _SPECIAL, FORMS
from sbql.engine.scalars.function_registry import AGGREGATE, WINDOW, all_functions
from sbql.engine.scalars.unsupported_functions import MISSING_FUNCTIONS
from sbql.engine.session_options import ACCEPTED_OPTIONS, ON_OFF_OPTIONS
from sbql.engine.wiring import TABLES
from sbql.grammar.keywords import CALL_WORDS, UNSUPPORTED as UNSUPPORTED_WORDS

TARGET = Path(__file__).parents[2] / "docs" / "supported.md"
WIDTH = 125

HEAD = """# What is supported

Made from the code's own registries by `python tests/house/test_supported.py`; a test fails when it is stale. How a feature differs stands in
[differences.md](differences.md). *No effect* means: accepted, and nothing changes. *Not here* means: error 40517, which names the
feature with its line.
"""

STATEMENTS = {
    "BeginEndBlock": "BEGIN … END",
    "BrokerPriorityStatement": "CREATE, ALTER BROKER PRIORITY",
    "CreateLoginStatement": "CREATE, ALTER LOGIN",
    "CreateRoleStatement": "CREATE, ALTER ROLE",
    "SymmetricKeyStatement": "CREATE, ALTER, OPEN, CLOSE SYMMETRIC KEY",
    "CreateSequenceStatement": "CREATE, ALTER SEQUENCE",
    "CreateUserStatement": "CREATE, ALTER USER",
    "CreateFunctionStatement": "CREATE, ALTER FUNCTION",
    "CreateProcedureStatement": "CREATE, ALTER PROCEDURE",
    "CreateTriggerStatement": "CREATE, ALTER TRIGGER",
    "CreateViewStatement": "CREATE, ALTER VIEW",
    "CreateEndpointStatement": "CREATE, ALTER ENDPOINT",
    "DeclareTableStatement": "DECLARE @t TABLE",
    "DropModuleStatement": "DROP PROCEDURE, FUNCTION, VIEW, TRIGGER",
    "DropObjectStatement": "DROP TABLE, DATABASE, QUEUE, SERVICE, USER, CERTIFICATE …",
    "EnableTriggerStatement": "ENABLE, DISABLE TRIGGER",
    "ExecuteStringStatement": "EXECUTE ('text')",
    "IfStatement": "IF … ELSE",
    "MasterKeyStatement": "CREATE, ALTER, OPEN, CLOSE MASTER KEY",
    "PermissionStatement": "GRANT, DENY, REVOKE",
    "RoleMemberStatement": "ALTER ROLE … ADD, DROP MEMBER",
    "SetCursorVariableStatement": "SET @c = CURSOR",
    "SetOptionStatement": "SET option",
    "SetVariableStatement": "SET @v",
    "SetXmlStatement": "SET @x.modify()",
    "StatisticsStatement": "CREATE, UPDATE, DROP STATISTICS",
    "TryCatchStatement": "TRY … CATCH",
    "WaitForDelayStatement": "WAITFOR DELAY, TIME",
    "WaitForStatement": "WAITFOR (RECEIVE …), WAITFOR (GET CONVERSATION GROUP …)",
    "XmlSchemaCollectionStatement": "CREATE, ALTER XML SCHEMA COLLECTION",
}
"""Classes whose name does not read as the statement."""


def wrapped(words: Iterable[str]) -> str:
    """The words as code, in lines of the usual width."""
    lines, line = [], ""
    for word in (f"`{word}`" for word in words):
        if line and len(line) + len(word) + 2 > WIDTH:
            lines.append(line + ",")
            line = word
        else:
            line = f"{line}, {word}" if line else word
    return "\n".join([*lines, line])


def statement_name(class_name: str) -> str:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", class_name.removesuffix("Statement")).upper()
    return STATEMENTS.get(class_name, words)


def missing_statements() -> list[str]:
    found = {" ".join((word, *rest)) for word, tails in UNSUPPORTED_WORDS.items() for rest in tails}
    return sorted(found - WITHOUT_EFFECT)


def section(title: str, parts: dict[str, Iterable[str]]) -> str:
    shown = [f"## {title}\n"]
    for heading, words in parts.items():
        shown.append(f"**{heading}:**\n\n{wrapped(words)}\n" if heading else f"{wrapped(words)}\n")
    return "\n".join(shown)


def functions() -> dict[str, Iterable[str]]:
    specs = all_functions()
    counted = {name for name, spec in specs.items() if spec.kind == AGGREGATE}
    framed = {name for name, spec in specs.items() if spec.kind == WINDOW}
    here = set(_AGGREGATES) | set(_WINDOWS) | {"GROUPING", "GROUPING_ID", "PERCENTILE_CONT", "PERCENTILE_DISC"}
    scalars = (
        (set(specs) - counted - framed)
        | set(_SPECIAL)
        | set(FORMS)
        | (CALL_WORDS - {"OPENJSON", "CUBE", "ROLLUP"})
        | {"CONVERT", "TRY_CONVERT"}
    )
    return {
        "Scalar": sorted(scalars),
        "Aggregates": sorted(counted & here),
        "Window functions": sorted(framed & here),
        "Tables": sorted({*LIST_FUNCTIONS, "OPENJSON", "OPENXML", *(f"sys.{name}" for name in SYSTEM_FUNCTIONS)}),
        "Global variables": sorted(GLOBALS),
        "Not here": sorted((counted | framed) - here | MISSING_FUNCTIONS),
    }


def views() -> str:
    rows = ["| View | Columns |", "|---|--:|"]
    rows += [f"| `{view.schema}.{view.name}` | {len(view.columns)} |" for view in system_views()]
    missing = wrapped(f"sys.{name}" for name in sorted(MISSING))
    return "## System views\n\n" + "\n".join(rows) + f"\n\n**Not here:**\n\n{missing}\n"


def test_no_function_is_both_here_and_missing() -> None:
    assert not MISSING_FUNCTIONS & {*all_functions(), *_SPECIAL, *FORMS}


def test_no_view_is_both_here_and_missing() -> None:
    assert not MISSING & {view.name.lower() for view in system_views()}


STATISTICS = statement_name("StatisticsStatement")
"""Its names are looked up, and that is all."""


def document() -> str:
    classes = [name for names in TABLES["statements"].values() for name in names if name != "UnsupportedStatement"]
    works = sorted((set(SYSTEM_PROCEDURES) | procedure_names()) - set(ACCEPTED) - set(UNSUPPORTED))
    parts = [
        HEAD,
        section("Statements", {
            "": sorted({statement_name(name) for name in classes} - {STATISTICS}),
            "No effect": sorted({*WITHOUT_EFFECT, STATISTICS}), "Not here": missing_statements(),
        }),
        section("Functions", functions()),
        section("System procedures", {"": works, "No effect": sorted(ACCEPTED), "Not here": sorted(UNSUPPORTED)}),
        section("SET options", {
            "": sorted({*ON_OFF_OPTIONS, *_VALUES, "ANSI_DEFAULTS", "IDENTITY_INSERT"}),
            "No effect": sorted(ACCEPTED_OPTIONS - {"ANSI_DEFAULTS"}),
        }),
        section("ALTER DATABASE … SET", {"": sorted({*_BROKER_OPTIONS, *_FIELDS}), "No effect": sorted(_ACCEPTED)}),
        views(),
    ]  # fmt: skip
    return "\n".join(parts)


def test_the_file_is_up_to_date() -> None:
    """When it is not: `python tests/house/test_supported.py`."""
    assert TARGET.read_text(encoding="utf-8") == document()


def test_every_named_statement_class_exists() -> None:
    """A name for a class that is gone would be dead text."""
    assert set(STATEMENTS) <= {name for names in TABLES["statements"].values() for name in names}


if __name__ == "__main__":
    TARGET.write_text(document(), encoding="utf-8")
