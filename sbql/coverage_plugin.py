"""coverage.py's plugin for T-SQL: which lines of scripts, and of the modules that they made, have run
(docs/testing-your-application.md).

It decides how a line that the engine tells of becomes one that coverage.py has seen, and which files and lines a report
is about. coverage.py measures frames of Python, and a statement of T-SQL has none. So `_ran` is called with file and
line, and its frame is taken for theirs. Threads, contexts, --source, --omit and data files are then coverage.py's, as
for any file. Only coverage.py loads this module; the package does not depend on coverage.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import FrameType
from typing import Any

from coverage import CoveragePlugin, FileReporter, FileTracer
from coverage.exceptions import PluginError
from coverage.plugin_support import Plugins
from coverage.types import TConfigurable

from sbql.engine.running_lines import listen
from sbql.engine.scripts import read_text
from sbql.grammar.ast import Batch
from sbql.grammar.batches import BatchText, ScriptVariables, split
from sbql.grammar.errors import SqlError
from sbql.grammar.executable_lines import branches_of, excluded_lines, first_line, lines_of
from sbql.grammar.parser import parse_batch
from sbql.grammar.script_lines import lines_of as lines_in

__all__ = ["Plugin", "coverage_init"]


def coverage_init(registry: Plugins, options: Mapping[str, Any]) -> None:
    """Called by coverage.py, before it measures and before it reports."""
    plugin = Plugin(_variables(options))
    registry.add_configurer(plugin)
    registry.add_file_tracer(plugin)
    listen(_tell)


def _variables(options: Mapping[str, Any]) -> dict[str, str]:
    """The option `variables`: NAME=VALUE, one a line. Raises PluginError."""
    unknown = sorted(options.keys() - {"variables"})
    if unknown:
        raise PluginError(f"sbql.coverage_plugin has no option {unknown[0]!r}")
    given = options.get("variables", "")
    lines = given if isinstance(given, list) else str(given).split("\n")
    pairs = [line.strip().partition("=") for line in lines if line.strip()]
    if not all(sign for _, sign, _ in pairs):
        raise PluginError(f"The option variables of sbql.coverage_plugin has lines NAME=VALUE, not {given!r}")
    return {name.strip(): value.strip() for name, _, value in pairs}


# --- while it measures ---------------------------------------------------------------------------------------

_HELD, _NOT_HELD = -1_000_001, -1_000_002
"""Where a line went on by its condition, as it is recorded: which line that is, the report knows."""


def _tell(file: str, line: int, holds: bool | None) -> None:
    if holds is None:
        _ran(file, line)
    elif Plugin.measures_branches:
        _went_on(file, line, _HELD if holds else _NOT_HELD)


def _ran(file: str, line: int) -> None:
    """A frame that coverage.py sees at one line."""


def _went_on(file: str, line: int, to: int) -> int:
    """A frame that it sees at one line, and then at another one."""
    line = to
    return line


class _Tracer(FileTracer):
    def has_dynamic_source_filename(self) -> bool:
        return True

    def dynamic_source_filename(self, filename: str, frame: FrameType) -> str | None:
        return frame.f_locals["file"] if frame.f_code in (_ran.__code__, _went_on.__code__) else None

    def line_number_range(self, frame: FrameType) -> tuple[int, int]:
        line: int = frame.f_locals["line"]
        return line, line


class Plugin(CoveragePlugin):
    """`variables`: of scripts, where a report reads them."""

    measures_branches = False
    """Of the run, which is one for the whole process."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def configure(self, config: TConfigurable) -> None:
        """Of coverage.py's cores one alone heeds plugins, and it is not what newer Pythons start with."""
        Plugin.measures_branches = bool(config.get_option("run:branch"))
        if config.get_option("run:core") is None:
            config.set_option("run:core", "ctrace")

    def file_tracer(self, filename: str) -> FileTracer | None:
        return _Tracer() if filename == _HERE else None

    def file_reporter(self, filename: str) -> FileReporter:
        return _Script(filename, self._variables)

    def find_executable_files(self, src_dir: str) -> Iterator[str]:
        """Scripts that nobody ran count, too; hidden folders and environments hold none of the user's."""
        for folder, inner, names in os.walk(src_dir):
            inner[:] = [
                name
                for name in inner
                if not name.startswith(".") and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
            ]
            yield from (os.path.join(folder, name) for name in names if name.lower().endswith(".sql"))


