"""Providers that handle a vendor's failures wrongly."""

import asyncio
from typing import Any

import httpx
import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckStep,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    JobControl,
    QuotaExhausted,
    RateLimited,
    Unavailable,
)
from kernel.spi.errors import ProviderError
from tests.kit.careless import spoilt
from tests.kit.examples import example

provider, tests = example("image")
Careful: Any = provider.ExampleImageImages
given: Any = (tests.TestConformance, tests.EXAMPLE_IMAGE)


class Retold(Careful):  # type: ignore[misc]
    """Draws, and translates failures wrongly."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        try:
            result: ImageResult = await super().generate(request, control)
        except ProviderError as error:
            raise self.retell(error) from error
        return result

    def retell(self, error: ProviderError) -> Exception:
        return error


@spoilt("ERR_01", *given, faults={"bad_key": httpx.Response(401)})
class NeverTried(Careful):  # type: ignore[misc]
    """Defines none of the vendor's faults."""


@spoilt("ERR_02", *given)
class FundsAreKeys(Retold):
    """Blames the key when there are no funds."""

    def retell(self, error: ProviderError) -> Exception:
        return AuthFailed("402") if isinstance(error, QuotaExhausted) else error


@spoilt("ERR_03", *given)
class NeverLooksAtTheClock(Retold):
    """Drops the time until a retry."""

    def retell(self, error: ProviderError) -> Exception:
        return RateLimited("429") if isinstance(error, RateLimited) else error


@spoilt("ERR_04", *given)
class AlwaysInDoubt(Retold):
    """Reports for every failure that it may have had an effect."""

    def retell(self, error: ProviderError) -> Exception:
        return Unavailable("down", effect=Effect.UNKNOWN)


@spoilt("ERR_05", *given)
class NeverInDoubt(Retold):
    """Reports for a lost answer that nothing happened."""

    def retell(self, error: ProviderError) -> Exception:
        return Unavailable("down", effect=Effect.NONE)


@spoilt("ERR_06", *given)
class RaisesItsOwn(Retold):
    """Raises its own exception for an invalid answer."""

    def retell(self, error: ProviderError) -> Exception:
        return KeyError("images") if "no picture" in error.detail else error


@spoilt("ERR_07", *given)
class TriesAgain(Careful):  # type: ignore[misc]
    """Repeats a paid request by itself."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        for _ in range(2):
            try:
                return await super().generate(request, control)  # type: ignore[no-any-return]
            except ProviderError as error:
                last = error
        raise last


@spoilt("ERR_06", *given)
class WaitsForEver(Careful):  # type: ignore[misc]
    """Repeats the request until the answer is valid."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        while True:
            try:
                return await super().generate(request, control)  # type: ignore[no-any-return]
            except ProviderError:
                await asyncio.sleep(0.01)


@spoilt("SEC_04", *given)
class QuotesTheVendor(Careful):  # type: ignore[misc]
    """Logs the vendor's answer."""

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        headers = {"authorization": f"Bearer {self._settings.api_key.reveal()}"}
        answer = await self._http.post("https://api.example/v1/images", headers=headers)
        self._log.debug("refused: %s", answer.text)
        raise Unavailable("refused")

    def __init__(self, settings: Any, context: Any) -> None:
        super().__init__(settings, context)
        self._log = context.log


@spoilt("CHK_04", *given)
class OptimisticCheck(Careful):  # type: ignore[misc]
    """Checks without a request."""

    async def check(self) -> CheckReport:
        return CheckReport(steps=(CheckStep(name="key", status="ok"),))


@spoilt("IMG_08", *given)
class ForgetsItsJobs(Careful):  # type: ignore[misc]
    """Claims to resume and never reports the vendor's id."""

    def capabilities(self) -> ImageCapabilities:
        known: ImageCapabilities = super().capabilities()
        return msgspec.structs.replace(known, resumable=True)

    async def resume(self, remote_id: str, control: JobControl) -> ImageResult:
        raise Unavailable(remote_id)
