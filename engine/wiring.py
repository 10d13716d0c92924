"""Wiring: which module fills which word of the engine's registries, by name.

The one table of imports by string. It stands above all rooms, as `instance` does: a registry is asked for a word, and the
module named here is imported and registers itself. Tests hold it against the modules (each exists, imports the registry
that it fills, and fills exactly these words) and against the import contracts.
"""

from __future__ import annotations

from sbql.engine.loading import connect

__all__ = ["TABLES"]

TABLES: dict[str, dict[str, tuple[str, ...]]] = {
    "operations": {
        "sbql.engine.describe.names": ("names",),
        "sbql.engine.describe.output_parameters": ("output_parameters",),
        "sbql.engine.streaming.consumers": (
            "consumer.acknowledge",
            "consumer.begin_range",
            "consumer.deliver",
            "consumer.lag",
            "consumer.open",
            "consumer.read",
        ),
    },
    "statements": {
        "sbql.engine.system.dbcc": ("DbccStatement",),
        "sbql.engine.definition.alter_database": ("AlterDatabaseStatement",),
        "sbql.engine.definition.backup": ("BackupStatement",),
        "sbql.engine.modification.bulk_insert": ("BulkInsertStatement",),
        "sbql.engine.definition.certificates": (
            "AddSignatureStatement",
            "AlterCertificateStatement",
            "BackupCertificateStatement",
            "CreateAsymmetricKeyStatement",
            "CreateCertificateStatement",
        ),
        "sbql.engine.batch.cursors": (
            "CloseCursorStatement",
            "DeallocateCursorStatement",
            "DeclareCursorStatement",
            "FetchCursorStatement",
            "OpenCursorStatement",
            "SetCursorVariableStatement",
        ),
        "sbql.engine.definition.databases": ("CreateDatabaseStatement", "UseStatement"),
        "sbql.engine.modification.delete": ("DeleteStatement",),
        "sbql.engine.conversation.dialogs": (
            "BeginConversationTimerStatement",
            "BeginDialogStatement",
            "EndConversationStatement",
            "MoveConversationStatement",
            "SendStatement",
        ),
        "sbql.engine.definition.drops": ("DropObjectStatement", "UnsupportedStatement"),
        "sbql.engine.definition.endpoints": ("CreateEndpointStatement",),
        "sbql.engine.batch.messages": ("PrintStatement", "RaiserrorStatement", "ThrowStatement"),
        "sbql.engine.definition.event_notifications": (
            "CreateEventNotificationStatement",
            "DropEventNotificationStatement",
        ),
        "sbql.engine.batch.execute": ("ExecuteStatement", "ExecuteStringStatement"),
        "sbql.engine.batch.control_flow": (
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
        "sbql.engine.modification.identity_insert": ("SetIdentityInsertStatement",),
        "sbql.engine.definition.indexes": ("AlterIndexStatement", "CreateIndexStatement", "DropIndexStatement"),
        "sbql.engine.modification.insert": ("InsertStatement",),
        "sbql.engine.batch.kill": ("KillStatement",),
        "sbql.engine.definition.master_keys": ("MasterKeyStatement",),
        "sbql.engine.modification.merge": ("MergeStatement",),
        "sbql.engine.definition.contracts": ("CreateContractStatement",),
        "sbql.engine.definition.message_types": ("AlterMessageTypeStatement", "CreateMessageTypeStatement"),
        "sbql.engine.definition.xml_schema_collections": ("XmlSchemaCollectionStatement",),
        "sbql.engine.conversation.monologs": (
            "BeginMonologStatement",
            "BeginSubscriptionStatement",
            "EndSubscriptionStatement",
        ),
        "sbql.engine.definition.modules": (
            "CreateFunctionStatement",
            "CreateProcedureStatement",
            "CreateTriggerStatement",
            "CreateViewStatement",
            "DropModuleStatement",
            "EnableTriggerStatement",
        ),
        "sbql.engine.definition.permissions": ("AlterAuthorizationStatement", "PermissionStatement"),
        "sbql.engine.definition.principals": (
            "CreateLoginStatement",
            "CreateRoleStatement",
            "CreateUserStatement",
            "ExecuteAsStatement",
            "RevertStatement",
            "RoleMemberStatement",
        ),
        "sbql.engine.definition.queues": (
            "AlterQueueStatement",
            "CreateQueueStatement",
        ),
        "sbql.engine.definition.services": ("AlterServiceStatement", "CreateServiceStatement"),
        "sbql.engine.conversation.receive": (
            "GetConversationGroupStatement",
            "ReceiveStatement",
            "WaitForStatement",
        ),
        "sbql.engine.definition.restore": ("RestoreStatement",),
        "sbql.engine.definition.remote_service_bindings": (
            "AlterRemoteServiceBindingStatement",
            "CreateRemoteServiceBindingStatement",
        ),
        "sbql.engine.definition.routes": ("AlterRouteStatement", "CreateRouteStatement"),
        "sbql.engine.definition.broker_priorities": ("BrokerPriorityStatement",),
        "sbql.engine.definition.schemas": ("AlterSchemaStatement", "CreateSchemaStatement"),
        "sbql.engine.batch.select": ("SelectStatement",),
        "sbql.engine.definition.sequences": ("CreateSequenceStatement",),
        "sbql.engine.batch.set_options": ("SetOptionStatement",),
        "sbql.engine.definition.symmetric_keys": ("SymmetricKeyStatement",),
        "sbql.engine.definition.tables": (
            "AlterTableStatement",
            "CreateTableStatement",
            "DeclareTableStatement",
        ),
        "sbql.engine.batch.transactions": (
            "BeginTransactionStatement",
            "CommitTransactionStatement",
            "RollbackTransactionStatement",
            "SaveTransactionStatement",
        ),
        "sbql.engine.modification.truncate": ("TruncateTableStatement",),
        "sbql.engine.definition.types": ("CreateSynonymStatement", "CreateTypeStatement"),
        "sbql.engine.modification.update": ("UpdateStatement",),
        "sbql.engine.batch.variables": ("DeclareStatement", "SetVariableStatement", "SetXmlStatement"),
    },
    "expressions": {
        "sbql.engine.scalars.operators": ("UnaryExpression", "BinaryExpression"),
        "sbql.engine.scalars.calls": ("FunctionCall",),
        "sbql.engine.functions.parsing": ("ParseExpression",),
        "sbql.engine.functions.time_zones": ("AtTimeZone",),
        "sbql.engine.functions.globals": ("GlobalVariable",),
        "sbql.engine.documents.xml_methods": ("MethodCall",),
    },
    "conditions": {
        "sbql.engine.scalars.conditions": ("condition",),
    },
    "forms": {
        "sbql.engine.functions.json_constructors": ("JSON_ARRAY", "JSON_OBJECT"),
    },
    "subqueries": {
        "sbql.engine.query.closures": ("subquery",),
    },
    "queries": {
        "sbql.engine.query.translation": ("translate_query", "check_view"),
    },
    "table functions": {
        "sbql.engine.describe.system_functions": (),
    },
    "types": {
        "sbql.engine.documents.xml_schemas": ("xml",),
    },
    "functions": {
        "sbql.engine.functions.strings": (),
        "sbql.engine.functions.text_building": (),
        "sbql.engine.functions.datetimes": (),
        "sbql.engine.functions.date_parts": (),
        "sbql.engine.functions.mathematics": (),
        "sbql.engine.functions.bits": (),
        "sbql.engine.functions.conversion": (),
        "sbql.engine.functions.system": (),
        "sbql.engine.functions.hashing": (),
        "sbql.engine.functions.metadata": (),
        "sbql.engine.functions.metadata_names": (),
        "sbql.engine.functions.object_properties": (),
        "sbql.engine.functions.database_properties": (),
        "sbql.engine.functions.security": (),
        "sbql.engine.functions.keys": (),
        "sbql.engine.functions.errors": (),
        "sbql.engine.functions.json_functions": (),
        "sbql.engine.functions.formatting": (),
        "sbql.engine.functions.aggregates": (),
        "sbql.engine.functions.windows": (),
        "sbql.engine.functions.app_locks": (),
        "sbql.engine.functions.passphrases": (),
        "sbql.engine.functions.xml_functions": (),
        "sbql.engine.functions.hex_text": (),
    },
    "procedures": {
        "sbql.engine.system.app_locks": (),
        "sbql.engine.system.consumers": (),
        "sbql.engine.system.cursors": (),
        "sbql.engine.system.databases": (),
        "sbql.engine.system.documents": (),
        "sbql.engine.system.dynamic": (),
        "sbql.engine.system.extended": (),
        "sbql.engine.system.help_text": (),
        "sbql.engine.system.command_loops": (),
        "sbql.engine.system.operations": (),
        "sbql.engine.system.prepared": (),
        "sbql.engine.system.properties": (),
        "sbql.engine.system.refreshing": (),
        "sbql.engine.system.renaming": (),
        "sbql.engine.system.sequences": (),
        "sbql.engine.system.server": (),
        "sbql.engine.system.session_values": (),
        "sbql.engine.system.trigger_order": (),
    },
}
"""Registry -> module -> the words that it fills; () for modules that are looked through for any word."""

connect(TABLES)
