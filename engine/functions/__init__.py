"""Built-in functions, one module a topic, registered with `scalars.function_registry`
when any function is first looked for.

Each decides the types that it takes and gives, and its errors. Each is written once, in Python, for both evaluators; a
DuckDB template stands beside it only where DuckDB means exactly the same. It must not know queries: an aggregate or a
window function says here only what it is called and typed.

Data flows from values, and a Frame where the session is asked, to a value. It may ask `describe` what things are.
"""
