"""Every rule of preflight has a name and a sentence, which screens and reports share."""

import json
import re
from typing import Final

from kernel.core.config import PROJECT_ROOT
from kernel.press.editions.rules import RULES

TEXTS: Final = json.loads((PROJECT_ROOT / "web/public/locales/en/books.json").read_text())
WORDS: Final[dict[str, str]] = TEXTS["books"]["rules"]
SOURCES: Final = "\n".join(path.read_text() for path in sorted((PROJECT_ROOT / "kernel/press/editions").rglob("*.py")))


def test_there_is_a_name_and_a_sentence_for_every_rule_and_no_others() -> None:
    assert set(WORDS) == set(RULES) == set(TEXTS["preflight"]["names"])


def test_the_numbers_in_a_sentence_come_with_its_rule() -> None:
    for rule, words in WORDS.items():
        said = re.findall(rf'(?:said|checked)\(\s*"{rule}".*?\n', SOURCES)
        named = {name for name in re.findall(r"{{(\w+)}}", words) for call in said if f"{name}=" in call}
        if said and "**params" not in "".join(said):
            assert named == set(re.findall(r"{{(\w+)}}", words)), (rule, said)
