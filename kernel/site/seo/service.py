"""Rules of the keywords: one language at a time, each keyword once in it."""

import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import Select, delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from kernel.core import clock
from kernel.core.audit import Actor, audit
from kernel.core.config import Config
from kernel.core.data.database import Database, ReadConnection, changed_rows, insert_into
from kernel.core.errors import Absent, Conflict, InvalidFields
from kernel.core.field_errors import FieldError, FieldFault
from kernel.core.text.casefold_search import fold_case
from kernel.core.text.languages import LANGUAGES, is_language
from kernel.site.prompts import clean
from kernel.site.seo.models import SeoKeyword
from kernel.site.seo.schemas import (
    CATEGORIES,
    PLACEMENTS,
    Category,
    Placement,
    SeoAnalytics,
    SeoContent,
    SeoKeywordIn,
    SeoKeywordOut,
)
from kernel.site.seo.words import head_words

LONGEST: Final = 80
HIGHEST: Final = 5
MOST: Final = 200
"""Maximum number of keywords per language."""
FOLDED_CHARS: Final = 240
INITIAL: Final = Path(__file__).with_name("initial.toml")
UNKNOWN_LANGUAGE: Final = FieldError("unknown_language", "This language is not supported.")
EMPTY: Final = FieldError("no_keyword", "Keyword cannot be empty")
_COLUMNS: Final = tuple(getattr(SeoKeyword, name) for name in SeoKeywordOut.__struct_fields__)


