"""Covers in themes: what a theme shows of them, adding and removing them, and themes made from a cover."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text, update

from kernel.core.data.database import Database
from kernel.covers.models import Generation
from tests.person import Person, fault, next_page
from tests.product import Product
from tests.shelf import shelve

STUB_STYLE = "flat field of color"


def made(person: Person, **fields: Any) -> dict[str, Any]:
    """Make a theme and return it."""
    answer = person.post("/api/themes", json={"name": "Harbours", "stylePrompt": "linocut, two inks"} | fields)
    assert answer.status_code == 201, answer.text
    theme: dict[str, Any] = answer.json()
    return theme


def shown(person: Person, theme: dict[str, Any]) -> dict[str, Any]:
    """Return the theme as it is now, by itself and in the list alike."""
    alone: dict[str, Any] = person.get(f"/api/themes/{theme['id']}").json()
    assert alone in person.get("/api/themes").json()
    return alone


@pytest.fixture
def shelf(library: str, ada: Person) -> list[int]:
    """Ada's gallery of six covers without files; their ids, oldest first."""
    return shelve(library, ada.id, [f"{number}" for number in range(6)])


def test_a_cover_made_with_a_theme_belongs_to_it(ada: Person) -> None:
    theme = made(ada)
    cover = ada.cover(themeId=theme["id"])
    now = shown(ada, theme)
    assert now["coverCount"] == 1 and now["usageCount"] == 1
    wanted = {name: cover[name] for name in ("id", "thumbnailUrl", "width", "height", "tint", "placeholder")}
    assert now["covers"] == [wanted]
    assert ada.get(now["covers"][0]["thumbnailUrl"]).headers["content-type"] == "image/webp"
    assert ada.get(f"/api/themes/{theme['id']}/covers").json() == [cover]


def test_a_theme_shows_its_four_newest_covers_and_counts_all(ada: Person, shelf: list[int]) -> None:
    theme, other = made(ada), made(ada, name="Other")
    for cover in shelf:
        answer = ada.post(f"/api/covers/{cover}/theme", json={"themeId": theme["id"]})
        assert answer.status_code == 200 and answer.json()["themeId"] == theme["id"]
    ada.post(f"/api/covers/{shelf[2]}/theme", json={"themeId": other["id"]})
    now = shown(ada, theme)
    assert [cover["id"] for cover in now["covers"]] == [shelf[place] for place in (5, 4, 3, 1)]
    assert now["coverCount"] == 5 and shown(ada, other)["coverCount"] == 1


def test_covers_in_the_bin_are_not_in_their_theme_until_they_come_back(ada: Person, shelf: list[int]) -> None:
    theme = made(ada)
    for cover in shelf[:2]:
        ada.post(f"/api/covers/{cover}/theme", json={"themeId": theme["id"]})
    ada.delete(f"/api/covers/{shelf[1]}")
    assert [cover["id"] for cover in shown(ada, theme)["covers"]] == [shelf[0]]
    assert [cover["id"] for cover in ada.get(f"/api/themes/{theme['id']}/covers").json()] == [shelf[0]]
    ada.post(f"/api/covers/{shelf[1]}/restore")
    assert shown(ada, theme)["coverCount"] == 2


def test_a_cover_is_taken_out_of_its_theme_and_stays_in_the_gallery(ada: Person, shelf: list[int]) -> None:
    theme = made(ada)
    ada.post(f"/api/covers/{shelf[0]}/theme", json={"themeId": theme["id"]})
    for _ in range(2):
        answer = ada.delete(f"/api/covers/{shelf[0]}/theme")
        assert answer.status_code == 200 and answer.json()["themeId"] is None
    assert shown(ada, theme) == theme
    assert shelf[0] in [cover["id"] for cover in ada.get("/api/covers").json()]


def test_covers_of_a_theme_are_listed_newest_first_page_by_page(ada: Person, shelf: list[int]) -> None:
    theme = made(ada)
    for cover in shelf[:5]:
        ada.post(f"/api/covers/{cover}/theme", json={"themeId": theme["id"]})
    seen, following = [], f"/api/themes/{theme['id']}/covers?limit=2"
    while following:
        answer = ada.get(following)
        seen += [cover["id"] for cover in answer.json()]
        following = next_page(answer) or ""
    assert seen == shelf[:5][::-1]


