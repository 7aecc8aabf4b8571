"""How many queries a call may make, the look-up of the session included, however much there is to show."""

import asyncio
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import update

from kernel.accounts.models import User
from kernel.core.config import load_config
from kernel.core.data.database import Database
from tests.api.test_access import ROUTES
from tests.product import PASSWORD
from tests.shelf import shelve
from tests.support.served import served
from tests.support.statements import statements

pytestmark = pytest.mark.anyio

USUAL: Final = 2
"""One for the session, one for what was asked."""

KEPT: Final = (
    "/",
    "/api/branding",
    "/api/carousel",
    "/api/plan-limits",
    "/api/public-links",
    "/api/site-stats",
    "/docs",
    "/healthz",
)
"""What is kept encoded in the process makes none."""

BUDGETS: Final[dict[str, int]] = {
    **dict.fromkeys((*KEPT, "/api/admin/selected-price"), 0),
    "/api/account/export": 25,
    "/api/account/second-factor": 4,
    "/api/admin/budgets": 4,
    "/api/admin/email/audience": 4,
    "/api/admin/email/campaigns": 3,
    "/api/admin/health": 5,
    "/api/admin/instances": 12,
    "/api/admin/payments/overview": 5,
    "/api/admin/payments/subscriber-prices": 5,
    "/api/admin/public-texts": 3,
    "/api/admin/public-texts/addresses": 3,
    "/api/admin/system": 8,
    "/api/admin/users": 7,
    "/api/admin/users/{user_id}": 7,
    "/api/admin/users/{user_id}/timeline": 9,
    "/api/admin/users/count": 2,
    "/api/admin/users/file": 7,
    "/api/admin/webhooks/last": 3,
    "/api/books": 3,
    "/api/covers/{cover_id}/extensions": 6,
    "/api/covers/{cover_id}/lettering": 7,
    "/api/covers/{cover_id}/provenance": 6,
    "/api/covers/{cover_id}/versions": 7,
    "/api/public-texts": 3,
    "/api/subscription": 3,
    "/api/subscription/confirmation": 4,
    "/api/subscription/prices": 4,
    "/api/themes": 3,
    "/api/themes/{theme_id}": 3,
    "/api/themes/{theme_id}/covers": 3,
    "/api/themes/{theme_id}/next-volume": 4,
    "/api/themes/{theme_id}/series": 6,
    "/api/themes/{theme_id}/shelf": 4,
    "/api/themes/{theme_id}/shelf/drift": 7,
    "/metrics": 8,
}
"""Of those that need another number than the usual one; how they read lists does not depend on their length."""

TRIES: Final = 4
"""What is kept in the process is read first, and looked after again every other second."""

FILES: Final = ("/image", "/download", "/artwork", "/page")
LEFT_OUT: Final = ("/api/login", "/api/logout", "/api/generation-events")
"""They begin or end a session, or end only with what they tell of."""


async def test_no_call_makes_more_queries_than_its_budget(
    database: Database, database_url: str, tmp_path: Path
) -> None:
    env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_ENV": "test", "COVERWRIGHT_DATABASE_URL": database_url}
    async with served(load_config(env)) as client:
        account = {"email": "ada@example.com", "password": PASSWORD}
        user = (await client.post("/api/auth/register", json=account)).json()
        async with database.write() as session:
            await session.execute(update(User).values(is_admin=True))
        covers = await asyncio.to_thread(shelve, database_url, user["id"], [f"{number}" for number in range(60)])
        theme = (await client.post("/api/themes", json={"name": "Tides", "stylePrompt": "linocut"})).json()["id"]
        for cover in covers:
            await client.post(f"/api/covers/{cover}/theme", json={"themeId": theme})
        over = {}
        for route in ROUTES:
            method, template = route.split(" ")
            path = template.format_map(Unknown(cover_id=str(covers[0]), theme_id=str(theme)))
            if method != "GET" or "{" in path or path.startswith(LEFT_OUT) or path.endswith(FILES):
                continue
            budget, made = BUDGETS.get(template, USUAL), [""] * 99
            for _ in range(TRIES):
                if len(made) > budget:
                    with statements() as made:
                        await client.get(path)
            if len(made) > budget:
                over[template] = len(made)
        assert over == {}


class Unknown(dict[str, str]):
    """Leaves a parameter of a path as it is."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"
