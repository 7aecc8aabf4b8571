"""POST /api/generate-cover: what is accepted, what is refused, and how blank fields are filled."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.person import Person, fault
from tests.product import Product

Defaults = Callable[..., None]
NOTHING = {"prompt": "", "title": "", "author": "", "genre": ""}


@pytest.fixture
def defaults(product: Product) -> Iterator[Defaults]:
    """Save the administrator's defaults: `defaults(title="Untitled")`; they are blank again afterwards."""

    def save(**values: str) -> None:
        answer = product.admin().put("/api/admin/settings/standard_prompt", json={"defaultValues": values})
        assert answer.status_code == 200, answer.text

    yield save
    save()


def test_the_line_that_a_cover_is_accepted_names_its_job(ada: Person, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO"):
        generation_id = ada.start().json()["generationId"]
    named = [getattr(record, "job_id", None) for record in caplog.records if record.getMessage() == "accepted"]
    assert named == [f"generation-{generation_id}"]


def test_a_described_cover_is_made_and_stands_in_the_gallery(ada: Person) -> None:
    answer = ada.start(title="The Light", author="A. Keeper", genre="Mystery")
    assert answer.status_code == 202
    generation_id = answer.json()["generationId"]
    assert UUID(generation_id).version == 7
    status = ada.finished(generation_id)
    assert status["status"] == "completed" and status["error"] is None and status["progress"] is None
    cover = status["result"]
    assert (cover["title"], cover["author"], cover["genre"]) == ("The Light", "A. Keeper", "Mystery")
    assert (cover["width"], cover["height"]) == (1024, 1792)
    assert ada.get("/api/covers").json() == [cover]
    assert ada.get(f"/api/covers/{cover['id']}").json() == cover
    assert ada.get(cover["imageUrl"]).status_code == 200


def test_every_bad_field_is_named_at_once_by_its_name_on_the_wire(ada: Person) -> None:
    answer = ada.start(
        prompt="x" * 501,
        title="x" * 101,
        author="x" * 101,
        genre="x" * 51,
        dimensions="7x7",
        themeId="soon",
        customWidth="wide",
        isAdmin=True,
    )
    assert answer.status_code == 422
    error = fault(answer)
    assert error["code"] == "invalid_fields"
    assert set(error["fields"]) == {
        "prompt",
        "title",
        "author",
        "genre",
        "dimensions",
        "themeId",
        "customWidth",
        "isAdmin",
    }
    assert all(sentence.endswith(".") for sentence in error["fields"].values())
    assert ada.used() == 0


def test_what_is_wrong_with_a_field_comes_as_a_code_with_its_numbers_too(ada: Person) -> None:
    assert fault(ada.start(title="x" * 101, count=9, dimensions="7x7", color="red"))["fieldCodes"] == {
        "title": {"code": "too_long", "values": {"count": 100}},
        "count": {"code": "too_big", "values": {"most": 4}},
        "dimensions": {"code": "not_a_choice"},
        "color": {"code": "unknown_field"},
    }
    assert fault(ada.start(prompt=" ", dimensions="custom", customWidth=3, customHeight=7))["fieldCodes"] == {
        "prompt": {"code": "no_prompt"},
        "customWidth": {"code": "inches_between", "values": {"least": 4, "most": 8.5}},
    }


def test_texts_of_exactly_the_greatest_length_are_accepted(ada: Person) -> None:
    generation_id = ada.generate(prompt="x" * 500, title="t" * 100, author="a" * 100, genre="g" * 50)
    assert ada.finished(generation_id)["status"] == "completed"


@pytest.mark.parametrize("prompt", ["", "   ", "\n\t"])
def test_a_blank_prompt_without_a_default_starts_nothing(ada: Person, prompt: str) -> None:
    answer = ada.start(prompt=prompt)
    assert answer.status_code == 422
    assert fault(answer)["fields"] == {"prompt": "Please describe your book cover before generating."}
    assert ada.used() == 0


def test_blank_texts_take_the_administrators_defaults(product: Product, ada: Person, defaults: Defaults) -> None:
    title = f"Default {uuid4().hex}"
    defaults(prompt="a quiet harbour", title=title, author="Anonymous", genre="Fantasy")
    cover = ada.cover(**NOTHING)
    assert (cover["title"], cover["author"]) == (title, "Anonymous")
    assert "a quiet harbour" in product.stub.calls(title)[0]["prompt"]


@pytest.mark.parametrize(("ticked", "typed", "genre"), [(False, "", ""), (True, "", "Fantasy"), (True, "Noir", "Noir")])
def test_a_blank_genre_takes_the_default_only_when_the_box_is_ticked(
    ada: Person, defaults: Defaults, ticked: bool, typed: str, genre: str
) -> None:
    defaults(genre="Fantasy")
    assert ada.cover(genre=typed, useDefaultGenre=ticked)["genre"] == genre


def test_the_default_trim_size_is_six_by_nine_inches_at_300_dpi(ada: Person) -> None:
    answer = ada.post("/api/generate-cover", json={"prompt": "a fox"})
    cover = ada.finished(answer.json()["generationId"])["result"]
    assert (cover["width"], cover["height"]) == (1800, 2700)


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({"dimensions": "5.5x8.5"}, (1650, 2550)),
        ({"dimensions": "8.5x11"}, (2550, 3300)),
        ({"dimensions": "8x8"}, (2400, 2400)),
        ({"dimensions": "1024x1792"}, (1024, 1792)),
        ({"dimensions": "custom", "customWidth": 4, "customHeight": 6}, (1200, 1800)),
        ({"dimensions": "custom", "customWidth": 5.06, "customHeight": 7.81}, (1518, 2343)),
    ],
)
def test_each_trim_size_has_its_pixels(ada: Person, fields: dict[str, Any], size: tuple[int, int]) -> None:
    cover = ada.cover(**fields)
    assert (cover["width"], cover["height"]) == size