def test_the_last_page_of_themes_has_no_next_one(ada: Person) -> None:
    for number in range(2):
        made(ada, name=f"{number}")
    assert next_page(ada.get("/api/themes?limit=2")) is None
    assert next_page(ada.get("/api/themes?limit=1")) is not None


def test_neither_themes_nor_covers_of_others_can_be_put_together(ada: Person, bob: Person, shelf: list[int]) -> None:
    mine, theirs = made(ada), made(bob)
    assert ada.post(f"/api/covers/{shelf[0]}/theme", json={"themeId": theirs["id"]}).status_code == 404
    assert bob.post(f"/api/covers/{shelf[0]}/theme", json={"themeId": theirs["id"]}).status_code == 404
    assert bob.delete(f"/api/covers/{shelf[0]}/theme").status_code == 404
    assert bob.get(f"/api/themes/{mine['id']}/covers").status_code == 404
    assert ada.get(f"/api/covers/{shelf[0]}").json()["themeId"] is None
    assert bob.get(f"/api/themes/{theirs['id']}").json() == theirs


def test_a_cover_in_the_bin_is_put_into_no_theme(ada: Person, shelf: list[int]) -> None:
    theme = made(ada)
    ada.delete(f"/api/covers/{shelf[0]}")
    assert ada.post(f"/api/covers/{shelf[0]}/theme", json={"themeId": theme["id"]}).status_code == 404
    assert ada.delete(f"/api/covers/{shelf[0]}/theme").status_code == 404


def test_a_theme_that_goes_at_the_same_moment_takes_no_cover_and_breaks_nothing(ada: Person, shelf: list[int]) -> None:
    for _ in range(12):
        theme = made(ada)["id"]
        with ThreadPoolExecutor(3) as pool:
            calls = [
                pool.submit(ada.post, f"/api/covers/{shelf[0]}/theme", json={"themeId": theme}),
                pool.submit(ada.delete, f"/api/themes/{theme}"),
                pool.submit(ada.post, "/api/covers/bulk", json={"ids": shelf, "action": "theme", "themeId": theme}),
            ]
        put, gone, many = (call.result().status_code for call in calls)
        assert gone == 204 and put in (200, 404) and many in (200, 404)
    assert {cover["themeId"] for cover in ada.get("/api/covers").json()} == {None}


@pytest.mark.anyio
async def test_a_theme_is_deleted_and_a_cover_of_it_finished_at_the_same_moment(product: Product, ada: Person) -> None:
    theme = made(ada)["id"]
    product.stub.holds()
    job = ada.generate(themeId=theme, title=ada.user["email"])
    product.stub.called(ada.user["email"])
    database = Database(product.sqlalchemy_url, pool_size=1)
    try:
        async with (
            database.write() as settling
        ):  # as a worker does at the end: first the job, then the rows it refers to
            await settling.execute(update(Generation).where(Generation.id == UUID(job)).values(phase="saving"))
            deletion = asyncio.create_task(asyncio.to_thread(ada.delete, f"/api/themes/{theme}"))
            if not database.sqlite:
                waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
                async with asyncio.timeout(30):
                    while not (await settling.execute(waiting)).scalar_one():
                        await asyncio.sleep(0)
                await settling.execute(text(f"SELECT id FROM theme WHERE id = {theme} FOR KEY SHARE"))
        assert (await deletion).status_code == 204
    finally:
        await database.aclose()
    product.stub.releases()
    assert ada.finished(job)["result"]["themeId"] is None


@pytest.mark.parametrize("body", [{}, {"themeId": None}, {"themeId": "1"}, {"themeId": 0}, {"themeId": 2**53}])
def test_a_theme_is_named_by_its_number(ada: Person, shelf: list[int], body: dict[str, Any]) -> None:
    answer = ada.post(f"/api/covers/{shelf[0]}/theme", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"themeId"}


