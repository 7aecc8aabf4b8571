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


class Chunk(msgspec.Struct, frozen=True):
    """An entry of Vite's manifest: a file, its styles, and the chunks it imports at once."""

    file: str
    css: list[str] = []
    imports: list[str] = []


def entry(bench: Bench) -> Section:
    """Weigh the entry's scripts and styles."""
    del bench
    manifest = msgspec.json.decode((STATIC / ".vite" / "manifest.json").read_bytes(), type=dict[str, Chunk])
    files = sorted(_files(manifest, ENTRY, set()))
    scripts, styles = (
        sum(_weight_kb(STATIC / name) for name in files if name.endswith(end)) for end in (".js", ".css")
    )
    return Section(
        title="Entry of the web client",
        conditions=f"{len(files)} files, gzip level 9, static imports included, 1 kB = 1000 bytes",
        figures=[
            Figure(what="JavaScript", value=scripts, unit="kB"),
            Figure(what="CSS", value=styles, unit="kB"),
            Figure(what="together", value=scripts + styles, unit="kB", at_most=AIM_KB),
        ],
    )


def _files(manifest: Mapping[str, Chunk], key: str, found: set[str]) -> set[str]:
    chunk = manifest[key]
    if chunk.file not in found:
        found.update((chunk.file, *chunk.css))
        for name in chunk.imports:
            _files(manifest, name, found)
    return found


def _weight_kb(path: Path) -> float:
    return len(gzip.compress(path.read_bytes(), 9)) / 1000
