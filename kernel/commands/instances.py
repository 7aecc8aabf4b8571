"""`coverwright instances`: lists and checks provider instances."""

import sys

from kernel.core.config import Config
from kernel.core.errors import AppError
from kernel.providers.administration.schemas import CheckOut, InstanceOut
from kernel.runtime import Runtime, open_runtime


async def list_instances(config: Config) -> int:
    """Print one line for each instance, and where its settings come from; return 1 when one cannot be used."""
    async with open_runtime(config) as runtime:
        found = await runtime.providers.administration.instances()
    for instance in found:
        place = "-" if instance.route_position is None else str(instance.route_position + 1)
        line = f"{instance.kind:<8} {place:>2} {instance.id:<20} {instance.provider:<12} {instance.state:<16}"
        print(f"{line} {instance.label}" + (f"  ({instance.reason})" if instance.reason else ""))
        if given := [f"{field}: {source}" for field, source in instance.sources.items() if source != "default"]:
            print(f"            {', '.join(given)}")
    return int(any(instance.state in ("needs_attention", "missing") for instance in found))


async def check_instances(config: Config, only: str | None) -> int:
    """Check every instance in use, or the named one, and print the steps; return 1 when a check fails."""
    async with open_runtime(config) as runtime:
        try:
            chosen = await _chosen(runtime, only)
        except AppError:
            print(f"There is no instance `{only}`.", file=sys.stderr)
            return 1
        reports = []
        for instance in chosen:
            reports.append(await runtime.providers.administration.check_quietly(instance.id))
            _print(instance, reports[-1])
    return int(not all(report.ok for report in reports))


async def _chosen(runtime: Runtime, only: str | None) -> list[InstanceOut]:
    if only is not None:
        return [await runtime.providers.administration.instance(only)]
    return [instance for instance in await runtime.providers.administration.instances() if instance.state != "disabled"]


def _print(instance: InstanceOut, report: CheckOut) -> None:
    print(f"{instance.id}: {'good' if report.ok else 'FAILED'} ({report.took_ms} ms)")
    for step in report.steps:
        print(f"  {step.status:<5} {step.name}" + (f": {step.detail}" if step.detail else ""))
    for field, text in report.problems.items():
        print(f"        {field}: {text}" if field else f"        {text}")
