"""Accepting generations: everything is checked, their units reserved and the jobs stored, in one transaction."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

from kernel.accounts.leaving import keep_account
from kernel.core import clock
from kernel.core.config import Config
from kernel.core.database import Database
from kernel.core.errors import AppError, InvalidFields, NoProvider, TooMany
from kernel.core.faults import faultpoint
from kernel.core.idempotency import check_key, made_before
from kernel.core.objections import Objection
from kernel.covers.choosing import ImageInstance, Wish, able, choice_faults, expected_cost, ready
from kernel.covers.dimensions import pixels
from kernel.covers.expectation import Expectation
from kernel.covers.models import Generation
from kernel.covers.orders import (
    Variant,
    after_pictures,
    cover_ids,
    digest_of,
    uploads_of,
    variants_of,
    wish_of,
    words_of,
)
from kernel.covers.references import ReferenceService, count_faults
from kernel.covers.schemas import GenerateCoverIn
from kernel.covers.views import search_key
from kernel.pictures.store import FileRef
from kernel.pictures.uploads import refuse
from kernel.plans.service import Plan, PlanService
from kernel.providers import Registry
from kernel.providers.operation.budgets import Budgets
from kernel.site.prompts import MAX_CHARS, clean, length_fault, render
from kernel.site.service import SettingService
from kernel.spi import Size
from kernel.themes.service import ThemeFacts, ThemeService, in_colors

OPEN_STATES: Final = ("queued", "running")
QUEUE_RETRY_S: Final = 30.0


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
    theme: ThemeFacts | None
    style: str | None
    composed: str


class Accepted(msgspec.Struct, frozen=True, kw_only=True):
    """The stored jobs, `id` is the first; `replayed` when the key had been seen before with the same request."""

    ids: tuple[UUID, ...]
    replayed: bool

    @property
    def id(self) -> UUID:
        """The first job's id."""
        return self.ids[0]


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
        """Store one job for each variant and reserve their units, or return the jobs that this key already made.

        All are accepted or none. `is_pro` None is the operator at the shell, whom no plan limits.
        Raises InvalidFields, TooLarge, WrongType, LimitReached, TooMany, NoProvider, Unsupported, OverBudget, Absent
        (somebody else's theme or cover), IdempotencyConflict, and SignedOut when the account went away meanwhile.
        """
        check_key(key)
        digest = await asyncio.to_thread(digest_of, request) if after_pictures(request) else digest_of(request)
        if known := await self._by_key(user_id, key, digest):
            return known
        wish = wish_of(request)
        faults = choice_faults(self._registry, wish)
        fit = [] if faults else self._fit(wish)
        uploads = await self._references.read_uploads(uploads_of(request))
        async with self._database.read() as connection:
            filled = await self._fill(connection, user_id, request, faults, uploads.faults)
            if is_pro is not None:
                one = [expected_cost(instance.capabilities, filled.size, wish) for instance in fit]
                costs = [None if cost is None else cost * request.count for cost in one]
                await self._budgets.refuse_over_budget(connection, user_id, costs)
            covers = await self._references.find_covers(connection, user_id, cover_ids(request))
            expected_ms = (await self._expectation.milliseconds(connection, fit[:1]))[fit[0].id]
        forms = [*await self._references.read_covers(covers), *uploads.forms]
        variants = variants_of(request)
        refs: dict[UUID, list[FileRef]] = {}
        try:
            for variant in variants if forms else ():  # each has its own: they go when their job has ended
                refs[variant.id] = await self._references.put(variant.id, forms)
            faultpoint("references_stored")
            values = {"request_hash": digest, "language": language, "expected_ms": expected_ms}
            await self._store(user_id, is_pro, request, filled, refs, variants, key, values)
        except BaseException as error:
            await self._references.discard([ref for stored in refs.values() for ref in stored])
            if isinstance(error, IntegrityError) and (known := await self._by_key(user_id, key, digest)):
                return known
            raise
        faultpoint("accepted")
        return Accepted(ids=tuple(variant.id for variant in variants), replayed=False)

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
            first = await made_before(connection, query, digest)
            if first is None:
                return None
            others = select(Generation.id).where(Generation.batch_id == first, Generation.id != first)
            ids = (first, *(await connection.execute(others.order_by(Generation.id))).scalars())
        return Accepted(ids=ids, replayed=True)

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
        standard = await self._settings.prompt(reader, "standard_prompt")
        themed = await self._settings.prompt(reader, "theme_prompt")
        own_style, usual_style = None, ""
        if with_pictures := after_pictures(request):
            own_style = clean(with_pictures.theme_style_prompt) or None
            usual_style = themed.defaults.theme_style_prompt
            found |= count_faults(with_pictures.reference_image_ids, with_pictures.uploaded_images)
        setting = themed if request.theme_id or own_style or usual_style else standard
        words = words_of(request, setting.defaults)
        found |= {name: fault for name, text in words.items() if (fault := length_fault(text, MAX_CHARS[name]))}
        if not words["prompt"]:
            found["prompt"] = Objection("no_prompt", "Please describe your book cover before generating.")
        refuse(uploads, found)
        assert size is not None
        theme = await self._themes.get(reader, user_id, request.theme_id) if request.theme_id else None
        style = own_style or (theme.style_prompt if theme else usual_style)
        values = words | {
            "themeStylePrompt": in_colors(style, theme.colors) if theme else style,
            "referenceImagePrompt": themed.defaults.reference_image_prompt,
        }
        composed = render(setting.template, values, has_references=with_pictures is not None)
        return Filled(size=size, theme=theme, style=own_style, composed=composed, **words)

    async def _store(
        self,
        user_id: int,
        is_pro: bool | None,
        request: GenerateCoverIn,
        filled: Filled,
        refs: dict[UUID, list[FileRef]],
        variants: Sequence[Variant],
        key: str | None,
        values: dict[str, Any],
    ) -> None:
        moment = clock.now()
        rules = self._config.generation
        common = values | {
            "user_id": user_id,
            "batch_id": variants[0].id,
            "prompt": filled.prompt,
            "title": filled.title,
            "author": filled.author,
            "genre": filled.genre,
            "search_key": search_key(filled.prompt, filled.title, filled.author),
            "dimensions": request.dimensions,
            "width": filled.size.width,
            "height": filled.size.height,
            "theme_id": filled.theme.id if filled.theme else None,
            "composed_prompt": filled.composed,
            "style_prompt": filled.style,
            "reference_count": len(refs.get(variants[0].id, ())),
            "reference_covers": list(cover_ids(request)),
            "requested_instance": request.instance_id,
            "requested_model": request.model,
            "state": "queued",
            "attempts": 0,
            "fence": 0,
            "run_after": moment,
            "deadline": moment + timedelta(seconds=rules.deadline_s),
            "phase": "queued",
            "created_at": moment,
        }
        ids = [variant.id for variant in variants]
        rows = [common | {"id": variant.id, "seed": variant.seed, "idempotency_key": None} for variant in variants]
        rows[0]["idempotency_key"] = key
        async with self._database.write() as session:
            await keep_account(session, user_id)
            limits = await self._plans.limits(session)
            plan = Plan(is_pro, limits) if is_pro is not None else None
            if filled.theme:
                await self._themes.hold(session, user_id, filled.theme.id)
            # The rows first: who repeats a key waits for its unique index here, holding no counter others wait for.
            await session.execute(insert(Generation), rows)
            for generation_id, stored in refs.items():
                await self._references.record(session, generation_id, stored)
            await self._plans.reserve(session, user_id=user_id, plan=plan, generation_ids=ids, moment=moment)
            await self._refuse_crowds(session, user_id)
            if filled.theme:
                await self._themes.count_use(session, filled.theme.id, times=len(ids))
            faultpoint("before_accept_commit")

    async def _refuse_crowds(self, session: AsyncSession, user_id: int) -> None:
        """Raise TooMany for a user with enough open jobs, NoProvider when the queue is full; the new ones count."""
        rules = self._config.generation
        mine = select(func.count()).where(Generation.user_id == user_id, Generation.state.in_(OPEN_STATES))
        if (await session.execute(mine)).scalar_one() > rules.in_flight_per_user:
            raise TooMany(
                "Please wait until one of your covers is finished.", code="too_many_in_flight", retry_after=5.0
            )
        waiting = select(func.count()).where(Generation.state == "queued")
        if (await session.execute(waiting)).scalar_one() > rules.queue_limit:
            raise NoProvider("Too many covers are waiting just now. Please try again soon.", retry_after=QUEUE_RETRY_S)
