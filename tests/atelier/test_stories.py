"""What descriptions of books in twelve languages are read to show."""

import subprocess
import sys
from typing import get_args

import pytest

from kernel.core.config import PROJECT_ROOT
from kernel.spi import Element
from kernel.spi.depiction import ElementColor
from plugins.atelier.semantics.finding import find_elements, stand_ins, standing_in
from plugins.atelier.semantics.languages import LANGUAGES
from plugins.atelier.semantics.story import read_story
from plugins.atelier.semantics.vocabulary import SHOWN, Sense, shown_names, vocabulary
from plugins.atelier.subjects.catalog import subjects
from tests.atelier.proof import FOLDER, verdicts

LEAST_MAIN = 0.92  # of the descriptions that name something, in all languages together
LEAST_MAIN_EACH = 0.85
TERMS = ("setting", "time", "weather", "season", "era", "mood", "idea")


@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptions_show_what_they_name_and_nothing_they_deny(language: str) -> None:
    read = verdicts(language)
    wrong = [f"{one.text}: {', '.join(one.contradictions)} ({one.got})" for one in read if one.contradictions]
    assert not wrong
    named = [one for one in read if one.main is not None]
    missed = [f"{one.text}: {one.got}" for one in named if not one.main]
    assert 1 - len(missed) / len(named) >= LEAST_MAIN_EACH, missed


def test_the_main_subject_is_recalled_in_all_languages_together() -> None:
    read = [one for language in LANGUAGES for one in verdicts(language)]
    assert len(read) >= 360 and {path.stem for path in FOLDER.glob("*.toml")} == set(LANGUAGES)
    named = [one.main for one in read if one.main is not None]
    assert sum(named) / len(named) >= LEAST_MAIN


def test_every_language_names_the_same_places_times_and_ideas() -> None:
    listed = {language: {sense for sense, _ in shown_names(language)} for language in LANGUAGES}
    assert all(senses == listed["en"] for senses in listed.values())
    assert {sense.kind for sense in listed["en"]} == set(TERMS) == set(SHOWN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_figures_of_speech_numbers_colors_and_denials(language: str) -> None:
    senses = [(phrase, sense) for phrase, entry in vocabulary(language).entries.items() for sense in entry.senses]
    assert sum(sense.kind in ("idiom", "means") for _, sense in senses) >= 25
    assert {sense.id for _, sense in senses if sense.kind == "number"} == {str(count) for count in range(13)}
    assert {sense.id for _, sense in senses if sense.kind == "color"} == set(get_args(ElementColor)) - {""}
    assert any(sense.kind in ("deny", "deny-after") for _, sense in senses)


def test_what_stands_for_an_idea_is_in_the_catalog() -> None:
    table = stand_ins()
    known = {sense for sense, _ in shown_names("en")}
    for kind, entries in (("idea", table.idea), ("setting", table.setting)):
        for name, choices in entries.items():
            assert Sense(kind, name) in known and set(choices) <= set(subjects()), name
    assert {sense.id for sense in known if sense.kind == "idea"} == set(table.idea)
    love = Element(kind="idea", id="love")
    assert standing_in((love,), 0)[0].id == "heart"
    assert standing_in((love, Element(kind="subject", id="fox")), 0) == ()


def test_labels_are_in_the_language_that_is_asked_for() -> None:
    story = read_story("Two wolves in the snow", language="de")
    assert {element.label for element in story.depiction.elements} == {"Wolf", "Schnee"}
    assert story.language == "en"
    assert read_story("Two wolves", language="xxxxxxxxx").depiction.elements[0].label == "wolf"


def test_a_number_says_more_than_a_plural() -> None:
    depiction = read_story("Two robots fall in love.", title="Robots", language="en").depiction
    assert (depiction.elements[0].id, depiction.elements[0].count) == ("robot", 2)


def test_figures_of_speech_names_and_denials_are_no_words_about_the_picture() -> None:
    story = read_story("Rose Miller has no dragons. A storm of applause greets the lighthouse.", language="en")
    assert not {"Rose", "dragons", "storm"} & set(story.plain.replace(".", " ").split())
    assert "lighthouse" in story.plain


def test_what_cannot_be_drawn_is_said_with_what_comes_nearest() -> None:
    absent = [
        " ".join(phrase)
        for phrase, entry in vocabulary("en").entries.items()
        if any(sense.kind == "absent" and sense.id in subjects() for sense in entry.senses)
    ]
    depiction = read_story(f"A lighthouse and one {absent[0]}", language="en").depiction
    (missing,) = depiction.missing
    assert missing.word == absent[0] and missing.nearest is not None and missing.nearest.label
    assert [element.id for element in depiction.elements] == ["lighthouse"]


def test_elements_are_found_by_names_of_every_kind() -> None:
    assert find_elements("Leuchtturm", "de", 5)[0] == Element(kind="subject", id="lighthouse", label="Leuchtturm")
    assert Element(kind="weather", id="storm", label="storm") in find_elements("stor", "en", 8)
    assert find_elements("الليل", "ar", 5) and find_elements("xyzzy", "en", 5) == ()
    for limit in (0, 1, 7, 30):
        found = find_elements("", "ja", limit)
        assert len(found) == limit and len({(one.kind, one.id) for one in found}) == limit


def test_reading_needs_no_drawing() -> None:
    """The web process reads; it must not load what only drawing needs."""
    code = (
        "import sys\nfrom plugins.atelier.semantics.finding import find_elements\n"
        "from plugins.atelier.semantics.story import read_story\n"
        "read_story('A fox in the rain', language='en'); find_elements('fox', 'en', 3)\n"
        "sys.exit(bool({'skia', 'numpy', 'PIL'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PROJECT_ROOT, timeout=60)
