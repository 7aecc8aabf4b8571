"""The ComfyUI images provider itself. Its WebSocket is not used: the guarded client speaks HTTP only."""

import asyncio
import hashlib
import re
import secrets
from typing import Any, Final

import msgspec

from kernel.spi import (
    AuthFailed,
    CheckReport,
    CheckSteps,
    Effect,
    ImageCapabilities,
    ImageRequest,
    ImageResult,
    NotFound,
    OutboundTransport,
    Phase,
    ProviderContext,
    ProviderError,
    QueuedImages,
    Size,
    Unavailable,
    Usage,
    UsageLine,
    base_address,
    header_secret,
    made_picture,
    pixel_sizes,
    reference_type,
)
from plugins.comfyui_images.recent import Named, Nothing, Runs, Text, recent_runs, workflow_of
from plugins.comfyui_images.server import Ended, Saved, Server, choices_of, judge
from plugins.comfyui_images.settings import ComfyUISettings
from plugins.comfyui_images.workflow import CHECKPOINTS, Workflow, read_workflow

LARGEST_ANSWER_BYTES: Final = 134_217_728
PROMPT_CHARS: Final = 4000
CHECK_LIMIT_S: Final = 12.0
GRACE_S: Final = 5.0
POLL_S: Final = 1.0
USUALLY_S: Final = 30.0
MOST_SEED: Final = 2**53
"""What every node takes as a seed, and JSON writes exactly."""

EXTENSIONS: Final = {"image/png": "png", "image/jpeg": "jpg", "image/webp": "webp"}


class State(msgspec.Struct, frozen=True, kw_only=True):
    """An order. `place` is 0 while it is worked on, and 1 or more while it waits; None where it is not known."""

    id: str
    place: int | None
    ended: Ended | None = None


def build(settings: ComfyUISettings, context: ProviderContext) -> "ComfyUIImages":
    """Return the provider; opens nothing. Raises SettingsInvalid."""
    base_address(settings.base_url, example="http://10.0.0.7:8188")
    header_secret(settings.authorization, field="authorization", noun="header")
    plain = read_workflow(settings.workflow, field="workflow")
    referring = None
    if settings.reference_workflow.strip():
        referring = read_workflow(settings.reference_workflow, field="reference_workflow", references=True)
    return ComfyUIImages(settings, context, plain, referring)


