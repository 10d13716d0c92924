"""What happens: broker rules, execution of T-SQL, sessions, activation.

Inside the room the direction is host <- broker <- execution <- session <- scheduler <- instance. The engine knows
the grammar and the catalog; it must not know the prompt, Spark or the command line.
"""

from sbql.engine import wiring  # noqa: F401  says which modules fill the registries; imports none of them
