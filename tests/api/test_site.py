"""What the site says about itself, and the settings of its administrators."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.person import Person, fault
from tests.product import Product

STANDARD = "/api/admin/settings/standard_prompt"
BLANK = dict.fromkeys(("title", "author", "genre", "prompt", "themeStylePrompt", "referenceImagePrompt"), "")


@pytest.fixture
def standard(product: Product) -> Iterator[dict[str, Any]]:
    """The standard prompt as it is; it is put back afterwards."""
    before = product.admin().get(STANDARD).json()
    yield before
    kept = {name: before[name] for name in ("promptTemplate", "defaultValues", "showGenreCheckbox")}
    assert product.admin().put(STANDARD, json=kept).status_code == 200


def test_plan_limits_are_public_and_administrators_change_them(nobody: Person, admin: Person) -> None:
    before = nobody.get("/api/plan-limits").json()
    assert set(before) == {"proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"}
    assert admin.get("/api/admin/plan-limits").json() == before
    wanted = {"proUnlimited": True, "proMonthlyLimit": 40, "freeMonthlyLimit": 0}
    assert admin.post("/api/admin/plan-limits", json=wanted).json() == wanted
    assert nobody.get("/api/plan-limits").json() == wanted
    assert admin.post("/api/admin/plan-limits", json=before).json() == before


def test_plan_limits_out_of_bounds_are_refused_together(nobody: Person, admin: Person) -> None:
    before = nobody.get("/api/plan-limits").json()
    answer = admin.post(
        "/api/admin/plan-limits", json={"proUnlimited": 1, "proMonthlyLimit": 0, "freeMonthlyLimit": -1}
    )
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"}
    assert nobody.get("/api/plan-limits").json() == before


def test_public_facts(nobody: Person) -> None:
    assert nobody.get("/api/branding").json() == {
        "name": "Coverwright",
        "logoUrl": None,
        "faviconUrl": None,
        "footerLogoUrl": None,
    }
    assert nobody.get("/api/site-stats").json() == {"authors": None, "covers": None, "rating": None}
    assert nobody.get("/api/admin/selected-price").json() == {"amount": 1900, "currency": "usd", "interval": "month"}
    assert nobody.get("/api/carousel").json() == []


def test_capabilities_say_what_can_be_asked_for(nobody: Person) -> None:
    told = nobody.get("/api/capabilities").json()
    assert told["binDays"] == 30
    image = told["image"]
    assert image["available"] is True and image["expectedMs"] > 0
    assert image["dimensions"] == ["6x9", "8.5x11", "8x8", "custom", "5.5x8.5", "1024x1792"]
    assert image["formats"] == ["png", "jpeg", "webp"]


def test_users_read_the_generators_defaults_without_its_template(
    ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    saved = admin.put(STANDARD, json={"defaultValues": {"genre": "Noir"}, "showGenreCheckbox": True})
    assert saved.status_code == 200
    assert ada.get("/api/generator-settings").json() == {
        "defaultValues": BLANK | {"genre": "Noir"},
        "showGenreCheckbox": True,
    }


def test_what_is_not_given_stays(admin: Person, standard: dict[str, Any]) -> None:
    admin.put(STANDARD, json={"settingKey": "standard_prompt", "promptTemplate": "Draw {{prompt}}."})
    admin.put(STANDARD, json={"showGenreCheckbox": True})
    shown = admin.get(STANDARD).json()
    assert shown["promptTemplate"] == "Draw {{prompt}}." and shown["showGenreCheckbox"] is True
    assert shown["settingKey"] == "standard_prompt" and shown["textValue"] is None
    listed = {setting["settingKey"]: setting for setting in admin.get("/api/admin/settings").json()}
    assert listed["standard_prompt"] == shown and "theme_prompt" in listed


def test_the_saved_template_is_what_image_services_get(
    product: Product, ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    admin.put(STANDARD, json={"promptTemplate": "Draw {{prompt}}.\nBy {{author}}\nGenre {{genre}}"})
    ada.cover(prompt="a fox", title=ada.user["email"], author="R. Fox")
    assert product.stub.calls(ada.user["email"])[0]["prompt"] == "Draw a fox.\nBy R. Fox"


@pytest.mark.parametrize(
    "template",
    [
        "{{7*7}} {{prompt}}",
        "{{prompt.__class__}}",
        "{{{prompt}}}",
        "{{> partial}} {{prompt}}",
        "{{ prompt }}",
        "{{secret}}",
        "{{prompt",
        "no variable at all",
        "{{prompt}}" + "x" * 8000,
        "{{#title}}{{prompt}}{{/title}}",
    ],
)
def test_a_template_that_could_mean_something_else_is_refused(
    admin: Person, standard: dict[str, Any], template: str
) -> None:
    answer = admin.put(STANDARD, json={"promptTemplate": template})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"promptTemplate"}
    assert admin.get(STANDARD).json() == standard


def test_settings_that_do_not_exist_or_do_not_match_are_refused(admin: Person, standard: dict[str, Any]) -> None:
    assert admin.get("/api/admin/settings/nothing").status_code == 404
    assert admin.put("/api/admin/settings/nothing", json={"showGenreCheckbox": True}).status_code == 404
    mismatch = admin.put(STANDARD, json={"settingKey": "theme_prompt"})
    assert mismatch.status_code == 422 and set(fault(mismatch)["fields"]) == {"settingKey"}
    long = admin.put(STANDARD, json={"defaultValues": {"title": "x" * 101}})
    assert long.status_code == 422 and "defaultValues" in str(fault(long)["fields"])


def test_a_chosen_language_is_kept_in_the_cookie_and_with_the_user(ada: Person) -> None:
    answer = ada.post("/api/set-language", json={"language": "ar"})
    assert answer.status_code == 204
    cookies = [cookie for cookie in answer.headers.get_list("set-cookie") if cookie.startswith("preferred-language=")]
    assert len(cookies) == 1
    parts = {part.strip().lower() for part in cookies[0].split(";")}
    assert {"preferred-language=ar", "max-age=31536000", "path=/", "samesite=lax"} <= parts
    assert ada.get("/api/auth/user").json()["language"] == "ar"


def test_a_language_we_do_not_speak_is_ignored(ada: Person) -> None:
    ada.post("/api/set-language", json={"language": "fr"})
    answer = ada.post("/api/set-language", json={"language": "tlh"})
    assert answer.status_code == 204 and "set-cookie" not in answer.headers
    assert ada.get("/api/auth/user").json()["language"] == "fr"


def test_a_gallery_made_in_a_language_tells_the_image_service(product: Product, ada: Person) -> None:
    ada.post("/api/set-language", json={"language": "ja"})
    ada.cover(title=ada.user["email"])
    rows = product.sql("SELECT language FROM generation WHERE user_id = :id", id=ada.id)
    assert rows == [{"language": "ja"}]


@pytest.mark.parametrize("language", ["en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi"])
def test_translations_are_served_for_each_language(shared_product: Product, language: str) -> None:
    answer = shared_product.visitor().get(f"/locales/{language}/translation.json")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("application/json")
    assert isinstance(answer.json(), dict) and answer.json()
