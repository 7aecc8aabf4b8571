"""The gallery: listing, searching, ordering, pages, stars, and the bin."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.person import Person, fault, next_page
from tests.product import PASSWORD, Product
from tests.shelf import generation_of, shelve
from tests.support.files import files_below
from tests.support.processes import wait_until

FIELDS = {
    "id",
    "title",
    "author",
    "genre",
    "subtitle",
    "series",
    "number",
    "tagline",
    "imageUrl",
    "previewUrl",
    "thumbnailUrl",
    "width",
    "height",
    "tint",
    "placeholder",
    "themeId",
    "starred",
    "createdAt",
    "deletedAt",
}
TITLES = ["Dune", "anna karenina", "100% Wool", "a_b", "Émile", "Zorba", "dune messiah", "back\\slash", "Anna", "ÉTÉ"]


@pytest.fixture
def shelf(library: str, ada: Person) -> list[int]:
    """Ada's gallery of ten covers, three of them with a star; their ids, oldest first."""
    return shelve(library, ada.id, TITLES, starred=(0, 3, 7))


def pages(person: Person, path: str) -> Iterator[list[dict[str, Any]]]:
    """Follow a list, page by page, along the `Link` header."""
    following: str | None = path
    while following is not None:
        answer = person.get(following)
        assert answer.status_code == 200, answer.text
        yield answer.json()
        following = next_page(answer)


def listed(person: Person, query: str = "") -> list[dict[str, Any]]:
    """Return all covers of a list."""
    return [cover for page in pages(person, f"/api/covers{query}") for cover in page]


def titles(person: Person, query: str = "") -> list[str]:
    """Return the titles of a list, in order."""
    return [cover["title"] for cover in listed(person, query)]


def test_without_parameters_it_is_a_plain_list_newest_first(ada: Person, shelf: list[int]) -> None:
    covers = ada.get("/api/covers").json()
    assert [cover["id"] for cover in covers] == shelf[::-1]
    assert all(set(cover) == FIELDS for cover in covers)
    assert ada.get("/api/covers").headers["cache-control"] == "no-store"


def test_everybody_sees_their_own_covers_only(ada: Person, bob: Person, visitor: Person, shelf: list[int]) -> None:
    assert bob.get("/api/covers").json() == []
    assert visitor.get("/api/covers").status_code == 401
    for call in (bob.get, bob.delete):
        assert call(f"/api/covers/{shelf[0]}").status_code == 404
    assert bob.patch(f"/api/covers/{shelf[0]}", json={"title": "mine"}).status_code == 404
    assert len(listed(ada)) == 10


@pytest.mark.parametrize("sort", ["newest", "oldest", "title", "starred"])
@pytest.mark.parametrize("limit", [1, 3, 7])
def test_pages_neither_repeat_nor_lose_a_cover(ada: Person, shelf: list[int], sort: str, limit: int) -> None:
    whole = [cover["id"] for cover in listed(ada, f"?sort={sort}")]
    assert sorted(whole) == shelf
    paged = list(pages(ada, f"/api/covers?sort={sort}&limit={limit}"))
    assert [cover["id"] for page in paged for cover in page] == whole
    assert all(len(page) == limit for page in paged[:-1])


def test_orders(ada: Person, shelf: list[int]) -> None:
    assert [cover["id"] for cover in listed(ada, "?sort=oldest")] == shelf
    stars = [cover["starred"] for cover in listed(ada, "?sort=starred")]
    assert stars == [True] * 3 + [False] * 7
    by_title = titles(ada, "?sort=title")
    latin = [title.lower() for title in by_title if title.isascii()]
    assert latin == sorted(latin)


def test_new_covers_do_not_disturb_pagination(library: str, ada: Person) -> None:
    old = shelve(library, ada.id, [f"old {number}" for number in range(9)])
    seen = []
    for page in pages(ada, "/api/covers?limit=3"):
        seen += [cover["id"] for cover in page]
        shelve(library, ada.id, ["new"])
    assert seen == old[::-1]