def test_a_theme_after_a_cover_takes_its_colors_and_style_and_not_its_story(ada: Person) -> None:
    cover = ada.cover(title="The Light", prompt="a lighthouse in a storm", genre="mystery")
    answer = ada.post("/api/themes/from-cover", json={"coverId": cover["id"], "themeName": "  Lights "})
    assert answer.status_code == 201, answer.text
    theme = answer.json()
    assert theme["name"] == "Lights" and theme["description"] is None
    assert STUB_STYLE in theme["stylePrompt"].lower() and "mystery" in theme["stylePrompt"].lower()
    assert "light" not in theme["stylePrompt"].lower() and "storm" not in theme["stylePrompt"].lower()
    assert len(set(theme["colors"])) == 4
    assert near(cover["tint"], theme["colors"]), "the one color of the picture is among them"
    assert [one["id"] for one in theme["covers"]] == [cover["id"]] and theme["coverCount"] == 1
    assert theme["usageCount"] == 0
    assert ada.get(f"/api/covers/{cover['id']}").json()["themeId"] == theme["id"]
    assert ada.get(f"/api/themes/{theme['id']}").json() == theme


def near(wanted: str, colors: list[str]) -> bool:
    """Return whether one of the colors is close to the wanted one."""

    def parts(color: str) -> list[int]:
        return [int(color[place : place + 2], 16) for place in (1, 3, 5)]

    return any(all(abs(a - b) <= 6 for a, b in zip(parts(wanted), parts(one), strict=True)) for one in colors)


def test_a_theme_after_a_cover_of_a_theme_has_its_style(ada: Person) -> None:
    theme = made(ada)
    cover = ada.cover(themeId=theme["id"])
    after = ada.post("/api/themes/from-cover", json={"coverId": cover["id"], "themeName": "Second"}).json()
    assert after["stylePrompt"] == "linocut, two inks"
    assert shown(ada, theme)["coverCount"] == 0, "a cover belongs to one theme"


@pytest.mark.parametrize("name", ["", "  "])
def test_a_theme_after_a_cover_needs_a_name(ada: Person, name: str) -> None:
    cover = ada.cover()
    answer = ada.post("/api/themes/from-cover", json={"coverId": cover["id"], "themeName": name})
    assert answer.status_code == 422 and fault(answer)["fields"] == {"themeName": "Theme name is required"}
    assert ada.get("/api/themes").json() == []


def test_the_second_book_of_a_series_is_not_told_to_show_the_first(product: Product, ada: Person) -> None:
    cover = ada.cover(title="The Light", prompt="a lighthouse in a storm")
    theme = ada.post("/api/themes/from-cover", json={"coverId": cover["id"], "themeName": "Lights"}).json()
    title = f"Second {uuid4().hex}"
    ada.cover(title=title, prompt="two foxes at night", themeId=theme["id"])
    prompt = product.stub.calls(title)[0]["prompt"].lower()
    assert "two foxes at night" in prompt and STUB_STYLE in prompt
    assert "lighthouse" not in prompt and "the light" not in prompt


def test_no_theme_is_made_after_a_cover_that_is_not_there(ada: Person, bob: Person) -> None:
    cover, binned = bob.cover(), ada.cover()
    ada.delete(f"/api/covers/{binned['id']}")
    for number in (cover["id"], binned["id"], 2**53 - 1):
        answer = ada.post("/api/themes/from-cover", json={"coverId": number, "themeName": "Mine"})
        assert answer.status_code == 404
    assert ada.get("/api/themes").json() == []


def test_style_and_colors_of_a_theme_reach_the_image_service(product: Product, ada: Person) -> None:
    theme = made(ada, colors=["#0B1F2A", "#FF6F61"], stylePrompt="linocut, two inks.")
    title = f"Themed {uuid4().hex}"
    ada.cover(title=title, themeId=theme["id"])
    prompt = product.stub.calls(title)[0]["prompt"]
    assert "linocut, two inks. Palette of the series: #0B1F2A, #FF6F61." in prompt
