"""Who may do what. `context` says who somebody is, `permissions` what follows from what was granted, `checks` raises
the errors."""

from sbql.engine.security.checks import (
    broker_rights,
    check_database_access,
    check_permission,
    context_from_principal,
    denied,
    enter_module_context,
    has_right,
    impersonate,
    is_database_owner,
    is_in_server_role,
    may,
    require,
    same_owner,
    token,
    user_in_database,
    visible_catalog,
)
from sbql.engine.security.context import DBO, ExecutionContext, is_sysadmin, user_of_login

__all__ = [
    "DBO", "ExecutionContext", "broker_rights", "check_database_access", "check_permission", "context_from_principal", "denied",
    "enter_module_context", "has_right", "impersonate", "is_database_owner", "is_in_server_role", "is_sysadmin", "may", "require",
    "same_owner", "token", "user_in_database", "user_of_login", "visible_catalog",
]  # fmt: skip
