"""What search engines find: sitemaps, robots, the head of the landing page, and the picture for shared links."""

import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from typing import Any, Final
from urllib.robotparser import RobotFileParser
from uuid import uuid4

import httpx
import pytest
from PIL import Image

from kernel.core.config import PROJECT_ROOT
from kernel.core.text.currencies import decimal_amount
from kernel.pages.share_image.drawing import MAX_BYTES, ShareImageOrder, draw
from kernel.press.typesetting import Voicing, shape
from kernel.site.seo.words import words
from tests.person import Person
from tests.product import Product
from tests.support.drawings import data_url, picture
from tests.support.processes import wait_until

LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")
HREFLANGS: Final = {*LANGUAGES, "x-default"}
SITEMAP: Final = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
IMAGE: Final = "{http://www.google.com/schemas/sitemap-image/1.1}"
XHTML: Final = "{http://www.w3.org/1999/xhtml}"


class Head(HTMLParser):
    """The head of a page, as an HTML parser reads it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.title, self.html = "", dict[str, str | None]()
        self.metas: list[tuple[str, str]] = []
        self.links: list[dict[str, str | None]] = []
        self.data: list[str] = []
        self._inside = ""
        self.feed(page.split("</head>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag's content."""
        given = dict(attrs)
        self._inside = tag if tag == "title" or given.get("type") == "application/ld+json" else ""
        if tag == "html":
            self.html = given
        if tag == "link":
            self.links.append(given)
        if tag == "meta" and (name := given.get("name") or given.get("property")):
            self.metas.append((name, given.get("content") or ""))

    def handle_data(self, data: str) -> None:
        """Keep the relevant texts."""
        if self._inside == "title":
            self.title += data
        elif self._inside == "script":
            self.data.append(data)

    def handle_endtag(self, tag: str) -> None:
        """Leave the element."""
        self._inside = ""

    def meta(self, name: str) -> str:
        """Return the content of the one tag of this name."""
        (found,) = (content for key, content in self.metas if key == name)
        return found

    def linked(self, kind: str) -> list[dict[str, str | None]]:
        """Return the links of a kind."""
        return [link for link in self.links if link.get("rel") == kind]


@pytest.fixture
def site(shared_product: Product) -> httpx.Client:
    """An anonymous client."""
    return shared_product.visitor()


@pytest.fixture
def base(shared_product: Product) -> str:
    """The site's address as configured."""
    return public(shared_product)


def public(product: Product) -> str:
    return product.url.replace("127.0.0.1", "localhost")


def xml(answer: httpx.Response) -> ET.Element:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/xml"
    return ET.fromstring(answer.content)


def located(root: ET.Element, *path: str) -> list[str]:
    return [str(one.text) for one in root.findall("/".join(path))]


def test_the_index_names_a_sitemap_for_each_language_and_one_for_pictures(site: httpx.Client, base: str) -> None:
    index = xml(site.get("/sitemap.xml"))
    assert index.tag == f"{SITEMAP}sitemapindex"
    listed = located(index, f"{SITEMAP}sitemap", f"{SITEMAP}loc")
    assert listed == [f"{base}/sitemap-{name}.xml" for name in (*LANGUAGES, "images")]
    for address in listed:
        assert xml(site.get(address)).tag == f"{SITEMAP}urlset"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sitemap_names_the_pages_for_everybody_in_all_languages(site: httpx.Client, base: str, language: str) -> None:
    listed = xml(site.get(f"/sitemap-{language}.xml")).findall(f"{SITEMAP}url")
    # covers of the carousel have pages, too, and other tests put some there
    pages = [page for page in listed if "/examples/" not in located(page, f"{SITEMAP}loc")[0]]
    for page, path in zip(pages, ("/", "/pricing", "/examples", "/spine", "/preflight", "/help"), strict=True):
        assert located(page, f"{SITEMAP}loc") == [f"{base}/{language}{path}"]
        links = {link.attrib["hreflang"]: link.attrib["href"] for link in page.findall(f"{XHTML}link")}
        assert links == {code: f"{base}/{code}{path}" for code in LANGUAGES} | {"x-default": f"{base}{path}"}
        assert {link.attrib["rel"] for link in page.findall(f"{XHTML}link")} == {"alternate"}