@pytest.mark.parametrize(
    ("width", "height", "bad"),
    [
        (None, None, {"customWidth", "customHeight"}),
        (3.99, 6, {"customWidth"}),
        (4, 11.7, {"customHeight"}),
        (-5, 1e308, {"customWidth", "customHeight"}),
    ],
)
def test_custom_measures_out_of_bounds_are_refused(
    ada: Person, width: float | None, height: float | None, bad: set[str]
) -> None:
    answer = ada.start(dimensions="custom", customWidth=width, customHeight=height)
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == bad


def test_a_theme_shapes_the_prompt_and_counts_its_use(product: Product, ada: Person) -> None:
    theme = ada.post("/api/themes", json={"name": "Harbours", "stylePrompt": "linocut, two inks"}).json()
    title = f"Themed {uuid4().hex}"
    cover = ada.cover(title=title, themeId=theme["id"])
    assert cover["themeId"] == theme["id"]
    assert "linocut, two inks" in product.stub.calls(title)[0]["prompt"]
    assert ada.get(f"/api/themes/{theme['id']}").json()["usageCount"] == 1


def test_another_users_theme_does_not_exist(ada: Person, bob: Person) -> None:
    theme = bob.post("/api/themes", json={"name": "Mine", "stylePrompt": "gouache"}).json()
    theirs, nobodys = ada.start(themeId=theme["id"]), ada.start(themeId=2**40)
    assert theirs.status_code == nobodys.status_code == 404
    assert fault(theirs)["message"] == fault(nobodys)["message"]
    assert ada.used() == 0


def test_what_users_type_reaches_the_image_service_literally(product: Product, ada: Person) -> None:
    title = "{{prompt}}{{7*7}} " + uuid4().hex
    ada.cover(title=title, author="{{#hasReferenceImages}}x", lettering="model")
    prompt = product.stub.calls(title)[0]["prompt"]
    assert title in prompt and "{{#hasReferenceImages}}x" in prompt


def test_direction_marks_do_not_reach_titles(product: Product, ada: Person) -> None:
    cover = ada.cover(title="safe\u202etxt.exe")
    assert cover["title"] == "safetxt.exe"
