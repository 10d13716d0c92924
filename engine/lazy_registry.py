"""Loading at need: registries whose words are filled by modules that are imported when a word is first asked for.

A registry stands below whatever fills it: the handler of a statement imports the registry of handlers, which knows no
handler. Which module fills which word is said once, by name, in `wiring`. So a short script starts quickly, and no room
imports one that is further up.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Generic, TypeVar

__all__ = ["REGISTRIES", "Registry", "connect"]

T = TypeVar("T")

REGISTRIES: dict[str, Registry[Any]] = {}
"""All of them, by name."""

_MODULES: dict[str, Mapping[str, tuple[str, ...]]] = {}


def connect(tables: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
    """Say which modules fill which words: registry -> module -> words. A module
    without words has to be asked for all."""
    _MODULES.update(tables)


class Registry(Mapping[str, T], Generic[T]):
    """Words and what they mean. `find` and `[word]` import the module of a word; whatever looks at all words imports
    all modules."""

    def __init__(self, name: str) -> None:
        assert name not in REGISTRIES, f"two registries {name}"
        REGISTRIES[name] = self
        self.name = name
        self._known: dict[str, T] = {}
        self._module_of: dict[str, str] | None = None
        self._is_searched = False
        """The modules that have to be asked for all words were."""
        self._is_whole = False

    def add(self, word: str, meaning: T) -> None:
        """Called by the module that fills the word. Each word has one meaning."""
        assert word not in self._known, f"{self.name}: two meanings of {word}"
        self._known[word] = meaning

    def find(self, word: str) -> T | None:
        """What the word means; None when it means nothing."""
        found = self._known.get(word)
        if found is not None or self._is_whole:
            return found
        modules = self._module_of
        if modules is None:
            table = _MODULES.get(self.name, {})
            modules = self._module_of = {w: module for module, words in table.items() for w in words}
        module = modules.get(word)
        if module is not None:
            importlib.import_module(module)
        elif not self._is_searched:
            for module, words in _MODULES.get(self.name, {}).items():
                if not words:
                    importlib.import_module(module)
            self._is_searched = True
        return self._known.get(word)

    def _load_all(self) -> dict[str, T]:
        if not self._is_whole:
            for module in _MODULES.get(self.name, {}):
                importlib.import_module(module)
            self._is_whole = True
        return self._known

    def __getitem__(self, word: str) -> T:
        found = self.find(word)
        if found is None:
            raise KeyError(word)
        return found

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._load_all()))

    def __len__(self) -> int:
        return len(self._load_all())
