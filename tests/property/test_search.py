"""Searching finds what holds the searched text, folded, and nothing else: with an index as without, in every script."""

import asyncio
import random
from typing import Final

import pytest
from sqlalchemy import delete, insert, text, update

from kernel.accounts.admin.user_filter import UserFilter
from kernel.accounts.admin.users_service import UserAdminService
from kernel.accounts.invariants import INVARIANTS as OF_ACCOUNTS
from kernel.accounts.models import User
from kernel.accounts.user_summary import PlainUserSummaries
from kernel.core.data import search_index
from kernel.core.data.database import Database
from kernel.core.text.casefold_search import fold
from kernel.covers.cover_read import COVER_SEARCH, GENERATION_SEARCH, text_key
from kernel.covers.gallery.queries import CoverFilter
from kernel.covers.gallery.service import GalleryService
from kernel.covers.history.service import HistoryService
from kernel.covers.invariants import INVARIANTS as OF_COVERS
from kernel.covers.models import Cover
from kernel.covers.schemas import CoverSort
from tests.shelf import shelve

pytestmark = pytest.mark.anyio

TITLES: Final = (
    "The Tide of House 12",
    "tidewater",
    "Die große STRASSE",
    "Полночь в саду",
    "الحديقة السرية",
    "गुप्त बगीचे की कहानी",
    "雪国への夜行列車",
    "红楼梦与西游记",
    "비밀의 정원",
    "100% \"Wool\" AND 'cotton'",
    "a_b\\c* NEAR(d) ^e -f:g",
    "Ｆｕｌｌ ｗｉｄｔｈ ﬁﬂ",
    "🐉🐲🔥 dragon",
    "ab",
    "é",
    "\ue000\ue000\ue001 private",
)
ABSENT: Final = (
    "",
    "nothing",
    "tide\nof",
    "%",
    "__",
    '"',
    "' OR 1=1 --",
    "AND",
    "title_key:",
    "*",
    "x" * 100,
    "ab" * 50,
)
SAMPLES: Final = 6


def searched() -> list[str]:
    """Return parts of the titles of all lengths, some in another case, and terms with signs that mean something."""
    chance = random.Random(7)
    parts = []
    for title in TITLES:
        for _ in range(SAMPLES):
            start = chance.randrange(len(title))
            part = title[start : start + chance.randint(1, 8)]
            parts.append(chance.choice((part, part.upper(), part.lower())))
    return [*parts, *ABSENT]


@pytest.fixture
async def users(database: Database) -> tuple[int, int]:
    """Two users with the same titles, in the reverse order; the search is for those of the first."""
    async with database.write() as session:
        rows = [{"email": f"{name}@example.org", "email_norm": f"{name}@example.org"} for name in ("ada", "bob")]
        ids = list(
            (await session.execute(insert(User).returning(User.id, sort_by_parameter_order=True), rows)).scalars()
        )
    for user_id, titles in zip(ids, (TITLES, TITLES[::-1]), strict=True):
        await asyncio.to_thread(shelve, database.url, user_id, titles)
    return ids[0], ids[1]


