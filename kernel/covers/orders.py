"""What a request for covers asks for, read without the database."""

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final
from uuid import UUID

import msgspec

from kernel.core.ids import new_uuid
from kernel.covers.choosing import Wish
from kernel.covers.schemas import MAX_REFERENCES, MAX_SEED, GenerateCoverIn, GenerateWithReferencesIn, UploadedImage
from kernel.site.prompts import clean
from kernel.site.schemas import PromptDefaults

SEEDS: Final = MAX_SEED + 1


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """One of the covers that a request asks for."""

    id: UUID
    seed: int


def variants_of(request: GenerateCoverIn) -> list[Variant]:
    """Return a new id and a seed for each cover, in order: the first has the wished seed, each next one the next."""
    first = secrets.randbelow(SEEDS) if request.seed is None else request.seed
    ids = sorted(new_uuid() for _ in range(request.count))
    return [Variant(id=one, seed=(first + number) % SEEDS) for number, one in enumerate(ids)]


def words_of(request: GenerateCoverIn, defaults: PromptDefaults) -> dict[str, str]:
    """Return the four texts, cleaned, blank ones replaced by the administrator's defaults as specified."""
    genre = clean(request.genre)
    return {
        "prompt": clean(request.prompt) or defaults.prompt,
        "title": clean(request.title) or defaults.title,
        "author": clean(request.author) or defaults.author,
        "genre": genre or (defaults.genre if request.use_default_genre else ""),
    }


def digest_of(request: GenerateCoverIn) -> str:
    """Return what tells this request from another: all of it, its pictures too."""
    return hashlib.sha256(msgspec.json.encode(request)).hexdigest()


def wish_of(request: GenerateCoverIn) -> Wish:
    """Return what an image service must be able to do for it."""
    count = min(len(cover_ids(request)) + len(uploads_of(request)), MAX_REFERENCES)
    return Wish(references=count, instance_id=request.instance_id, model=request.model)


def after_pictures(request: GenerateCoverIn) -> GenerateWithReferencesIn | None:
    """Return the request if it is one with references."""
    return request if isinstance(request, GenerateWithReferencesIn) else None


def cover_ids(request: GenerateCoverIn) -> Sequence[int]:
    """Return which of the user's own covers it refers to."""
    return request.reference_image_ids if isinstance(request, GenerateWithReferencesIn) else ()


def uploads_of(request: GenerateCoverIn) -> Sequence[UploadedImage]:
    """Return the pictures it brings along."""
    return request.uploaded_images if isinstance(request, GenerateWithReferencesIn) else ()
