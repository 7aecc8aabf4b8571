"""Asking an image service what it would draw."""

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from kernel.covers.depiction.schemas import DepictionIn, DepictionOut, MissingOut
from kernel.covers.elements import ElementOut, element_out
from kernel.covers.generation.provider_selection import ImageInstance, ready_instances
from kernel.providers import IMAGE, Caller, NoProviderAvailable
from kernel.spi import Depicter, Depiction, Element, ProviderError, Unsupported

log = logging.getLogger(__name__)

DEADLINE_S: Final = 5.0
"""Somebody types: what is later than that is about other words."""

T = TypeVar("T")


class DepictionService:
    """Reads, and stores nothing."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def read(self, wanted: DepictionIn, *, language: str) -> DepictionOut:
        """Return what the service that is asked first, or the chosen one, would draw."""

        async def operation(service: Depicter) -> Depiction:
            return await service.depict(wanted.prompt, title=wanted.title, genre=wanted.genre, language=language)

        found = await self._ask(operation, "depict", Depiction, wanted.instance_id)
        if found is None:
            return DepictionOut(elements=[], missing=[])
        missing = [
            MissingOut(word=one.word, nearest=element_out(one.nearest) if one.nearest else None)
            for one in found.missing
        ]
        return DepictionOut(elements=[element_out(one) for one in found.elements], missing=missing)

    async def search(self, text: str, *, instance_id: str | None, language: str, limit: int) -> list[ElementOut]:
        """Return elements whose names match, the best first."""

        async def operation(service: Depicter) -> tuple[Element, ...]:
            return await service.find_elements(text, language=language, limit=limit)

        found = await self._ask(operation, "find_elements", tuple[Element, ...], instance_id)
        return [element_out(one) for one in (found or ())[:limit]]

    async def _ask(
        self, operation: Callable[[Depicter], Awaitable[T]], name: str, result_type: object, instance_id: str | None
    ) -> T | None:
        """Return a service's answer; None where it draws nothing by name, or does not answer."""
        asked = self._asked(instance_id)
        if asked is None or not asked.capabilities.depicts:
            return None

        async def checked(chosen: ImageInstance) -> T:
            if not isinstance(chosen.provider, Depicter):
                raise Unsupported("it does not say what it draws")
            return await operation(chosen.provider)

        try:
            outcome = await self._caller.call(
                IMAGE,
                checked,
                name=name,
                result_type=result_type,
                repeatable=True,
                instance_id=asked.id,
                deadline_s=DEADLINE_S,
                record=False,
                vital=False,
            )
        except (ProviderError, NoProviderAvailable) as error:
            log.warning("instance %s does not say what it would draw: %s", asked.id, error)
            return None
        return outcome.result

    def _asked(self, instance_id: str | None) -> ImageInstance | None:
        ready = ready_instances(self._caller.registry)
        if instance_id is None or not self._caller.registry.user_choice(IMAGE):
            return ready[0] if ready else None
        return next((instance for instance in ready if instance.id == instance_id), None)
