"""Security: who somebody is, what he may do, and what names mean to him.

`context` says who somebody is, `permissions` what follows from what was granted, `checks` raises the errors of a
missing right, `owners` says what those may who are not connected; `keys` and `cryptography` are what secrets are made
of; `database_access` decides who may be in a database and who has to leave; `resolver` finds the record that a name
means, `similar_names` what may have been meant.
It must not know statements, queries or how rows are stored; of the session it knows the port.

Data flows from an execution context and a snapshot of the catalog to a decision, or to a record.
"""

from sbql.engine.security.checks import (
    broker_rights,
    check_alter,
    check_database_access,
    check_permission,
    context_from_principal,
    enter_module_context,
    has_right,
    impersonate,
    is_database_owner,
    is_in_server_role,
    may,
    may_alter,
    require,
    same_owner,
    token,
    user_in_database,
    visible_catalog,
)
from sbql.engine.security.context import is_sysadmin, user_of_login
from sbql.engine.security.owners import owner_rights

__all__ = [
    "broker_rights", "check_alter", "check_database_access", "check_permission", "context_from_principal", "enter_module_context", "has_right", "impersonate",
    "is_database_owner", "is_in_server_role", "is_sysadmin", "may", "may_alter", "owner_rights", "require", "same_owner", "token", "user_in_database",
    "user_of_login", "visible_catalog",
]  # fmt: skip