class ComfyUIImages(QueuedImages[State]):
    """Makes pictures through ComfyUI's queue."""

    order_id = re.compile(r"[A-Za-z0-9-]{8,64}")

    def __init__(
        self, settings: ComfyUISettings, context: ProviderContext, plain: Workflow, referring: Workflow | None
    ) -> None:
        super().__init__(limit_s=settings.timeout_seconds, pause_s=POLL_S)
        self._settings = settings
        self._plain = plain
        self._referring = referring
        self._sizes = pixel_sizes(settings.sizes)
        self._model = settings.checkpoint or plain.checkpoint() or "workflow"
        self._server = Server(
            settings, OutboundTransport(context.http, largest_bytes=LARGEST_ANSWER_BYTES, judge=judge)
        )

    def capabilities(self) -> ImageCapabilities:
        """Return what the workflows can do."""
        return ImageCapabilities(
            models=(self._model,),
            sizes=self._sizes,
            formats=("png",),
            reference_images=len(self._referring.references) if self._referring else 0,
            edits=self._referring is not None and self._settings.edits,
            seed=True,
            resumable=True,
            max_prompt_chars=PROMPT_CHARS,
            concurrency=2,  # the second waits in its queue, and begins without a pause
            expected_seconds=min(USUALLY_S, float(self._settings.timeout_seconds)),
            deadline_seconds=self._settings.timeout_seconds + GRACE_S,
        )

    async def place(self, request: ImageRequest) -> State:
        """Store the references, and order a picture."""
        workflow = self._referring if request.references and self._referring else self._plain
        kinds = [reference_type(data) for data in request.references]
        stored = [
            await self._server.upload(f"{hashlib.sha256(data).hexdigest()}.{EXTENSIONS[kind]}", data, kind)
            for data, kind in zip(request.references, kinds, strict=True)
        ]
        nodes = workflow.filled(
            prompt=request.prompt,
            negative=self._settings.negative,
            seed=secrets.randbelow(MOST_SEED) if request.seed is None else request.seed,
            size=request.size,
            references=stored,
            checkpoint=self._settings.checkpoint,
        )
        order_id = await self._server.order(nodes)
        if not self.order_id.fullmatch(order_id):
            raise Unavailable("the order has no usable id", effect=Effect.UNKNOWN)
        return State(id=order_id, place=None)

    async def ask(self, order_id: str) -> State:
        """Look for an order in the history and in the queue. Raises NotFound."""
        ended = await self._server.ended(order_id)
        if ended is None:
            place = await self._server.place_of(order_id)
            if place is not None:
                return State(id=order_id, place=place)
            ended = await self._server.ended(order_id)  # it may have ended between the two questions
        if ended is None:
            raise NotFound("the server does not know the order")
        return State(id=order_id, place=None, ended=ended)

    async def stop(self, order_id: str) -> None:
        """Take an order out of the queue, or interrupt it, and nobody else's."""
        place = await self._server.place_of(order_id)
        if place == 0:
            await self._server.interrupt(order_id)
        elif place is not None:
            await self._server.remove(order_id)

    def phase_of(self, order: State) -> Phase | None:
        """Return where the order waits, or that it is worked on."""
        if order.ended is not None:
            return None
        return Phase("generating") if order.place == 0 else Phase("queued", position=order.place)

    def failure_of(self, order: State) -> ProviderError | None:
        """Return why a workflow ended without success."""
        outcome = order.ended.status if order.ended else None
        if outcome is None or outcome.status_str in ("", "success"):
            return None
        for name, about in outcome.messages:
            if name == "execution_interrupted":
                return Unavailable("the workflow was interrupted")
            if name == "execution_error":
                told = f"{about.get('node_type', 'a node')}: {about.get('exception_message', '')}"
                return Unavailable(f"the workflow failed: {' '.join(told.split())}"[:300])
        return Unavailable("the workflow failed")

    async def fetch(self, order: State, request: ImageRequest | None) -> ImageResult:
        """Fetch the picture. Raises NotFound when there is none."""
        saved = self._saved(order.ended) if order.ended else None
        if saved is None:
            raise NotFound("the workflow saved no picture")
        picture = made_picture(await self._server.picture(saved), seed=request.seed if request else None)
        usage = Usage(lines=(UsageLine(unit="image", quantity=1.0),), cost_micros=0)
        return ImageResult(images=(picture,), model=self._model, usage=usage)

    async def check(self) -> CheckReport:
        """Ask what the server is, and whether it has what the workflows need; nothing is drawn."""
        steps = CheckSteps()
        suggested: list[str] = []
        try:
            async with asyncio.timeout(CHECK_LIMIT_S):
                version = await self._server.version()
                steps.add("reach", "ok", f"ComfyUI {version}".strip())
                suggested = await self._check_workflows(steps)
        except TimeoutError:
            steps.add("reach", "fail", f"no answer within {CHECK_LIMIT_S:g} s", field="base_url")
        except AuthFailed as error:
            steps.add("reach", "fail", error.detail, field="authorization")
        except ProviderError as error:
            steps.add("reach", "fail", error.detail, field="base_url")
        return steps.report({"checkpoint": suggested} if suggested else {})

    async def recent_workflows(self, argument: Nothing) -> Runs:
        """Return the workflows that ran on the server lately, for the form of the settings."""
        return await recent_runs(self._server)

    async def workflow_of(self, argument: Named) -> Text:
        """Return the workflow of one of these runs. Raises NotFound."""
        return await workflow_of(self._server, argument.id)

    async def aclose(self) -> None:
        """Close the client; the kernel's stays open."""
        await self._server.aclose()

    async def _check_workflows(self, steps: CheckSteps) -> list[str]:
        """Add a step for each workflow; return the checkpoints that there are."""
        known: dict[str, dict[str, Any] | None] = {}
        used = [("workflow", self._plain), ("reference_workflow", self._referring)]
        for field, workflow in used:
            if workflow is None:
                continue
            for kind in workflow.classes():
                if kind not in known:
                    known[kind] = await self._server.inputs_of(kind)
            missing = [kind for kind in workflow.classes() if known[kind] is None]
            wrong = self._not_there(workflow, known)
            if missing:
                steps.add("workflow", "fail", f"the server has no node {', '.join(missing)}"[:300], field=field)
            elif wrong:
                at = "checkpoint" if self._settings.checkpoint in wrong else field
                steps.add("workflow", "fail", f"the server has no {', '.join(wrong)}"[:300], field=at)
            else:
                steps.add("workflow", "ok", f"{len(workflow.nodes)} nodes")
        offered = [choices_of(inputs.get(name)) for inputs in known.values() if inputs for name in CHECKPOINTS]
        return sorted({name for names in offered if names for name in names})

    def _not_there(self, workflow: Workflow, known: dict[str, dict[str, Any] | None]) -> list[str]:
        """Return values of inputs with choices, such as names of models, that are none of them."""
        nodes = workflow.filled(
            prompt="", negative="", seed=0, size=Size(64, 64), references=("",), checkpoint=self._settings.checkpoint
        )
        loading = set(workflow.references)
        return sorted(
            {
                value
                for node_id, node in nodes.items()
                if node_id not in loading
                for name, value in node["inputs"].items()
                if isinstance(value, str)
                and (choices := choices_of((known[node["class_type"]] or {}).get(name))) is not None
                and value not in choices
            }
        )

    def _saved(self, ended: Ended) -> Saved | None:
        """Return the picture: of the node titled Output if there is one, and rather a saved one than a preview."""
        workflows = [workflow for workflow in (self._plain, self._referring) if workflow]
        chosen = {node_id for workflow in workflows for node_id in workflow.output}
        found: list[tuple[bool, bool, int, Saved]] = []
        for node_id, made in ended.outputs.items():
            entries = made.get("images")
            for entry in entries if isinstance(entries, list) else ():
                try:
                    saved = msgspec.convert(entry, Saved)
                except msgspec.ValidationError:
                    continue
                found.append((node_id not in chosen, saved.type != "output", len(found), saved))
        return min(found)[3] if found else None
