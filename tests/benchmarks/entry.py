"""What the browser loads before it shows anything."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from kernel.core.config import PROJECT_ROOT
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section

STATIC: Final = PROJECT_ROOT / "kernel" / "pages" / "static"
ENTRY: Final = "index.html"
AIM_KB: Final = 170.0
FRAME_AIM_KB: Final = 43.0
FRAME: Final = "src/routes/_site/route.tsx"
"""Header, bottom bar and menus, which every screen shows."""
SCREENS: Final = {
    "landing": "src/features/landing/landing.tsx",
    "home": "src/routes/-home.tsx",
    "theme": "src/routes/_site/theme.$id.tsx",
    "edit words": "src/routes/_site/cover.$id.edit.tsx",
    "refine": "src/routes/_site/cover.$id.refine.tsx",
    "account": "src/routes/_site/account.tsx",
    "sign-in": "src/routes/_site/sign-in.tsx",
    "providers": "src/routes/_site/admin/providers/index.tsx",
    "one provider": "src/routes/_site/admin/providers/$id.tsx",
}
"""Each by its source; the bundler calls the part that is loaded later by the source and a suffix of its own."""


class Chunk(msgspec.Struct, frozen=True):
    """An entry of Vite's manifest: a file, its styles, and its static imports."""

    file: str
    css: list[str] = []
    imports: list[str] = []


def entry(bench: Bench) -> Section:
    """Measure the entry's scripts and styles, and what each screen adds to them."""
    del bench
    chunks = msgspec.json.decode((STATIC / ".vite" / "manifest.json").read_bytes(), type=dict[str, Chunk])
    manifest = {**chunks, **{name.partition("?")[0]: chunk for name, chunk in chunks.items() if "?" in name}}
    files = sorted(_files(manifest, ENTRY, set()))
    scripts, styles = (
        sum(_weight_kb(STATIC / name) for name in files if name.endswith(end)) for end in (".js", ".css")
    )
    frame = _files(manifest, FRAME, set()) - set(files)
    added = {name: _files(manifest, chunk, set()) - frame - set(files) for name, chunk in SCREENS.items()}
    return Section(
        title="Entry of the web client",
        conditions=f"{len(files)} files, gzip level 9, static imports included, 1 kB = 1000 bytes",
        figures=[
            Figure(what="JavaScript", value=scripts, unit="kB"),
            Figure(what="CSS", value=styles, unit="kB"),
            Figure(what="together", value=scripts + styles, unit="kB", at_most=AIM_KB),
            Figure(what="frame of every screen adds", value=_together_kb(frame), unit="kB", at_most=FRAME_AIM_KB),
            *(Figure(what=f"{name} adds", value=_together_kb(more), unit="kB") for name, more in added.items()),
        ],
    )


def _files(manifest: Mapping[str, Chunk], key: str, found: set[str]) -> set[str]:
    chunk = manifest[key]
    if chunk.file not in found:
        found.update((chunk.file, *chunk.css))
        for name in chunk.imports:
            _files(manifest, name, found)
    return found


def _together_kb(files: set[str]) -> float:
    return sum(_weight_kb(STATIC / file) for file in files)


def _weight_kb(path: Path) -> float:
    return len(gzip.compress(path.read_bytes(), 9)) / 1000
