"""Where a title may be broken into lines, and which breaks are worth trying."""

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import budoux

from kernel.press.scripts import Script

_WORDS: Final = """
the of and a an in to for at on with from by or is as & +
el la los las un una de del y o en con por para al
le les des du et ou au aux dans sur avec
der die das den dem des ein eine und oder im am von vom zu zum zur mit für auf
il lo gli i e di da dei della delle nel nella
o os as um uma do da dos das no na nos nas com em
и в во на с со из к о об от до за по у не а но
के का की को में से और पर
"""

FUNCTION_WORDS: Final = frozenset(_WORDS.split())
"""Words that may stand small on a line of their own, and should not end a line."""

NO_START: Final = frozenset("、。，．）」』】〉》〕ー々っゃゅょぁぃぅぇぉァィゥェォッャュョ！？・：；!?:;,.)]}%’”…»›ฯ")
NO_END: Final = frozenset("（「『【〈《〔([{‘“«‹¿¡")
LONG_PHRASE: Final = 7  # characters; a longer phrase without a space may also be broken inside, at a cost
INSIDE_COST: Final = 0.22
WORD_END_COST: Final = 0.14  # inside a kana phrase, after a character that often ends a word
CHINESE_WORD_COST: Final = 0.03
KANA_ENDINGS: Final = frozenset("をはがのにとでもいるたなてん")
CHINESE_ENDINGS: Final = frozenset("的了着过吗呢吧啊们地得之")
MAX_EVERY_WAY: Final = 11  # words; up to here every possible break is tried
PROSE: Final = 30  # words; longer texts are filled line by line
MOST_BALANCED: Final = 6  # lines; each more would triple the ways


class Token(NamedTuple):
    """A piece of text that stays together. `gap` joins it to the piece before it on the same line.

    `cost` is the cost, as a share of the score, of breaking before it.
    """

    text: str
    gap: str = " "
    cost: float = 0.0


def tokens(text: str, script: Script, language: str = "") -> tuple[Token, ...]:
    """Split a cleaned text at the places where a line may end. No-break spaces do not break."""
    found: list[Token] = []
    for word in text.split(" "):
        pieces = _phrases(word, script) if script in ("japanese", "chinese") else _hyphenated(word)
        if found and all(char in NO_START or char in "–—" for char in word):
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {word}")  # French has a space before its punctuation
            continue
        for index, piece in enumerate(pieces):
            found.append(piece if index else piece._replace(gap=" ", cost=0.0))
    return tuple(found)


def parted(words: Sequence[Token], signs: str) -> Sequence[Token]:
    """Return the tokens, parted after each of the signs as well."""
    if not signs:
        return words
    found: list[Token] = []
    for word in words:
        pieces = [piece for piece in re.split(f"(?<=[{re.escape(signs)}])", word.text) if piece]
        found += [
            word._replace(text=piece) if not index else Token(piece, gap="") for index, piece in enumerate(pieces)
        ]
    return found


def _hyphenated(word: str) -> list[Token]:
    """Split a compound of two long halves after its hyphen."""
    head, hyphen, tail = word.partition("-")
    if hyphen and len(head) > 3 and len(tail) > 3:
        return [Token(head + "-"), Token(tail, gap="", cost=0.05)]
    return [Token(word)]


@lru_cache(maxsize=4)
def _parser(script: Script) -> budoux.Parser:
    if script == "japanese":
        return budoux.load_default_japanese_parser()
    return budoux.load_default_simplified_chinese_parser()


def _phrases(word: str, script: Script) -> list[Token]:
    """Split between phrases, as a reader would pause; inside a long one only when there is nothing better."""
    if word.isascii():
        return _hyphenated(word)
    pieces: list[Token] = []
    for phrase in _parser(script).parse(word):
        inner = list(phrase) if len(phrase) > LONG_PHRASE else [phrase]
        for index, part in enumerate(inner):
            before = pieces[-1].text if pieces else ""
            if before and (_unbreakable(before[-1], part[0]) or (script == "chinese" and part in CHINESE_ENDINGS)):
                pieces[-1] = pieces[-1]._replace(text=before + part)
            else:
                pieces.append(Token(part, gap="", cost=_cost(before, script, index > 0)))
    return pieces


def _cost(before: str, script: Script, inside: bool) -> float:
    if inside:
        return WORD_END_COST if before[-1:] in KANA_ENDINGS else INSIDE_COST
    if script == "chinese" and before:
        cost = CHINESE_WORD_COST * (2 if len(before) == 1 else 1)
        return 0.0 if before[-1] in CHINESE_ENDINGS else cost
    return 0.0


def _unbreakable(left: str, right: str) -> bool:
    """Return whether no line may end between two characters: around marks; inside katakana, Latin words, numbers."""
    return right in NO_START or left in NO_END or _kind(left) == _kind(right) != ""


def _kind(char: str) -> str:
    if "\u30a1" <= char <= "\u30ff":
        return "katakana"
    return "latin" if char.isascii() and char.isalnum() else ""


def joined(part: Sequence[Token]) -> str:
    """Return the text of the tokens of one line."""
    return part[0].text + "".join(token.gap + token.text for token in part[1:])


def is_function_word(token: Token) -> bool:
    """Return whether the token is a word that may stand small."""
    return token.text.lower().strip(",:;") in FUNCTION_WORDS


def breaks(words: Sequence[Token], max_lines: int) -> Iterator[list[Sequence[Token]]]:
    """Yield ways to break into 1..max_lines lines: all for titles, balanced ones for longer texts, one for prose."""
    count = len(words)
    for lines in range(1, min(count, max_lines) + 1):
        if count <= MAX_EVERY_WAY or lines == 1:
            cuts: Iterator[tuple[int, ...]] = itertools.combinations(range(1, count), lines - 1)
        elif count > PROSE or lines > MOST_BALANCED:
            cuts = _filled(words, lines)
        else:
            cuts = _balanced(words, lines)
        for cut in cuts:
            edges = (0, *cut, count)
            yield [words[a:b] for a, b in itertools.pairwise(edges)]


def _filled(words: Sequence[Token], lines: int) -> Iterator[tuple[int, ...]]:
    """Yield the cuts that fill all lines but the last, in the shortest measure for so many lines, if any does."""
    lengths = [len(word.gap + word.text) for word in words]
    low, high = max(lengths), sum(lengths)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if len(_fill(lengths, middle)) < lines else (middle + 1, high)
    cut = _fill(lengths, low)
    if len(cut) == lines - 1:
        yield tuple(cut)


def _fill(lengths: Sequence[int], measure: int) -> list[int]:
    """Return where lines end that are filled one after the other."""
    cuts: list[int] = []
    used = 0
    for index, length in enumerate(lengths):
        if used and used + length > measure:
            cuts.append(index)
            used = 0
        used += length
    return cuts


def _balanced(words: Sequence[Token], lines: int) -> Iterator[tuple[int, ...]]:
    """Yield the cuts that come nearest to equal lines, each also one word earlier and later."""
    lengths = list(itertools.accumulate(len(word.gap + word.text) for word in words))
    nearest = []
    for line in range(1, lines):
        goal = lengths[-1] * line / lines
        middle = min(range(1, len(words)), key=lambda index: abs(lengths[index - 1] - goal))
        nearest.append([index for index in (middle - 1, middle, middle + 1) if 0 < index < len(words)])
    for cut in itertools.product(*nearest):
        if all(a < b for a, b in itertools.pairwise(cut)):
            yield cut
