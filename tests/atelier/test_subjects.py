"""The catalog of subjects: its pictures, its names in twelve languages, and the search."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from plugins.atelier.outlines.own import OWN
from plugins.atelier.outlines.sketches import drawings
from plugins.atelier.semantics.languages import LANGUAGES, fold
from plugins.atelier.subjects.catalog import names, search, subjects

ICONS = Path(__file__).parents[2] / "node_modules/@iconify-json"
REACHED = 2500
OWN_PICTURES = 1800
FORBIDDEN = re.compile(
    r"^(arrows?|flag-for|keycap|emoticon|smiley|mood|account|user|brand|logo|wifi|bluetooth|cursor)-"
    r"|-(face|button|oclock|thirty|logo)$|^(grinning|smiling|crying|pouting|backhand-index-pointing-up)"
    r"|^(aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces)$"
)


@cache
def icons(name: str) -> frozenset[str]:
    found = json.loads((ICONS / name / "icons.json").read_text(encoding="utf-8"))
    return frozenset(found["icons"])


def test_there_are_many_subjects() -> None:
    assert len(subjects()) >= REACHED
    assert sum(not subject.kind_of for subject in subjects().values()) >= OWN_PICTURES


def test_every_picture_is_installed_or_drawn_by_us() -> None:
    lost = []
    for subject in subjects().values():
        source, _, icon = subject.picture.partition(":")
        if icon not in ({*OWN, *drawings()} if source == "own" else icons(source)):
            lost.append((subject.id, subject.picture))
    assert not lost


def test_a_picture_is_shared_only_by_kinds_of_one_subject() -> None:
    found = subjects()
    for subject in found.values():
        kind = found[subject.kind_of] if subject.kind_of else subject
        assert not kind.kind_of, subject.id
        assert subject.picture == kind.picture, subject.id
    pictures = Counter(subject.picture for subject in found.values() if not subject.kind_of)
    assert [picture for picture, times in pictures.items() if times > 1] == []


def test_ids_are_slugs_and_no_picture_is_a_sign_or_a_smiley() -> None:
    for subject in subjects().values():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", subject.id), subject.id
        assert not FORBIDDEN.search(subject.picture.partition(":")[2]), subject.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_subject_has_names_of_its_own_in_every_language(language: str) -> None:
    found = names(language)
    assert list(found) == list(subjects())
    assert [
        subject for subject, listed in found.items() if not all(name.strip() == name != "" for name in listed)
    ] == []
    assert [subject for subject, listed in found.items() if len(set(listed)) != len(listed)] == []
    labels = Counter(fold(listed[0]) for listed in found.values())
    assert [label for label, times in labels.items() if times > 1] == []


@pytest.mark.parametrize(
    ("text", "language", "subject"),
    [
        ("hedgehog", "en", "hedgehog"),
        ("moggy steed", "en", None),
        ("steed", "en", "horse"),  # a synonym
        ("wild boar", "en", "boar"),
        ("herisson", "fr", "hedgehog"),  # without its accent
        ("Leuchtt", "de", "lighthouse"),
        ("ARBOL", "es", "deciduous-tree"),
        ("いぬ", "ja", "dog"),
        ("灯台", "ja", "lighthouse"),
        ("刺猬", "zh", "hedgehog"),
        ("등대", "ko", "lighthouse"),
        ("маяк", "ru", "lighthouse"),
        ("еж", "ru", "hedgehog"),  # written ёж
        ("قنفد", "ar", None),
        ("قُنفُذ", "ar", "hedgehog"),  # with vowel marks
        ("फूल", "hi", "flower"),
        ("farol", "pt", "lighthouse"),
        ("riccio", "it", "hedgehog"),
    ],
)
def test_the_search_finds_names_and_synonyms(text: str, language: str, subject: str | None) -> None:
    assert search(text, language, 1) == ([subject] if subject else [])


def test_the_search_puts_the_same_name_first_then_beginnings_then_what_contains_it() -> None:
    found = search("cat", "en", 60)
    assert found[0] == "cat"
    places = [found.index(subject) for subject in ("cat", "catfish", "black-cat", "scarf") if subject in found]
    assert places == sorted(places)
    assert search("cat", "en", 3) == found[:3]


def test_an_empty_search_offers_well_known_subjects() -> None:
    found = search("  ", "de", 24)
    assert len(found) == len(set(found)) == 24
    assert set(found) <= set(subjects())
