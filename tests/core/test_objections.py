"""What the server says against a field by a code has words in the browser, and the numbers that they need."""

import ast
import json
import re
from typing import Final

from kernel.core.config import PROJECT_ROOT
from kernel.core.objections import Objection

TEXTS: Final[dict[str, str]] = json.loads((PROJECT_ROOT / "web/public/locales/en/translation.json").read_text())[
    "errors"
]["field"]
FORMS: Final = ("one", "other")


def objections() -> dict[str, set[str]]:
    """Return all codes in the sources of the kernel, and the names of the numbers that come with each."""
    found: dict[str, set[str]] = {}
    for path in sorted((PROJECT_ROOT / "kernel").rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == Objection.__name__:
                code, numbers = ast.literal_eval(call.args[0]), {str(keyword.arg) for keyword in call.keywords}
                assert found.setdefault(code, numbers) == numbers, f"{code} comes with other numbers in {path}"
    return found


def test_the_browser_has_words_for_every_code_and_no_others() -> None:
    keys = {
        key
        for code, numbers in objections().items()
        for key in ([f"{code}_{form}" for form in FORMS] if "count" in numbers else [code])
    }
    assert keys == set(TEXTS)


def test_the_words_hold_the_numbers_that_come_with_their_code() -> None:
    for code, numbers in objections().items():
        shown = {"formatted" if name == "count" else name for name in numbers}
        for key in [code] if code in TEXTS else [f"{code}_{form}" for form in FORMS]:
            assert set(re.findall(r"{{(\w+)}}", TEXTS[key])) == shown, key


def test_an_objection_is_its_sentence() -> None:
    objection = Objection("too_long", "Please use at most 3 characters.", count=3)
    assert objection == "Please use at most 3 characters." and type(str(objection)) is str
    assert (objection.code, objection.values) == ("too_long", {"count": 3})
