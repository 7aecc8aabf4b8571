"""What a request for covers asks for, read once and without the database."""

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from kernel.core.data.ids import new_uuid
from kernel.core.errors import InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.covers.book_words import BookWords, words_of
from kernel.covers.dimensions import Dimensions, pixels
from kernel.covers.elements import ElementIn
from kernel.covers.generation.provider_selection import ImageRequirements
from kernel.covers.schemas import (
    MAX_REFERENCES,
    MAX_SEED,
    GenerateCoverIn,
    GenerateWithReferencesIn,
    LetteringBy,
    UploadedImage,
)
from kernel.press.lettering.styles import is_style
from kernel.site.prompts import clean
from kernel.spi import Size

SEEDS: Final = MAX_SEED + 1


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One of the covers that a request asks for."""

    id: UUID
    seed: int


class CoverRequest(BookWords, frozen=True, kw_only=True):
    """A request: texts cleaned, before defaults.

    `digest` tells it from every other, its pictures included. `size` is None, and a fault says why, for dimensions that
    cannot be made. `own_style` stands in for the theme's; `cover_ids` and `uploads` are its references.
    `elements` are what the user wants to see; None where the image service reads it from the words.
    """

    digest: str
    prompt: str
    use_default_genre: bool
    dimensions: Dimensions
    size: Size | None
    theme_id: int | None
    lettering: LetteringBy
    lettering_style: str | None
    elements: tuple[ElementIn, ...] | None
    own_style: str | None
    with_references: bool
    cover_ids: tuple[int, ...]
    uploads: tuple[UploadedImage, ...]
    variants: tuple[Variant, ...]
    requirements: ImageRequirements
    faults: dict[str, FieldFault]


async def read_request(body: GenerateCoverIn) -> CoverRequest:
    """Read a body; what is wrong with single fields is among `faults`."""
    referring = body if isinstance(body, GenerateWithReferencesIn) else None
    # pictures take long to hash
    digest = await asyncio.to_thread(_digest, body) if referring else _digest(body)
    cover_ids = tuple(referring.reference_image_ids) if referring else ()
    uploads = tuple(referring.uploaded_images) if referring else ()
    size, faults = None, _count_faults(cover_ids, uploads) if referring else {}
    variants = variants_of(body.count, body.seed)
    if body.lettering_style and not is_style(body.lettering_style):
        faults["letteringStyle"] = FieldError("not_a_choice", f"{body.lettering_style} is not one of the choices.")
    try:
        size = pixels(body.dimensions, body.custom_width, body.custom_height)
    except InvalidFields as error:
        faults |= error.fields
    return CoverRequest(
        digest=digest,
        prompt=clean(body.prompt),
        **{name: clean(text) for name, text in words_of(body).items()},
        use_default_genre=body.use_default_genre,
        dimensions=body.dimensions,
        size=size,
        theme_id=body.theme_id,
        lettering=body.lettering,
        lettering_style=body.lettering_style or None,
        elements=body.elements,
        own_style=(clean(referring.theme_style_prompt) or None) if referring else None,
        with_references=referring is not None,
        cover_ids=cover_ids,
        uploads=uploads,
        variants=variants,
        requirements=ImageRequirements(
            references=min(len(cover_ids) + len(uploads), MAX_REFERENCES),
            instance_id=body.instance_id,
            model=body.model,
        ),
        faults=faults,
    )


def variants_of(count: int, seed: int | None = None) -> tuple[Variant, ...]:
    """Return a new id and a seed for each cover: the first has the given seed, each following one the next."""
    first = secrets.randbelow(SEEDS) if seed is None else seed
    ids = sorted(new_uuid() for _ in range(count))
    return tuple(Variant(id=one, seed=(first + number) % SEEDS) for number, one in enumerate(ids))


def _digest(body: GenerateCoverIn) -> str:
    return hashlib.sha256(msgspec.json.encode(body)).hexdigest()


def _count_faults(cover_ids: Sequence[int], uploads: Sequence[UploadedImage]) -> dict[str, FieldFault]:
    """Return what is wrong with the number of references."""
    count = len(cover_ids) + len(uploads)
    field = "referenceImageIds" if cover_ids else "uploadedImages"
    if not count:
        return {field: FieldError("no_reference", "Please choose or upload a reference image.")}
    if count <= MAX_REFERENCES:
        return {}
    words = f"At most {MAX_REFERENCES} reference images."
    return {field: FieldError("too_many_references", words, {"count": MAX_REFERENCES})}
