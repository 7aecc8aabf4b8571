"""Accepting a generation: everything is checked, one unit reserved and the job stored, in one transaction."""

import hashlib
import secrets
from datetime import timedelta
from typing import Final
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
from kernel.covers.dimensions import pixels
from kernel.covers.expectation import Expectation
from kernel.covers.models import Generation
from kernel.covers.schemas import GenerateCoverIn
from kernel.plans.service import Plan, PlanService
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


class Filled(msgspec.Struct, frozen=True, kw_only=True):
    """A request after defaults: what will really be made."""

    prompt: str
    title: str
    author: str
    genre: str
    size: Size
    theme: ThemeOut | None
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
        plans: PlanService,
        settings: SettingService,
        themes: ThemeService,
        expectation: Expectation,
    ) -> None:
        self._config = config
        self._database = database
        self._plans = plans
        self._settings = settings
        self._themes = themes
        self._expectation = expectation

    async def accept(
        self, user_id: int, request: GenerateCoverIn, *, is_pro: bool | None, key: str | None, language: str
    ) -> Accepted:
        """Store the job and reserve its unit, or return the job that this key already made.

        `is_pro` None is the operator at the shell, whom no plan limits.
        Raises InvalidFields, LimitReached, TooMany, NoProvider, Absent (somebody else's theme) and IdempotencyConflict.
        """
        if key is not None and not 0 < len(key) <= MAX_KEY_CHARS:
            raise InvalidFields({"Idempotency-Key": f"Must be 1 to {MAX_KEY_CHARS} characters long."})
        digest = hashlib.sha256(msgspec.json.encode(request)).hexdigest()
        if known := await self._by_key(user_id, key, digest):
            return known
        async with self._database.read() as connection:
            filled = await self._fill(connection, user_id, request)
            expected_ms = await self._expectation.milliseconds(connection)
        if expected_ms is None:
            raise NoProvider("Generation is paused at the moment. Please come back a little later.", retry_after=60.0)
        try:
            generation_id = await self._store(user_id, is_pro, request, filled, key, digest, language, expected_ms)
        except IntegrityError:
            if known := await self._by_key(user_id, key, digest):
                return known
            raise
        faultpoint("accepted")
        return Accepted(id=generation_id, replayed=False)

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

    async def _fill(self, reader: AsyncConnection, user_id: int, request: GenerateCoverIn) -> Filled:
        """Apply theme, defaults and template. Raises InvalidFields and Absent."""
        size = pixels(request.dimensions, request.custom_width, request.custom_height)
        theme = await self._themes.get(reader, user_id, request.theme_id) if request.theme_id else None
        standard = await self._settings.get(reader, "standard_prompt")
        setting = await self._settings.get(reader, "theme_prompt") if theme else standard
        words = _words(request, standard.default_values)
        if not words["prompt"]:
            raise InvalidFields({"prompt": "Please describe your book cover before generating."})
        style = (theme.style_prompt if theme else "") or setting.default_values.theme_style_prompt
        reference = setting.default_values.reference_image_prompt
        values = words | {"themeStylePrompt": style, "referenceImagePrompt": reference}
        composed = render(setting.prompt_template or "", values, has_references=False)
        return Filled(size=size, theme=theme, composed=composed, **words)

    async def _store(
        self,
        user_id: int,
        is_pro: bool | None,
        request: GenerateCoverIn,
        filled: Filled,
        key: str | None,
        digest: str,
        language: str,
        expected_ms: int,
    ) -> UUID:
        moment = clock.now()
        generation_id = new_uuid()
        rules = self._config.generation
        async with self._database.write() as session:
            limits = await self._plans.limits(session)
            plan = Plan(is_pro, limits) if is_pro is not None else None
            # The row first: who repeats a key waits for its unique index here, holding no counter that others wait for.
            await session.execute(
                insert(Generation).values(
                    id=generation_id,
                    user_id=user_id,
                    idempotency_key=key,
                    request_hash=digest,
                    prompt=filled.prompt,
                    title=filled.title,
                    author=filled.author,
                    genre=filled.genre,
                    dimensions=request.dimensions,
                    width=filled.size.width,
                    height=filled.size.height,
                    theme_id=filled.theme.id if filled.theme else None,
                    language=language,
                    seed=secrets.randbits(SEED_BITS),
                    composed_prompt=filled.composed,
                    state="queued",
                    attempts=0,
                    fence=0,
                    run_after=moment,
                    deadline=moment + timedelta(seconds=rules.deadline_s),
                    phase="queued",
                    expected_ms=expected_ms,
                    created_at=moment,
                )
            )
            await self._plans.reserve(session, user_id=user_id, plan=plan, generation_id=generation_id, moment=moment)
            await self._refuse_crowds(session, user_id)
            if filled.theme:
                await self._themes.count_use(session, filled.theme.id)
            faultpoint("before_accept_commit")
        return generation_id

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
