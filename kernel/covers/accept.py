"""Accepting a generation: everything is checked, one unit reserved and the job stored, in one transaction."""

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.core import clock
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import AppError, InvalidFields, NoProvider, TooMany
from kernel.core.faults import faultpoint
from kernel.core.ids import new_uuid
from kernel.covers.choosing import ImageInstance, Wish, able, choice_faults, expected_cost, ready
from kernel.covers.dimensions import pixels
from kernel.covers.expectation import Expectation
from kernel.covers.models import Generation
from kernel.covers.references import ReferenceService, count_faults, refuse
from kernel.covers.schemas import MAX_REFERENCES, GenerateCoverIn, GenerateWithReferencesIn, UploadedImage
from kernel.pictures.store import FileRef
from kernel.plans.service import Plan, PlanService
from kernel.providers import Registry
from kernel.providers.operation.budgets import Budgets
from kernel.site.prompts import clean, render
from kernel.site.schemas import PromptDefaults
from kernel.site.service import SettingService
from kernel.spi import Size
from kernel.themes.schemas import ThemeOut
from kernel.themes.service import ThemeService

OPEN_STATES: Final = ("queued", "running")
MAX_KEY_CHARS: Final = 255
QUEUE_RETRY_S: Final = 30.0
SEED_BITS: Final = 31
"""Seeds fit a signed 32-bit integer, the smallest range among the vendors."""


class IdempotencyConflict(AppError):
    """The key was used for another request."""

    status, code = 422, "idempotency_conflict"


