"""What a person or a pipe sees: the command line, the prompt, and the rendering of outcomes.

It knows sessions and outcomes; it must not know how a statement runs or where rows are stored.
"""
