"""Faulty providers for the rules of every kind: settings, life cycle, check, secrecy, event loop, capabilities."""

import asyncio
import logging
import socket
import time
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from kernel.spi import (
    AdminPage,
    CheckReport,
    CheckStep,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    JobControl,
    Secret,
    Settings,
)
from kernel.spi.testing import ImageContract
from tests.kit.careless import careless
from tests.stub_image.provider import StubImage, StubSettings

Described = Meta(title="Title", description="Description.")


class Plain(StubImage):
    """A stub without settings of its own."""

    def __init__(self, settings: Any, context: Any) -> None:
        super().__init__(StubSettings(letters=False), (), context)


class Bare(Settings, frozen=True, kw_only=True):
    level: int = 1


class DefaultKey(Settings, frozen=True, kw_only=True):
    api_key: Annotated[Secret, Described] = Secret("changeme")


class OpenAddress(Settings, frozen=True, kw_only=True):
    base_url: Annotated[str, Described] = "https://api.example"


class Nested(Settings, frozen=True, kw_only=True):
    options: Annotated[dict[str, int] | None, Described] = None


class Misspelt(Settings, frozen=True, kw_only=True):
    model: Annotated[str, Meta(title="Model", description="Which.", extra_json_schema={"x-sugest": ["one"]})] = "one"


BARE_PAGE = AdminPage(id="bare", title={"en": "Bare"}, element="careless-bare", module="bare.js")


class OpenKey(Settings, frozen=True, kw_only=True):
    api_key: Annotated[str | None, Described] = None


class Keyed(Settings, frozen=True, kw_only=True):
    api_key: Annotated[Secret, Described]


class Nothing(Settings, frozen=True, kw_only=True):
    pass


def key(folder: Path) -> dict[str, Any]:
    return {"api_key": Secret("a-key")}


@careless("SET_01", ImageContract, Bare)
class BareField(Plain):
    """A setting without title and description."""


@careless("SET_02", ImageContract, DefaultKey)
class KeyWithDefault(Plain):
    """A secret with a default."""


@careless("SET_03", ImageContract, OpenAddress)
class UnmarkedAddress(Plain):
    """An address that is not marked as a destination."""


@careless("SET_04", ImageContract, Nested)
class OddField(Plain):
    """A setting that the form cannot show."""


@careless("SET_05", ImageContract, Nothing, summary=" ")
class NoSummary(Plain):
    """A spec without a summary."""


@careless("SET_06", ImageContract, Nothing, settings_version=2)
class NoMigration(Plain):
    """A second version of the settings without an example of the first."""


@careless("SET_07", ImageContract, Misspelt)
class MisspeltWord(Plain):
    """A word of the form that there is not."""


@careless("SET_08", ImageContract, Nothing, pages=(BARE_PAGE,))
class PageWithoutModule(Plain):
    """Declares a page whose module is not there."""


@careless("LIFE_01", ImageContract, Nothing)
class ConnectsInBuild(Plain):
    """Looks up a host in `build`."""

    def __init__(self, settings: Any, context: Any) -> None:
        super().__init__(settings, context)
        socket.getaddrinfo("127.0.0.1", 9)


@careless("LIFE_02", ImageContract, Nothing)
class SlowBuild(Plain):
    """Is slow in `build`."""

    def __init__(self, settings: Any, context: Any) -> None:
        super().__init__(settings, context)
        time.sleep(0.06)


@careless("LIFE_03", ImageContract, Nothing)
class ClosesOnce(Plain):
    """A second `aclose` fails."""

    async def aclose(self) -> None:
        await super().aclose()
        if self.closed > 1:
            raise RuntimeError("already closed")


@careless("LIFE_04", ImageContract, Nothing)
class LeavesTask(Plain):
    """A task outlives `aclose`."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        self.poller = asyncio.create_task(asyncio.sleep(60))
        return await super().generate(request, control)


@careless("LIFE_04", ImageContract, Nothing)
class LeavesProcess(Plain):
    """A process outlives `aclose`."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        await asyncio.create_subprocess_exec("sleep", "2")
        return await super().generate(request, control)


@careless("LIFE_05", ImageContract, Nothing)
class OneAtATime(Plain):
    """Fails when two calls run at once."""

    busy = False

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        if self.busy:
            raise RuntimeError("busy")
        self.busy = True
        await asyncio.sleep(0)
        self.busy = False
        return await super().generate(request, control)


@careless("LIFE_06", ImageContract, Nothing)
class SharesState(Plain):
    """Closing one instance closes all."""

    ended = False

    async def aclose(self) -> None:
        type(self).ended = True

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        if self.ended:
            raise RuntimeError("closed")
        return await super().generate(request, control)


@careless("CHK_01", ImageContract, Nothing)
class EmptyCheck(Plain):
    """Checks nothing."""

    async def check(self) -> CheckReport:
        return CheckReport(steps=())


@careless("CHK_02", ImageContract, Keyed, broken={"api_key": {}}, values=key)
class HappyCheck(Plain):
    """A check that passes with any key."""


@careless("CHK_03", ImageContract, Nothing)
class StrayStep(Plain):
    """A step tied to a field that does not exist."""

    async def check(self) -> CheckReport:
        return CheckReport(steps=(CheckStep(name="key", status="ok", field="apikey"),))


@careless("SEC_01", ImageContract, Keyed, values=key)
class LogsItsKey(Plain):
    """Logs its headers."""

    def __init__(self, settings: Keyed, context: Any) -> None:
        super().__init__(settings, context)
        self.key = settings.api_key

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        logging.getLogger("careless").debug("headers %s", {"authorization": self.key.reveal()})
        return await super().generate(request, control)


@careless("SEC_02", ImageContract, OpenKey)
class KeyAsText(Plain):
    """A key that is an ordinary text."""


@careless("SEC_03", ImageContract, Nothing)
class OfflineOnPaper(Plain):
    """Claims to be offline and opens a connection."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as wire:
            wire.connect(("127.0.0.1", 9))
        return await super().generate(request, control)


@careless("LOOP_01", ImageContract, Nothing)
class BlocksTheLoop(Plain):
    """A blocking call inside an async method."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        time.sleep(0.12)
        return await super().generate(request, control)


@careless("LOOP_02", ImageContract, Nothing)
class CannotBeCancelled(Plain):
    """A call that swallows its cancellation."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        for _ in range(2):
            try:
                await asyncio.sleep(1.2)
            except asyncio.CancelledError:
                continue
        return await super().generate(request, control)


@careless("CAP_01", ImageContract, Nothing)
class DictOfCapabilities(Plain):
    """Capabilities that are not of their type."""

    def capabilities(self) -> Any:
        return {"models": ["m"]}


@careless("CAP_02", ImageContract, Nothing)
class MoodyCapabilities(Plain):
    """Capabilities that change from call to call."""

    calls = 0

    def capabilities(self) -> ImageCapabilities:
        type(self).calls += 1
        return ImageCapabilities(models=(f"m{self.calls}",))
