"""What `coverwright plugins check` can be asked for."""

from pathlib import Path
from typing import Final

import msgspec

LIVE_VARIABLE: Final = "COVERWRIGHT_KIT_LIVE"
"""Tells the tests of a live run what is to be done: the options, as JSON."""


class CheckOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What `coverwright plugins check` was asked for. `live` asks the real vendor; `replay` is a recording of one.

    `provider` is the id of the only one to run, or kind and id, as `image:acme`; empty for all that ask a vendor.
    """

    live: bool = False
    provider: str = ""
    yes: bool = False
    settings: Path | None = None
    record: Path | None = None
    replay: Path | None = None
    report: Path | None = None
    badge: Path | None = None

    @property
    def problem(self) -> str:
        """Return which options do not go together; empty when all do."""
        if self.live and self.replay:
            return "--replay asks nobody: leave out --live."
        if self.record and not self.live:
            return "--record needs --live: only a real vendor can be recorded."
        if self.settings and not (self.live or self.replay):
            return "--settings is for --live and --replay."
        if self.provider and not (self.live or self.replay):
            return "--provider is for --live and --replay."
        for place in filter(None, (self.settings, self.replay)):
            if not place.is_file():
                return f"There is no file {place}."
        for place in filter(None, (self.record, self.report, self.badge)):
            if not place.absolute().parent.is_dir():
                return f"There is no folder {place.absolute().parent} to write into."
        return ""

    def absolute(self) -> "CheckOptions":
        """Return the same, for a process in another folder."""
        places = {
            name: value.absolute() for name in self.__struct_fields__ if isinstance(value := getattr(self, name), Path)
        }
        return msgspec.structs.replace(self, **places)