@pytest.mark.parametrize("name", ["xx", "EN", "", "en-US", "image", "../en"])
def test_there_is_no_sitemap_of_another_language(site: httpx.Client, name: str) -> None:
    assert site.get(f"/sitemap-{name}.xml").status_code == 404


def pictures_of(site: httpx.Client) -> list[str]:
    (page,) = xml(site.get("/sitemap-images.xml")).findall(f"{SITEMAP}url")
    return located(page, f"{IMAGE}image", f"{IMAGE}loc")


def test_the_sitemap_of_pictures_names_what_the_landing_page_shows(site: httpx.Client, base: str) -> None:
    wait_until(lambda: len(pictures_of(site)) == 8, "the eight sample covers")
    for address in pictures_of(site):
        assert address.startswith(f"{base}/showcase/")
        answer = site.get(address)
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("image/")


def test_covers_of_the_carousel_take_the_place_of_samples(product: Product, visitor: Person, admin: Person) -> None:
    made = []
    try:
        for is_active in (True, False):
            body = {"title": uuid4().hex, "genre": "Fantasy", "imageData": data_url(picture()), "isActive": is_active}
            made.append(admin.post("/api/admin/carousel", json=body).json())
        shown = [f"{public(product)}{made[0]['imageUrl']}"]
        wait_until(lambda: pictures_of(visitor) == shown, "the carousel in the sitemap")
        assert visitor.get(made[0]["imageUrl"]).status_code == 200
    finally:
        for slide in made:
            admin.delete(f"/api/admin/carousel/{slide['id']}")


def test_robots_say_where_not_to_go(site: httpx.Client, base: str) -> None:
    answer = site.get("/robots.txt")
    assert answer.status_code == 200 and answer.headers["content-type"] == "text/plain; charset=utf-8"
    rules = RobotFileParser()
    rules.parse(answer.text.splitlines())
    assert rules.site_maps() == [f"{base}/sitemap.xml"]
    for shut in ("/api/covers", "/api/admin/x"):
        assert not rules.can_fetch("Googlebot", f"{base}{shut}"), shut
    for hidden in ("/admin", "/account", "/fr/gallery", "/theme/7", "/setup"):
        assert rules.can_fetch("Googlebot", f"{base}{hidden}"), "who may not fetch a page does not read its `noindex`"
        assert Head(site.get(hidden).text).meta("robots") == "noindex"
    shown = ["/", "/fr/", "/assets/x.js", "/locales/fr/translation.json", "/showcase/a-272.webp", "/sitemap.xml"]
    asked = ["/api/og-image?lang=fr", "/api/carousel", "/api/carousel/7/image?v=1", "/api/branding", "/api/plan-limits"]
    for open_to_all in [*shown, *asked]:
        assert rules.can_fetch("Googlebot", f"{base}{open_to_all}"), open_to_all


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_says_all_that_search_engines_ask_for(site: httpx.Client, base: str, language: str) -> None:
    answer = site.get(f"/{language}/")
    head = Head(answer.text)
    assert answer.status_code == 200 and answer.headers["content-language"] == language == head.html["lang"]
    assert head.title.startswith("Coverwright · ") and 40 <= len(head.meta("description")) <= 160
    assert [link["href"] for link in head.linked("canonical")] == [f"{base}/{language}/"]
    alternates = {link["hreflang"]: link["href"] for link in head.linked("alternate")}
    assert alternates == {code: f"{base}/{code}/" for code in LANGUAGES} | {"x-default": f"{base}/"}
    assert "robots" not in [name for name, _ in head.metas]
    assert head.meta("og:title") == head.meta("twitter:title") == head.title
    assert head.meta("og:description") == head.meta("twitter:description") == head.meta("description")
    assert head.meta("og:url") == f"{base}/{language}/" and head.meta("og:type") == "website"
    others = [content for name, content in head.metas if name == "og:locale:alternate"]
    assert head.meta("og:locale").startswith(language) and len(others) == 11
    assert {code[:2] for code in (*others, head.meta("og:locale"))} == set(LANGUAGES)
    assert head.meta("og:image") == head.meta("twitter:image")
    assert head.meta("og:image").startswith(f"{base}/api/og-image?lang={language}&v=")


