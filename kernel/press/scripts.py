"""Which writing system a text is in, and what that means for its letter case."""

import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Final, Literal

Script = Literal[
    "latin", "cyrillic", "greek", "arabic", "hebrew", "devanagari", "japanese", "chinese", "korean", "other", "common"
]
"""`chinese` stands for Han characters until the text says otherwise; `common` is what every script shares."""

_RANGES: Final[tuple[tuple[int, int, Script], ...]] = (
    (0x0370, 0x0400, "greek"),
    (0x1F00, 0x2000, "greek"),
    (0x0400, 0x0530, "cyrillic"),
    (0x1C80, 0x1C90, "cyrillic"),
    (0x2DE0, 0x2E00, "cyrillic"),
    (0xA640, 0xA6A0, "cyrillic"),
    (0x0590, 0x0600, "hebrew"),
    (0x0600, 0x0780, "arabic"),
    (0x08A0, 0x0900, "arabic"),
    (0xFB50, 0xFE00, "arabic"),
    (0xFE70, 0xFEFF, "arabic"),
    (0x0900, 0x0980, "devanagari"),
    (0xA8E0, 0xA900, "devanagari"),
    (0x3040, 0x3100, "japanese"),
    (0x31F0, 0x3200, "japanese"),
    (0xFF66, 0xFFA0, "japanese"),
    (0x1100, 0x1200, "korean"),
    (0x3130, 0x3190, "korean"),
    (0xA960, 0xA980, "korean"),
    (0xAC00, 0xD800, "korean"),
    (0x2E80, 0x2FE0, "chinese"),
    (0x3005, 0x3008, "chinese"),
    (0x3400, 0xA000, "chinese"),
    (0xF900, 0xFB00, "chinese"),
    (0x20000, 0x32000, "chinese"),
)

CASED: Final = frozenset({"latin", "cyrillic", "greek"})
IDEOGRAPHIC: Final = frozenset({"japanese", "chinese", "korean"})
JOINED: Final = frozenset({"arabic", "devanagari"})
"""Scripts whose letters are connected: never letter-spaced, never without their ligatures."""
TALL: Final = frozenset({"arabic", "devanagari", "hebrew", "other"})


@lru_cache(maxsize=4096)
def script_of(char: str) -> Script:
    """Return the script of one character; digits, spaces and punctuation are `common`."""
    point = ord(char)
    category = unicodedata.category(char)
    if category[0] in "NPSZC" and not 0x3005 <= point <= 0x3007:
        return "common"
    for first, end, script in _RANGES:
        if first <= point < end:
            return script
    if category[0] == "M" and not 0x0900 <= point < 0x1000:
        return "common"
    name = unicodedata.name(char, "")
    return "latin" if "LATIN" in name or point in (0xAA, 0xBA) else "other" if category[0] in "LM" else "common"


def text_script(text: str, language: str = "") -> Script:
    """Return the script in which a text is set: any kana makes it Japanese, Hangul Korean, else the most frequent one.

    `language` (a code such as `ja`) decides only where Han characters stand alone. A text without letters is Latin.
    """
    counts = Counter(script for char in text if (script := script_of(char)) != "common")
    if counts["japanese"]:
        return "japanese"
    if counts["korean"] and counts["korean"] >= counts["chinese"]:
        return "korean"
    if not counts:
        return "latin"
    script = counts.most_common(1)[0][0]
    if script == "chinese" and language[:2] in ("ja", "ko"):
        return "japanese" if language.startswith("ja") else "korean"
    return script


def upper(text: str, language: str = "") -> str:
    """Set in capitals by the language's rules: dotted İ in Turkish and Azeri, ẞ for ß."""
    if language[:2] in ("tr", "az"):
        text = text.replace("i", "İ").replace("ı", "I")
    return text.replace("ß", "ẞ").upper()


def clean(text: str) -> str:
    """Return the text in NFC on one line: white space collapsed, control and invisible characters removed.

    The joiners (ZWJ, ZWNJ) and the no-break space stay: they are part of the spelling.
    """
    kept = []
    for char in unicodedata.normalize("NFC", text):
        if char in "\u00a0\u200c\u200d\u202f":
            kept.append(char)
        elif char.isspace():
            kept.append(" ")
        elif unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn"):
            kept.append(char)
    return " ".join(part for part in "".join(kept).split(" ") if part)
