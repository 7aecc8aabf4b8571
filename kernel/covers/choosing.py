"""Which image services can do what is asked, and whether the user may choose among them."""

import msgspec

from kernel.core.objections import Objection
from kernel.covers.dimensions import CUSTOM_HEIGHT_IN, CUSTOM_WIDTH_IN, DIMENSIONS, Dimensions, nearest, pixels
from kernel.providers import IMAGE, STORAGE, Instance, Registry
from kernel.providers.pricing import estimate
from kernel.spi import ImageCapabilities, ImageProvider, Size

ImageInstance = Instance[ImageProvider, ImageCapabilities]


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked of an image service besides a picture: to look at so many others, to be one, to use a model."""

    references: int = 0
    instance_id: str | None = None
    model: str | None = None

    def suits(self, can: ImageCapabilities) -> bool:
        """Tell whether a service that can do this much will do."""
        return can.reference_images >= self.references and (self.model is None or self.model in can.models)


def expected_cost(can: ImageCapabilities, size: Size, wish: Wish) -> int | None:
    """Return what a picture that is to be `size` will probably cost, in micros of a USD; None when nobody knows."""
    return estimate(can, nearest(size, can), model=wish.model, references=wish.references)


def ready(registry: Registry) -> list[ImageInstance]:
    """Return the services that can be asked now, in order of preference: none while no storage could keep a picture."""
    if not any(instance.state == "ready" for instance in registry.route(STORAGE)):
        return []
    return [instance for instance in registry.route(IMAGE) if instance.state == "ready"]


def able(instances: list[ImageInstance], wish: Wish) -> list[ImageInstance]:
    """Return those of the services that will do, in the same order."""
    return [
        instance
        for instance in instances
        if wish.instance_id in (None, instance.id) and wish.suits(instance.capabilities)
    ]


def choice_faults(registry: Registry, wish: Wish) -> dict[str, str]:
    """Return what is wrong with the user's choice of a service and a model: field → sentence."""
    named = {"instanceId": wish.instance_id, "model": wish.model}
    given = [field for field, value in named.items() if value is not None]
    if not given:
        return {}
    if not registry.user_choice(IMAGE):
        return dict.fromkeys(given, Objection("no_choosing", "The image service cannot be chosen here."))
    among = ready(registry)
    if wish.instance_id is not None:
        among = [instance for instance in among if instance.id == wish.instance_id]
        if not among:
            return {"instanceId": Objection("service_away", "This image service is not available.")}
        if among[0].capabilities.reference_images < wish.references:
            words = "This image service does not take so many reference images."
            return {"instanceId": Objection("service_takes_fewer", words)}
    if not any(wish.model in (None, *instance.capabilities.models) for instance in among):
        return {"model": Objection("no_such_model", "There is no such model.")}
    return {}


def upscaled(can: ImageCapabilities) -> list[str]:
    """Return the dimensions that a service makes smaller than they are printed. Custom ones: even the smallest."""

    def enlarged(dimensions: Dimensions) -> bool:
        wanted = pixels(dimensions, CUSTOM_WIDTH_IN[0], CUSTOM_HEIGHT_IN[0])
        made = nearest(wanted, can)
        return made.width < wanted.width or made.height < wanted.height

    return [dimensions for dimensions in DIMENSIONS if enlarged(dimensions)]
