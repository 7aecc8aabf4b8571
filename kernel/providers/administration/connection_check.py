"""Checks settings before they are used: a temporary instance is built, checked within a time limit and closed."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from kernel.core.data.ids import new_uuid
from kernel.core.text.storable import storable
from kernel.providers.calls.guard import guarded
from kernel.providers.instances.instance import Declaration, Instance
from kernel.providers.instances.registry import Registry
from kernel.spi import CheckReport, CheckStep, ProviderError, listen_to_steps

log = logging.getLogger(__name__)

LIMIT_S: Final = 15.0
MAX_STEPS: Final = 50
MAX_SUGGESTIONS: Final = 500
DETAIL_CHARS: Final = 500
DRAFT: Final = "draft"
"""Name of an instance that is not saved yet."""

Listener = Callable[[CheckStep], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check. `problems` maps a setting, or the empty name, to a sentence; `elapsed_s` in seconds."""

    ok: bool
    steps: tuple[CheckStep, ...]
    problems: dict[str, str]
    suggestions: dict[str, tuple[str, ...]]
    elapsed_s: float


class Checker:
    """Checks declarations, including those of drafts. Close it with `aclose`."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._closing: set[asyncio.Task[None]] = set()

    async def check(
        self, declaration: Declaration, *, first: bool, fresh: bool, listen: Listener | None = None
    ) -> Checked:
        """Build, check and close an instance. `listen` is called with every step as soon as it has ended.

        A `fresh` one does not exist yet: its files go to a folder that is removed. A mistake of the provider's is never
        raised but reported in the last step.
        """
        started = time.perf_counter()
        folder = self._registry.config.data_dir / "instances" / f".draft-{new_uuid()}" if fresh else None
        declaration = msgspec.structs.replace(
            declaration, id=declaration.id or DRAFT, enabled=True, draining=False, notice=""
        )
        instance = await asyncio.to_thread(self._registry.build, declaration, first=first, folder=folder)
        try:
            return await self._run_check(instance, listen, started)
        finally:
            ending = asyncio.create_task(self._end(instance, folder))
            self._closing.add(ending)
            ending.add_done_callback(self._closing.discard)

    async def _run_check(self, instance: Instance[Any, Any], listen: Listener | None, started: float) -> Checked:
        reported: list[CheckStep] = []

        def hear(step: CheckStep) -> None:
            if len(reported) < MAX_STEPS:
                clean = _clean(instance, step)
                reported.append(clean)
                if listen is not None:
                    listen(clean)

        suggestions: dict[str, tuple[str, ...]] = {}
        problems = instance.problems
        if not instance.usable:
            if not problems:
                hear(CheckStep(name="settings", status="fail", detail=instance.reason))
        else:
            instance.acquire()
            with listen_to_steps(hear):
                try:
                    report = await guarded(instance, instance.provider.check, result_type=CheckReport, limit_s=LIMIT_S)
                except ProviderError as error:
                    hear(CheckStep(name=error.code, status="fail", detail=str(error.detail), field=error.field))
                else:
                    for step in report.steps[len(reported) :]:
                        hear(step)
                    suggestions = _offered(report)
        failed = {step.field: step.detail or step.name for step in reported if step.status == "fail" and step.field}
        return Checked(
            ok=bool(reported) and not problems and all(step.status != "fail" for step in reported),
            steps=tuple(reported),
            problems=failed | problems,
            suggestions=suggestions,
            elapsed_s=time.perf_counter() - started,
        )

    async def _end(self, instance: Instance[Any, Any], folder: Path | None) -> None:
        await instance.aclose()
        if folder is not None:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)

    async def aclose(self) -> None:
        """Wait for instances that are still closing."""
        if self._closing:
            await asyncio.wait(self._closing)


def _clean(instance: Instance[Any, Any], step: CheckStep) -> CheckStep:
    """Return a step without secrets and not too long."""

    def shown(text: str) -> str:
        return instance.redact(text)[:DETAIL_CHARS]

    field = None if step.field is None else shown(step.field)
    return CheckStep(name=shown(step.name), status=step.status, detail=shown(step.detail), field=field)


def _offered(report: CheckReport) -> dict[str, tuple[str, ...]]:
    return {
        storable(name): tuple(storable(value) for value in values[:MAX_SUGGESTIONS])
        for name, values in report.suggestions.items()
    }
