"""Refresh `annotations.json` from Unicode CLDR: `python -m plugins.atelier.semantics.refresh FOLDER`.

FOLDER is an unpacked npm package `cldr-annotations-modern`. Only names that few pictures share are kept: `animal` would
make every animal the same.
"""

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from plugins.atelier.semantics.languages import LANGUAGES, fold
from plugins.atelier.semantics.lexicon import FOLDER
from plugins.atelier.semantics.pictures import NAMED

SHARED = 5  # pictures that may share a name before it is too general
NOTE = (
    "Short names of pictures from Unicode CLDR {version}, npm package cldr-annotations-modern. "
    "Copyright 2004-2024 Unicode, Inc. Unicode License v3, https://www.unicode.org/license.txt"
)


def names(annotations: dict[str, dict[str, list[str]]], language: str) -> dict[str, list[str]]:
    """Return the distinctive one-word names of each picture in one language, the best first."""
    listed = {picture: entry.get("tts", []) + entry.get("default", []) for picture, entry in annotations.items()}
    words = {
        picture: list(dict.fromkeys(fold(part).strip() for name in found for part in name.split(",")))
        for picture, found in listed.items()
    }
    common = Counter(word for found in words.values() for word in found)
    kept = {}
    for picture in NAMED:
        good = [
            word
            for word in words.get(picture, [])
            if word and " " not in word and common[word] <= SHARED and len(word) > 1
        ]
        if good:
            kept[picture] = good[:3]
    return kept


def main(folder: str) -> None:
    """Write the file."""
    found: dict[str, dict[str, list[str]]] = {}
    version = ""
    for language in LANGUAGES:
        path = Path(folder) / "annotations" / language / "annotations.json"
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["annotations"]
        version = data["identity"]["version"]["_cldrVersion"]
        found[language] = names(data["annotations"], language)
    result = {"note": NOTE.format(version=version), "names": found}
    text = json.dumps(result, ensure_ascii=False, separators=(",", ":")).replace('},"', '},\n"')
    (FOLDER / "annotations.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
