"""Builds the parse table into the wheel, so that the first start needs no grammar compilation.

grammar/tables.py is loaded by its path: the package is not installed yet when it is being built.
"""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from setuptools import setup
from setuptools.command.build_py import build_py

GRAMMAR = Path(__file__).parent / "grammar"


def tables_module() -> ModuleType:
    spec = spec_from_file_location("sbql_grammar_tables", GRAMMAR / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    # dataclasses look their module up by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


class BuildWithTable(build_py):
    """build_py that also compiles the grammar; an editable install builds its table at first use instead."""

    def run(self) -> None:
        super().run()
        if getattr(self, "editable_mode", False):
            return
        tables = tables_module()
        text = tables.grammar_text(GRAMMAR / "lark")
        target = Path(self.build_lib) / "sbql" / "grammar" / "tables.bin"
        tables.save_table(tables.build_table(text), tables.table_key(text), target)


setup(cmdclass={"build_py": BuildWithTable})
