"""System procedures, by name, one module a topic.

A procedure is a generator function `(call: ProcedureCall) -> return code`, registered under its lower-case name.
The modules are imported when the first procedure is looked for (`engine.wiring`).
"""