class Rank(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the keywords at one position of the lists have in common."""

    category: Category
    density: int
    priority: int
    placement: Placement


class Initial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The initial keywords: language → as many keywords as there are ranks."""

    ranks: list[Rank]
    keywords: dict[str, list[str]]


@cache
def initial() -> Initial:
    """Return the initial keywords."""
    return msgspec.convert(tomllib.loads(INITIAL.read_text("utf-8")), Initial)


class SeoService:
    """Keeps the keywords."""

    def __init__(self, config: Config, database: Database) -> None:
        self._config = config
        self._database = database

    async def keywords(self, language: str) -> list[SeoKeywordOut]:
        """Return a language's keywords, the most important ones first. Raises InvalidFields."""
        check_language(language)
        query = select(*_COLUMNS).where(SeoKeyword.language == language)
        async with self._database.read() as connection:
            return [SeoKeywordOut(**row._asdict()) for row in await connection.execute(_ranked(query))]

    async def all_in(self, reader: ReadConnection) -> list[SeoKeywordOut]:
        """Return the keywords of all languages, the most important ones first."""
        return [SeoKeywordOut(**row._asdict()) for row in await reader.execute(_ranked(select(*_COLUMNS)))]

    async def content(self, language: str) -> SeoContent:
        """Return what the head of the landing page says in a language. Raises InvalidFields."""
        said = head_words(language, self._config.site.name, await self.keywords(language))
        return SeoContent(
            language=language,
            url=f"{self._config.public_url}/{language}/",
            title=said.title,
            description=said.description,
            keywords=said.keywords,
        )

    async def analytics(self, language: str) -> SeoAnalytics:
        """Count a language's keywords. Raises InvalidFields."""
        found = await self.keywords(language)
        return SeoAnalytics(
            language=language,
            keywords=len(found),
            by_category={name: sum(one.category == name for one in found) for name in CATEGORIES},
            by_placement={name: sum(one.placement == name for one in found) for name in PLACEMENTS},
        )

    async def add(self, wanted: SeoKeywordIn, actor: Actor) -> SeoKeywordOut:
        """Add a keyword. Raises InvalidFields for all that is wrong, and Conflict for one that is there already."""
        async with self._database.write() as session:
            return await _add(session, wanted, actor)

    async def remove(self, keyword_id: int, actor: Actor) -> None:
        """Delete a keyword. Raises Absent."""
        async with self._database.write() as session:
            if not await changed_rows(session, delete(SeoKeyword).where(SeoKeyword.id == keyword_id)):
                raise Absent("This keyword does not exist.")
            _audit(session, "seo.delete_keyword", keyword_id, actor)

    async def initialize(self, language: str | None, actor: Actor) -> int:
        """Add the keywords to begin with, of one language or of all; return how many were not there.

        Raises InvalidFields.
        """
        if language is not None:
            check_language(language)
        ranks = [msgspec.structs.asdict(rank) for rank in initial().ranks]
        created = 0
        async with self._database.write() as session:
            for one in LANGUAGES if language is None else (language,):
                created += len(await _insert(session, one, initial().keywords[one], ranks))
            if created:
                about = f"language:{language}" if language else "languages"
                audit(session, "seo.initialize_keywords", actor_id=actor.id, ip=actor.ip, object=about)
        return created


def check_language(language: str) -> None:
    """Raise InvalidFields for a language that the interface does not have."""
    if not is_language(language):
        raise InvalidFields({"language": UNKNOWN_LANGUAGE})


def tidy(keyword: str) -> str:
    """Return a keyword on one line, without surrounding whitespace; empty when nothing in it is visible."""
    text = " ".join(clean(keyword).split())
    return text if any(unicodedata.category(char)[0] not in "CZ" for char in text) else ""


def _faults(keyword: str, wanted: SeoKeywordIn) -> dict[str, FieldFault]:
    found: dict[str, FieldFault] = {}
    if not keyword:
        found["keyword"] = EMPTY
    elif len(keyword) > LONGEST:
        found["keyword"] = FieldError("too_long", f"Must be at most {LONGEST} long.", {"count": LONGEST})
    for name, number in (("density", wanted.density), ("priority", wanted.priority)):
        if number < 1:
            found[name] = FieldError("too_small", "Must be at least 1.", {"least": 1})
        elif number > HIGHEST:
            found[name] = FieldError("too_big", f"Must be at most {HIGHEST}.", {"most": HIGHEST})
    if not is_language(wanted.language):
        found["language"] = UNKNOWN_LANGUAGE
    return found


def _ranked(query: Select[Any]) -> Select[Any]:
    return query.order_by(SeoKeyword.priority.desc(), SeoKeyword.density.desc(), SeoKeyword.id)


async def _add(session: AsyncSession, wanted: SeoKeywordIn, actor: Actor) -> SeoKeywordOut:
    keyword = tidy(wanted.keyword)
    if found := _faults(keyword, wanted):
        raise InvalidFields(found)
    counted = select(func.count()).where(SeoKeyword.language == wanted.language)
    if (await session.execute(counted)).scalar_one() >= MOST:
        raise Conflict(f"A language has at most {MOST} keywords.", code="keywords_full")
    values = {name: getattr(wanted, name) for name in ("category", "density", "priority", "placement")}
    made = await _insert(session, wanted.language, [keyword], [values])
    if not made:
        raise Conflict("This keyword already exists.", code="keyword_known")
    _audit(session, "seo.add_keyword", made[0], actor)
    query = select(*_COLUMNS).where(SeoKeyword.id == made[0])
    return SeoKeywordOut(**(await session.execute(query)).one()._asdict())


async def _insert(
    session: AsyncSession, language: str, keywords: Sequence[str], values: Sequence[dict[str, Any]]
) -> list[int]:
    """Insert the keywords that the language does not have yet; return their ids."""
    made = []
    for keyword, rank in zip(keywords, values, strict=True):
        row = insert_into(session, SeoKeyword).values(
            keyword=keyword, folded=fold_case(keyword)[:FOLDED_CHARS], language=language, created_at=clock.now(), **rank
        )
        row = row.on_conflict_do_nothing(index_elements=["language", "folded"])
        made.append((await session.execute(row.returning(SeoKeyword.id))).scalar_one_or_none())
    return [one for one in made if one is not None]


def _audit(session: AsyncSession, action: str, keyword_id: int, actor: Actor) -> None:
    audit(session, action, actor_id=actor.id, ip=actor.ip, object=f"keyword:{keyword_id}")
