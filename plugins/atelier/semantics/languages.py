"""Words of twelve languages: which language a text is in, and the forms under which a word may stand in the lexicon."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import snowballstemmer

from kernel.press.scripts import script_of

LANGUAGES: Final = ("en", "es", "fr", "de", "ja", "zh", "it", "pt", "ru", "ko", "ar", "hi")

UNSPACED: Final = ("ja", "zh")

_SNOWBALL: Final = {
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "de": "german",
    "it": "italian",
    "pt": "portuguese",
    "ru": "russian",
    "hi": "hindi",
}

_COMMON_WORDS: Final = {
    "en": "the of and to in is that with for on her his she he they from by who when must a an at into their but not",
    "es": "el la los las de del y en que un una con por para su se al es no como más pero ella él entre sobre",
    "fr": "le la les de des du et en un une que qui dans pour sur avec son sa ses au aux est elle il ne pas se par",
    "de": "der die das und ist ein eine einen einem einer in den dem des mit von zu auf für im sich sie er nicht war",
    "it": "il lo la gli le di del della dei e in un una che con per su sua suo al è non si nel nella i tra da",
    "pt": "o a os as de do da dos das e em um uma que com por para seu sua ao é não se no na nos nas pelo mais",
}
COMMON_WORDS: Final = {code: frozenset(words.split()) for code, words in _COMMON_WORDS.items()}

SHORTEST_STEM: Final = 3  # letters; shorter stems are too similar to others
_PLURAL_S: Final = ("en", "es", "fr", "pt")
_KOREAN: Final = """
은 는 이 가 을 를 의 에 에서 에게 에게서 과 와 도 로 으로 만 까지 부터 처럼 보다 나 이나 랑 이랑
뿐 마다 조차 이면 면 에선 엔 이자 밖에 께 들 속 위 이다 인 이라는 라는 한 하는 이야기 에는 에도 으로는 에서는
"""
_KOREAN_ENDINGS: Final = sorted(_KOREAN.split(), key=len, reverse=True)
_ARABIC_HEADS: Final = ("وال", "بال", "كال", "فال", "لل", "ال", "و", "ب", "ل", "ف", "ك")
_ARABIC_ENDINGS: Final = "تان تين ها هم تها ان ات ون ين يه وه ه ي ا"
_ARABIC_TAILS: Final = tuple(_ARABIC_ENDINGS.split())
_VOWEL_MARKS: Final = [*map(chr, range(0x064B, 0x0653)), "\u0670", "\u093c"]
_ARABIC_LETTERS: Final = str.maketrans(
    {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ؤ": "و", "ئ": "ي", "ـ": None}
)


class _Kept(dict[int, int | str | None]):
    """A table for `str.translate` that asks a function about each character once."""

    def __init__(self, ask: Callable[[str], str | None]) -> None:
        self._ask = ask

    def __missing__(self, code: int) -> str | None:
        found = self[code] = self._ask(chr(code))
        return found


_FOLDED: Final = str.maketrans({"ё": "е", "’": "'", **dict.fromkeys(_VOWEL_MARKS)}) | _ARABIC_LETTERS
_UNMARKED: Final = _Kept(lambda char: None if unicodedata.category(char) == "Mn" else char)
_SPACED: Final = _Kept(lambda char: char if unicodedata.category(char)[0] in "LMN" or char in "'-" else " ")


def fold(text: str) -> str:
    """Return the text as the lexicon spells it: lower case, compatibility forms resolved, vowel marks removed."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).casefold().translate(_FOLDED)


def without_accents(word: str) -> str:
    """Return a Latin word without accents; other scripts are unchanged."""
    if word.isascii() or script_of(word[0]) != "latin":
        return word
    return unicodedata.normalize("NFD", word).translate(_UNMARKED)


def words_of(text: str) -> list[str]:
    """Split a folded text into words; marks of Arabic and Devanagari stay with their letters."""
    return [word for part in text.translate(_SPACED).split() if (word := part.strip("'-"))]


@lru_cache(maxsize=16)
def _stemmer(language: str) -> "snowballstemmer.stemmer":
    return snowballstemmer.stemmer(_SNOWBALL[language])


@lru_cache(maxsize=8192)
def forms(word: str, language: str, parts: bool = True) -> tuple[str, ...]:
    """Return the forms in which a folded word may be known: unchanged, without endings, without accents.

    `parts`: also the halves of l'océan, dell'oro and sea-green.
    """
    found = [word]
    if language in _SNOWBALL:
        found.append(_stemmer(language).stemWord(word))
        if language in _PLURAL_S and word.endswith("s"):
            found.append(_stemmer(language).stemWord(word[:-1]))
        for part in re.split(r"['\-]", word) if parts else ():
            if len(part) > 2 and part != word:
                found += [part, _stemmer(language).stemWord(part)]
    elif language == "ar":
        found += [form for form, _ in arabic_forms(word)]
    elif language == "ko":
        return (word, *korean_stems(word))
    return tuple(dict.fromkeys(without_accents(form) for form in found if len(form) >= SHORTEST_STEM or form == word))


def arabic_forms(word: str) -> list[tuple[str, str]]:
    """Return a word without article, conjunction and pronoun, with the ending removed.

    Which of them is really there, the lexicon decides.
    """
    heads = [word] + [
        word[len(head) :] for head in _ARABIC_HEADS if word.startswith(head) and len(word) > len(head) + 1
    ]
    tails = [
        (form[: -len(tail)] + more, tail)
        for form in heads
        for tail in _ARABIC_TAILS
        if form.endswith(tail) and len(form) > len(tail) + 1
        for more in (("", "ه") if tail in ("تان", "تين", "ات", "تها", "تهم") else ("",))
    ]
    return [(form, "") for form in heads] + tails


def korean_stems(word: str) -> list[str]:
    """Return a word without its particles: 고양이들은 is 고양이들 and 고양이."""
    stems = [word[: -len(end)] for end in _KOREAN_ENDINGS if word.endswith(end) and len(word) > len(end)]
    return list(dict.fromkeys(stems + [inner for stem in stems for inner in korean_stems(stem)]))


def language_of_script(word: str, hint: str) -> str:
    """Return the language of a word that is not Latin, by its letters; empty for a Latin word."""
    script = next((script for char in word if (script := script_of(char)) != "common"), "latin")
    if script == "chinese":
        return "ja" if hint == "ja" else "zh"
    return {"cyrillic": "ru", "arabic": "ar", "devanagari": "hi", "japanese": "ja", "korean": "ko"}.get(script, "")
