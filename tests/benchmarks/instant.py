"""An image provider that answers at once and records its own time, without the kernel's."""

import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from kernel.spi import ImageRequest, ImageResult, JobControl, ProviderContext, ProviderSpec, hookimpl
from tests.stub_image.provider import StubImage, StubSettings

DECLARATION: Final = """
[[instances]]
id = "instant"
kind = "image"
provider = "instant"
label = "Instant"
settings = {{ notes = "{notes}", concurrency = 64 }}
"""


class InstantSettings(StubSettings, frozen=True, kw_only=True):
    """The stub's settings, and where to write times."""

    notes: Annotated[str, Meta(title="Notes", description="A line `job seconds` for each call.")]


class _TimedControl:
    """Passes calls on to the kernel and counts the seconds spent there."""

    def __init__(self, control: JobControl) -> None:
        self._control = control
        self.seconds = 0.0

    async def checkpoint(self, remote_id: str) -> None:
        await self._control.checkpoint(remote_id)

    async def progress(self, phase: str, fraction: float | None = None, *, position: int | None = None) -> None:
        began = time.perf_counter()
        await self._control.progress(phase, fraction)
        self.seconds += time.perf_counter() - began


class InstantImage(StubImage):
    """The stub with a stopwatch."""

    def __init__(self, settings: InstantSettings, context: ProviderContext) -> None:
        super().__init__(settings, (), context)
        self._notes = os.open(settings.notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Make a plain picture and record how long it took."""
        timed, began = _TimedControl(control), time.perf_counter()
        result = await super().generate(request, timed)
        own = time.perf_counter() - began - timed.seconds
        os.write(self._notes, f"{request.idempotency_key} {own:.6f}\n".encode())
        return result

    async def aclose(self) -> None:
        """Close the file."""
        os.close(self._notes)


INSTANT: Final[ProviderSpec[InstantSettings, InstantImage]] = ProviderSpec(
    kind="image",
    id="instant",
    label="Instant",
    summary="Makes plain pictures at once and notes how long it took.",
    contract=(1, 0),
    settings=InstantSettings,
    build=InstantImage,
    offline=True,
)


@hookimpl
def register_image_providers() -> Sequence[ProviderSpec[InstantSettings, InstantImage]]:
    """Return the instant provider."""
    return (INSTANT,)


def seconds_inside(notes: Path) -> dict[str, float]:
    """Return job → seconds its call took inside the provider."""
    return {job: float(seconds) for job, seconds in (line.split() for line in notes.read_text().splitlines())}
