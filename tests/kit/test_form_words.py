"""The words that describe fields to the form: the kit, the documentation and the web client know the same ones."""

import re
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from kernel.core.config import PROJECT_ROOT
from kernel.providers import load_plugins
from kernel.spi import Settings
from kernel.spi.testing.fields import FORM_WORDS, misused_words

WORD = re.compile(r"\bx-[a-z]+(?:-[a-z]+)*")


def about(**words: Any) -> Meta:
    """Describe a field with words of the form, in which `_` stands for `-`."""
    return Meta(
        title="Title",
        description="Description.",
        extra_json_schema={word.replace("_", "-"): value for word, value in words.items()},
    )


def test_every_word_is_right_in_every_provider_of_ours() -> None:
    offers = load_plugins({}).offers
    assert len(offers) > 15
    assert {offer.spec.id: found for offer in offers.values() if (found := misused_words(offer.spec.settings))} == {}


@pytest.mark.parametrize(
    ("meta", "said"),
    [
        (about(x_grup="advanced"), "level: `x-grup` is no word of the form; `x-group` is"),
        (about(x_zebra=1), "level: `x-zebra` is no word of the form"),
        (about(x_destination="yes"), "level: `x-destination` is True"),
        (about(x_suggest="low"), "level: `x-suggest` is a list of texts"),
        (about(x_suggest=["low", 3]), "level: `x-suggest` is a list of texts"),
        (about(x_group=""), "level: `x-group` is a text"),
        (about(x_help_url="acme.example/keys"), "level: `x-help-url` is an address with http or https"),
        (about(x_env=None), "level: `x-env` is the name of a variable"),
        (about(x_show_when=["account"]), "level: `x-show-when` is an object of fields and their values"),
        (about(x_show_when={"acount": "own"}), "level: `x-show-when` names `acount`, which is no setting"),
        (about(x_choices={"low": "Low", "hihg": "High"}), "level: `x-choices` names `hihg`, which is no choice"),
    ],
)
def test_a_wrong_word_is_named_with_its_cure(meta: Meta, said: str) -> None:
    class Wrong(Settings, frozen=True, kw_only=True):
        level: Annotated[Literal["low", "high"], meta] = "low"

    assert misused_words(Wrong) == [said]


def test_right_words_are_left_alone() -> None:
    class Right(Settings, frozen=True, kw_only=True):
        account: Annotated[Literal["own", "shared"], about(x_choices={"own": "An account of your own"})] = "shared"
        number: Annotated[str, about(x_show_when={"account": ["own"]}, x_env="ACME_NUMBER", x_group="More")] = ""
        regions: Annotated[tuple[Literal["eu", "us"], ...], about(x_choices={"eu": "European Union"})] = ()

    assert misused_words(Right) == []


@pytest.mark.parametrize(
    "place", ["kernel/docs/pages/settings.md", "web/src/features/admin/instance/settings-schema.ts"]
)
def test_documentation_and_form_know_the_same_words(place: str) -> None:
    assert set(WORD.findall((PROJECT_ROOT / place).read_text())) == set(FORM_WORDS)
