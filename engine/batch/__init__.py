"""Batch: a list of statements becomes one step: compiler, control flow, EXECUTE, variables, SET options, cursors.

It decides which statements are plain calls and which wait, what happens after an error in the middle, where GOTO may
jump, what is bound before anything runs, and how modules are called and kept compiled. Statements are found by their
node class in a registry; it must not know what any of the other rooms' statements do.

Data flows from text to tree to Step (`compiler`, `compiled_modules`), and from a Frame through the steps to outcomes.
"""
