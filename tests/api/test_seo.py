"""Keywords for search engines: administrators maintain them, and the head of the landing page uses them."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any, Final
from uuid import uuid4

import pytest

from kernel.site.seo.crawl import PATHS, crawl
from kernel.site.seo.schemas import CrawlTarget
from tests.person import Person, fault
from tests.product import Product
from tests.support.processes import wait_until

PATH: Final = "/api/admin/seo/keywords"
LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")
PER_LANGUAGE: Final = 6

Add = Callable[..., dict[str, Any]]


@pytest.fixture
def add(admin: Person) -> Iterator[Add]:
    """Add a keyword; all of them are removed afterwards."""
    made: list[int] = []

    def post(**fields: Any) -> dict[str, Any]:
        answer = admin.post(PATH, json={"keyword": uuid4().hex, "language": "en"} | fields)
        assert answer.status_code == 201, answer.text
        keyword: dict[str, Any] = answer.json()
        made.append(keyword["id"])
        return keyword

    yield post
    for keyword_id in made:
        assert admin.delete(f"{PATH}/{keyword_id}").status_code in (204, 404)


@pytest.fixture
def empty(product: Product) -> Iterator[None]:
    """No keyword in any language, before and after."""
    product.sql("DELETE FROM seo_keyword")
    yield
    product.sql("DELETE FROM seo_keyword")


def listed(admin: Person, language: str = "en") -> list[dict[str, Any]]:
    answer = admin.get(PATH, params={"language": language})
    assert answer.status_code == 200, answer.text
    keywords: list[dict[str, Any]] = answer.json()
    return keywords


def test_a_keyword_has_what_was_given_and_defaults_for_the_rest(admin: Person, add: Add) -> None:
    plain = add(keyword="  Plain   words ", language="fr")
    assert {name: plain[name] for name in plain if name not in ("id", "createdAt")} == {
        "keyword": "Plain words",
        "category": "primary",
        "density": 1,
        "priority": 1,
        "placement": "both",
        "language": "fr",
    }
    given = {"category": "long-tail", "density": 5, "priority": 4, "placement": "meta", "language": "fr"}
    chosen = add(**given)
    assert given.items() <= chosen.items()
    assert [one for one in listed(admin, "fr") if one["id"] in (plain["id"], chosen["id"])] == [chosen, plain]
    assert plain["id"] not in [one["id"] for one in listed(admin, "de")]


def test_the_most_important_keywords_come_first(admin: Person, add: Add) -> None:
    wanted = [(1, 1), (5, 1), (3, 1), (5, 4), (3, 1)]
    made = [add(priority=priority, density=density)["id"] for priority, density in wanted]
    shown = [one["id"] for one in listed(admin) if one["id"] in made]
    assert shown == [made[place] for place in (3, 1, 2, 4, 0)]


def test_all_bad_fields_are_named_at_once(admin: Person) -> None:
    answer = admin.post(PATH, json={"keyword": " \u200b ", "density": 0, "priority": 6, "language": "tlh"})
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"keyword", "density", "priority", "language"}
    assert fault(answer)["fields"]["keyword"] == "Keyword cannot be empty"
    codes = {name: told["code"] for name, told in fault(answer)["fieldCodes"].items()}
    assert codes == {
        "keyword": "no_keyword",
        "density": "too_small",
        "priority": "too_big",
        "language": "unknown_language",
    }


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"keyword": ""}, "keyword"),
        ({"keyword": "x" * 81}, "keyword"),
        ({"density": 10**30}, "density"),
        ({"priority": -1}, "priority"),
        ({"priority": "1"}, "priority"),
        ({"density": True}, "density"),
        ({"category": "tertiary"}, "category"),
        ({"placement": "footer"}, "placement"),
        ({"language": "EN"}, "language"),
        ({"weight": 3}, "weight"),
    ],
)
def test_a_keyword_that_cannot_be_is_refused(admin: Person, fields: dict[str, Any], field: str) -> None:
    answer = admin.post(PATH, json={"keyword": uuid4().hex, "language": "en"} | fields)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {field}


def test_a_keyword_of_eighty_letters_of_any_script_is_kept(admin: Person, add: Add) -> None:
    long = uuid4().hex + "ﷺ" * 48
    assert add(keyword=long, language="ar")["keyword"] == long


def test_a_keyword_stands_once_in_a_language_whatever_its_case(admin: Person, add: Add) -> None:
    name = f"Straße {uuid4().hex}"
    first = add(keyword=name, language="de")
    for again in (name, name.upper(), f" {name.lower()} "):
        answer = admin.post(PATH, json={"keyword": again, "language": "de"})
        assert answer.status_code == 409 and fault(answer)["code"] == "keyword_known"
    assert add(keyword=name, language="fr")["id"] != first["id"]


def test_concurrent_requests_add_a_keyword_once(product: Product, admin: Person) -> None:
    body = {"keyword": uuid4().hex, "language": "it"}
    people = [product.admin() for _ in range(4)]
    with ThreadPoolExecutor(len(people)) as pool:
        answers = list(pool.map(lambda person: person.post(PATH, json=body), people))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    made = next(answer.json() for answer in answers if answer.status_code == 201)
    assert admin.delete(f"{PATH}/{made['id']}").status_code == 204


def test_a_deleted_keyword_is_gone_and_may_come_again(admin: Person, add: Add) -> None:
    made = add()
    assert admin.delete(f"{PATH}/{made['id']}").status_code == 204
    assert admin.delete(f"{PATH}/{made['id']}").status_code == 404
    assert made["id"] not in [one["id"] for one in listed(admin)]
    assert add(keyword=made["keyword"])["id"] != made["id"]


def test_a_language_has_only_so_many_keywords(product: Product, admin: Person, empty: None) -> None:
    columns = "keyword, folded, category, density, priority, placement, language, created_at"
    values = ", ".join(
        f"('{name}', '{name}', 'primary', 1, 1, 'both', 'ru', '2025-01-01 00:00:00+00:00')"
        for name in (f"k{number}" for number in range(200))
    )
    product.sql(f"INSERT INTO seo_keyword ({columns}) VALUES {values}")
    answer = admin.post(PATH, json={"keyword": "one more", "language": "ru"})
    assert answer.status_code == 409 and fault(answer)["code"] == "keywords_full"
    assert len(listed(admin, "ru")) == 200


def test_the_first_keywords_come_once_in_every_language(admin: Person, empty: None) -> None:
    assert admin.post("/api/admin/seo/initialize-keywords", json={"language": "ko"}).json() == {"created": PER_LANGUAGE}
    others = PER_LANGUAGE * (len(LANGUAGES) - 1)
    assert admin.post("/api/admin/seo/initialize-keywords", json={}).json() == {"created": others}
    assert admin.post("/api/admin/seo/initialize-keywords", json={}).json() == {"created": 0}
    assert admin.post("/api/admin/seo/initialize-keywords").json() == {"created": 0}
    for language in LANGUAGES:
        keywords = listed(admin, language)
        assert len(keywords) == PER_LANGUAGE
        assert {one["category"] for one in keywords} == {"primary", "secondary", "long-tail"}
        assert {one["placement"] for one in keywords} == {"meta", "content", "both"}


def test_keywords_of_ones_own_stay_when_the_first_ones_come(admin: Person, empty: None, add: Add) -> None:
    own = add(keyword="Book Cover Maker", priority=1, category="secondary")
    assert admin.post("/api/admin/seo/initialize-keywords", json={"language": "en"}).json() == {
        "created": PER_LANGUAGE - 1
    }
    assert own in listed(admin)
    wrong = admin.post("/api/admin/seo/initialize-keywords", json={"language": "tlh"})
    assert wrong.status_code == 422 and set(fault(wrong)["fields"]) == {"language"}


@pytest.mark.parametrize("path", ["keywords", "content", "analytics"])
def test_there_is_nothing_to_read_in_a_language_we_do_not_speak(admin: Person, path: str) -> None:
    answer = admin.get(f"/api/admin/seo/{path}", params={"language": "tlh"})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"language"}


def test_keywords_are_counted(admin: Person, empty: None, add: Add) -> None:
    add(language="pt")
    add(language="pt", category="long-tail", placement="meta")
    add(language="es")
    assert admin.get("/api/admin/seo/analytics", params={"language": "pt"}).json() == {
        "language": "pt",
        "keywords": 2,
        "byCategory": {"primary": 1, "secondary": 0, "long-tail": 1},
        "byPlacement": {"meta": 1, "content": 0, "both": 1},
    }


def content(tag: str, page: str) -> str:
    match = re.search(rf'<meta name="{tag}" content="([^"]*)">', page)
    return unescape(match.group(1)) if match else ""


def test_keywords_stand_in_the_head_where_they_are_placed(
    visitor: Person, admin: Person, empty: None, add: Add
) -> None:
    add(keyword="Zauber & Cover", language="de", placement="content", priority=5)
    add(keyword="Umschläge", language="de", placement="meta", priority=2)
    add(keyword="beides", language="de", placement="both", priority=3)
    page = wait_until(
        lambda: page if "Umschläge" in (page := visitor.get("/de/").text) else "", "the head to hear of the keyword"
    )
    assert content("keywords", page) == "beides, Umschläge"
    assert content("description", page).endswith("an ihrem Platz."), "a description is a sentence for people"
    assert '"keywords":["Zauber \\u0026 Cover","beides"]' in page
    assert "Umschläge" not in visitor.get("/fr/").text
    told = admin.get("/api/admin/seo/content", params={"language": "de"}).json()
    assert told["title"] == unescape(re.findall("<title>([^<]*)</title>", page)[0])
    assert told["description"] == content("description", page) and told["keywords"] == ["beides", "Umschläge"]
    assert told["url"] == re.findall('<link rel="canonical" href="([^"]*)">', page)[0]


def test_who_changed_the_keywords_is_written_down(product: Product, admin: Person, empty: None) -> None:
    made = admin.post(PATH, json={"keyword": uuid4().hex, "language": "en"}).json()
    admin.delete(f"{PATH}/{made['id']}")
    admin.post("/api/admin/seo/initialize-keywords", json={"language": "hi"})
    rows = product.sql("SELECT action, object, actor_id FROM audit WHERE action LIKE 'seo.%' ORDER BY id DESC LIMIT 3")
    assert [(row["action"], row["object"]) for row in reversed(rows)] == [
        ("seo.add_keyword", f"keyword:{made['id']}"),
        ("seo.delete_keyword", f"keyword:{made['id']}"),
        ("seo.initialize_keywords", "language:hi"),
    ]
    assert {row["actor_id"] for row in rows} == {admin.id}


@pytest.mark.parametrize("target", ["sitemap", "sitemapOfLanguage", "sitemapOfImages", "robots", "page"])
def test_the_site_answers_itself_as_it_answers_a_crawler(admin: Person, product: Product, target: CrawlTarget) -> None:
    seen = admin.get("/api/admin/seo/crawl", params={"target": target, "language": "fr"}).json()
    bare = product.visitor().get(PATHS[target].format(language="fr"))
    assert (seen["status"], seen["statusText"], seen["text"]) == (200, "OK", bare.text)
    assert seen["size"] == len(bare.content)
    for name in ("content-type", "content-encoding", "cache-control", "content-language"):
        assert seen["headers"].get(name) == bare.headers.get(name), name


def test_the_site_gives_a_crawler_its_picture(admin: Person) -> None:
    seen = admin.get("/api/admin/seo/crawl", params={"target": "sharedImage"}).json()
    assert seen["headers"]["content-type"] == "image/jpeg" and seen["text"] == "" and seen["size"] > 1000


def test_the_site_is_asked_by_a_crawler_who_is_signed_out() -> None:
    asked: list[dict[bytes, bytes]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(dict(scope["headers"]))
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b"none"})

    answer = asyncio.run(crawl(app, "https://covers.example", "robots", "en"))
    assert (answer.status, answer.status_text, answer.text, answer.size) == (404, "Not Found", "none", 4)
    assert b"Googlebot" in asked[0][b"user-agent"] and asked[0][b"host"] == b"covers.example"
    assert b"cookie" not in asked[0]


@pytest.mark.parametrize(("target", "language"), [("/metrics", "en"), ("page", "tlh")])
def test_the_site_is_asked_for_nothing_else(admin: Person, target: str, language: str) -> None:
    answer = admin.get("/api/admin/seo/crawl", params={"target": target, "language": language})
    assert answer.status_code == 422 and len(fault(answer)["fields"]) == 1
