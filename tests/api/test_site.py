"""The site's public data, and the settings of its administrators."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from kernel.site.prompts import WITHOUT_LETTERS
from tests.conftest import Limits
from tests.person import SMALL, Person, fault
from tests.product import Product

STANDARD = "/api/admin/settings/standard_prompt"
THEMED = "/api/admin/settings/theme_prompt"
PLAIN_DEFAULTS = {"title", "author", "genre", "prompt", "lettering"}
BLANK = dict.fromkeys((*PLAIN_DEFAULTS, "themeStylePrompt", "referenceImagePrompt"), "")
AT_THE_END = f"\n{WITHOUT_LETTERS}"


@pytest.fixture
def standard(product: Product) -> Iterator[dict[str, Any]]:
    """The standard prompt; both prompts are restored afterwards."""
    before = {path: product.admin().get(path).json() for path in (STANDARD, THEMED)}
    yield before[STANDARD]
    for path, setting in before.items():
        kept = {name: setting[name] for name in ("promptTemplate", "defaultValues", "showGenreCheckbox")}
        assert product.admin().put(path, json=kept).status_code == 200


def audited(admin: Person, about: str) -> list[tuple[str, int, list[str]]]:
    """Return the audit rows about an object: action, actor and fields, latest first."""
    rows = admin.get("/api/admin/audit").json()
    return [(row["action"], row["actorId"], row["keys"]) for row in rows if row["object"] == about]


def test_plan_limits_are_public_and_administrators_change_them(visitor: Person, admin: Person) -> None:
    before = visitor.get("/api/plan-limits").json()
    assert set(before) == {"proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"}
    assert admin.get("/api/admin/plan-limits").json() == before
    wanted = {"proUnlimited": True, "proMonthlyLimit": 40, "freeMonthlyLimit": 0}
    assert admin.post("/api/admin/plan-limits", json=wanted).json() == wanted
    assert visitor.get("/api/plan-limits").json() == wanted
    fields = ["freeMonthlyLimit", "proMonthlyLimit", "proUnlimited"]
    assert audited(admin, "limits")[0] == ("limits.save", admin.id, fields)
    assert admin.post("/api/admin/plan-limits", json=before).json() == before


def test_limits_saved_at_once_are_all_taken_one_after_the_other(product: Product, limits: Limits) -> None:
    limits(free=3, pro=30)
    product.sql("DELETE FROM plan_limits")
    wanted = [{"proUnlimited": False, "proMonthlyLimit": number, "freeMonthlyLimit": number} for number in range(1, 9)]
    admin = product.admin()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda body: admin.post("/api/admin/plan-limits", json=body), wanted))
    assert [answer.json() for answer in answers] == wanted
    assert admin.get("/api/admin/plan-limits").json() in wanted


def test_plan_limits_out_of_bounds_are_refused_together(visitor: Person, admin: Person) -> None:
    before = visitor.get("/api/plan-limits").json()
    answer = admin.post(
        "/api/admin/plan-limits", json={"proUnlimited": 1, "proMonthlyLimit": 0, "freeMonthlyLimit": -1}
    )
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"proUnlimited", "proMonthlyLimit", "freeMonthlyLimit"}
    assert visitor.get("/api/plan-limits").json() == before


def test_public_site_facts_need_no_session(visitor: Person) -> None:
    assert visitor.get("/api/branding").json() == {
        "name": "Coverwright",
        "logoUrl": None,
        "faviconUrl": None,
        "footerLogoUrl": None,
    }
    assert visitor.get("/api/site-stats").json() == {"authors": None, "covers": None, "rating": None}
    assert visitor.get("/api/admin/selected-price").json() == {"amount": 1900, "currency": "usd", "interval": "month"}
    assert visitor.get("/api/carousel").json() == []


def test_capabilities_say_what_can_be_asked_for(visitor: Person) -> None:
    told = visitor.get("/api/capabilities").json()
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


def test_absent_fields_stay_as_they_are(admin: Person, standard: dict[str, Any]) -> None:
    admin.put(STANDARD, json={"settingKey": "standard_prompt", "promptTemplate": "Draw {{prompt}}."})
    admin.put(STANDARD, json={"showGenreCheckbox": True})
    shown = admin.get(STANDARD).json()
    assert shown["promptTemplate"] == "Draw {{prompt}}." and shown["showGenreCheckbox"] is True
    assert shown["settingKey"] == "standard_prompt" and shown["textValue"] is None
    listed = {setting["settingKey"]: setting for setting in admin.get("/api/admin/settings").json()}
    assert listed["standard_prompt"] == shown and "theme_prompt" in listed


def test_a_setting_has_the_specified_shape_and_the_defaults_of_its_prompt(
    admin: Person, standard: dict[str, Any]
) -> None:
    themed = admin.get(THEMED).json()
    for setting in (standard, themed):
        assert set(setting) == {"settingKey", "promptTemplate", "defaultValues", "showGenreCheckbox", "textValue"}
    assert set(standard["defaultValues"]) == PLAIN_DEFAULTS
    assert set(themed["defaultValues"]) == PLAIN_DEFAULTS | {"themeStylePrompt", "referenceImagePrompt"}


def test_the_chosen_product_is_one_of_the_settings(product: Product, admin: Person) -> None:
    chosen = {"productId": "prod_pro", "priceId": "price_pro"}
    assert admin.post("/api/admin/stub-pay/product", json=chosen).status_code == 200
    listed = {setting["settingKey"]: setting for setting in admin.get("/api/admin/settings").json()}
    key = "stub-pay_product_id"
    assert (listed[key]["promptTemplate"], listed[key]["defaultValues"]) == ("prod_pro", {"priceId": "price_pro"})
    assert admin.get(f"/api/admin/settings/{key}").json() == listed[key]
    assert admin.put(f"/api/admin/settings/{key}", json={"promptTemplate": "{{prompt}}"}).status_code == 404


def test_the_template_we_ship_can_be_had_back(admin: Person, standard: dict[str, Any]) -> None:
    for path in (STANDARD, THEMED):
        saved = admin.put(path, json={"promptTemplate": " Draw {{prompt}}.\r\nNow.\u202e ", "showGenreCheckbox": True})
        assert saved.json()["promptTemplate"] == "Draw {{prompt}}.\nNow."
        back = admin.put(path, json={"promptTemplate": None}).json()
        assert "flat, two-dimensional" in back["promptTemplate"] and "No 3D mockup" in back["promptTemplate"]
        assert back["showGenreCheckbox"] is True, "the rest stays"


def test_what_was_saved_is_audited_by_the_names_of_its_fields(admin: Person, standard: dict[str, Any]) -> None:
    before = audited(admin, "setting:standard_prompt")
    assert admin.put(STANDARD, json={"settingKey": "standard_prompt"}).status_code == 200
    assert admin.put(STANDARD, json={"promptTemplate": "no variable"}).status_code == 422
    assert audited(admin, "setting:standard_prompt") == before, "nothing was saved"
    admin.put(STANDARD, json={"settingKey": "standard_prompt", "promptTemplate": "{{prompt}}", "defaultValues": {}})
    assert audited(admin, "setting:standard_prompt")[0] == (
        "setting.save",
        admin.id,
        ["defaultValues", "promptTemplate"],
    )


def test_everything_that_is_wrong_with_a_setting_is_said_at_once(admin: Person, standard: dict[str, Any]) -> None:
    rules = {
        "settingKey": "theme_prompt",
        "promptTemplate": "{{secret}}",
        "defaultValues": {"title": "fine", "themeStylePrompt": "of themes only"},
    }
    error = fault(admin.put(STANDARD, json=rules))
    assert {name: code["code"] for name, code in error["fieldCodes"].items()} == {
        "settingKey": "other_setting",
        "promptTemplate": "unknown_variable",
        "defaultValues.themeStylePrompt": "unknown_field",
    }
    shapes = {"promptTemplate": 7, "defaultValues": {"title": "x" * 101, "genre": 1, "color": "red"}, "more": 1}
    error = fault(admin.put(STANDARD, json=shapes))
    assert {name: code["code"] for name, code in error["fieldCodes"].items()} == {
        "promptTemplate": "wrong_kind",
        "defaultValues.title": "too_long",
        "defaultValues.genre": "wrong_kind",
        "defaultValues.color": "unknown_field",
        "more": "unknown_field",
    }
    assert admin.get(STANDARD).json() == standard


def test_settings_saved_at_once_are_all_taken(product: Product, admin: Person, standard: dict[str, Any]) -> None:
    product.sql("DELETE FROM setting WHERE setting_key = 'standard_prompt'")
    parts = [{"promptTemplate": "Draw {{prompt}}."}, {"defaultValues": {"author": "A."}}, {"showGenreCheckbox": True}]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda body: admin.put(STANDARD, json=body), parts * 2))
    assert {answer.status_code for answer in answers} == {200}
    shown = admin.get(STANDARD).json()
    assert shown["promptTemplate"] == "Draw {{prompt}}." and shown["defaultValues"]["author"] == "A."
    assert shown["showGenreCheckbox"] is True


def test_a_prompt_is_shown_before_it_is_saved(admin: Person, standard: dict[str, Any]) -> None:
    draft = {
        "promptTemplate": "Draw {{prompt}}.\nBy {{author}}\nGenre {{genre}}\n"
        "{{#hasReferenceImages}}After pictures.{{/hasReferenceImages}}",
        "defaultValues": {"prompt": "a fox ", "genre": "Noir"},
    }
    preview = f"{STANDARD}/preview"
    assert admin.post(preview, json=draft).json() == {"text": f"Draw a fox.{AT_THE_END}"}
    more = {"showGenreCheckbox": True, "filled": {"author": "R. Fox"}, "hasReferenceImages": True}
    assert admin.post(preview, json=draft | more).json() == {
        "text": f"Draw a fox.\nBy R. Fox\nGenre Noir\nAfter pictures.{AT_THE_END}"
    }
    assert admin.get(STANDARD).json() == standard, "nothing is saved"
    error = fault(admin.post(preview, json={"promptTemplate": "{{x", "defaultValues": {"themeStylePrompt": "s"}}))
    assert set(error["fields"]) == {"promptTemplate", "defaultValues.themeStylePrompt"}
    assert admin.post("/api/admin/settings/logo_url/preview", json=draft).status_code == 404


def test_the_theme_prompt_inherits_missing_defaults_from_the_standard_one(
    product: Product, ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    template = "{{themeStylePrompt}}: {{prompt}}. {{title}} by {{author}}"
    admin.put(STANDARD, json={"defaultValues": {"title": "Untitled", "author": "Anon", "prompt": "a fox"}})
    own = {"promptTemplate": template, "defaultValues": {"author": "The Guild", "themeStylePrompt": "Woodcut"}}
    admin.put(THEMED, json=own)
    assert admin.post(f"{THEMED}/preview", json=own).json() == {
        "text": f"Woodcut: a fox. Untitled by The Guild{AT_THE_END}"
    }
    theme = ada.post("/api/themes", json={"name": "n", "stylePrompt": "Oil", "colors": ["#112233"]}).json()
    title = ada.user["email"]
    ada.cover(prompt="", title=title, author="", themeId=theme["id"])
    sent = product.stub.calls(title)[0]["prompt"]
    assert sent.startswith("Oil") and sent.endswith(f": a fox. {title} by The Guild{AT_THE_END}")


def test_what_grows_too_long_when_it_is_put_in_order_is_refused(
    ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    grows = "\u0958" * 60  # a letter that Unicode writes as two
    error = fault(ada.start(title=grows, author=grows))
    assert {name: code["code"] for name, code in error["fieldCodes"].items()} == {
        "title": "too_long",
        "author": "too_long",
    }
    error = fault(admin.put(STANDARD, json={"defaultValues": {"title": grows}}))
    assert set(error["fields"]) == {"defaultValues.title"}


def test_pictures_without_a_theme_follow_the_usual_style_where_there_is_one(
    product: Product, ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    admin.put(STANDARD, json={"promptTemplate": "Plain {{prompt}}"})
    admin.put(THEMED, json={"promptTemplate": "{{themeStylePrompt}}: {{prompt}}"})
    cover = ada.cover(prompt="an owl", title=uuid4().hex)
    for style, expected in (("", "Plain a fox"), ("Woodcut", "Woodcut: a fox")):
        admin.put(THEMED, json={"defaultValues": {"themeStylePrompt": style}})
        title = uuid4().hex
        asked = {"prompt": "a fox", "title": title, "dimensions": SMALL, "referenceImageIds": [cover["id"]]}
        answer = ada.post("/api/generate-cover-with-references", json=asked)
        assert ada.finished(answer.json()["generationId"])["status"] == "completed"
        assert product.stub.calls(title)[0]["prompt"] == expected + AT_THE_END


def test_the_saved_template_is_what_image_services_get(
    product: Product, ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    admin.put(STANDARD, json={"promptTemplate": "Draw {{prompt}}.\nBy {{author}}\nGenre {{genre}}"})
    ada.cover(prompt="a fox", title=ada.user["email"], author="R. Fox")
    assert product.stub.calls(ada.user["email"])[0]["prompt"] == f"Draw a fox.\nBy R. Fox{AT_THE_END}"


def test_an_administrator_places_and_words_what_is_said_of_the_lettering(
    product: Product, ada: Person, admin: Person, standard: dict[str, Any]
) -> None:
    template = {"promptTemplate": "{{lettering}}\nDraw {{prompt}}."}
    admin.put(STANDARD, json=template | {"defaultValues": {"lettering": "Leave out all letters."}})
    ada.cover(prompt="a fox", title=ada.user["email"])
    ada.cover(prompt="a fox", title=ada.user["email"], author="R. Fox", lettering="model")
    by_press, by_model = (call["prompt"] for call in product.stub.calls(ada.user["email"]))
    assert by_press == "Leave out all letters.\nDraw a fox."
    assert by_model.splitlines() == [
        f"Title, set large and spelled exactly: {ada.user['email']}",
        "Author, set smaller and spelled exactly: R. Fox",
        "No other words anywhere.",
        "Draw a fox.",
    ]


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
    assert long.status_code == 422 and set(fault(long)["fields"]) == {"defaultValues.title"}


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
