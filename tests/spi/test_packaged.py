"""Files of plugins for browsers, and what makes a script one that no browser could run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from kernel.spi import ProviderSpec, ScriptClient, packaged_files, script_faults
from plugins.sandbox_payments import SANDBOX


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path]]:
    """A package with an empty folder for files, and its name."""
    name = f"packaged_{uuid4().hex}"
    folder = tmp_path / name / "static"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    yield name, folder


def test_files_have_their_type_and_the_digest_changes_with_any_of_them(
    package: tuple[str, Path],
) -> None:
    name, folder = package
    (folder / "form.js").write_text("let one")
    (folder / "form.css").write_text("a{}")
    first = packaged_files(name)
    assert {key: file.media_type for key, file in first.files.items()} == {
        "form.css": "text/css",
        "form.js": "text/javascript",
    }
    assert packaged_files(name) is first, "read once"
    packaged_files.cache_clear()
    (folder / "form.css").write_text("b{}")
    second = packaged_files(name)
    assert second.digest != first.digest
    assert second.files["form.js"].integrity == first.files["form.js"].integrity
    assert packaged_files(None).files == {}


@pytest.mark.parametrize("bad", ["page.html", "Form.js", "secret.py", "form.js.map", ".hidden.js", "in/form.js"])
def test_a_folder_with_anything_else_in_it_is_refused(package: tuple[str, Path], bad: str) -> None:
    name, folder = package
    (folder / bad).parent.mkdir(exist_ok=True)
    (folder / bad).write_text("x")
    with pytest.raises(ValueError, match="nothing that can be served"):
        packaged_files(name)


def test_a_folder_that_is_empty_too_large_or_not_there_is_refused(package: tuple[str, Path]) -> None:
    name, folder = package
    with pytest.raises(ValueError, match="no folder `static`"):
        packaged_files(name)
    with pytest.raises(ValueError, match="cannot be read"):
        packaged_files(f"{name}_elsewhere")
    (folder / "form.js").write_bytes(b" " * (2 * 1024 * 1024 + 1))
    with pytest.raises(ValueError, match="too large"):
        packaged_files(name)


GOOD = ScriptClient(module="sandbox-checkout.js", element="sandbox-checkout", data={"session": "cs_1", "live": False})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, ""),
        ({"data": {"text": "s" * 30_000, "number": 2**53, "yes": True}}, ""),
        ({"module": "words.en.json"}, "is no .js"),
        ({"module": "../provider.py"}, "is no .js"),
        ({"element": "sandbox"}, "begin with `sandbox-`"),
        ({"element": "Sandbox-checkout"}, "begin with `sandbox-`"),
        ({"element": "acme-checkout"}, "begin with `sandbox-`"),
        ({"data": {"session_id": "1"}}, "named like `sessionId`"),
        ({"data": {"amount": 2**53 + 1}}, "not exact"),
        ({"data": {"text": "s" * 33_000}}, "more than 32768"),
        ({"data": {"cards": ["4242"]}}, "list"),
    ],
)
def test_what_no_browser_could_run_is_named(change: Mapping[str, Any], told: str) -> None:
    faults = script_faults(msgspec.structs.replace(GOOD, **change), SANDBOX)
    assert len(faults) == bool(told) and told in " ".join(faults)


def test_a_spec_without_files_has_no_script() -> None:
    bare: ProviderSpec[Any, Any] = msgspec.structs.replace(SANDBOX, static=None)
    (fault,) = script_faults(GOOD, bare)
    assert fault.endswith("among the packaged files: none")
