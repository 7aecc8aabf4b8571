"""The README's chapter for plugin authors: its example works as written, its tables match the code."""

import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel import spi
from tests.support.distributions import authors_python, build_spi, install, mypy, run

CHAPTER = re.search(
    r"^## Write a provider\n(.*?)^## ",
    (Path(__file__).parents[2] / "README.md").read_text(),
    re.MULTILINE | re.DOTALL,
)
assert CHAPTER is not None
TEXT = CHAPTER[1]
EXAMPLE = ("stripes.py", "pyproject.toml", "test_stripes.py")

PROTOCOLS: dict[str, tuple[type[Any], ...]] = {
    "provider": (spi.Provider, spi.Preparable, spi.WebhookSetup),
    "image": (spi.ImageProvider, spi.Resumable, spi.Cancellable, spi.TextWriter, spi.Depicter, spi.LetteringSketcher),
    "payment": (
        spi.PaymentProvider,
        spi.PaymentForm,
        spi.InvoiceDocuments,
        spi.ChangePreviews,
        spi.PromotionCodes,
        spi.Pauses,
        spi.CardChanges,
        spi.Taxes,
        spi.TestRefunds,
        spi.TestClock,
    ),
    "email": (spi.EmailProvider, spi.MessageKeeper),
    "storage": (spi.StorageProvider,),
    "signin": (spi.SigninProvider, spi.LogoutReader),
}
ANYTIME = {"RateLimited", "Unavailable", "DeadlineExceeded", "AuthFailed", "SettingsInvalid", "QuotaExhausted"}
"""What the chapter says once for all methods."""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, extracted from the README: each block in a file of its name."""
    folder = tmp_path_factory.mktemp("stripes") / "project"
    folder.mkdir()
    for name in EXAMPLE:
        found = re.search(rf"`{re.escape(name)}`.*?^```\w+\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
        assert found is not None, f"the chapter has no {name}"
        (folder / name).write_text(found[1])
    return folder


def test_the_example_passes_the_kit_as_it_is_written(project: Path) -> None:
    ran = run([sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider"], project)
    assert ran.returncode == 0, ran.stdout
    assert "warning" not in ran.stdout


def test_the_example_passes_a_strict_type_checker(project: Path, tmp_path: Path) -> None:
    files = [name for name in EXAMPLE if name.endswith(".py")]
    author = authors_python(tmp_path / "venv", build_spi(tmp_path / "dist"), "kit")
    ran = mypy(author, project, *files)
    assert ran.returncode == 0, ran.stdout


def test_the_example_installs_is_listed_and_checked(project: Path, tmp_path: Path) -> None:
    site = install(project, tmp_path)
    env = {"PYTHONPATH": str(site), "COVERWRIGHT_DATA": str(tmp_path)}
    checked = run([sys.executable, "-m", "kernel.cli", "plugins", "check", "stripes"], tmp_path, **env)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    listed = run([sys.executable, "-m", "kernel.cli", "plugins", "list", "--json"], tmp_path, **env)
    stripes = next(record for record in json.loads(listed.stdout) if record["name"] == "stripes")
    assert (stripes["state"], stripes["providers"], stripes["kit"]["ok"]) == ("loaded", ["image:stripes"], True)


def rows() -> Iterator[tuple[str, str, str]]:
    """Return kind, method and the errors of every row of the chapter's tables."""
    kind = ""
    for line in TEXT.splitlines():
        if heading := re.match(r"\*\*(\w+)\*\*", line):
            kind = heading[1]
        if kind and (row := re.match(r"\| `(\w+)` \|.*\|([^|]*)\|$", line)):
            yield kind, row[1], row[2]


@pytest.mark.parametrize("kind", PROTOCOLS)
def test_the_tables_have_every_method(kind: str) -> None:
    methods = {
        name
        for protocol in PROTOCOLS[kind]
        for name, _ in inspect.getmembers(protocol, inspect.isfunction)
        if not name.startswith("_")
    }
    if kind == "provider":
        methods.add("capabilities")
    else:
        methods -= {"capabilities", "check", "aclose"}
    assert sorted(method for of, method, _ in rows() if of == kind) == sorted(methods)


def test_the_tables_name_every_error_that_a_contract_promises() -> None:
    for kind, method, told in rows():
        named = set(re.findall(r"[A-Z]\w+", told))
        assert all(issubclass(getattr(spi, name), spi.ProviderError) for name in named), f"{kind}.{method}"
        promised = next(
            (getattr(protocol, method).__doc__ or "" for protocol in PROTOCOLS[kind] if hasattr(protocol, method)), ""
        )
        raised = {
            name
            for name in re.findall(r"[A-Z]\w+", promised)
            if inspect.isclass(getattr(spi, name, None)) and issubclass(getattr(spi, name), spi.ProviderError)
        }
        assert raised - ANYTIME <= named, f"{kind}.{method} may also raise {sorted(raised - ANYTIME - named)}"
