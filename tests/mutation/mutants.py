"""Which mutants there are of a module, and a sample of them that a seed decides.

A mutant is one small change: what Cosmic Ray's operators do (another comparison, `and` for `or`, a number one more or
less, no `not`, an exception that is not caught, a decorator gone), and one operator of our own, `StatementRemover`,
which Cosmic Ray lacks: a call or an assignment that is not made.

Not mutated: annotations (nobody evaluates them), assertions and what is only for type checkers, `__all__`. It
must not know how a mutant is tried.
"""

from __future__ import annotations

import ast
import difflib
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator, operator_names
from parso.python.tree import Keyword

NEEDS_ARGUMENTS = ("core/VariableReplacer", "core/VariableInserter")
"""Operators of Cosmic Ray that want to be told names."""

Span = tuple[int, int]
"""First and last line, both counted from 1."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """`occurrence` counts the places of one operator in one module, as Cosmic Ray does;
    `module` is a path from the root."""

    module: str
    operator: str
    occurrence: int
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.module}:{self.line} {self.operator.removeprefix('core/')} {self.occurrence}"


class StatementRemover(Operator):
    """Puts `pass` where a function calls or assigns something as a statement of its own (docstrings and names stay)."""

    REMOVED = ("atom_expr", "expr_stmt", "await_expr")

    def mutation_positions(self, node: Any) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
        if node.type in self.REMOVED and node.parent is not None and node.parent.type == "simple_stmt":
            if _in_function(node) and not _defines_a_name(node):
                yield node.start_pos, node.end_pos

    def mutate(self, node: Any, index: int) -> Any:
        return Keyword("pass", node.start_pos, prefix=node.get_first_leaf().prefix)

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        return ()


def _in_function(node: Any) -> bool:
    parent = node.parent
    while parent is not None and parent.type != "funcdef":
        parent = parent.parent
    return parent is not None


def _defines_a_name(node: Any) -> bool:
    """`x = 1`: without it the function would only fail with a NameError, which every test sees."""
    return (
        node.type == "expr_stmt" and node.children[0].type == "name" and node.children[1].get_first_leaf().value in "=:"
    )


def _is_of_use(name: str) -> bool:
    """Of comparisons by identity only the opposite is of use: `<` of two objects is a TypeError, `==` the same."""
    if name in NEEDS_ARGUMENTS:
        return False
    word, _, change = name.partition("Operator_")
    if not word.endswith("Comparison"):
        return True
    old, _, new = change.partition("_")
    return (new in ("Is", "IsNot")) == (old in ("Is", "IsNot"))


OPERATORS: dict[str, Operator] = {
    **{name: get_operator(name)() for name in operator_names() if _is_of_use(name)},
    "StatementRemover": StatementRemover(),
}


def mutants_of(root: Path, module: str) -> list[Mutant]:
    """All of a module, in the order of its lines."""
    source = (root / module).read_text(encoding="utf-8")
    nodes = list(ast_nodes(get_ast(source)))
    idle = list(_idle(ast.parse(source)))
    found = []
    for name, operator in OPERATORS.items():
        positions = [place for node in nodes for place in operator.mutation_positions(node)]
        for occurrence, ((line, column), _) in enumerate(positions):
            if not any(first <= (line, column) < last for first, last in idle):
                found.append(Mutant(module, name, occurrence, line, column))
    return sorted(found, key=lambda mutant: (mutant.line, mutant.column, mutant.operator, mutant.occurrence))


def _idle(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Where a mutant would change nothing that runs: from (line, column) to (line, column)."""
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        match node:
            case ast.AnnAssign():
                parts = [node.annotation]
            case ast.arg():
                parts = [node.annotation]
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                parts = [node.returns]
            case ast.Assert():
                parts = [node]
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                parts = [node]
            case ast.Assign(targets=[ast.Name(id=name)]) if name == "__all__" or isinstance(node.value, ast.BinOp):
                # X = A | B at the top of a module is a type.
                parts = [node] if node in tree.body else []
        for part in parts:
            if part is not None:
                yield (part.lineno, part.col_offset), (part.end_lineno, part.end_col_offset)  # type: ignore[attr-defined]


def sample(mutants: Iterable[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them (all, when there are fewer), the same for the same seed: places are drawn first, then one mutant
    of each place, because a comparison has a dozen mutants and a call has one. In the order of the draw, so that a run
    that is cut short is a fair sample, too."""
    places: dict[tuple[str, int, int], list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        places[mutant.module, mutant.line, mutant.column].append(mutant)
    chance = random.Random(seed)
    drawn = chance.sample(sorted(places), min(count, len(places)))
    return [chance.choice(places[place]) for place in drawn]


def mutated(source: str, mutant: Mutant) -> str | None:
    """The text of the mutated module; None when it is no Python any more or the same program."""
    changed = mutate_code(source, OPERATORS[mutant.operator], mutant.occurrence)
    if changed is None:
        return None
    try:
        same = ast.dump(ast.parse(changed)) == ast.dump(ast.parse(source))
    except SyntaxError:
        return None
    return None if same else changed


def changed_lines(source: str, changed: str) -> tuple[str, str]:
    """The lines that went and those that came, each as one text."""
    gone, came = [], []
    for line in difflib.ndiff(source.splitlines(), changed.splitlines()):
        if line.startswith("- "):
            gone.append(line[2:].strip())
        elif line.startswith("+ "):
            came.append(line[2:].strip())
    return " ".join(gone), " ".join(came)
