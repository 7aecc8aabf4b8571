"""Templates, cursors and file names with arbitrary texts."""

import re
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernel.core.errors import InvalidFields
from kernel.core.web.paging import decode_cursor, encode_cursor
from kernel.covers.cover_read import TEXT_KEY_CHARS, text_key
from kernel.covers.gallery.file_names import content_disposition, file_name
from kernel.site.prompts import (
    STANDARD_TEMPLATE,
    THEME_TEMPLATE,
    VARIABLES,
    clean,
    lettering_words,
    render,
    template_fault,
)

NAMES = sorted(VARIABLES)
TEXTS = st.text(max_size=60)
VALUES = st.dictionaries(st.sampled_from(NAMES), TEXTS)
PIECES = st.one_of(
    TEXTS,
    st.sampled_from([f"{{{{{name}}}}}" for name in NAMES]),
    st.sampled_from(["{{#hasReferenceImages}}", "{{/hasReferenceImages}}", "{{", "}}", "{{{", "{{ title }}", "\n"]),
)
TEMPLATES = st.lists(PIECES, max_size=12).map("".join)


@given(TEMPLATES, VALUES, st.booleans())
@example("{{#hasReferenceImages}}{{title}}{{/hasReferenceImages}}", {}, True)
def test_a_template_is_refused_or_renders_without_a_trace_of_braces(
    template: str, values: dict[str, str], has_references: bool
) -> None:
    if template_fault(template):
        return
    plain = {name: text.replace("{", "(").replace("}", ")") for name, text in values.items()}
    rendered = render(template, plain, has_references=has_references)
    assert "{{" not in rendered and "}}" not in rendered


@given(TEXTS, TEXTS)
@example("{{title}}", "{{prompt}}")
@example("{{#hasReferenceImages}}", "{{/hasReferenceImages}}")
@example("\\1 \\g<0>", "$1")
def test_values_stand_in_the_result_literally_and_once(title: str, prompt: str) -> None:
    rendered = render("[{{title}}|{{prompt}}]", {"title": title, "prompt": prompt}, has_references=True)
    if clean(title) or clean(prompt):
        assert rendered == f"[{clean(title)}|{clean(prompt)}]".strip()
    else:
        assert rendered == "", "a line of blanks is left out"


@given(VALUES, st.booleans())
def test_the_shipped_templates_always_render(values: dict[str, str], has_references: bool) -> None:
    for template in (STANDARD_TEMPLATE, THEME_TEMPLATE):
        assert template_fault(template) is None
        assert render(template, values, has_references=has_references)


@pytest.mark.parametrize("template", [STANDARD_TEMPLATE, THEME_TEMPLATE])
def test_the_shipped_templates_leave_out_an_author_that_is_not_there(template: str) -> None:
    drawn = {name: lettering_words({"title": "Red", "author": name}, by_press=False) for name in ("R. Fox", "")}
    written = render(template, {"prompt": "a fox", "lettering": drawn["R. Fox"]}, has_references=False)
    assert "R. Fox" in written and "flat, two-dimensional" in written and "No 3D mockup" in written
    without = render(template, {"prompt": "a fox", "lettering": drawn[""]}, has_references=False)
    assert "Author" in written and "Author" not in without and "Red" in without


@given(st.text())
def test_cleaning_twice_is_cleaning_once_and_leaves_nothing_invisible(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", cleaned)
    cleaned.encode()


@given(st.lists(st.text(st.characters(exclude_characters="\x1f", codec="utf-8")), min_size=1, max_size=3))
def test_a_cursor_comes_back_as_it_was(parts: list[str]) -> None:
    cursor = encode_cursor(*parts)
    assert re.fullmatch(r"[A-Za-z0-9_-]*", cursor)
    assert decode_cursor(cursor, len(parts)) == tuple(parts)


@given(st.text(max_size=200), st.integers(1, 3))
def test_a_foreign_cursor_is_refused_with_a_message(text: str, parts: int) -> None:
    try:
        decoded = decode_cursor(text, parts)
    except InvalidFields as refused:
        assert set(refused.fields) == {"cursor"}
    else:
        assert decoded is not None and len(decoded) == parts


@given(st.text(st.characters(codec="utf-8"), max_size=100))
def test_a_download_has_one_safe_name(title: str) -> None:
    name = file_name(title, "png")
    assert re.fullmatch(r"\w+\.png", name) and len(name) <= 320
    header = content_disposition(name)
    assert header.isascii() and header.isprintable() and header.count('"') == 2
    assert unquote(header.partition("UTF-8''")[2]) == name


@given(st.text())
def test_a_key_to_search_by_fits_its_column(text: str) -> None:
    assert len(text_key(text)) <= TEXT_KEY_CHARS


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Émile", "éMILE"),
        ("ВОЙНА и мир", "война И МИР"),
        ("Straße", "STRASSE"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευς"),
        ("Ｄune", "dune"),
    ],
)
def test_case_does_not_matter_in_any_script(written: str, typed: str) -> None:
    assert text_key(written) == text_key(typed)