def test_every_language_has_words_of_its_own(site: httpx.Client) -> None:
    heads = [Head(site.get(f"/{language}/").text) for language in LANGUAGES]
    for said in ("title", "description"):
        texts = [head.title if said == "title" else head.meta(said) for head in heads]
        assert len(set(texts)) == len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_those_of_the_interface(language: str) -> None:
    texts = json.loads((PROJECT_ROOT / f"web/public/locales/{language}/translation.json").read_text("utf-8"))
    assert words()[language].title == texts["common"]["siteTitle"]
    assert words()[language].image == texts["landing"]["title"]


def test_an_address_without_a_language_is_the_page_for_everybody_else(site: httpx.Client, base: str) -> None:
    head = Head(site.get("/", headers={"accept-language": "it"}).text)
    assert [link["href"] for link in head.linked("canonical")] == [f"{base}/"] == [head.meta("og:url")]
    assert head.title == words()["it"].title.replace("{{name}}", "Coverwright")


def test_the_address_decides_what_the_head_says_and_the_visitor_what_is_shown(site: httpx.Client) -> None:
    answer = site.get("/ja/", headers={"cookie": "preferred-language=de"})
    head = Head(answer.text)
    assert head.html["lang"] == "de" == answer.headers["content-language"]
    assert head.title == words()["ja"].title.replace("{{name}}", "Coverwright") and head.meta("og:locale") == "ja_JP"


@pytest.mark.parametrize("path", ["/gallery", "/fr/account", "/admin/seo", "/sign-in", "/nowhere"])
def test_other_pages_are_not_meant_to_be_found(site: httpx.Client, path: str) -> None:
    head = Head(site.get(path).text)
    assert head.meta("robots") == "noindex" and head.data == [] and head.linked("alternate") == []


def test_the_structured_data_names_the_site_and_what_it_costs(site: httpx.Client, base: str) -> None:
    price = site.get("/api/admin/selected-price").json()
    (data,) = (json.loads(one) for one in Head(site.get("/fr/").text).data)
    assert data["@context"] == "https://schema.org"
    kinds: dict[str, Any] = {thing["@type"]: thing for thing in data["@graph"]}
    assert set(kinds) == {"WebSite", "Product"}
    assert kinds["WebSite"]["url"] == f"{base}/" and kinds["WebSite"]["inLanguage"] == list(LANGUAGES)
    product = kinds["Product"]
    assert product["url"] == f"{base}/fr/" and product["image"].startswith(f"{base}/api/og-image")
    free, pro = product["offers"]
    assert (free["price"], pro["price"]) == ("0", decimal_amount(price["amount"], price["currency"]))
    assert pro["priceCurrency"] == price["currency"].upper()
    # Google refuses ratings that nobody has given, and a SoftwareApplication without any
    assert "aggregateRating" not in product and "review" not in product


def test_the_page_of_prices_says_what_it_sells_as_google_asks_for_it(site: httpx.Client, base: str) -> None:
    (data,) = (json.loads(one) for one in Head(site.get("/de/pricing").text).data)
    assert data["@type"] == "Product" and data["name"] == "Coverwright" and data["description"]
    for offer in data["offers"]:
        assert {"price", "priceCurrency", "availability", "url"} <= offer.keys() and float(offer["price"]) >= 0


def test_amounts_are_written_as_their_currency_does() -> None:
    amounts = [decimal_amount(1900, code) for code in ("usd", "JPY", "isk", "kwd")]
    assert amounts == ["19.00", "1900", "1900", "1.900"] and decimal_amount(5, "eur") == "0.05"


def test_nothing_that_is_typed_leaves_the_structured_data(visitor: Person, admin: Person) -> None:
    keyword = f"</script><script>alert(1)//{uuid4().hex}"
    made = admin.post("/api/admin/seo/keywords", json={"keyword": keyword, "language": "en", "priority": 5}).json()
    try:
        mark = keyword[-32:]
        page = wait_until(lambda: page if mark in (page := visitor.get("/en/").text) else "", "the keyword in the head")
        assert "<script>alert" not in page
        (data,) = (json.loads(one) for one in Head(page).data)
        assert keyword in data["@graph"][1]["keywords"] and keyword in Head(page).meta("keywords")
    finally:
        admin.delete(f"/api/admin/seo/keywords/{made['id']}")


