"""Style, script and index: named after their content, so that browsers may keep them for good."""

import hashlib
import json
import re
from pathlib import Path
from typing import Final

from kernel.core.text.interface import BUILT
from kernel.docs.site.sources import ROOT

OWN: Final = Path(__file__).with_name("assets")
SHEET: Final = ROOT / "web" / "src" / "styles" / "app.css"
FACES: Final = {"Geist Variable": "geist-latin-wght-normal", "Literata Variable": "literata-latin-opsz-normal"}
"""Typefaces of the interface → the file of each with the letters of English. They are served with the interface."""

_WEIGHTS: Final = {"Geist Variable": "100 900", "Literata Variable": "200 900"}


def write_asset(folder: Path, name: str, content: bytes) -> str:
    """Write an asset and return its address."""
    stem, _, ending = name.rpartition(".")
    file = f"{stem}-{hashlib.sha256(content).hexdigest()[:10]}.{ending}"
    (folder / "assets").mkdir(parents=True, exist_ok=True)
    (folder / "assets" / file).write_bytes(content)
    return f"/docs/assets/{file}"


def style() -> bytes:
    """Return the style sheet: typefaces and colors are those of the interface, read from its own sheet."""
    sheet = SHEET.read_text()
    light, dark = _block(sheet, ":root,\n.light"), _block(sheet, ".dark")
    faces = re.findall(r"^@font-face \{.*?^\}", sheet, re.MULTILINE | re.DOTALL)
    colors = f":root {{{light}}}\n@media (prefers-color-scheme: dark) {{\n:root {{{dark}}}\n}}"
    return "\n".join([*_faces(), *faces, colors, (OWN / "docs.css").read_text()]).encode()


def script() -> bytes:
    """Return the script of the search."""
    return (OWN / "search.js").read_bytes()


def _block(sheet: str, selector: str) -> str:
    found = re.search(rf"^{re.escape(selector)} \{{(.*?)^\}}", sheet, re.MULTILINE | re.DOTALL)
    assert found is not None, f"the interface's style sheet has no {selector}"
    return found[1]


def _faces() -> list[str]:
    """Return the rules that load the typefaces from where the interface has them."""
    manifest = json.loads((BUILT / ".vite" / "manifest.json").read_text())
    files = {Path(source).stem: entry["file"] for source, entry in manifest.items()}
    return [
        f'@font-face {{ font-family: "{family}"; font-style: normal; font-display: swap; '
        f'font-weight: {_WEIGHTS[family]}; src: url("/{files[file]}") format("woff2-variations"); }}'
        for family, file in FACES.items()
    ]
