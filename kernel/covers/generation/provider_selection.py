"""Which image instances can carry out a request, and whether the user may choose among them."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from kernel.core.errors import AppError, NoProvider
from kernel.core.field_errors import FieldError, FieldFault
from kernel.covers.dimensions import CUSTOM_HEIGHT_IN, CUSTOM_WIDTH_IN, DIMENSIONS, Dimensions, nearest, pixels
from kernel.providers import IMAGE, STORAGE, Instance, Registry
from kernel.providers.calls.pricing import estimate
from kernel.spi import ImageCapabilities, ImageProvider, Size

ImageInstance = Instance[ImageProvider, ImageCapabilities]


PAUSED_RETRY_S: Final = 60.0
WIDE_ENOUGH: Final = 0.8
"""Of the proportion that a canvas is to have: what is missing then, at the back's outer edge, is mirrored."""


class UnsupportedRequest(AppError):
    """No image service can do what is asked."""

    status, code = 422, "unsupported"


class ImageRequirements(msgspec.Struct, frozen=True, kw_only=True):
    """What a request needs from an image instance: the number of references, whether the first is to be changed, or
    only a part of it, and the chosen instance and model. `canvas` is that on which an artwork is to go on.
    """

    references: int = 0
    edit: bool = False
    mask: bool = False
    instance_id: str | None = None
    model: str | None = None
    canvas: Size | None = None

    def suits(self, can: ImageCapabilities) -> bool:
        """Return whether an instance with these capabilities is sufficient."""
        if (self.edit and not can.edits) or (self.mask and not can.masks):
            return False
        if self.canvas is not None and not _is_wide_enough(self.canvas, can):
            return False
        return can.reference_images >= self.references and (self.model is None or self.model in can.models)


def _is_wide_enough(canvas: Size, can: ImageCapabilities) -> bool:
    """Return whether pictures of an instance have room for most of what is to be beside the artwork."""
    made = nearest(canvas, can)
    return made.width * canvas.height >= WIDE_ENOUGH * canvas.width * made.height


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The services that can do what is asked, in order of preference, and what each would cost, in micros of a USD.

    With `faults`, what is wrong with the user's own choice, there are none.
    """

    instances: Sequence[ImageInstance]
    costs_micros: Sequence[int | None]
    faults: Mapping[str, FieldFault]


def select_instances(
    registry: Registry, requirements: ImageRequirements, *, size: Size | None, count: int
) -> Selection:
    """Select the services for `count` covers; without a size costs are unknown.

    Raises NoProvider and UnsupportedRequest.
    """
    if faults := choice_faults(registry, requirements):
        return Selection(instances=(), costs_micros=(), faults=faults)
    ready = ready_instances(registry)
    if not ready:
        words = "Generation is paused at the moment. Please come back a little later."
        raise NoProvider(words, retry_after=PAUSED_RETRY_S)
    capable = capable_instances(ready, requirements)
    if not capable:
        if requirements.canvas:
            raise UnsupportedRequest("No image service can let a picture go on beyond its edge at the moment.")
        if requirements.edit:
            what = "a part of a picture" if requirements.mask else "a finished picture"
            raise UnsupportedRequest(f"No image service can change {what} at the moment.")
        most = max(instance.capabilities.reference_images for instance in ready)
        raise UnsupportedRequest(
            f"At most {most} reference images can be used at the moment."
            if most
            else "Reference images cannot be used at the moment."
        )
    one = [expected_cost(instance, size, requirements) if size else None for instance in capable]
    costs = [None if cost is None else cost * count for cost in one]
    return Selection(instances=capable, costs_micros=costs, faults={})


def expected_cost(instance: ImageInstance, size: Size, requirements: ImageRequirements) -> int | None:
    """Return the estimated cost of a picture of `size`, in micros of a USD; None when the prices are unknown."""
    can, wish = instance.capabilities, requirements
    return estimate(can, nearest(size, can), model=wish.model, references=wish.references, prices=instance.prices)


def ready_instances(registry: Registry) -> list[ImageInstance]:
    """Return the instances that can be called now, in failover order: none while no storage is ready for a picture."""
    if not any(instance.state == "ready" for instance in registry.failover_order(STORAGE)):
        return []
    return [instance for instance in registry.failover_order(IMAGE) if instance.state == "ready"]


def capable_instances(instances: list[ImageInstance], requirements: ImageRequirements) -> list[ImageInstance]:
    """Return those of the services that meet the requirements, in the same order."""
    return [
        instance
        for instance in instances
        if requirements.instance_id in (None, instance.id) and requirements.suits(instance.capabilities)
    ]


def choice_faults(registry: Registry, requirements: ImageRequirements) -> dict[str, FieldFault]:
    """Return what is wrong with the user's choice of a service and a model: field → sentence."""
    named = {"instanceId": requirements.instance_id, "model": requirements.model}
    given = [field for field, value in named.items() if value is not None]
    if not given:
        return {}
    if not registry.user_choice(IMAGE):
        return dict.fromkeys(given, FieldError("no_choosing", "The image service cannot be chosen here."))
    among = ready_instances(registry)
    if requirements.instance_id is not None:
        among = [instance for instance in among if instance.id == requirements.instance_id]
        if not among:
            return {"instanceId": FieldError("service_away", "This image service is not available.")}
        if among[0].capabilities.reference_images < requirements.references:
            words = "This image service does not take so many reference images."
            return {"instanceId": FieldError("service_takes_fewer", words)}
    if not any(requirements.model in (None, *instance.capabilities.models) for instance in among):
        return {"model": FieldError("no_such_model", "This model does not exist.")}
    return {}


def upscaled(can: ImageCapabilities) -> list[str]:
    """Return the dimensions that an instance makes smaller than print size. For custom ones: even the smallest."""

    def enlarged(dimensions: Dimensions) -> bool:
        wanted = pixels(dimensions, CUSTOM_WIDTH_IN[0], CUSTOM_HEIGHT_IN[0])
        made = nearest(wanted, can)
        return made.width < wanted.width or made.height < wanted.height

    return [dimensions for dimensions in DIMENSIONS if enlarged(dimensions)]
