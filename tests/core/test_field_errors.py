"""Every code of a field error has a text in the browser, with the numbers that the text needs."""

import ast
import json
import re
from typing import Final

from kernel.core.config import PROJECT_ROOT
from kernel.core.field_errors import FieldError

LOCALES: Final = PROJECT_ROOT / "web/public/locales/en"
TEXTS: Final[dict[str, str]] = {
    code: words
    for name in ("translation", "spine", "books", "series", "admin")
    for code, words in json.loads((LOCALES / f"{name}.json").read_text())["errors"]["field"].items()
}
FORMS: Final = ("one", "other")


def field_errors() -> dict[str, set[str]]:
    """Return all codes in the sources of the kernel, with the names of their numbers."""
    found: dict[str, set[str]] = {}
    for path in sorted((PROJECT_ROOT / "kernel").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == FieldError.__name__:
                params = call.args[2].keys if len(call.args) > 2 and isinstance(call.args[2], ast.Dict) else []
                code, numbers = ast.literal_eval(call.args[0]), {ast.literal_eval(key) for key in params if key}
                assert found.setdefault(code, numbers) == numbers, f"{code} comes with other numbers in {path}"
    return found


def test_the_browser_has_words_for_every_code_and_no_others() -> None:
    keys = {
        key
        for code, numbers in field_errors().items()
        for key in ([f"{code}_{form}" for form in FORMS] if "count" in numbers else [code])
    }
    assert keys == set(TEXTS)


def test_the_words_hold_the_numbers_that_come_with_their_code() -> None:
    for code, numbers in field_errors().items():
        shown = {"formatted" if name == "count" else name for name in numbers}
        for key in [code] if code in TEXTS else [f"{code}_{form}" for form in FORMS]:
            assert set(re.findall(r"{{(\w+)}}", TEXTS[key])) == shown, key


def test_a_field_error_reads_as_its_sentence() -> None:
    error = FieldError("too_long", "Please use at most 3 characters.", {"count": 3})
    assert str(error) == error.message == "Please use at most 3 characters."
    assert FieldError("empty", "This field must not be empty.").params == {}
