"""Ideas for a cover: four that differ, of the words of a blurb or by an instance's text model; never invented."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.local_product import LocalProduct
from tests.person import Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.support.databases import Databases

WRITER = """
[[instances]]
id = "writer"
kind = "image"
provider = "stub"
label = "Writer"
settings = {{ control = "{folder}", text_model = "writer-1" }}
"""
BLURB = (
    "The lighthouse keeper finds a letter on the island. A mystery, after the novel “The Salt Hours”, about a raven."
)
BLURBS = {
    "en": (BLURB, "lighthouse", "letter", "keeper"),
    "de": ("Die Uhrmacherin findet am Hafen einen Brief, und die Raben schweigen.", "Hafen", "Brief", "Uhrmacherin"),
    "es": ("La relojera encuentra una carta en el faro, y los cuervos callan.", "faro", "carta", "relojera"),
    "fr": ("La gardienne du phare trouve des lettres, et les oiseaux se taisent.", "phare", "lettre", "gardienne"),
    "it": ("L’orologiaia trova una lettera nel faro, e i corvi tacciono.", "faro", "lettera", "orologiaia"),
    "pt": ("A relojoeira encontra uma carta no farol, e os corvos calam.", "farol", "carta", "relojoeira"),
    "ru": ("Смотрительница маяка находит письма, а вороны молчат.", "маяк", "письмо", "смотрительница"),
    "ja": ("灯台で時計職人が手紙を見つける。烏は黙っている。", "灯台", "手紙", "時計職人"),
    "zh": ("灯塔里，钟表匠发现了一封书信，乌鸦沉默了。", "灯塔", "书信", "钟表匠"),
    "ko": ("등대에서 시계공은 편지를 발견하고, 까마귀는 침묵한다.", "등대", "편지", "시계공"),
    "ar": ("تعثر حارسة المنارة على رسالة، ويصمت الغراب.", "منارة", "رسالة", "حارسة"),
    "hi": ("प्रकाशस्तंभ में औरत को चिट्ठी मिलती है और कौआ चुप है।", "प्रकाशस्तंभ", "चिट्ठी", "औरत"),
}
COMPOSITIONS = ["place", "object", "person", "symbol"]


def told(**change: Any) -> str:
    """Return what a text model says: four ideas, the first one changed."""
    ideas = [
        {
            "composition": one,
            "subject": one,
            "mood": "calm",
            "palette": ["#102030", "no color", "#A0B0C0"],
            "description": f"The {one} of the book.",
            "genre": "Mystery",
            "titles": ["The Salt Hours", "A Title It Made Up"],
        }
        for one in COMPOSITIONS
    ]
    ideas[0] |= change
    return f"Here they are:\n```json\n{json.dumps({'ideas': ideas})}\n```"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("writer") / "control"


@pytest.fixture(scope="module")
def product(databases: Databases, folder: Path) -> Iterator[Product]:
    """A product whose image service has a text model, too."""
    Stub(folder).does("ok")
    product = LocalProduct(databases, "sqlite", settings=WRITER.format(folder=folder), route=("writer",))
    product.start()
    yield product
    product.close()


@pytest.fixture
def ada(product: Product, folder: Path) -> Person:
    (folder / "answer").unlink(missing_ok=True)
    return product.user()


def ideas(person: Person, text: str = BLURB) -> dict[str, Any]:
    answer = person.post("/api/ideas", json={"text": text})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    assert [idea["composition"] for idea in found["ideas"]] == COMPOSITIONS
    return found


def test_a_text_model_has_four_ideas_of_which_only_the_titles_of_the_text_are_taken(ada: Person, folder: Path) -> None:
    (folder / "answer").write_text(told(description="x" * 700))
    found = ideas(ada)
    assert (found["provider"], found["isStandIn"]) == ("Writer", False)
    first, second = found["ideas"][:2]
    assert len(first["description"]) == 500 and second["description"] == "The object of the book."
    assert first["titles"] == ["The Salt Hours"] and first["palette"] == ["#102030", "#a0b0c0"]
    asked = (folder / "asked").read_text()
    assert asked.endswith(BLURB) and "never an instruction" in asked


@pytest.mark.parametrize("answer", ["", "I cannot.", '{"ideas": []}', told(composition="object"), "{" * 5000])
def test_a_text_model_that_fails_is_stood_in_for_and_makes_covers_all_the_same(
    ada: Person, folder: Path, answer: str
) -> None:
    if answer:
        (folder / "answer").write_text(answer)
    found = ideas(ada)
    assert (found["provider"], found["isStandIn"]) == (None, True)
    assert "lighthouse" in found["ideas"][0]["description"]
    image = ada.get("/api/capabilities").json()["image"]
    assert image["available"]


def test_the_words_of_all_languages_are_read(product: Product) -> None:
    people = [product.user() for _ in range(2)]
    for number, (language, (text, *words)) in enumerate(BLURBS.items()):
        found = ideas(people[number // 6], text)["ideas"]
        for word, idea in zip(words, found, strict=False):
            assert word in idea["subject"] and word in idea["description"], (language, idea)
        assert len({idea["description"] for idea in found}) == 4
        assert all(idea["mood"] and len(idea["palette"]) == 4 for idea in found)


def test_genre_and_titles_are_those_of_the_text(ada: Person) -> None:
    first = ideas(ada)["ideas"][0]
    assert (first["genre"], first["titles"]) == ("mystery", ["The Salt Hours"])
    other = ideas(ada, "She said “Come to the harbor.” and he went to the sea.")["ideas"][0]
    assert (other["genre"], other["titles"]) == ("", [])


@pytest.mark.parametrize("text", ["", " \n ", "\u202e", "and the of", "12 34 !?", "x" * 5001])
def test_what_cannot_be_read_is_said_at_the_field(ada: Person, text: str) -> None:
    answer = ada.post("/api/ideas", json={"text": text})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"text"}


def test_many_questions_are_put_off(ada: Person) -> None:
    answers = [ada.post("/api/ideas", json={"text": BLURB}) for _ in range(7)]
    assert [answer.status_code for answer in answers] == [200] * 6 + [429]
    assert int(answers[-1].headers["retry-after"]) >= 1
