"""What happens: broker rules, execution of T-SQL, sessions, activation.

Inside, rooms import one way, from `broker` at the bottom to `batch` and `system`, and `session`, `drivers`, `scheduler`
and `instance` above them (docs/architecture.md has the list). The engine knows the grammar and the catalog; it must not
know the prompt, Spark or the command line.
"""

from sbql.engine import wiring  # noqa: F401  says which modules fill the registries; imports none of them