@pytest.fixture(params=["few", "many"])
def frequent(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let terms be looked up, and let all but those of one row be too frequent for that."""
    if request.param == "many":
        monkeypatch.setattr(search_index, "MAX_FOUND", 1)


@pytest.mark.usefixtures("frequent")
async def test_covers_and_the_history_are_searched_by_the_plain_rule(
    database: Database, users: tuple[int, int]
) -> None:
    gallery, history = GalleryService(database, None), HistoryService(database, None)  # type: ignore[arg-type]
    orders: tuple[CoverSort, ...] = ("newest", "oldest", "title", "starred")
    for place, part in enumerate(searched()):
        order = orders[place % len(orders)]
        covers, _ = await gallery.page(users[0], CoverFilter(search=part, sort=order))
        wanted = [title for title in TITLES if fold(part) in fold(title)]
        if order == "title":
            wanted.sort(key=lambda title: text_key(title).encode())
        assert [cover.title for cover in covers] == (wanted if order in ("title", "oldest") else wanted[::-1]), part
        lines, _ = await history.page(users[0], search=part, cursor=None, limit=100)
        held = [title for title in TITLES if fold(part) in fold(f"-\n{title}\n")]
        assert [line.title for line in lines] == held[::-1], part


@pytest.mark.usefixtures("frequent")
async def test_users_are_searched_by_the_plain_rule(database: Database) -> None:
    rows = [
        {"email": f"{place}@Example.org", "email_norm": f"{place}", "first_name": title, "last_name": title[:2] or None}
        for place, title in enumerate(TITLES)
    ]
    async with database.write() as session:
        await session.execute(insert(User), rows)
    service = UserAdminService(database, PlainUserSummaries())
    for part in (*searched(), "EXAMPLE", "1@", "AB ab"):
        spaced = fold(" ".join(part.split()))
        wanted = [
            row["email"]
            for row in rows
            if spaced in fold(str(row["email"])) or spaced in fold(f"{row['first_name']} {row['last_name']}")
        ]
        found = await service.page(UserFilter(search=part))
        assert [person.email for person in found] == wanted[::-1], part


async def test_pages_of_a_search_follow_each_other_in_every_order(database: Database, users: tuple[int, int]) -> None:
    gallery = GalleryService(database, None)  # type: ignore[arg-type]
    await asyncio.to_thread(shelve, database.url, users[0], [f"Tide {place % 4}" for place in range(9)], starred=(2, 5))
    async with database.write() as session:
        await session.execute(update(Cover).where(Cover.title == "tidewater").values(deleted_at=Cover.created_at))
    for order in ("newest", "oldest", "title", "starred"):
        whole, _ = await gallery.page(users[0], CoverFilter(search="tide", sort=order))  # type: ignore[arg-type]
        seen, cursor = [], None
        for _ in whole:
            page, cursor = await gallery.page(users[0], CoverFilter(search="tide", sort=order, cursor=cursor, limit=3))  # type: ignore[arg-type]
            seen += page
            if cursor is None:
                break
        assert len(whole) == 10 and [cover.id for cover in seen] == [cover.id for cover in whole]
    binned, _ = await gallery.page(users[0], CoverFilter(search="tide", bin=True))
    assert [cover.title for cover in binned] == ["tidewater"]


async def test_the_index_follows_the_rows_and_the_doctor_sees_when_it_did_not(
    database: Database, users: tuple[int, int]
) -> None:
    gallery = GalleryService(database, None)  # type: ignore[arg-type]

    async def faults() -> list[str]:
        async with database.snapshot() as connection:
            checks = [check for promise, check in {**OF_COVERS, **OF_ACCOUNTS}.items() if "search" in promise]
            assert len(checks) == 2
            return [fault for check in checks for fault in await check(connection)]

    async def found(user_id: int, part: str) -> list[str]:
        return [cover.title for cover in (await gallery.page(user_id, CoverFilter(search=part)))[0]]

    async with database.write() as session:
        renamed = {"title": "Lighthouse", "title_key": text_key("Lighthouse")}
        await session.execute(update(Cover).where(Cover.title == "tidewater").values(**renamed))
        await session.execute(delete(Cover).where(Cover.title == "Полночь в саду"))
    assert await found(users[0], "lightho") == ["Lighthouse"]
    assert await found(users[0], "tidew") == await found(users[0], "полн") == []
    assert await faults() == []
    async with database.write() as session:
        await session.execute(delete(User).where(User.id == users[0]))
    assert await found(users[0], "lightho") == [] and await found(users[1], "lightho") == ["Lighthouse"]
    assert await faults() == []
    async with database.write() as session:
        if database.sqlite:
            await session.execute(text("DELETE FROM cover_search WHERE rowid = (SELECT min(id) FROM cover)"))
            await session.execute(text("UPDATE generation_search SET search_key = 'other' WHERE rowid = 20"))
            await session.execute(text("INSERT INTO user_search (rowid, email_key) VALUES (99, 'gone')"))
        else:
            await session.execute(
                text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_cover_search'::regclass")
            )
            await session.execute(text("UPDATE \"user\" SET name_key = 'else'"))
    broken = await faults()
    assert len(broken) == (3 if database.sqlite else 2), broken


async def test_a_rare_term_is_looked_up_in_the_index(database: Database, users: tuple[int, int]) -> None:
    async with database.scan() as connection:
        for index in (COVER_SEARCH, GENERATION_SEARCH):
            condition = str(await search_index.search_condition(connection, index, "tidewa", owner=users[0]))
            assert ("MATCH" in condition) == database.sqlite
            assert "MATCH" not in str(await search_index.search_condition(connection, index, "ti", owner=users[0]))
