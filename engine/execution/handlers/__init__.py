"""One handler a statement class, grouped by topic.

A handler module is imported when the first statement of its classes is compiled, so that a short script starts quickly.
The table says where each class is handled; a test holds it against what the modules register.
"""

from __future__ import annotations

import importlib

__all__ = ["MODULES", "load_all", "load_handler"]

MODULES: dict[str, tuple[str, ...]] = {
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
    "databases": ("CreateDatabaseStatement", "UseStatement"),
    "delete": ("DeleteStatement",),
    "dialogs": (
        "BeginConversationTimerStatement",
        "BeginDialogStatement",
        "EndConversationStatement",
        "MoveConversationStatement",
        "SendStatement",
    ),
    "drops": ("DropObjectStatement", "UnsupportedStatement"),
    "endpoints": ("CreateEndpointStatement",),
    "errors": ("PrintStatement", "RaiserrorStatement", "ThrowStatement"),
    "event_notifications": ("CreateEventNotificationStatement", "DropEventNotificationStatement"),
    "execute": ("ExecuteStatement", "ExecuteStringStatement"),
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
    "indexes": ("AlterIndexStatement", "CreateIndexStatement", "DropIndexStatement"),
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
    "monologs": ("BeginMonologStatement", "BeginSubscriptionStatement", "EndSubscriptionStatement"),
    "modules": (
        "CreateFunctionStatement",
        "CreateProcedureStatement",
        "CreateTriggerStatement",
        "CreateViewStatement",
        "DropModuleStatement",
        "EnableTriggerStatement",
    ),
    "permissions": ("AlterAuthorizationStatement", "PermissionStatement"),
    "principals": (
        "CreateLoginStatement",
        "CreateRoleStatement",
        "CreateUserStatement",
        "ExecuteAsStatement",
        "RevertStatement",
        "RoleMemberStatement",
    ),
    "queues": ("AlterQueueStatement", "AlterServiceStatement", "CreateQueueStatement", "CreateServiceStatement"),
    "receive": ("GetConversationGroupStatement", "ReceiveStatement", "WaitForStatement"),
    "restore": ("RestoreStatement",),
    "remote_service_bindings": ("AlterRemoteServiceBindingStatement", "CreateRemoteServiceBindingStatement"),
    "routes": (
        "AlterRouteStatement",
        "BrokerPriorityStatement",
        "CreateRouteStatement",
        "DropBrokerObjectStatement",
    ),
    "schemas": ("AlterSchemaStatement", "CreateSchemaStatement"),
    "select": ("SelectStatement",),
    "sequences": ("CreateSequenceStatement",),
    "set_options": ("SetOptionStatement",),
    "symmetric_keys": ("SymmetricKeyStatement",),
    "tables": ("AlterTableStatement", "CreateTableStatement", "DeclareTableStatement"),
    "transactions": (
        "BeginTransactionStatement",
        "CommitTransactionStatement",
        "RollbackTransactionStatement",
        "SaveTransactionStatement",
    ),
    "truncate": ("TruncateTableStatement",),
    "types": ("CreateSynonymStatement", "CreateTypeStatement"),
    "update": ("UpdateStatement",),
    "variables": ("DeclareStatement", "SetVariableStatement", "SetXmlStatement"),
}
"""Module → the statement classes that it handles."""

_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}


def load_handler(class_name: str) -> None:
    """Import the module that handles a statement class; nothing happens for a class that has none."""
    module = _MODULE_OF.get(class_name)
    if module is not None:
        importlib.import_module(f"{__name__}.{module}")


def load_all() -> None:
    """Import every handler module: for tests and for tables of what is supported."""
    for module in MODULES:
        importlib.import_module(f"{__name__}.{module}")
