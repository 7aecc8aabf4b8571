"""Themes: a user's own, and not those of others."""

from typing import Any

import pytest

from kernel.themes.service import MOST
from tests.person import Person, fault, next_page
from tests.product import Product

PLAIN = {"name": "Harbours", "stylePrompt": "linocut, two inks"}


def made(person: Person, **fields: Any) -> dict[str, Any]:
    """Make a theme and return it."""
    answer = person.post("/api/themes", json=PLAIN | fields)
    assert answer.status_code == 201, answer.text
    theme: dict[str, Any] = answer.json()
    return theme


def test_a_theme_needs_only_a_name_and_a_style(ada: Person) -> None:
    theme = made(ada)
    assert theme["colors"] == ["#6366F1", "#F59E0B", "#10B981", "#111827"]
    assert theme["description"] is None and theme["usageCount"] == 0
    assert theme["covers"] == [] and theme["coverCount"] == 0
    assert ada.get(f"/api/themes/{theme['id']}").json() == theme
    assert ada.get("/api/themes").json() == [theme]


def test_a_theme_keeps_what_was_given_without_blanks_around_it(ada: Person) -> None:
    theme = made(ada, name="  Sea ", description=" all blue ", colors=["#0000FF", "#abcdef"], stylePrompt=" waves ")
    assert (theme["name"], theme["description"], theme["stylePrompt"]) == ("Sea", "all blue", "waves")
    assert theme["colors"] == ["#0000FF", "#abcdef"]


def test_every_blank_field_is_named_in_the_specified_words(ada: Person) -> None:
    answer = ada.post("/api/themes", json={"name": " ", "stylePrompt": "\t", "colors": []})
    assert answer.status_code == 422
    assert fault(answer)["fields"] == {
        "name": "Theme name is required",
        "stylePrompt": "Style prompt is required",
        "colors": "At least one color is required",
    }


def test_missing_and_ill_typed_fields_are_named_together(ada: Person) -> None:
    answer = ada.post("/api/themes", json={"colors": ["blue"], "description": 7, "usageCount": 99})
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"name", "stylePrompt", "colors", "description", "usageCount"}
    assert ada.get("/api/themes").json() == []


@pytest.mark.parametrize("color", ["#12345", "#1234567", "123456", "#GGGGGG", "#123456\n", "#12345\u0661", "red", ""])
def test_a_color_is_six_hexadecimal_digits(ada: Person, color: str) -> None:
    answer = ada.post("/api/themes", json=PLAIN | {"colors": ["#123456", color]})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"colors"}


def test_a_theme_has_eight_colors_at_most(ada: Person) -> None:
    assert len(made(ada, colors=["#123456"] * 8)["colors"]) == 8
    answer = ada.post("/api/themes", json=PLAIN | {"colors": ["#123456"] * 9})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"colors"}


def test_the_quick_theme_of_the_generator_is_taken_as_it_is(ada: Person) -> None:
    body = {
        "name": "Sea",
        "description": "Custom theme - Sea",
        "colors": ["#6366F1", "#F59E0B", "#10B981", "#111827"],
        "stylePrompt": "Create covers in the style of Sea",
    }
    theme = ada.post("/api/themes", json=body).json()
    assert theme == theme | body
    assert ada.get("/api/themes").json() == [theme]


def test_the_style_can_be_changed_but_not_to_nothing(ada: Person) -> None:
    theme = made(ada)
    path = f"/api/themes/{theme['id']}"
    assert ada.patch(path, json={"stylePrompt": " gouache "}).json() == theme | {"stylePrompt": "gouache"}
    blank = ada.patch(path, json={"stylePrompt": "  "})
    assert blank.status_code == 422 and fault(blank)["fields"] == {"stylePrompt": "Style prompt is required"}
    assert ada.get(path).json()["stylePrompt"] == "gouache"


