"""Secrets stay hidden; a settings type becomes a form."""

import copy
import pickle
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta

from kernel.spi import SECRET_SCHEMA, Secret, Settings, settings_fields, settings_schema


class Knobs(Settings, frozen=True, kw_only=True):
    api_key: Annotated[Secret, Meta(title="Key", description="K", extra_json_schema={"x-help-url": "https://a"})]
    level: Annotated[int, Meta(title="Level", description="L", ge=1)] = 3


def test_a_secret_does_not_show() -> None:
    secret = Secret("hunter2")
    assert "hunter2" not in f"{secret} {secret!r} {secret:>10} {Knobs(api_key=secret)!r}"


@pytest.mark.parametrize("encode", [msgspec.json.encode, msgspec.to_builtins, pickle.dumps, copy.deepcopy])
def test_a_secret_cannot_be_encoded(encode: object) -> None:
    with pytest.raises(TypeError):
        encode(Knobs(api_key=Secret("hunter2")))  # type: ignore[operator]


def test_secrets_compare_by_value() -> None:
    assert Secret("a") == Secret("a") != Secret("b")
    assert Secret("a").reveal() == "a"
    with pytest.raises(ValueError, match="empty"):
        Secret("")


def test_the_schema_draws_the_form() -> None:
    schema = settings_schema(Knobs)["$defs"]["Knobs"]
    key = schema["properties"]["api_key"]
    assert {name: key[name] for name in SECRET_SCHEMA} == SECRET_SCHEMA
    assert (key["title"], key["x-help-url"]) == ("Key", "https://a")
    assert schema["properties"]["level"] == {
        "title": "Level",
        "description": "L",
        "type": "integer",
        "minimum": 1,
        "default": 3,
    }
    assert schema["required"] == ["api_key"]


def test_a_misspelt_setting_is_an_error_at_import() -> None:
    with pytest.raises(TypeError):
        Knobs(api_key=Secret("a"), lvl=2)  # type: ignore[call-arg]


def test_choices_keep_the_order_they_are_written_in() -> None:
    class Painting(Settings, frozen=True, kw_only=True):
        size: Literal["small", "medium", "large"] = "medium"
        finish: Annotated[Literal["matt", "gloss"] | None, Meta(title="Finish")] = None
        inks: tuple[Literal["yellow", "cyan", "black"], ...] = ()

    fields = settings_fields(Painting)
    assert fields["size"]["enum"] == ["small", "medium", "large"]
    assert [branch["enum"] for branch in fields["finish"]["anyOf"] if "enum" in branch] == [["matt", "gloss"]]
    assert fields["inks"]["items"]["enum"] == ["yellow", "cyan", "black"]
