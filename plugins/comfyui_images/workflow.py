"""Workflows as ComfyUI exports them for its API, and the nodes whose titles say what is put into them."""

import copy
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from kernel.spi import SettingsInvalid, Size

PLACEHOLDER: Final = "{{prompt}}"
"""Where the text of the node has it, the prompt takes its place; else the prompt is the whole text."""

TEXTS: Final = ("text", "prompt", "value", "string", "text_g", "text_l", "clip_l", "t5xxl")
SEEDS: Final = ("seed", "noise_seed")
CHECKPOINTS: Final = ("ckpt_name", "unet_name")

Nodes = dict[str, dict[str, Any]]


class Workflow(msgspec.Struct, frozen=True, kw_only=True):
    """A workflow. The rest are the ids of nodes by what is put into them; `output` is empty where any will do."""

    nodes: Nodes
    prompt: tuple[str, ...]
    negative: tuple[str, ...]
    seed: tuple[str, ...]
    size: tuple[str, ...]
    references: tuple[str, ...]
    output: tuple[str, ...]

    def classes(self) -> list[str]:
        """Return the kinds of its nodes."""
        return sorted({node["class_type"] for node in self.nodes.values()})

    def checkpoint(self) -> str:
        """Return the name of the model that it loads, or an empty text."""
        named = [node["inputs"].get(field) for node in self.nodes.values() for field in CHECKPOINTS]
        return next((name for name in named if isinstance(name, str)), "")

    def filled(
        self, *, prompt: str, negative: str, seed: int, size: Size, references: Sequence[str], checkpoint: str
    ) -> Nodes:
        """Return the nodes for one picture; `references` are names of uploads, at least one where they are needed."""
        nodes = copy.deepcopy(self.nodes)
        for node_id in self.prompt:
            _write_text(nodes[node_id]["inputs"], prompt)
        for node_id in self.negative if negative else ():
            _write_text(nodes[node_id]["inputs"], negative)
        for node_id in self.seed:
            _write(nodes[node_id]["inputs"], (*SEEDS, "value"), seed)
        for node_id in self.size:
            _write(nodes[node_id]["inputs"], ("width",), size.width)
            _write(nodes[node_id]["inputs"], ("height",), size.height)
        for number, node_id in enumerate(self.references):
            nodes[node_id]["inputs"]["image"] = references[min(number, len(references) - 1)]
        if checkpoint:
            for node in nodes.values():
                _write(node["inputs"], CHECKPOINTS, checkpoint)
        return nodes


def read_workflow(text: str, *, field: str, references: bool = False) -> Workflow:
    """Return a workflow. Raises SettingsInvalid, with what to do in ComfyUI."""
    try:
        found = msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise SettingsInvalid("This must be JSON, as ComfyUI exports it.", field=field) from error
    if isinstance(found.get("nodes"), list):
        raise SettingsInvalid("This is for the editor: choose Export (API) in ComfyUI's menu.", field=field)
    if not is_workflow(found):
        raise SettingsInvalid("This is not a workflow: choose Export (API) in ComfyUI's menu.", field=field)
    workflow = Workflow(
        nodes=found,
        prompt=_titled(found, "prompt"),
        negative=_titled(found, "negative"),
        seed=_titled(found, "seed") or _with(found, SEEDS),
        size=_titled(found, "size") or _latents(found),
        references=tuple(node_id for node_id in _titled(found, "reference") if "image" in found[node_id]["inputs"]),
        output=_titled(found, "output"),
    )
    if not any(_texts_of(found[node_id]["inputs"]) for node_id in workflow.prompt):
        raise SettingsInvalid("Give the node with the text of the prompt the title Prompt.", field=field)
    if not workflow.size and not references:  # else the references may give it
        raise SettingsInvalid("Give the node with width and height the title Size.", field=field)
    if not workflow.seed:
        raise SettingsInvalid("Give the node with the seed the title Seed.", field=field)
    if references and not workflow.references:
        raise SettingsInvalid("Give each node that loads a picture the title Reference.", field=field)
    return workflow


def is_workflow(found: Any) -> bool:
    """Return whether this is a workflow as ComfyUI exports it for its API: nodes by their ids."""
    return isinstance(found, dict) and bool(found) and all(_is_node(node) for node in found.values())


def _is_node(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("class_type"), str) and isinstance(node.get("inputs"), dict)


def _title(node: dict[str, Any]) -> str:
    about = node.get("_meta")
    title = about.get("title") if isinstance(about, dict) else None
    return title.strip().casefold() if isinstance(title, str) else ""


def _titled(nodes: Nodes, title: str) -> tuple[str, ...]:
    """Return the nodes with a title, or with it and a number such as `Reference 2`, in the order of their titles."""
    found = [(_title(node), node_id) for node_id, node in nodes.items()]
    return tuple(node_id for name, node_id in sorted(found) if name.rstrip("0123456789 ") == title)


def _with(nodes: Nodes, fields: Sequence[str]) -> tuple[str, ...]:
    """Return the nodes that have a number of their own in one of the fields."""
    return tuple(
        node_id for node_id, node in nodes.items() if any(isinstance(node["inputs"].get(name), int) for name in fields)
    )


def _latents(nodes: Nodes) -> tuple[str, ...]:
    """Return the nodes that make the empty picture with which a sampler begins."""
    sized = set(_with(nodes, ("width",))) & set(_with(nodes, ("height",)))
    return tuple(
        node_id
        for node_id in nodes
        if node_id in sized
        and nodes[node_id]["class_type"].startswith("Empty")
        and "Latent" in nodes[node_id]["class_type"]
    )


def _texts_of(inputs: dict[str, Any]) -> list[str]:
    return [name for name in TEXTS if isinstance(inputs.get(name), str)]


def _write_text(inputs: dict[str, Any], text: str) -> None:
    for name in _texts_of(inputs):
        inputs[name] = inputs[name].replace(PLACEHOLDER, text) if PLACEHOLDER in inputs[name] else text


def _write(inputs: dict[str, Any], fields: Sequence[str], value: Any) -> None:
    """Put a value where there is one of the same type; what comes from another node stays."""
    for name in fields:
        if isinstance(inputs.get(name), type(value)):
            inputs[name] = value
