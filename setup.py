"""Builds the parse table into the wheel, so that the first start needs no grammar compilation; with
SBQL_COMPILED=1 also the modules that `compiled` names in pyproject.toml as machine code, by mypyc
(docs/performance.md, "The compiled build").

grammar/tables.py is loaded by its path: the package is not installed yet when it is being built.
"""

import os
import shutil
import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
GRAMMAR = ROOT / "grammar"
IS_COMPILED = os.environ.get("SBQL_COMPILED") == "1"
OPTIMIZATION = os.environ.get("SBQL_OPTIMIZATION", "2")
"""Of the C compiler. What only runs tests is built sooner with 0."""
COMPILER = "mypy>=2.0,<3"
OWN_FOLDER = ROOT / "build" / "machine-code"
"""Where the compiled build is put together: not where the other one is, which may be made at the same time."""
LIBRARY = "sbql.engine.compiled"
"""Of all compiled modules together: their calls of each other are plain calls of C."""
MYPY_OPTIONS = (
    "--python-version=3.11",
    "--follow-imports=silent",
    "--ignore-missing-imports",
    "--no-warn-unused-ignores",
)
"""What the code means, and no more: `make check` asks the strict questions, and where a wheel
is built no library is installed."""


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
        tables.save_table(tables.load_table(), tables.table_key(text), target)  # a checkout may have it


def extensions() -> list[Extension]:
    """The compiled modules. They are read from a copy in which the folders are the package
    `sbql`, as mypy has to see them."""
    from mypyc.build import mypycify

    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    stage = OWN_FOLDER / "sources"
    shutil.rmtree(stage, ignore_errors=True)
    for package, folder in sorted(settings["setuptools"]["package-dir"].items()):
        shutil.copytree(
            ROOT / folder, stage.joinpath(*package.split(".")), ignore=shutil.ignore_patterns("__pycache__")
        )
    modules = [f"{name.replace('.', '/')}.py" for name in settings["sbql"]["compiled"]]
    back = Path.cwd()
    os.chdir(stage)
    try:
        found = mypycify(
            [*MYPY_OPTIONS, *modules], opt_level=OPTIMIZATION, debug_level="0", target_dir="c", group_name=LIBRARY
        )
    finally:
        os.chdir(back)
    for extension in found:
        extension.sources = [str((stage / source).relative_to(ROOT)) for source in extension.sources]
        extension.include_dirs = [str(stage / folder) if folder == "c" else folder for folder in extension.include_dirs]
    return list(found)


def has_compiler() -> bool:
    """Not so when pip asks what the build needs, nor when it asks what the package is called: what
    is compiled then is thrown away."""
    if {"dist_info", "egg_info"} & set(sys.argv):
        return False
    try:
        import mypyc.build  # noqa: F401
    except ImportError:
        return False
    return True


def own_folders() -> dict[str, dict[str, str]]:
    OWN_FOLDER.mkdir(parents=True, exist_ok=True)
    return {"build": {"build_base": str(OWN_FOLDER)}, "egg_info": {"egg_base": str(OWN_FOLDER)}}


setup(
    cmdclass={"build_py": BuildWithTable},
    setup_requires=[COMPILER] if IS_COMPILED else [],
    options=own_folders() if IS_COMPILED else {},
    ext_modules=extensions() if IS_COMPILED and has_compiler() else [],
)
