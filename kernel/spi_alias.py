"""The name under which plugin authors know the contracts: in this process, `coverwright_spi` is `kernel.spi`.

Authors build and test against the distribution `coverwright-spi`, which holds the files of `kernel/spi`. Beside
Coverwright, a plugin gets the kernel's own modules by that name, even where that distribution is installed too: there
is one `ProviderSpec`, and what the kernel asks with `isinstance` is true of it.
"""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Final

OUTSIDE: Final = "coverwright_spi"
INSIDE: Final = "kernel.spi"


class _Alias(Loader):
    """Loads nothing: hands out the module of the kernel."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._own: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self._name)
        self._own = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._own  # the import system has just written the alias' over it


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != OUTSIDE and not fullname.startswith(f"{OUTSIDE}."):
            return None
        name = INSIDE + fullname.removeprefix(OUTSIDE)
        found = find_spec(name)
        if found is None:
            return None
        spec = ModuleSpec(fullname, _Alias(name), origin=found.origin)
        spec.submodule_search_locations = found.submodule_search_locations
        return spec


def install() -> None:
    """Let `coverwright_spi` mean the kernel's contracts.

    Raises ImportError when others have been imported by that name already: two sets of them would not fit together.
    """
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    if OUTSIDE in sys.modules:
        raise ImportError("`coverwright_spi` was imported before `kernel`, which replaces it: import `kernel` first")
    sys.meta_path.insert(0, _Finder())
