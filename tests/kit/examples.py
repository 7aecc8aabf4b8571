"""The distributions that `coverwright plugins new` writes, as examples of providers that keep their contract."""

import importlib
import importlib.util
import sys
import tempfile
from pathlib import Path
from types import ModuleType

from kernel.commands.plugin_new import plugin_files
from kernel.spi import Kind

_KEPT: list[tempfile.TemporaryDirectory[str]] = []


def example(kind: Kind) -> tuple[ModuleType, ModuleType]:
    """Write the example of a kind and import it: the module of its provider, and that of its tests."""
    folder = tempfile.TemporaryDirectory(prefix="coverwright-example-")
    _KEPT.append(folder)  # removed when the process ends
    root = Path(folder.name)
    for path, text in plugin_files(f"example-{kind}", kind):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    sys.path[:0] = [str(root / "src"), str(root / "tests")]
    found = importlib.util.spec_from_file_location(f"example_{kind}_tests", root / "tests" / "test_conformance.py")
    assert found is not None and found.loader is not None
    tests = importlib.util.module_from_spec(found)
    sys.modules[tests.__name__] = tests
    found.loader.exec_module(tests)
    return importlib.import_module(f"example_{kind}.provider"), tests
