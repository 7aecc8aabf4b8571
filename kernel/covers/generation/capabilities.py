"""What the browser may offer now, from the capabilities of the ready instances of each kind."""

from kernel.core.data.database import Database, ReadConnection
from kernel.covers.dimensions import DIMENSIONS, USUAL
from kernel.covers.generation.provider_selection import (
    ImageInstance,
    ImageRequirements,
    capable_instances,
    expected_cost,
    ready_instances,
    upscaled,
)
from kernel.covers.generation.time_estimate import TimeEstimate
from kernel.covers.schemas import (
    MAX_REFERENCES,
    MAX_VARIANTS,
    CapabilitiesOut,
    ImageCapabilitiesOut,
    ImageChoice,
    PaymentCapabilitiesOut,
    SigninOut,
)
from kernel.pictures.encoding import MEDIA_TYPES
from kernel.providers import IMAGE, PAYMENT, SIGNIN, Registry
from kernel.spi import ImageCapabilities


class CapabilityService:
    """Knows what may be offered."""

    def __init__(self, database: Database, registry: Registry, time_estimate: TimeEstimate, *, bin_days: int) -> None:
        self._database = database
        self._registry = registry
        self._time_estimate = time_estimate
        self._bin_days = bin_days

    async def shown(self, *, with_costs: bool) -> CapabilitiesOut:
        """Return what may be offered; `with_costs` adds what a usual cover costs."""
        async with self._database.read() as connection:
            return await capabilities_out(
                connection, self._registry, self._time_estimate, bin_days=self._bin_days, with_costs=with_costs
            )


async def capabilities_out(
    reader: ReadConnection, registry: Registry, time_estimate: TimeEstimate, *, bin_days: int, with_costs: bool
) -> CapabilitiesOut:
    """Return what may be offered; `with_costs` adds the cost of a typical cover. One query at most."""
    services = ready_instances(registry)
    choosing = registry.user_choice(IMAGE)
    expected = await time_estimate.milliseconds(reader, services if choosing else services[:1])
    first = services[0] if services else None
    offers = [service.capabilities for service in services]
    return CapabilitiesOut(
        image=ImageCapabilitiesOut(
            available=first is not None,
            provider=first.label if first else None,
            references=max((_references(can) for can in offers), default=0),
            first_references=_references(first.capabilities) if first else 0,
            reference_providers=_reference_providers(services),
            edits=any(can.edits for can in offers),
            seed=first.capabilities.seed if first else False,
            letters_by_model=not first.capabilities.lettering if first else False,
            depicts=first.capabilities.depicts if first else False,
            sketches=first.capabilities.sketches if first else False,
            max_images=max((can.max_images for can in offers), default=0),
            max_variants=MAX_VARIANTS,
            formats=list(MEDIA_TYPES),
            dimensions=list(DIMENSIONS),
            upscaled=upscaled(first.capabilities) if first else [],
            expected_ms=expected[first.id] if first else None,
            choices=[_choice(service, expected[service.id], with_costs) for service in services] if choosing else [],
            estimate_micros=_estimate(first) if first and with_costs else None,
        ),
        payment=_payment(registry),
        signin=[
            SigninOut(id=instance.id, kind=instance.capabilities.flow)
            for instance in registry.failover_order(SIGNIN)
            if instance.state == "ready"
        ],
        bin_days=bin_days,
    )


def _choice(service: ImageInstance, expected_ms: int, with_costs: bool) -> ImageChoice:
    can = service.capabilities
    return ImageChoice(
        instance_id=service.id,
        label=service.label,
        models=list(can.models),
        references=_references(can),
        seed=can.seed,
        letters_by_model=not can.lettering,
        depicts=can.depicts,
        sketches=can.sketches,
        expected_ms=expected_ms,
        estimate_micros=_estimate(service) if with_costs else None,
    )


def _reference_providers(services: list[ImageInstance]) -> list[str]:
    asked = (capable_instances(services, ImageRequirements(references=count)) for count in range(1, MAX_REFERENCES + 1))
    return [fit[0].label for fit in asked if fit]


def _references(can: ImageCapabilities) -> int:
    return min(can.reference_images, MAX_REFERENCES)


def _estimate(service: ImageInstance) -> int | None:
    return expected_cost(service, USUAL, ImageRequirements())


def _payment(registry: Registry) -> PaymentCapabilitiesOut:
    serving = (instance.capabilities for instance in registry.failover_order(PAYMENT) if instance.state == "ready")
    if (can := next(serving, None)) is None:
        return PaymentCapabilitiesOut(client="none", promotion_codes=False, taxes=False)
    return PaymentCapabilitiesOut(client=can.client, promotion_codes=can.promotion_codes, taxes=can.taxes)
