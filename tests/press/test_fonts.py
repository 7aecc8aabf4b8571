"""Finding fonts and the drawing library, and the errors when they are missing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from kernel.press.catalogue import LAST_RESORT, PLACES, STAND_INS
from kernel.press.typesetting import PressError, face, fonts_folder, glyph_path

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("key", sorted(PLACES))
def test_every_face_of_the_catalogue_is_installed_with_its_licence(key: str) -> None:
    package = fonts_folder() / PLACES[key].split("/")[0]
    assert face(key).path.suffix == ".ttf"
    assert (package / "LICENSE_FONT").is_file()


def test_every_stand_in_is_in_the_catalogue() -> None:
    named = {key for faces in STAND_INS.values() for key in faces.values()} | set(LAST_RESORT)
    assert named <= set(PLACES)


def test_a_missing_fonts_folder_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COVERWRIGHT_FONTS", str(tmp_path / "nowhere"))
    with pytest.raises(PressError, match=r"COVERWRIGHT_FONTS does not exist: .*nowhere"):
        fonts_folder()


def test_a_missing_font_package_names_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COVERWRIGHT_FONTS", str(tmp_path))
    with pytest.raises(PressError, match=r"@expo-google-fonts/cinzel is missing: run `make run`"):
        face("cinzel")


def test_missing_system_libraries_give_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "skia.py").write_text("raise ImportError('libEGL.so.1: cannot open shared object file')")
    program = (
        "import sys; sys.platform = 'linux'\ntry:\n import kernel.press.typesetting\nexcept Exception as e: print(e)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": f"{tmp_path}:{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "The drawing library cannot start (libEGL.so.1: cannot open shared object file); install its system libraries: "
        "apt-get install --no-install-recommends libegl1 libgl1 libexpat1."
    ]


def test_a_glyph_path_stands_on_the_baseline() -> None:
    bounds = glyph_path("inter-b", "H", 100).getBounds()
    assert bounds.left() == pytest.approx(0, abs=0.1) and bounds.bottom() == pytest.approx(0, abs=0.1)
    assert 60 < bounds.height() < 80


def test_the_press_imports_nothing_of_the_kernel_and_no_plugin() -> None:
    for path in (ROOT / "kernel" / "press").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                assert not name.startswith("plugins"), path
                assert not name.startswith("kernel") or name.startswith("kernel.press"), path