def test_name_description_and_colors_can_be_changed_each_by_itself(ada: Person) -> None:
    theme = made(ada, description="All blue")
    path = f"/api/themes/{theme['id']}"
    assert ada.patch(path, json={"name": " Piers "}).json() == theme | {"name": "Piers"}
    changed = ada.patch(path, json={"description": " Grey ", "colors": ["#123456"]}).json()
    assert changed == theme | {"name": "Piers", "description": "Grey", "colors": ["#123456"]}
    assert ada.patch(path, json={"description": " "}).json()["description"] is None
    refused = ada.patch(path, json={"name": " ", "colors": [], "stylePrompt": ""})
    assert refused.status_code == 422 and set(fault(refused)["fields"]) == {"name", "colors", "stylePrompt"}
    assert set(fault(ada.patch(path, json={"colors": ["blue"]}))["fields"]) == {"colors"}
    assert ada.get(path).json() == changed | {"description": None}


def test_a_deleted_theme_is_gone_and_its_covers_stay(ada: Person) -> None:
    theme = made(ada)
    cover = ada.cover(themeId=theme["id"])
    assert ada.delete(f"/api/themes/{theme['id']}").status_code == 204
    assert ada.get(f"/api/themes/{theme['id']}").status_code == 404
    assert ada.delete(f"/api/themes/{theme['id']}").status_code == 404
    assert ada.get(f"/api/covers/{cover['id']}").json() == cover | {"themeId": None}


def test_a_theme_deleted_while_its_cover_is_made_does_not_stop_the_cover(product: Any, ada: Person) -> None:
    theme = made(ada)
    product.stub.holds()
    generation_id = ada.generate(themeId=theme["id"], title=ada.user["email"])
    product.stub.called(ada.user["email"])
    assert ada.delete(f"/api/themes/{theme['id']}").status_code == 204
    product.stub.releases()
    status = ada.finished(generation_id)
    assert status["status"] == "completed" and status["result"]["themeId"] is None


def test_another_users_theme_looks_like_one_that_is_not_there(ada: Person, bob: Person, visitor: Person) -> None:
    theme = made(bob)
    path = f"/api/themes/{theme['id']}"
    calls = [
        lambda person, path: person.get(path),
        lambda person, path: person.patch(path, json={"stylePrompt": "mine"}),
        lambda person, path: person.delete(path),
    ]
    for call in calls:
        theirs, nobodys = call(ada, path), call(ada, "/api/themes/9007199254740991")
        assert theirs.status_code == nobodys.status_code == 404
        assert fault(theirs)["message"] == fault(nobodys)["message"]
        assert call(visitor, path).status_code == 401
    assert bob.get(path).json() == theme


def test_themes_are_listed_newest_first_page_by_page(ada: Person) -> None:
    ids = [made(ada, name=f"{number}")["id"] for number in range(5)]
    seen, following = [], "/api/themes?limit=2"
    while following:
        answer = ada.get(following)
        seen += [theme["id"] for theme in answer.json()]
        following = next_page(answer) or ""
    assert seen == ids[::-1]


@pytest.mark.parametrize("address", ["0", "-1", "1e3", "9007199254740992", "99999999999999999999999", "x", "%00"])
def test_ids_that_cannot_be_are_absent(ada: Person, address: str) -> None:
    answer = ada.get(f"/api/themes/{address}")
    assert answer.status_code == 404
    fault(answer)


def test_themes_have_a_limit(product: Product, ada: Person) -> None:
    made(ada)
    product.sql(
        "INSERT INTO theme (user_id, name, colors, style_prompt, usage_count, created_at) "
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :more) "
        "SELECT t.user_id, t.name, t.colors, t.style_prompt, 0, t.created_at FROM theme t, n WHERE t.user_id = :user",
        more=MOST - 2,
        user=ada.id,
    )
    last = made(ada)
    answer = ada.post("/api/themes", json=PLAIN)
    assert (answer.status_code, fault(answer)["code"]) == (409, "themes_full")
    assert str(MOST) in fault(answer)["message"]
    assert ada.delete(f"/api/themes/{last['id']}").status_code == 204
    made(ada)
