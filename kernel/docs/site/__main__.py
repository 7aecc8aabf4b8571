"""Write the documentation into a folder: `python -m kernel.docs.site kernel/pages/docs`."""

import gzip
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from kernel.docs.site import assets
from kernel.docs.site.layout import Assets, framed, not_found
from kernel.docs.site.pages import PAGES_IN_ORDER
from kernel.docs.site.search_index import Entry, entries_of

PACKED: Final = frozenset({".html", ".css", ".js", ".json"})


def build(folder: Path) -> None:
    """Write all pages, and then put them in the place of those that were there."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".docs-") as temporary:
        made = Path(temporary) / "docs"
        made.mkdir()
        _write(made)
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _write(folder: Path) -> None:
    bodies = {page: page.body() for page in PAGES_IN_ORDER}
    entries: list[Entry] = [entry for page, body in bodies.items() for entry in entries_of(page, body)]
    addresses = Assets(
        style=assets.write_asset(folder, "docs.css", assets.style()),
        script=assets.write_asset(folder, "search.js", assets.script()),
        entries=assets.write_asset(folder, "search.json", msgspec.json.encode(entries)),
    )
    for page, body in bodies.items():
        (folder / f"{page.slug or 'index'}.html").write_text(framed(page, body, addresses))
    (folder / "404.html").write_text(not_found(addresses))
    for file in sorted(folder.rglob("*")):
        if file.suffix in PACKED:
            file.with_name(f"{file.name}.gz").write_bytes(gzip.compress(file.read_bytes(), mtime=0))


if __name__ == "__main__":
    build(Path(sys.argv[1]))
