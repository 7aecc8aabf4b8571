"""Order of mixed left-to-right and right-to-left text on a line: UAX #9 without explicit embeddings.

`scripts.clean` has taken the embedding and isolate characters out before a text gets here.
"""

import unicodedata
from itertools import groupby
from typing import Literal, NamedTuple

Direction = Literal["ltr", "rtl"]

_STRONG = {"L": "L", "R": "R", "AL": "R"}
_PAIRS = {")": "(", "]": "[", "}": "{", "〉": "〈", "》": "《", "」": "「", "』": "『", "】": "【"}


class DirectionRun(NamedTuple):
    """A piece of text that runs one way."""

    text: str
    direction: Direction


def base_direction(text: str) -> Direction:
    """Return the direction of the whole text: that of its first letter with a direction (rules P2 and P3)."""
    for char in text:
        if strong := _STRONG.get(unicodedata.bidirectional(char)):
            return "rtl" if strong == "R" else "ltr"
    return "ltr"


def visual_runs(line: str, base: Direction) -> list[DirectionRun]:
    """Return the runs of one line from left to right; the text inside a run stays in reading order (rule L2)."""
    levels = _levels(line, 1 if base == "rtl" else 0)
    runs: list[tuple[int, str]] = [
        (level, "".join(char for _, char in group))
        for level, group in groupby(zip(levels, line, strict=True), key=lambda pair: pair[0])
    ]
    for level in range(max(levels, default=0), 0, -1):
        ordered: list[tuple[int, str]] = []
        for high, group in groupby(runs, key=lambda run: run[0] >= level):
            block = list(group)
            ordered.extend(reversed(block) if high else block)
        runs = ordered
    return [DirectionRun(text, "rtl" if level % 2 else "ltr") for level, text in runs]


def _levels(line: str, base: int) -> list[int]:
    outer = "R" if base else "L"
    kinds = _weak([unicodedata.bidirectional(char) or "L" for char in line], outer)
    _brackets(line, kinds, outer)
    _neutral(kinds, outer)
    levels = [base + _STEP[base % 2].get(kind, 0) for kind in kinds]
    for index in range(len(line) - 1, -1, -1):  # rule L1
        if not line[index].isspace():
            break
        levels[index] = base
    return levels


_STEP = ({"R": 1, "AN": 2, "EN": 2}, {"L": 1, "AN": 1, "EN": 1})  # rules I1 and I2


def _weak(kinds: list[str], outer: str) -> list[str]:
    """Apply rules W1 to W7."""
    strong = previous = outer
    for index, kind in enumerate(kinds):
        if kind in ("NSM", "BN"):
            kind = previous
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"
        kinds[index] = previous = kind
    for index, kind in enumerate(kinds[1:-1], 1):
        before, after = kinds[index - 1], kinds[index + 1]
        if before == after and ((kind == "ES" and before == "EN") or (kind == "CS" and before in ("EN", "AN"))):
            kinds[index] = before
    start = 0
    for kind, group in groupby(list(kinds)):
        end = start + len(list(group))
        beside = (kinds[start - 1] if start else "", kinds[end] if end < len(kinds) else "")
        if kind == "ET":
            kinds[start:end] = ["EN" if "EN" in beside else "ON"] * (end - start)
        start = end
    strong = outer
    for index, kind in enumerate(kinds):
        if kind in ("L", "R", "AL"):
            strong = kind
        if kind == "EN" and strong == "L":
            kinds[index] = "L"
        elif kind == "AL":
            kinds[index] = "R"
        elif kind in ("ES", "ET", "CS", "S", "WS", "B"):
            kinds[index] = "ON"
    return kinds


def _brackets(line: str, kinds: list[str], outer: str) -> None:
    """Apply rule N0: a pair of brackets takes the direction of what it encloses."""
    stack: list[int] = []
    for index, char in enumerate(line):
        if kinds[index] != "ON":
            continue
        if char in _PAIRS.values():
            stack.append(index)
        elif char in _PAIRS and stack and line[stack[-1]] == _PAIRS[char]:
            first = stack.pop()
            inside = {"R" if kind in ("R", "AN", "EN") else kind for kind in kinds[first + 1 : index]} & {"L", "R"}
            if outer in inside:
                kinds[first] = kinds[index] = outer
            elif inside:
                before = next((k for k in reversed(kinds[:first]) if k in ("L", "R", "AN", "EN")), outer)
                other = "L" if outer == "R" else "R"
                kinds[first] = kinds[index] = other if (before == "L") == (other == "L") else outer


def _neutral(kinds: list[str], outer: str) -> None:
    """Apply rules N1 and N2."""
    sides = {"L": "L", "R": "R", "AN": "R", "EN": "R"}
    start = 0
    while start < len(kinds):
        if kinds[start] != "ON":
            start += 1
            continue
        end = start
        while end < len(kinds) and kinds[end] == "ON":
            end += 1
        before = sides[kinds[start - 1]] if start else outer
        after = sides[kinds[end]] if end < len(kinds) else outer
        kinds[start:end] = [before if before == after else outer] * (end - start)
        start = end