class Unsupported(AppError):
    """No image service can do what is asked."""

    status, code = 422, "unsupported"


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """A request after defaults: what will really be made. `style` stands in for the theme's."""

    prompt: str
    title: str
    author: str
    genre: str
    size: Size
    theme: ThemeOut | None
    style: str | None
    composed: str


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The stored job; `replayed` when the key had been seen before with the same request."""

    id: UUID
    replayed: bool


class AcceptService:
    """The rules of acceptance. Knows no HTTP and no vendor."""

    def __init__(
        self,
        config: Config,
        database: Database,
        registry: Registry,
        budgets: Budgets,
        plans: PlanService,
        settings: SettingService,
        themes: ThemeService,
        references: ReferenceService,
        expectation: Expectation,
    ) -> None:
        self._config = config
        self._database = database
        self._registry = registry
        self._budgets = budgets
        self._plans = plans
        self._settings = settings
        self._themes = themes
        self._references = references
        self._expectation = expectation

    async def accept(
        self, user_id: int, request: GenerateCoverIn, *, is_pro: bool | None, key: str | None, language: str
    ) -> Accepted:
        """Store the job and reserve its unit, or return the job that this key already made.

        `is_pro` None is the operator at the shell, whom no plan limits.
        Raises InvalidFields, TooLarge, WrongType, LimitReached, TooMany, NoProvider, Unsupported, OverBudget, Absent
        (somebody else's theme or cover) and IdempotencyConflict.
        """
        if key is not None and not 0 < len(key) <= MAX_KEY_CHARS:
            raise InvalidFields({"Idempotency-Key": f"Must be 1 to {MAX_KEY_CHARS} characters long."})
        digest = await asyncio.to_thread(_digest, request) if _after_pictures(request) else _digest(request)
        if known := await self._by_key(user_id, key, digest):
            return known
        wish = _wish(request)
        faults = choice_faults(self._registry, wish)
        fit = [] if faults else self._fit(wish)
        uploads = await self._references.read_uploads(_uploads(request))
        async with self._database.read() as connection:
            filled = await self._fill(connection, user_id, request, faults, uploads.faults)
            if is_pro is not None:
                costs = [expected_cost(instance.capabilities, filled.size, wish) for instance in fit]
                await self._budgets.refuse_over_budget(connection, user_id, costs)
            covers = await self._references.find_covers(connection, user_id, _cover_ids(request))
            expected_ms = (await self._expectation.milliseconds(connection, fit[:1]))[fit[0].id]
        forms = [*await self._references.read_covers(covers), *uploads.forms]
        generation_id = new_uuid()
        refs = await self._references.put(generation_id, forms) if forms else []
        faultpoint("references_stored")
        try:
            values = {"id": generation_id, "idempotency_key": key, "request_hash": digest}
            more = {"language": language, "expected_ms": expected_ms}
            await self._store(user_id, is_pro, request, filled, refs, values | more)
        except BaseException as error:
            await self._references.discard(refs)
            if isinstance(error, IntegrityError) and (known := await self._by_key(user_id, key, digest)):
                return known
            raise
        faultpoint("accepted")
        return Accepted(id=generation_id, replayed=False)

    def _fit(self, wish: Wish) -> list[ImageInstance]:
        """Return the services that can do it, one at least. Raises NoProvider and Unsupported."""
        instances = ready(self._registry)
        if not instances:
            raise NoProvider("Generation is paused at the moment. Please come back a little later.", retry_after=60.0)
        fit = able(instances, wish)
        if not fit:
            most = max(instance.capabilities.reference_images for instance in instances)
            raise Unsupported(
                f"At most {most} reference images can be used at the moment."
                if most
                else "Reference images cannot be used at the moment."
            )
        return fit

    async def _by_key(self, user_id: int, key: str | None, digest: str) -> Accepted | None:
        if key is None:
            return None
        query = select(Generation.id, Generation.request_hash).where(
            Generation.user_id == user_id, Generation.idempotency_key == key
        )
        async with self._database.read() as connection:
            row = (await connection.execute(query)).one_or_none()
        if row is None:
            return None
        if row.request_hash != digest:
            raise IdempotencyConflict("This Idempotency-Key was used for another request.")
        return Accepted(id=row.id, replayed=True)

    async def _fill(
        self,
        reader: AsyncConnection,
        user_id: int,
        request: GenerateCoverIn,
        faults: dict[str, str],
        uploads: dict[str, AppError],
    ) -> Filled:
        """Apply theme, defaults and template. Raises Absent, and for all bad fields at once, known `faults` too."""
        found, size = dict(faults), None
        try:
            size = pixels(request.dimensions, request.custom_width, request.custom_height)
        except InvalidFields as error:
            found |= error.fields
        standard = await self._settings.get(reader, "standard_prompt")
        themed = await self._settings.get(reader, "theme_prompt")
        words = _words(request, standard.default_values)
        if not words["prompt"]:
            found["prompt"] = "Please describe your book cover before generating."
        own_style = None
        if with_pictures := _after_pictures(request):
            own_style = clean(with_pictures.theme_style_prompt) or None
            found |= count_faults(with_pictures.reference_image_ids, with_pictures.uploaded_images)
        refuse(uploads, found)
        assert size is not None
        theme = await self._themes.get(reader, user_id, request.theme_id) if request.theme_id else None
        setting = themed if theme or own_style else standard
        style = own_style or (theme.style_prompt if theme else "") or setting.default_values.theme_style_prompt
        values = words | {
            "themeStylePrompt": style,
            "referenceImagePrompt": themed.default_values.reference_image_prompt,
        }
        composed = render(setting.prompt_template or "", values, has_references=with_pictures is not None)
        return Filled(size=size, theme=theme, style=own_style, composed=composed, **words)

    async def _store(
        self,
        user_id: int,
        is_pro: bool | None,
        request: GenerateCoverIn,
        filled: Filled,
        refs: Sequence[FileRef],
        values: dict[str, Any],
    ) -> None:
        moment = clock.now()
        rules = self._config.generation
        async with self._database.write() as session:
            limits = await self._plans.limits(session)
            plan = Plan(is_pro, limits) if is_pro is not None else None
            # The row first: who repeats a key waits for its unique index here, holding no counter that others wait for.
            await session.execute(
                insert(Generation).values(
                    user_id=user_id,
                    prompt=filled.prompt,
                    title=filled.title,
                    author=filled.author,
                    genre=filled.genre,
                    dimensions=request.dimensions,
                    width=filled.size.width,
                    height=filled.size.height,
                    theme_id=filled.theme.id if filled.theme else None,
                    seed=secrets.randbits(SEED_BITS),
                    composed_prompt=filled.composed,
                    style_prompt=filled.style,
                    reference_count=len(refs),
                    requested_instance=request.instance_id,
                    requested_model=request.model,
                    state="queued",
                    attempts=0,
                    fence=0,
                    run_after=moment,
                    deadline=moment + timedelta(seconds=rules.deadline_s),
                    phase="queued",
                    created_at=moment,
                    **values,
                )
            )
            await self._references.record(session, values["id"], refs)
            await self._plans.reserve(session, user_id=user_id, plan=plan, generation_id=values["id"], moment=moment)
            await self._refuse_crowds(session, user_id)
            if filled.theme:
                await self._themes.count_use(session, filled.theme.id)
            faultpoint("before_accept_commit")

    async def _refuse_crowds(self, session: AsyncSession, user_id: int) -> None:
        """Raise TooMany for a user with enough open jobs, NoProvider when the queue is full; the new job counts."""
        rules = self._config.generation
        mine = select(func.count()).where(Generation.user_id == user_id, Generation.state.in_(OPEN_STATES))
        if (await session.execute(mine)).scalar_one() > rules.in_flight_per_user:
            raise TooMany(
                "Please wait until one of your covers is finished.", code="too_many_in_flight", retry_after=5.0
            )
        waiting = select(func.count()).where(Generation.state == "queued")
        if (await session.execute(waiting)).scalar_one() > rules.queue_limit:
            raise NoProvider("Too many covers are waiting just now. Please try again soon.", retry_after=QUEUE_RETRY_S)


def _words(request: GenerateCoverIn, defaults: PromptDefaults) -> dict[str, str]:
    """Return the four texts, cleaned, blank ones replaced by the administrator's defaults as specified."""
    genre = clean(request.genre)
    return {
        "prompt": clean(request.prompt) or defaults.prompt,
        "title": clean(request.title) or defaults.title,
        "author": clean(request.author) or defaults.author,
        "genre": genre or (defaults.genre if request.use_default_genre else ""),
    }


def _digest(request: GenerateCoverIn) -> str:
    """Return what tells this request from another: all of it, its pictures too."""
    return hashlib.sha256(msgspec.json.encode(request)).hexdigest()


def _wish(request: GenerateCoverIn) -> Wish:
    count = min(len(_cover_ids(request)) + len(_uploads(request)), MAX_REFERENCES)
    return Wish(references=count, instance_id=request.instance_id, model=request.model)


def _after_pictures(request: GenerateCoverIn) -> GenerateWithReferencesIn | None:
    return request if isinstance(request, GenerateWithReferencesIn) else None


def _cover_ids(request: GenerateCoverIn) -> Sequence[int]:
    return request.reference_image_ids if isinstance(request, GenerateWithReferencesIn) else ()


def _uploads(request: GenerateCoverIn) -> Sequence[UploadedImage]:
    return request.uploaded_images if isinstance(request, GenerateWithReferencesIn) else ()
