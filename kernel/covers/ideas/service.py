"""Four ideas for a book, from a text model or from our own reading of its words."""

import asyncio
import logging
from typing import Final

from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError
from kernel.covers.generation.provider_selection import ImageInstance
from kernel.covers.ideas.reading import read
from kernel.covers.ideas.schemas import Ideas
from kernel.covers.ideas.writing import asked, understood
from kernel.providers import IMAGE, Caller, NoProviderAvailable
from kernel.providers.spending.budgets import OverBudget
from kernel.site.prompts import clean
from kernel.spi import ProviderError, TextResult, TextWriter, Unsupported

log = logging.getLogger(__name__)

DEADLINE_S: Final = 45.0
"""Somebody waits: our own reading is better than more of that."""


class IdeaService:
    """Finds ideas, and stores nothing."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    async def suggest(self, user_id: int, text: str, *, language: str) -> Ideas:
        """Return four ideas. Raises InvalidFields for a text that names nothing to show."""
        blurb = clean(text)
        if not blurb:
            raise InvalidFields({"text": FieldError("no_text", "Please paste a blurb or a synopsis.")})
        can_ask = any(
            instance.state == "ready" and instance.capabilities.text_model
            for instance in self._caller.registry.failover_order(IMAGE)
        )
        if can_ask and (found := await self._ask(user_id, blurb)) is not None:
            return found
        ideas = await asyncio.to_thread(read, blurb, language)
        return Ideas(ideas=ideas, provider=None, is_stand_in=can_ask)

    async def _ask(self, user_id: int, blurb: str) -> Ideas | None:
        """Return a text model's ideas, None when it has none."""

        async def operation(chosen: ImageInstance) -> TextResult:
            if not isinstance(chosen.provider, TextWriter):
                raise Unsupported("it writes no texts")
            return await chosen.provider.write_text(asked(blurb))

        async def verify(result: TextResult) -> None:
            understood(result.text, blurb)

        try:
            outcome = await self._caller.call(
                IMAGE,
                operation,
                name="write_text",
                result_type=TextResult,
                repeatable=False,
                accepts=lambda can: bool(can.text_model),
                verify=verify,
                user_id=user_id,
                deadline_s=DEADLINE_S,
                vital=False,
            )
        except (ProviderError, NoProviderAvailable, OverBudget) as error:
            log.warning("no ideas came from a text model: %s", error)
            return None
        asked_of = self._caller.registry.find(outcome.instance_id, IMAGE)
        return Ideas(ideas=understood(outcome.result.text, blurb), provider=asked_of.label, is_stand_in=False)
