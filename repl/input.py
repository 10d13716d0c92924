"""What a person types at the prompt: when an input is complete, and what F5 makes of it.

Pure functions over text, without a terminal. Which lines are GO, directives and commands is decided by the one splitter
(`sbql.grammar.script_lines`); only `help` is a word of the prompt alone.
"""

from __future__ import annotations

from sbql.grammar.script_lines import ends_in_directive

__all__ = ["is_complete", "is_help", "with_go"]


def is_help(text: str) -> bool:
    """Whether somebody asks for help as one does at a prompt. In scripts `help` is a procedure that is called."""
    return text.strip().rstrip(";").rstrip().lower() in ("help", "?")


def is_complete(text: str) -> bool:
    """Whether Enter hands the input over: its last line is GO, a directive or a command, or all of it asks for help."""
    return ends_in_directive(text) or is_help(text)


def with_go(text: str) -> str:
    """The text closed by GO, if it is not."""
    return text if is_complete(text) or not text.strip() else f"{text.rstrip()}\nGO"
