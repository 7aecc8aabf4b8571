"""Workflows that ran on the server lately, from which an administrator takes one without exporting it."""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from kernel.spi import AdminCall, NotFound, SettingsComponent
from plugins.comfyui_images.server import CLIENT, Ended, Server
from plugins.comfyui_images.workflow import CHECKPOINTS, TEXTS, is_workflow

ELEMENT: Final = "comfyui-workflows"
MOST: Final = 10
LOOKED_AT: Final = 60
"""Of so many that ran last, ours are left out: they come from the settings themselves."""
TEXT_CHARS: Final = 120


class Nothing(msgspec.Struct, frozen=True, kw_only=True):
    """A question without details."""


class Named(msgspec.Struct, frozen=True, kw_only=True):
    """One run, by its id."""

    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9-]{8,64}$(?!\n)")]


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow that ran. `text` is how its longest text begins; `at` is when: Unix seconds, or 0."""

    id: str
    nodes: int
    model: str
    text: str
    at: float


class Runs(msgspec.Struct, frozen=True, kw_only=True):
    """What ran, the last first."""

    runs: list[Run]


class Text(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow as ComfyUI exports it for its API."""

    workflow: str


async def recent_runs(server: Server) -> Runs:
    """Return what others than we have run, each workflow once."""
    found: list[Run] = []
    seen: set[bytes] = set()
    for run_id, ended in reversed((await server.history(LOOKED_AT)).items()):
        nodes = _nodes(ended)
        if nodes is None or _client(ended) == CLIENT:
            continue
        shape = msgspec.json.encode(sorted((name, node["class_type"]) for name, node in nodes.items()))
        if shape not in seen:
            seen.add(shape)
            found.append(_run(run_id, nodes, ended))
    return Runs(runs=found[:MOST])


async def workflow_of(server: Server, run_id: str) -> Text:
    """Return the workflow of a run. Raises NotFound."""
    ended = await server.ended(run_id)
    nodes = _nodes(ended) if ended else None
    if nodes is None:
        raise NotFound("the server does not know this run any more")
    return Text(workflow=msgspec.json.format(msgspec.json.encode(nodes), indent=2).decode())


def settings_component(*calls: AdminCall) -> SettingsComponent:
    """Return what shows the nodes of the workflows in the form."""
    return SettingsComponent(
        element=ELEMENT, module="workflows.js", fields=("workflow", "reference_workflow"), calls=calls
    )


def _nodes(ended: Ended) -> dict[str, dict[str, Any]] | None:
    nodes = ended.prompt[2] if len(ended.prompt) > 2 else None
    return nodes if is_workflow(nodes) else None


def _client(ended: Ended) -> Any:
    extra = ended.prompt[3] if len(ended.prompt) > 3 else None
    return extra.get("client_id") if isinstance(extra, dict) else None


def _run(run_id: str, nodes: dict[str, dict[str, Any]], ended: Ended) -> Run:
    inputs = [node["inputs"] for node in nodes.values()]
    models = [given[name] for given in inputs for name in CHECKPOINTS if isinstance(given.get(name), str)]
    texts = [given[name] for given in inputs for name in TEXTS if isinstance(given.get(name), str)]
    messages = ended.status.messages if ended.status else []
    began = next((about.get("timestamp") for name, about in messages if name == "execution_start"), None)
    return Run(
        id=run_id,
        nodes=len(nodes),
        model=models[0] if models else "",
        text=" ".join(max(texts, key=len, default="").split())[:TEXT_CHARS],
        at=began / 1000 if isinstance(began, int | float) else 0.0,
    )
