"""Says what a live run will do and cost, and asks."""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from kernel.commands.checking.live_rules import live_rules, pictures
from kernel.commands.checking.live_settings import (
    BadFile,
    LiveSettings,
    providers,
    settings_for,
    variables,
)
from kernel.commands.checking.options import CheckOptions
from kernel.core.config import Config
from kernel.providers.calls.pricing import estimate
from kernel.spi import ImageCapabilities, ProviderError, ProviderSpec, Size
from kernel.spi.testing import FakeContext, nowhere

MICROS: float = 1_000_000


def agreed(config: Config, offered: list[str], options: CheckOptions) -> bool:
    """Return whether the run may begin. Prints, of each provider, what it will do or what it lacks."""
    specs = providers(offered, options)
    if not specs:
        print(f"No provider {options.provider or 'of it'} asks a vendor: there is nothing to run.", file=sys.stderr)
    try:
        found = [(spec, settings_for(spec, options)) for spec in specs]
    except (BadFile, ValueError) as error:
        print(error, file=sys.stderr)
        return False
    for spec, given in found:
        if given.problem:
            hint = "" if options.replay else f" Name a file with --settings, or set {variables(spec)}."
            print(f"{spec.id} is left out: {given.problem}{hint}", file=sys.stderr)
    ready = [(spec, given) for spec, given in found if given.settings is not None]
    if not ready:
        return False
    if options.replay:
        return True
    for spec, given in ready:
        for line in _plan(spec, given):
            print(line)
    return options.yes or _asked()


def _asked() -> bool:
    if not sys.stdin.isatty():
        print("Nobody is there to agree: say --yes.", file=sys.stderr)
        return False
    return input("Go on? [y/N] ").strip().lower() in ("y", "yes")


def _plan(spec: ProviderSpec[Any, Any], given: LiveSettings) -> Iterator[str]:
    """Yield what a live run does at the vendor and what that costs."""
    yield f"{spec.label} ({spec.kind} {spec.contract[0]}.{spec.contract[1]}): {len(live_rules(spec.kind))} rules."
    match spec.kind:
        case "image":
            yield f"  {_cost(spec, given)}"
        case "payment":
            yield "  Makes one customer and deletes it. Use the keys of a test mode."
        case "email":
            yield "  Sends a few messages to the `recipient` of the settings file's table [kit], and none without it."
        case "storage":
            yield "  Stores objects and deletes them, 1 MB together. The place must be empty: else nothing is done."
        case "signin":
            yield "  Signs nobody in."


def _cost(spec: ProviderSpec[Any, Any], given: LiveSettings) -> str:
    try:
        can = asyncio.run(_capabilities(spec, given))
    except ProviderError as error:
        return f"What it costs is unknown: {error}"
    count, smallest = pictures(can), _smallest(can)
    made = f"Makes up to {count} pictures of {smallest.width} x {smallest.height} pixels"
    each = estimate(can, smallest, references=int(can.reference_images > 0))
    if each is None:
        return f"{made}. The plugin states no price: ask the vendor what they cost."
    return f"{made}, for about {count * each / MICROS:.2f} USD by the plugin's prices."


async def _capabilities(spec: ProviderSpec[Any, Any], given: LiveSettings) -> ImageCapabilities:
    with tempfile.TemporaryDirectory(prefix="coverwright-kit-") as folder:
        context = FakeContext(Path(folder), httpx.MockTransport(nowhere))
        provider = spec.build(given.settings, context)
        try:
            found: ImageCapabilities = provider.capabilities()
            return found
        finally:
            await provider.aclose()
            await context.http.aclose()


def _smallest(can: ImageCapabilities) -> Size:
    if can.size_range is not None:
        return can.size_range.smallest
    return min(can.sizes, key=lambda size: size.width * size.height)