def test_the_link_header_keeps_the_question(ada: Person, shelf: list[int]) -> None:
    answer = ada.get("/api/covers?sort=title&limit=2&search=a")
    following = next_page(answer)
    assert following is not None and "sort=title" in following and "limit=2" in following and "search=a" in following
    assert "link" not in ada.get("/api/covers?limit=10").headers, "the last page has no next"


@pytest.mark.parametrize(
    ("search", "found"),
    [
        ("dune", {"Dune", "dune messiah"}),
        ("ANNA", {"anna karenina", "Anna"}),
        ("100%", {"100% Wool"}),
        ("%", {"100% Wool"}),
        ("_", {"a_b"}),
        ("\\", {"back\\slash"}),
        ("' OR 1=1--", set()),
        ("éMILE", {"Émile"}),
    ],
)
def test_search_finds_titles_literally_in_any_case(ada: Person, shelf: list[int], search: str, found: set[str]) -> None:
    answer = ada.get("/api/covers", params={"search": search})
    assert {cover["title"] for cover in answer.json()} == found


def test_search_finds_words_of_the_prompt_in_any_case(ada: Person) -> None:
    heron = ada.cover(prompt="A HERON on the marsh, Étude in blue", title="Saltmarsh")
    ada.cover(prompt="a lighthouse", title="Heronry")
    assert {cover["title"] for cover in listed(ada, "?search=heron")} == {"Saltmarsh", "Heronry"}
    assert titles(ada, "?search=étude") == ["Saltmarsh"]
    ada.patch(f"/api/covers/{heron['id']}", json={"title": "Kiln"})
    assert titles(ada, "?search=marsh") == ["Kiln"], "the prompt stays"
    assert titles(ada, "?search=saltmarsh") == [], "the old title does not"


def test_the_gallery_is_narrowed_by_genre_format_service_and_day(ada: Person, bob: Person) -> None:
    tall = ada.cover(prompt="a", title="Tall", genre="Mystery", dimensions="1024x1792")
    ada.cover(prompt="b", title="Wide", genre="Poetry", dimensions="8x8")
    bob.cover(prompt="c", genre="Western")
    gone = ada.cover(prompt="d", title="Gone", genre="Horror")
    ada.delete(f"/api/covers/{gone['id']}")
    facets = ada.get("/api/covers/facets").json()
    assert facets["genres"] == ["Mystery", "Poetry"] and facets["dimensions"] == ["8x8", "1024x1792"]
    (service,) = facets["providers"]
    assert titles(ada, "?genre=Poetry") == ["Wide"] and titles(ada, "?genre=Poet") == []
    assert titles(ada, "?dimensions=1024x1792") == ["Tall"]
    assert titles(ada, f"?provider={service}&genre=Mystery&search=tall") == ["Tall"]
    assert titles(ada, "?provider=nobody") == []
    made = tall["createdAt"][:10]
    assert titles(ada, f"?since={made}") == ["Wide", "Tall"] and titles(ada, "?since=2999-01-01") == []
    pages_of_one = [
        cover["title"] for page in pages(ada, f"/api/covers?limit=1&since={made}&provider={service}") for cover in page
    ]
    assert pages_of_one == ["Wide", "Tall"]


def test_only_starred_or_only_others(ada: Person, shelf: list[int]) -> None:
    assert set(titles(ada, "?starred=true")) == {"Dune", "a_b", "back\\slash"}
    assert len(titles(ada, "?starred=false")) == 7


