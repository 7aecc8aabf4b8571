"""The provider for Stable Diffusion web UIs itself."""

import asyncio
import base64
import re
import uuid
from contextlib import suppress
from typing import Any, Final

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    DeadlineExceeded,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    JobControl,
    NotFound,
    OutboundTransport,
    ProviderContext,
    ProviderError,
    SettingsInvalid,
    Unavailable,
    Usage,
    UsageLine,
    base_address,
    picture_bytes,
    pixel_sizes,
    read_picture,
    reference_type,
    refuse_unclaimed,
)
from plugins.automatic1111_images.server import Server, judge
from plugins.automatic1111_images.settings import WebUISettings

LARGEST_ANSWER_BYTES: Final = 134_217_728
PROMPT_CHARS: Final = 4000
CHECK_LIMIT_S: Final = 12.0
INTERRUPT_LIMIT_S: Final = 4.0
GRACE_S: Final = 5.0
POLL_S: Final = 1.0
USUALLY_S: Final = 30.0
LEFT: Final = 16
"""How many orders that were left by their workers are remembered, to be interrupted when nobody wants them."""

ORDER_ID: Final = re.compile(r"cover-[0-9a-f]{32}")


def build(settings: WebUISettings, context: ProviderContext) -> "WebUIImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    base_address(settings.base_url, example="http://10.0.0.7:7860")
    if settings.api_auth and ":" not in settings.api_auth.reveal():
        raise SettingsInvalid("This is a name, a colon and a password.", field="api_auth")
    return WebUIImages(settings, context)


class WebUIImages:
    """Makes pictures one after the other: the server answers when a picture is ready, and knows no orders by an id."""

    def __init__(self, settings: WebUISettings, context: ProviderContext) -> None:
        self._settings = settings
        self._sizes = pixel_sizes(settings.sizes)
        self._server = Server(
            settings, OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge)
        )
        self._left: dict[str, bool] = {}

    def capabilities(self) -> ImageCapabilities:
        """Return what the server can do with these settings."""
        return ImageCapabilities(
            models=(self._settings.checkpoint or "loaded",),
            sizes=self._sizes,
            formats=("png",),
            reference_images=1,
            seed=True,
            max_prompt_chars=PROMPT_CHARS,
            concurrency=1,
            expected_seconds=min(USUALLY_S, float(self._settings.timeout_seconds)),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
        )

    async def generate(self, request: ImageRequest, control: JobControl) -> ImageResult:
        """Order the picture, report the server's progress, and read the answer. Sent once."""
        refuse_unclaimed(request, self.capabilities())
        method, order = self._order(request)
        order_id = f"cover-{uuid.uuid4().hex}"
        self._left[order_id] = False
        limit = self._settings.timeout_seconds
        try:
            async with asyncio.timeout(limit):
                await control.checkpoint(order_id)
                drawn = await self._draw(method, order, order_id, control)
            picture = read_picture(picture_bytes(drawn.rpartition(",")[2]), seed=request.seed)
        except TimeoutError as error:
            await self.cancel(order_id)
            raise DeadlineExceeded(f"no picture within {limit} s", effect=Effect.UNKNOWN) from error
        except NotFound as error:
            raise Unavailable(error.detail, effect=Effect.UNKNOWN) from error
        except Exception:
            self._left.pop(order_id, None)
            raise
        self._left.pop(order_id, None)
        usage = Usage(lines=(UsageLine(unit="image", quantity=1.0),), cost_micros=0)
        return ImageResult(images=(picture,), model=self.capabilities().models[0], usage=usage)

    async def cancel(self, remote_id: str) -> None:
        """Interrupt the server if it is this order that it works on; what still waits there cannot be taken away."""
        if ORDER_ID.fullmatch(remote_id) and self._left.pop(remote_id, False):
            with suppress(TimeoutError, ProviderError):
                async with asyncio.timeout(INTERRUPT_LIMIT_S):
                    await self._server.interrupt()

    async def check(self) -> CheckReport:
        """Ask which models and samplers there are; nothing is drawn."""
        steps = CheckSteps()
        offered: dict[str, list[str]] = {}
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                checkpoints = await self._server.checkpoints()
                samplers = await self._server.samplers()
        except TimeoutError:
            steps.add("reach", "fail", f"no answer within {CHECK_LIMIT_S:g} s", field="base_url")
        except AuthFailed as error:
            steps.add("reach", "fail", error.detail, field="api_auth")
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
        else:
            steps.add("reach", "ok")
            offered = {"checkpoint": [one.title for one in checkpoints], "sampler": samplers}
            known = {name for one in checkpoints for name in (one.title, one.model_name)}
            self._check_name(steps, "model", "checkpoint", known)
            self._check_name(steps, "sampler", "sampler", set(samplers))
        return steps.report({name: values for name, values in offered.items() if values})

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._server.aclose()

    def _check_name(self, steps: CheckSteps, step: str, field: str, known: set[str]) -> None:
        chosen: str = getattr(self._settings, field)
        if not chosen:
            return
        if chosen in known:
            steps.add(step, "ok", chosen)
        else:
            steps.add(step, "fail", f"the server has no {chosen}"[:300], field=field)

    async def _draw(self, method: str, order: dict[str, Any], order_id: str, control: JobControl) -> str:
        """Wait for the answer and report progress meanwhile.

        The server names the share of its present picture, which may be another's: then it is ours only once that share
        has fallen, as it does when a picture ends.
        """
        seen = await self._share() or 0.0
        self._left[order_id] = ours = seen == 0.0
        while len(self._left) > LEFT:
            self._left.pop(next(iter(self._left)))
        answer = asyncio.ensure_future(self._server.draw(method, order))
        try:
            reported = 0.0
            await control.progress("generating" if ours else "queued")
            while not (await asyncio.wait({answer}, timeout=POLL_S))[0]:
                share = await self._share()
                if share is None:
                    continue
                if not ours and share < seen:
                    self._left[order_id] = ours = True
                    await control.progress("generating")
                seen = share
                if ours and share > reported:
                    reported = share
                    await control.progress("generating", share)
            return answer.result()
        finally:
            if not answer.done():
                answer.cancel()
                await asyncio.wait({answer})

    async def _share(self) -> float | None:
        """Return the share of the server's present picture, or None when it does not say."""
        try:
            return await self._server.progress()
        except ProviderError:
            return None

    def _order(self, request: ImageRequest) -> tuple[str, dict[str, Any]]:
        """Return the method, and what it is given."""
        settings = self._settings
        order: dict[str, Any] = {
            "prompt": request.prompt,
            "negative_prompt": settings.negative,
            "seed": -1 if request.seed is None else request.seed,
            "width": request.size.width,
            "height": request.size.height,
            "steps": settings.steps,
            "cfg_scale": settings.cfg_scale,
            "batch_size": 1,
            "n_iter": 1,
            "save_images": False,
        }
        if settings.sampler:
            order["sampler_name"] = settings.sampler
        if settings.checkpoint:
            order["override_settings"] = {"sd_model_checkpoint": settings.checkpoint}
        if not request.references:
            return "txt2img", order
        reference_type(request.references[0])
        order["init_images"] = [base64.b64encode(request.references[0]).decode()]
        order["denoising_strength"] = settings.strength
        order["resize_mode"] = 1  # crop, never distort
        return "img2img", order