_HERE = os.path.realpath(__file__)


# --- while it reports ----------------------------------------------------------------------------------------


class _Script(FileReporter):
    """A file of T-SQL."""

    def __init__(self, filename: str, variables: Mapping[str, str]) -> None:
        super().__init__(filename)
        self._variables = variables

    def source(self) -> str:
        return read_text(self.filename)

    def source_token_lines(self) -> Iterator[list[tuple[str, str]]]:
        """Lines as they are counted: coverage.py itself would end one at a form feed, too."""
        return ([("txt", line)] for line in lines_in(self.source()))

    def lines(self) -> set[int]:
        return self._found.lines - self._found.excluded

    def excluded_lines(self) -> set[int]:
        return self._found.lines & self._found.excluded

    def arcs(self) -> set[tuple[int, int]]:
        return {(line, to) for line, both in self._found.branches.items() for to in both}

    def exit_counts(self) -> dict[int, int]:
        return dict.fromkeys(self._found.branches, 2)

    def translate_arcs(self, arcs: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        """What was recorded of conditions, as what it means; what is so already stays."""
        branches, possible = self._found.branches, self.arcs()
        held = {(line, branches[line][0]) for line, to in arcs if to == _HELD and line in branches}
        not_held = {(line, branches[line][1]) for line, to in arcs if to == _NOT_HELD and line in branches}
        return held | not_held | possible.intersection(arcs)

    def missing_arc_description(
        self, start: int, end: int, executed_arcs: Iterable[tuple[int, int]] | None = None
    ) -> str:
        says = "true" if self._found.branches[start][0] == end else "false"
        return f"the condition on line {start} was never {says}"

    @cached_property
    def _found(self) -> _Lines:
        found = _Lines()
        for batch in _batches(self.filename, self._variables):
            found.add(batch, self.filename)
        return found


class _Lines:
    """The lines of a file that can run, those that a comment excludes, and where conditions lead."""

    def __init__(self) -> None:
        self.lines: set[int] = set()
        self.excluded: set[int] = set()
        self.branches: dict[int, tuple[int, int]] = {}

    def add(self, batch: BatchText, file: str) -> None:
        """Those of a batch that stand in this file. A batch that does not parse is refused as a whole:
        it is one line, which never runs."""

        def here(lines: Iterable[int]) -> dict[int, int]:
            places = {line: batch.place.at(line) for line in lines}
            return {line: there for line, (name, there) in places.items() if name == file}

        tree = _tree(batch.text)
        if tree is None:
            self.lines.update(here([first_line(batch.text)]).values())
            return
        lines, excluded = here(lines_of(tree)), excluded_lines(batch.text, tree)
        self.lines.update(lines.values())
        self.excluded.update(here(excluded).values())
        for line, both in branches_of(tree).items():
            counted = [to for to in (line, *both) if abs(to) in lines and to not in excluded]
            if len(counted) == 3:
                start, then, other = (lines[abs(to)] if to > 0 else -lines[abs(to)] for to in counted)
                self.branches[start] = then, other


def _tree(text: str) -> Batch | None:
    for quoted_identifiers in (True, False):
        try:
            return parse_batch(text, quoted_identifiers=quoted_identifiers)
        except SqlError:
            continue
    return None


class _Variables(ScriptVariables):
    """A report does not know what a script was run with: a variable that nobody gave
    a value stands for its own name."""

    def get(self, name: str, default: Any = None) -> Any:
        return super().get(name, name)


def _batches(filename: str, variables: Mapping[str, str]) -> Iterator[BatchText]:
    """Up to what is wrong with its directives, where a run of it ends, too."""
    try:
        for part in split(read_text(filename), variables=_Variables(variables), read_file=_included, source=filename):
            if isinstance(part, BatchText):
                yield part
            elif part.name in ("quit", "exit"):
                return
    except SqlError:
        return


def _included(path: str) -> str:
    """A file that is not there leaves the batch around it as it is."""
    try:
        return read_text(path)
    except OSError:
        return ""
