"""The README's commands: each is one that the command line has, and the chapter *Operate* works as it is written."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel.cli import main
from tests.product import PASSWORD
from tests.running_product import RunningProduct

README = (Path(__file__).parents[2] / "README.md").read_text()
OPERATE = re.search(r"^## Operate\n(.*?)^## ", README, re.MULTILINE | re.DOTALL)
assert OPERATE is not None
SCRIPTS = {
    title: re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    for title, text in re.findall(r"^### ([^\n]+)\n(.*?)(?=^### |\Z)", OPERATE[1], re.MULTILINE | re.DOTALL)
}
NAMED = sorted({found.replace("\n", " ") for found in re.findall(r"`coverwright ([^`]+)`", README)})
COMMAND_S = 120


def test_every_command_and_option_that_the_readme_names_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(NAMED) > 15
    unknown = []
    for line in NAMED:
        words = re.match(r"[a-z-]+(?: [a-z-]+)*", line)
        assert words is not None, line
        commands = words[0].split()
        told = ""
        while commands and not told:  # what follows a command may be a word of the example
            try:
                main([*commands, "--help"])
            except SystemExit as ending:
                told = capsys.readouterr().out if ending.code == 0 else ""
            if not told:
                commands.pop()
        unknown += [f"{line}: {option}" for option in re.findall(r"--[a-z-]+", line) if option not in told]
        unknown += [] if told else [line]
    assert unknown == []


@pytest.fixture(scope="module")
def operated() -> Iterator[RunningProduct]:
    """A product as its operator finds it: running."""
    product = RunningProduct().start()
    yield product
    product.close()


def follow(product: RunningProduct, title: str, folder: Path, email: str = "") -> str:
    """Run the commands of a section as an operator types them, with folders of this test; return what they say."""
    (script,) = SCRIPTS[title]
    for example, real in {
        "/mnt/backups": str(product.folder / "backups"),
        "/srv/coverwright": str(folder),
        "/safe/secret.key": str(product.data / "secret.key"),
        "ada@example.com": email,
    }.items():
        script = script.replace(example, real)
    # the other database is an offer: without it, the new place has an SQLite of its own
    script = re.sub(r"COVERWRIGHT_DATABASE_URL=\S+…", "COVERWRIGHT_DATABASE_URL=", script)
    assert "/mnt/" not in script and "…" not in script
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", f'coverwright() {{ "{sys.executable}" -m kernel.cli "$@"; }}\n{script}'],
        env=product.env,
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=COMMAND_S,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
    return done.stdout


def test_backing_up_and_restoring_work_as_they_are_written(operated: RunningProduct, tmp_path: Path) -> None:
    reader = operated.user()
    cover = reader.cover(title="Kept")
    follow(operated, "Back up", tmp_path)
    follow(operated, "Restore", tmp_path)
    again = RunningProduct(fresh=True)
    try:
        shutil.copytree(tmp_path, again.data, dirs_exist_ok=True)
        again.start()
        back = again.visitor()
        back.sign_in(reader.user["email"], PASSWORD)
        assert back.get("/api/covers").json() == [cover] and back.get(cover["imageUrl"]).status_code == 200
    finally:
        again.close()


def test_the_ways_back_without_a_second_factor_work_as_they_are_written(
    operated: RunningProduct, tmp_path: Path
) -> None:
    assert "Done." in follow(operated, "Second factors", tmp_path, operated.user().user["email"])


def test_every_script_of_the_chapter_is_followed() -> None:
    assert {title for title, scripts in SCRIPTS.items() if scripts} == {"Back up", "Restore", "Second factors"}
