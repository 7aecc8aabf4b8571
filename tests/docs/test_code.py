"""Every block of code in the documentation: examples pass the kit and a type checker, the others run or compile."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from kernel.cli import main
from kernel.docs.site.sources import EXAMPLES, PAGES, WRITTEN, chapter, example_files, excerpt
from tests.support.distributions import authors_python, build_spi, install, mypy, run

PYTEST: Final = [sys.executable, "-m", "pytest", "-W", "error", "-p", "no:cacheprovider"]
PROJECTS: Final = ("lantern", *WRITTEN)
SHOWN_FILE: Final = re.compile(r"(\w+) file=(\S+)")
OURS: Final = re.compile(r"^coverwright ((?:[a-z]+ ?)+)(.*)", re.MULTILINE)
TRIED_ELSEWHERE: Final = frozenset({"In fifteen minutes"})
"""Sections of the README whose blocks tests/kit/test_readme.py runs."""


class Block(NamedTuple):
    """A block of code: where it stands, its language (with what follows it), its text."""

    page: str
    language: str
    text: str


def blocks() -> Iterator[Block]:
    """Return the blocks of all pages and of the README's chapter."""
    sources = {path.stem: path.read_text() for path in sorted(PAGES.glob("*.md"))} | dict(chapter())
    for page, text in sources.items():
        for language, code in re.findall(r"^```([^\n]*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            yield Block(page, language, code)


def write(project: str, into: Path) -> Path:
    """Write the files of an example, as the pages show them; return their folder."""
    for path, text in example_files().items():
        if path.startswith(f"{project}/"):
            (into / path).parent.mkdir(parents=True, exist_ok=True)
            (into / path).write_text(text)
    return into / project


@pytest.mark.parametrize("project", PROJECTS)
def test_an_example_passes_the_kit_as_it_is_shown(project: str, tmp_path: Path) -> None:
    ran = run([*PYTEST, f"--kit-report={tmp_path / 'report'}"], write(project, tmp_path))
    assert ran.returncode == 0, ran.stdout
    assert '"ok": true' in (tmp_path / "report").read_text()


def test_the_examples_pass_a_strict_type_checker(tmp_path: Path) -> None:
    author = authors_python(tmp_path / "venv", build_spi(tmp_path / "dist"), "kit")
    lantern = mypy(author, write("lantern", tmp_path), "lantern.py", "test_lantern.py")
    assert lantern.returncode == 0, lantern.stdout
    for name in WRITTEN:
        written = mypy(author, write(name, tmp_path))  # what is checked stands in its pyproject.toml
        assert written.returncode == 0, written.stdout


def test_an_example_installs_and_is_listed(tmp_path: Path) -> None:
    site = install(write("lantern", tmp_path), tmp_path / "installed")
    env = {"PYTHONPATH": str(site), "COVERWRIGHT_DATA": str(tmp_path)}
    listed = run([sys.executable, "-m", "kernel.cli", "plugins", "list"], tmp_path, **env)
    assert any("image:lantern" in line and "loaded" in line for line in listed.stdout.splitlines()), listed.stdout


def test_every_file_of_an_example_is_shown_whole() -> None:
    shown = {found[2] for block in blocks() if (found := SHOWN_FILE.fullmatch(block.language))}
    whole = {place for place in shown if "#" not in place}
    wanted = {path for path in example_files() if path.endswith((".py", ".toml"))}
    assert whole == wanted


def test_what_a_page_takes_from_a_file_is_there() -> None:
    for block in blocks():
        if found := SHOWN_FILE.fullmatch(block.language):
            assert block.text == "" and excerpt(found[2]).strip()
        else:
            assert block.language in {"python", "toml", "sh", "js"}, block


@pytest.mark.parametrize("page", sorted({block.page for block in blocks()} - TRIED_ELSEWHERE))
def test_python_blocks_run_one_after_the_other(page: str) -> None:
    names: dict[str, Any] = {"__name__": f"docs_{page}"}
    for block in blocks():
        if block.page == page and block.language == "python":
            exec(compile(block.text, page, "exec"), names)


def test_commands_of_coverwright_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [found for block in blocks() if block.language == "sh" for found in OURS.finditer(block.text)]
    assert lines
    for line in lines:
        with pytest.raises(SystemExit) as ending:
            main([*line[1].split()[:2], "--help"])
        told = capsys.readouterr().out
        assert ending.value.code == 0, line[0]
        assert all(option in told for option in re.findall(r"--[a-z-]+", line[2])), line[0]


def test_examples_are_formatted_as_the_product_is() -> None:
    checked = run([sys.executable, "-m", "ruff", "format", "--check", "--line-length", "120", "."], EXAMPLES)
    assert checked.returncode == 0, checked.stdout + checked.stderr