def test_covers_of_a_theme_and_of_none(ada: Person) -> None:
    theme = ada.post("/api/themes", json={"name": "Series", "stylePrompt": "woodcut"}).json()
    inside, outside = ada.cover(themeId=theme["id"]), ada.cover()
    assert [cover["id"] for cover in listed(ada, f"?theme={theme['id']}")] == [inside["id"]]
    assert [cover["id"] for cover in listed(ada, "?theme=0")] == [outside["id"]]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"),
        ("limit=101", "limit"),
        ("limit=x", "limit"),
        ("sort=password", "sort"),
        ("sort=title;drop", "sort"),
        ("starred=perhaps", "starred"),
        ("theme=-1", "theme"),
        ("theme=9999999999999999999", "theme"),
        ("search=" + "x" * 101, "search"),
        ("genre=" + "x" * 51, "genre"),
        ("dimensions=7x7", "dimensions"),
        ("since=yesterday", "since"),
        ("cursor=%FF%FE", "cursor"),
        ("cursor=!!!", "cursor"),
        ("cursor=" + base64.urlsafe_b64encode(b"-5").decode(), "cursor"),
        ("cursor=" + base64.urlsafe_b64encode(b"9" * 40).decode(), "cursor"),
        ("cursor=" + base64.urlsafe_b64encode("٣".encode()).decode(), "cursor"),
        ("sort=title&cursor=" + base64.urlsafe_b64encode(b"7").decode(), "cursor"),
        ("sort=starred&cursor=" + base64.urlsafe_b64encode(b"maybe\x1f7").decode().rstrip("="), "cursor"),
    ],
)
def test_questions_that_make_no_sense_are_refused(ada: Person, query: str, field: str) -> None:
    answer = ada.get(f"/api/covers?{query}")
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {field}


def test_the_greatest_limit_is_a_hundred(library: str, ada: Person) -> None:
    shelve(library, ada.id, [f"{number}" for number in range(105)])
    first = ada.get("/api/covers")
    assert len(first.json()) == 100
    assert len(ada.get(next_page(first) or "").json()) == 5


def test_title_and_star_can_be_changed(ada: Person, shelf: list[int]) -> None:
    path = f"/api/covers/{shelf[4]}"
    assert ada.patch(path, json={"starred": True}).json()["title"] == "Émile"
    changed = ada.patch(path, json={"title": " Emil "}).json()
    assert (changed["title"], changed["starred"]) == ("Emil", True)
    assert ada.get(path).json() == changed
    assert ada.patch(path, json={}).json() == changed


def test_changes_that_make_no_sense_are_refused_together(ada: Person, shelf: list[int]) -> None:
    answer = ada.patch(f"/api/covers/{shelf[0]}", json={"title": "x" * 101, "starred": "yes", "userId": 1})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"title", "starred", "userId"}


def test_a_deleted_cover_can_be_brought_back(ada: Person) -> None:
    cover = ada.cover()
    path = f"/api/covers/{cover['id']}"
    assert ada.delete(path).status_code == 204
    assert ada.get("/api/covers").json() == []
    assert ada.get(path).status_code == 404
    assert ada.patch(path, json={"starred": True}).status_code == 404
    assert ada.delete(path).status_code == 404
    assert ada.post(f"{path}/restore").json() == cover
    assert ada.get("/api/covers").json() == [cover]
    assert ada.post(f"{path}/restore").json() == cover, "what is not in the bin stays as it is"


def test_the_bin_is_emptied_after_thirty_days_and_not_before(product: Product, ada: Person, bob: Person) -> None:
    kept, gone = ada.cover(), bob.cover()

    def files(cover: dict[str, Any]) -> list[Path]:
        generation_id = str(generation_of(product.sqlalchemy_url, cover["id"]))
        return files_below(product.data, generation_id)

    gone_files, kept_files = files(gone), files(kept)
    assert len(gone_files) == len(kept_files) == 3
    assert bob.delete(f"/api/covers/{gone['id']}").status_code == 204
    with product.later(days=29):
        again = product.visitor()
        again.sign_in(ada.user["email"], PASSWORD)
        again.delete(f"/api/covers/{kept['id']}")
        product.advance(2 * 86_400)
        product.pause_worker()
        product.resume_worker()
        again.cover()
        product.advance(120)
        wait_until(lambda: not any(path.exists() for path in gone_files), "an empty bin", 30)
        assert all(path.exists() for path in kept_files)
    assert bob.post(f"/api/covers/{gone['id']}/restore").status_code == 404
    assert bob.get(gone["imageUrl"]).status_code == 404
    assert ada.post(f"/api/covers/{kept['id']}/restore").json() == kept
    assert ada.get(kept["imageUrl"]).status_code == 200