def test_the_picture_for_shared_links_is_a_small_jpeg_of_the_usual_size(site: httpx.Client, base: str) -> None:
    wait_until(lambda: all("/showcase/" in one for one in pictures_of(site)), "covers of other tests to be gone")
    at = Head(site.get("/ar/").text).meta("og:image")
    answer = site.get(at, timeout=60)
    assert answer.status_code == 200 and answer.headers["content-type"] == "image/jpeg"
    assert len(answer.content) <= MAX_BYTES
    with Image.open(io.BytesIO(answer.content)) as shown:
        assert shown.size == (1200, 630) and shown.format == "JPEG"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    again = site.get("/api/og-image?lang=ar", headers={"if-none-match": answer.headers["etag"]}, timeout=60)
    assert again.status_code == 304 and again.headers["cache-control"] == "public, max-age=300"
    assert site.get("/api/og-image?lang=tlh").status_code == 404
    head = site.head("/api/og-image?lang=ar")
    assert int(head.headers["content-length"]) == len(answer.content) and head.content == b""


def drawn(language: str, covers: list[bytes]) -> Image.Image:
    sentence = words()[language].image
    order = ShareImageOrder(name="Coverwright", sentence=sentence, host="a.example", language=language, covers=covers)
    return Image.open(io.BytesIO(draw(order))).convert("L")


def ink_of(shown: Image.Image, left: int, right: int) -> float:
    """Return the share of dark pixels between two columns, without the name above and the address below."""
    counts = shown.crop((left, 150, right, 500)).histogram()
    return sum(counts[:90]) / sum(counts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_says_its_sentence_beside_the_covers(language: str) -> None:
    dark = picture(size=(272, 408), color="#101010")
    shown = drawn(language, [dark])
    mirrored = shown.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if language == "ar" else shown
    assert 0.02 < ink_of(mirrored, 60, 700) < 0.3, "letters"
    assert ink_of(mirrored, 880, 1100) > 0.9, "the cover"
    sentence = shape(words()[language].image, Voicing(font="playfair", language=language))
    assert not sentence.missing


def test_the_picture_can_do_without_covers_and_with_what_is_none() -> None:
    assert drawn("en", []).size == drawn("en", [b"no picture"]).size == (1200, 630)


@pytest.mark.parametrize("path", ["/", "/fr/", "/nowhere", "/sitemap.xml", "/robots.txt", "/favicon.svg"])
def test_head_is_answered_like_get_without_the_body(site: httpx.Client, path: str) -> None:
    given, asked = site.get(path), site.head(path)
    assert asked.status_code == given.status_code and asked.content == b""
    kept = ("content-type", "content-length", "content-encoding", "etag", "cache-control", "vary")
    assert {name: asked.headers.get(name) for name in kept} == {name: given.headers.get(name) for name in kept}


@pytest.mark.parametrize("path", ["/fr/", "/sitemap.xml", "/sitemap-ar.xml", "/sitemap-images.xml", "/robots.txt"])
def test_what_crawlers_fetch_is_compressed_and_may_be_kept(site: httpx.Client, path: str) -> None:
    packed, plain = (site.get(path, headers={"accept-encoding": encoding}) for encoding in ("gzip", "identity"))
    assert packed.headers["content-encoding"] == "gzip" and "content-encoding" not in plain.headers
    assert packed.text == plain.text and "accept-encoding" in packed.headers["vary"]
    assert packed.headers["cache-control"] and "no-store" not in packed.headers["cache-control"]
    known = site.get(path, headers={"if-none-match": packed.headers["etag"]})
    assert known.status_code == 304 and known.content == b""


def test_only_pages_for_everybody_are_in_the_sitemaps(site: httpx.Client) -> None:
    for language in LANGUAGES:
        for address in re.findall("<loc>([^<]*)</loc>", site.get(f"/sitemap-{language}.xml").text):
            page = site.get(address)
            assert page.status_code == 200 and "noindex" not in page.text
