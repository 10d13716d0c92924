"""Wiring: which module fills which word of the engine's registries, by name.

The one table of imports by string. It stands above all rooms, as `instance` does: a registry is asked for a word, and the
module named here is imported and registers itself. Tests hold it against the modules (each exists, imports the registry
that it fills, and fills exactly these words) and against the import contracts.
"""

from __future__ import annotations

from sbql.engine.loading import connect

__all__ = ["TABLES"]

_X = "sbql.engine.execution"


def _under(package: str, modules: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {f"{package}.{module}": words for module, words in modules.items()}


TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "statements": _under(
        f"{_X}.handlers",
        {
            "administration": ("DbccStatement",),
            "alter_database": ("AlterDatabaseStatement",),
            "backup": ("BackupStatement",),
            "bulk_insert": ("BulkInsertStatement",),
            "certificates": (
                "AddSignatureStatement",
                "AlterCertificateStatement",
                "BackupCertificateStatement",
                "CreateAsymmetricKeyStatement",
                "CreateCertificateStatement",
            ),
            "cursors": (
                "CloseCursorStatement",
                "DeallocateCursorStatement",
                "DeclareCursorStatement",
                "FetchCursorStatement",
                "OpenCursorStatement",
                "SetCursorVariableStatement",
            ),
            "databases": (
                "CreateDatabaseStatement",
                "UseStatement",
            ),
            "delete": ("DeleteStatement",),
            "dialogs": (
                "BeginConversationTimerStatement",
                "BeginDialogStatement",
                "EndConversationStatement",
                "MoveConversationStatement",
                "SendStatement",
            ),
            "drops": (
                "DropObjectStatement",
                "UnsupportedStatement",
            ),
            "endpoints": ("CreateEndpointStatement",),
            "errors": (
                "PrintStatement",
                "RaiserrorStatement",
                "ThrowStatement",
            ),
            "event_notifications": (
                "CreateEventNotificationStatement",
                "DropEventNotificationStatement",
            ),
            "execute": (
                "ExecuteStatement",
                "ExecuteStringStatement",
            ),
            "flow": (
                "BeginEndBlock",
                "BreakStatement",
                "ContinueStatement",
                "GotoStatement",
                "IfStatement",
                "ReturnStatement",
                "TryCatchStatement",
                "WaitForDelayStatement",
                "WhileStatement",
            ),
            "identity_insert": ("SetIdentityInsertStatement",),
            "indexes": (
                "AlterIndexStatement",
                "CreateIndexStatement",
                "DropIndexStatement",
            ),
            "insert": ("InsertStatement",),
            "kill": ("KillStatement",),
            "master_keys": ("MasterKeyStatement",),
            "merge": ("MergeStatement",),
            "message_types": (
                "AlterMessageTypeStatement",
                "CreateContractStatement",
                "CreateMessageTypeStatement",
                "XmlSchemaCollectionStatement",
            ),
            "monologs": (
                "BeginMonologStatement",
                "BeginSubscriptionStatement",
                "EndSubscriptionStatement",
            ),
            "modules": (
                "CreateFunctionStatement",
                "CreateProcedureStatement",
                "CreateTriggerStatement",
                "CreateViewStatement",
                "DropModuleStatement",
                "EnableTriggerStatement",
            ),
            "permissions": (
                "AlterAuthorizationStatement",
                "PermissionStatement",
            ),
            "principals": (
                "CreateLoginStatement",
                "CreateRoleStatement",
                "CreateUserStatement",
                "ExecuteAsStatement",
                "RevertStatement",
                "RoleMemberStatement",
            ),
            "queues": (
                "AlterQueueStatement",
                "AlterServiceStatement",
                "CreateQueueStatement",
                "CreateServiceStatement",
            ),
            "receive": (
                "GetConversationGroupStatement",
                "ReceiveStatement",
                "WaitForStatement",
            ),
            "restore": ("RestoreStatement",),
            "remote_service_bindings": (
                "AlterRemoteServiceBindingStatement",
                "CreateRemoteServiceBindingStatement",
            ),
            "routes": (
                "AlterRouteStatement",
                "BrokerPriorityStatement",
                "CreateRouteStatement",
                "DropBrokerObjectStatement",
            ),
            "schemas": (
                "AlterSchemaStatement",
                "CreateSchemaStatement",
            ),
            "select": ("SelectStatement",),
            "sequences": ("CreateSequenceStatement",),
            "set_options": ("SetOptionStatement",),
            "symmetric_keys": ("SymmetricKeyStatement",),
            "tables": (
                "AlterTableStatement",
                "CreateTableStatement",
                "DeclareTableStatement",
            ),
            "transactions": (
                "BeginTransactionStatement",
                "CommitTransactionStatement",
                "RollbackTransactionStatement",
                "SaveTransactionStatement",
            ),
            "truncate": ("TruncateTableStatement",),
            "types": (
                "CreateSynonymStatement",
                "CreateTypeStatement",
            ),
            "update": ("UpdateStatement",),
            "variables": (
                "DeclareStatement",
                "SetVariableStatement",
                "SetXmlStatement",
            ),
        },
    ),
    "expressions": {
        f"{_X}.expressions_operators": ("UnaryExpression", "BinaryExpression"),
        f"{_X}.expressions_calls": ("FunctionCall",),
        f"{_X}.functions.parsing": ("ParseExpression",),
        f"{_X}.functions.time_zones": ("AtTimeZone",),
        f"{_X}.functions.globals": ("GlobalVariable",),
        f"{_X}.xml_methods": ("MethodCall",),
    },
    "conditions": {f"{_X}.expressions_conditions": ("condition",)},
    "forms": {f"{_X}.functions.json_constructors": ("JSON_ARRAY", "JSON_OBJECT")},
    "subqueries": {f"{_X}.translate.closures": ("subquery",)},
    "queries": {f"{_X}.translate.api": ("translate_query", "check_view")},
    "table functions": {f"{_X}.metadata.functions": ()},
    "types": {f"{_X}.xml_schemas": ("xml",)},
    "functions": _under(
        f"{_X}.functions",
        dict.fromkeys(
            (
                "strings",
                "text_building",
                "datetimes",
                "date_parts",
                "mathematics",
                "bits",
                "conversion",
                "system",
                "hashing",
                "metadata",
                "metadata_names",
                "object_properties",
                "database_properties",
                "security",
                "keys",
                "errors",
                "json_functions",
                "formatting",
                "aggregates",
                "windows",
                "app_locks",
                "passphrases",
                "xml_functions",
                "hex_text",
            ),
            (),
        ),
    ),
    "procedures": _under(
        f"{_X}.system_procedures",
        dict.fromkeys(
            (
                "app_locks",
                "cursors",
                "databases",
                "documents",
                "dynamic",
                "extended",
                "help_text",
                "logins",
                "loops",
                "operations",
                "prepared",
                "properties",
                "refreshing",
                "renaming",
                "roles",
                "sequences",
                "server",
                "session_values",
                "trigger_order",
            ),
            (),
        ),
    ),
}
"""Registry -> module -> the words that it fills; () for modules that are looked through for any word."""

connect(TABLES)
