"""The codes of all rules of preflight: whoever words them has these to word. Imports nothing of ours.

`rules.json` lists them by area; the web application reads the same file.
"""

import json
from pathlib import Path
from typing import Final

_LISTED: Final[dict[str, list[str]]] = json.loads(Path(__file__).with_name("rules.json").read_bytes())

CHECKED: Final = {area: tuple(rules) for area, rules in _LISTED.items() if area != "own"}
"""What any file can be checked for, by area. `own` is what only the press knows of a file that it made itself."""

RULES: Final = tuple(rule for rules in _LISTED.values() for rule in rules)
