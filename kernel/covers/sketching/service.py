"""Asking an image service how it would set the words of a cover."""

import base64
import logging
from collections.abc import Sequence
from typing import Final

from kernel.core.data.database import Database
from kernel.core.errors import NoProvider
from kernel.covers.book_words import MORE_WORDS, words_of
from kernel.covers.brief import make_brief
from kernel.covers.dimensions import nearest
from kernel.covers.elements import read_elements, stored_elements
from kernel.covers.generation.provider_selection import ImageInstance, UnsupportedRequest, select_instances
from kernel.covers.generation.references import ReferenceService
from kernel.covers.generation.submission.prompt import ComposedPrompt, PromptComposer
from kernel.covers.generation.submission.request import CoverRequest, read_request
from kernel.covers.lettering.own_lettering import UnknownLettering, read_own_lettering
from kernel.covers.lettering.press import LetteringPress
from kernel.covers.schemas import GenerateCoverIn, GenerateWithReferencesIn
from kernel.covers.sketching.schemas import CoverSketchOut, SketchCoverIn
from kernel.pictures.encoding import Form
from kernel.pictures.store import FileRef
from kernel.providers import IMAGE, Caller, NoProviderAvailable
from kernel.spi import ImageRequest, LetteringSketch, LetteringSketcher, ProviderError, Unsupported

log = logging.getLogger(__name__)

DEADLINE_S: Final = 5.0
"""Somebody types: what is later than that is about other words."""

MOST_BYTES: Final = 1024 * 1024
RETRY_S: Final = 2.0
KEPT_REFERENCES: Final = 8
"""Somebody who types on needs the same ones again."""


class SketchService:
    """Reads a request as submission does, so that the sketch is of the same cover; stores and counts nothing."""

    def __init__(
        self,
        database: Database,
        caller: Caller,
        composer: PromptComposer,
        references: ReferenceService,
        press: LetteringPress,
    ) -> None:
        self._database = database
        self._caller = caller
        self._composer = composer
        self._references = references
        self._press = press
        self._kept: dict[FileRef, Form] = {}

    async def sketch(self, user_id: int, body: SketchCoverIn, *, language: str) -> CoverSketchOut:
        """Return how the words will be set.

        Raises InvalidFields, NoProvider, Absent for another user's theme or cover, PressBusy and PressUnable, and
        UnsupportedRequest where the service that would be asked does not say or our press sets the words.
        """
        request = await read_request(_as_submitted(body))
        selection = select_instances(self._caller.registry, request.requirements, size=request.size, count=1)
        async with self._database.read() as connection:
            faults = {**selection.faults, **request.faults}
            prompt = await self._composer.compose(connection, user_id, request, faults=faults, upload_faults={})
        asked = selection.instances[0]
        own_way = not request.lettering_style and not any(getattr(prompt, name) for name in MORE_WORDS)
        if not asked.capabilities.sketches or not own_way:
            raise UnsupportedRequest("The image service does not say how it will set these words.")
        assert request.size is not None  # else a fault was raised
        pictures = await self._pictures(user_id, request.cover_ids)
        try:
            sketch = await self._ask(asked, _image_request(request, prompt, pictures, asked, language))
            lettering = None if sketch.lettering is None else read_own_lettering(sketch.lettering)
        except (ProviderError, NoProviderAvailable, UnknownLettering) as error:
            log.warning("instance %s does not say how it would set the words: %s", asked.id, error)
            raise NoProvider("The words cannot be set just now. Please try again.", retry_after=RETRY_S) from error
        svg = None
        if lettering is not None:
            laid_out = await self._press.lay_out(lettering, width=request.size.width, height=request.size.height)
            svg = laid_out.svg
        picture = f"data:{sketch.media_type};base64,{base64.b64encode(sketch.picture).decode()}"
        return CoverSketchOut(picture=picture, lettering=lettering, svg=svg)

    async def _pictures(self, user_id: int, cover_ids: Sequence[int]) -> tuple[bytes, ...]:
        """Return covers as the job would get them; the last ones are kept, because somebody types on."""
        pictures = []
        for ref in await self._references.files_of(user_id, cover_ids):
            form = self._kept.pop(ref, None) or await self._references.read_cover(ref)
            self._kept[ref] = form
            pictures.append(form.data)
        while len(self._kept) > KEPT_REFERENCES:
            del self._kept[next(iter(self._kept))]
        return tuple(pictures)

    async def _ask(self, asked: ImageInstance, request: ImageRequest) -> LetteringSketch:
        async def operation(chosen: ImageInstance) -> LetteringSketch:
            if not isinstance(chosen.provider, LetteringSketcher):
                raise Unsupported("it does not say how it sets words")
            sketch = await chosen.provider.sketch_lettering(request)
            if len(sketch.picture) > MOST_BYTES:
                raise Unsupported("its sketch is too large")
            return sketch

        outcome = await self._caller.call(
            IMAGE,
            operation,
            name="sketch_lettering",
            result_type=LetteringSketch,
            repeatable=True,
            instance_id=asked.id,
            deadline_s=DEADLINE_S,
            record=False,
            vital=False,
        )
        return outcome.result


def _as_submitted(body: SketchCoverIn) -> GenerateCoverIn:
    said = {name: getattr(body, name) for name in SketchCoverIn.__struct_fields__}
    if body.reference_image_ids:
        return GenerateWithReferencesIn(**said)
    return GenerateCoverIn(**{name: said[name] for name in GenerateCoverIn.__struct_fields__})


def _image_request(
    request: CoverRequest,
    prompt: ComposedPrompt,
    pictures: tuple[bytes, ...],
    asked: ImageInstance,
    language: str,
) -> ImageRequest:
    """Return what `generate` would be asked for the first cover of a request."""
    assert request.size is not None
    return ImageRequest(
        prompt=prompt.text[: asked.capabilities.max_prompt_chars],
        size=nearest(request.size, asked.capabilities),
        brief=make_brief(
            words_of(prompt),
            description=prompt.prompt,
            style=request.own_style or "",
            theme=prompt.theme,
            language=language,
            elements=read_elements(stored_elements(request.elements)),
        ),
        model=request.requirements.model,
        references=pictures,
        seed=request.variants[0].seed,
    )
