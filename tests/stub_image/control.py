"""The control folder of a stub, as tests use it; see the stub's `provider.py` for its modes."""

import json
import shutil
from pathlib import Path
from typing import Any

from tests.support.processes import wait_until


class Stub:
    """What a stub does next, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)

    def does(self, *modes: str) -> None:
        """Set the coming modes, the last one stays."""
        fresh = self.folder / "mode.new"
        fresh.write_text(" ".join(modes))
        fresh.replace(self.folder / "mode")

    def holds(self) -> None:
        """Hold every call until `releases`."""
        (self.folder / "release").unlink(missing_ok=True)
        self.does("hold")

    def holds_and_shows(self) -> None:
        """Hold every call until `releases`; meanwhile it shows what `shows` gives it."""
        shutil.rmtree(self.folder / "previews", ignore_errors=True)
        (self.folder / "previews").mkdir()
        (self.folder / "release").unlink(missing_ok=True)
        self.does("shows")

    def shows(self, picture: bytes) -> None:
        """Have held calls show a picture as it is so far."""
        folder = self.folder / "previews"
        name = folder / f"{len(list(folder.iterdir())):03}"
        name.write_bytes(picture)
        name.rename(name.with_suffix(".shown"))

    def releases(self) -> None:
        """Let held calls, and all that come, go on."""
        (self.folder / "release").touch()

    def calls(self, title: str | None = None) -> list[dict[str, Any]]:
        """Return the calls so far, those for one title if it is named."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        calls = [json.loads(line) for line in lines]
        return [call for call in calls if title is None or call["title"] == title]

    def given(self, key: str) -> list[bytes]:
        """Return the references of the job with this key, in their order."""
        return [path.read_bytes() for path in sorted((self.folder / "references").glob(f"{key}-*"))]

    def masked(self, key: str) -> bytes:
        """Return the mask of the job with this key."""
        return (self.folder / "references" / f"mask-{key}").read_bytes()

    def forget(self) -> None:
        """Forget the calls so far."""
        (self.folder / "calls").unlink(missing_ok=True)

    def count(self) -> int:
        """Return how many calls there were so far, without reading them."""
        path = self.folder / "calls"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    def called(self, title: str, times: int = 1) -> list[dict[str, Any]]:
        """Wait until there were so many calls for a title."""

        def look() -> list[dict[str, Any]]:
            calls = self.calls(title)
            return calls if len(calls) >= times else []

        return wait_until(look, f"{times} calls for {title}", 30)
