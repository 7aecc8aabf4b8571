"""Where each word of a cover stands for a style and a place: areas, sizes and the order in which lines follow."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from kernel.press.bidi import base_direction
from kernel.press.box import Box
from kernel.press.catalogue import Voice
from kernel.press.lettering.document import Area, Block, CoverWords, Role
from kernel.press.lettering.outlines import SetBlock, set_block
from kernel.press.lettering.sight.viewing import unit_of
from kernel.press.lettering.styles import Manner, PlaceName, Style
from kernel.press.scripts import CASED, clean, text_script
from kernel.press.style import Align, Valign

# All lengths are in units (see `unit_of`) unless stated. Tuned by eye on sheets.
MARGIN: Final = 0.075  # of the panel's shorter side: where designed type ends; safe is nearer to the edge
AUTHOR_SHARE: Final = 0.62  # of the title's size
LEAST: Final = 0.038  # an em smaller than this is not read on a shop page
GAP: Final = 0.034
GAP_SHARE: Final = 0.16  # of the title's em, added to the gap
GAP_MORE: Final = 0.03  # at most so much is added
LONG_NAME: Final = 40  # characters of an author line that is better set in two
LINE: Final = 1.34  # height of a line of small type in ems
GROWN: Final[dict[str, float]] = {"arabic": 1.3, "devanagari": 1.2, "hebrew": 1.2}
"""How much larger small lines are in scripts that look small beside capitals."""
QUIETER: Final[dict[Voice, Voice]] = {"heavy": "sans", "fat": "serif", "elegant": "serif"}
TITLE_HEIGHTS: Final = (0.17, 0.24, 0.32, 0.42)  # of the panel's height
INSET: Final = 0.11  # of the panel's width, on both sides: a title in the middle that leaves tall things at the sides
EDGE_LONGEST: Final = 18  # characters of a title that runs along an edge
WIDE: Final = 1.15  # width to height from which a panel has columns
PLACEHOLDER: Final = "#ffffff"


class Panel(NamedTuple):
    """A panel in pixels."""

    width: int
    height: int

    @property
    def unit(self) -> float:
        """Return the unit of type sizes."""
        return unit_of(self.width, self.height)

    @property
    def margin(self) -> float:
        """Return the distance of designed type from the edges."""
        return MARGIN * min(self.width, self.height)

    def area(self, box: Box) -> Area:
        """Return a box in pixels as an area, cut at the edges."""
        left, top = min(max(0.0, box.left), self.width - 1.0), min(max(0.0, box.top), self.height - 1.0)
        right, bottom = min(max(left + 1.0, box.right), self.width), min(max(top + 1.0, box.bottom), self.height)
        width, height = (right - left) / self.width, (bottom - top) / self.height
        return Area(left=left / self.width, top=top / self.height, width=min(1.0, width), height=min(1.0, height))


class Frame(NamedTuple):
    """The skeleton of a cover, in pixels: where the title may be and where the author's line is."""

    name: PlaceName
    title: Box
    valign: Valign
    author: Box
    author_valign: Valign
    align: Align | None = None
    turn: int = 0


def texts_of(words: CoverWords) -> dict[Role, str]:
    """Return the texts that blocks are made of; the series and its number share a line."""
    series = " · ".join(part for part in (clean(words.series), clean(words.number)) if part)
    found: dict[Role, str] = {
        "title": words.title,
        "subtitle": words.subtitle,
        "author": words.author,
        "series": series,
        "tagline": words.tagline,
    }
    return {role: text for role, text in found.items() if clean(text)}


def frames(name: PlaceName, texts: Mapping[Role, str], style: Style, panel: Panel) -> list[Frame]:
    """Return the skeletons of one place, in several heights; none where the place does not suit the words."""
    w, h, u, m = panel.width, panel.height, panel.unit, panel.margin
    line = author_height(texts.get("author", ""), style, panel)
    gap = 0.05 * u
    low, high = Box(m, h - m - line, w - m, h - m), Box(m, m, w - m, m + line)
    below = high.bottom + gap if "author" in texts else m
    above = low.top - gap if "author" in texts else h - m
    heights = [share * h for share in TITLE_HEIGHTS]
    insets = (m,) if style.title.align == "left" else (m, m + INSET * w)
    match name:
        case "split":
            starts = (m, m + 0.05 * h)
            return [
                Frame(name, Box(x, y, w - x, min(y + high_, above)), "top", low, "bottom")
                for x in insets
                for y in starts
                for high_ in heights
            ]
        case "reverse":
            return [Frame(name, Box(m, max(below, h - m - x), w - m, h - m), "bottom", high, "top") for x in heights]
        case "top":
            return [
                Frame(name, Box(x, below, w - x, below + y), "top", high, "top") for x in insets for y in heights[:3]
            ]
        case "bottom":
            return [Frame(name, Box(m, above - x, w - m, above), "bottom", low, "bottom") for x in heights[:3]]
        case "center" | "band":
            middles = [step * 0.04 * h for step in range(7, 18)]
            tall = [0.2 * h] if name == "band" else heights[:3]
            sides = [m] if name == "band" else [m, m + 0.09 * w, m + 0.17 * w]
            zones = [
                Box(x, max(m, y - high_ / 2), w - x, min(above, y + high_ / 2))
                for y in middles
                for high_ in tall
                for x in sides
            ]
            apart = [Frame(name, zone, "middle", low, "bottom") for zone in zones]
            if name == "band" or "author" not in texts:
                return apart
            # inside of a wreath or a window the author's line stays with the title
            gathered = [
                Frame(name, zone, "bottom", zone._replace(top=foot, bottom=foot + line), "top")
                for zone in zones
                if (foot := zone.bottom + gap) + line <= low.top
            ]
            return apart + gathered
        case "edge":
            title = clean(texts.get("title", ""))
            if len(title) > EDGE_LONGEST or text_script(title) not in CASED or w / h > WIDE:
                return []
            wide, foot = 0.22 * u, above - gap
            return [
                Frame(name, Box(m, m, m + wide, foot), "top", low, "bottom", "right", 270),
                Frame(name, Box(w - m - wide, m, w - m, foot), "top", low, "bottom", "left", 90),
            ]
        case "left" | "right":
            if w / h < WIDE:
                return []
            x0, x1 = (m, 0.48 * w) if name == "left" else (0.52 * w, w - m)
            column = Box(x0, m, x1, above)
            return [Frame(name, column, "middle", low._replace(left=x0, right=x1), "bottom", "left")]


def author_height(name: str, style: Style, panel: Panel) -> float:
    """Return the height of the author's line, in pixels."""
    lines = 1 if len(name) <= LONG_NAME else 2
    return style.author.size * _grown(name) * panel.unit * (1.15 if lines == 1 else 2.5)


def _grown(text: str) -> float:
    return GROWN.get(text_script(text), 1.0)


class Setter:
    """Builds the blocks of one frame, setting each so that the next one knows where the last one ended."""

    def __init__(self, frame: Frame, texts: Mapping[Role, str], style: Style, panel: Panel, language: str) -> None:
        self.frame, self.texts, self.style, self.panel, self.language = frame, texts, style, panel, language

    def blocks(self) -> tuple[Block, ...]:
        """Return the blocks in the order in which they are read, without effects and in no ink yet."""
        found: dict[Role, Block] = {}
        upright = not self.frame.turn
        with_title: list[Role] = [role for role in ("subtitle",) if role in self.texts and upright]
        if "tagline" in self.texts and upright and "subtitle" not in self.texts:
            with_title.append("tagline")
        over: list[Role] = ["series"] if "series" in self.texts and upright else []
        small: tuple[Role, ...] = ("series", "subtitle", "tagline")
        rest = [role for role in small if role in self.texts and role not in (*over, *with_title)]
        self._group(found, over, with_title)
        self._author(found, rest)
        order: tuple[Role, ...] = ("series", "title", "subtitle", "tagline", "author")
        return tuple(found[role] for role in order if role in found)

    def set(self, block: Block) -> SetBlock:
        """Set a block on the panel."""
        return set_block(block, self.language, self.panel.width, self.panel.height)

    def _group(self, found: dict[Role, Block], over: list[Role], under: list[Role]) -> None:
        """Place the title with the lines that go with it, so that all of them fit into the frame."""
        frame, u = self.frame, self.panel.unit
        zone = frame.title
        gap = (GAP + GAP_MORE) * u
        highs = {role: self._ink_height(role, zone) for role in (*over, *under)}
        head = sum(highs[role] + gap for role in over)
        foot = sum(highs[role] + gap for role in under)
        room = zone._replace(top=zone.top + head, bottom=max(zone.top + head + 0.3 * zone.height, zone.bottom - foot))
        ink = Box(zone.left, room.top, zone.right, room.top)
        size = 0.0
        if "title" in self.texts:
            title = self._block("title", room, self.style.title, frame.valign, self.style.title.size * u, 5)
            found["title"] = title
            item = self.set(title)
            ink, size = (item.box, item.size) if item.text.rows else (ink, 0.0)
        gap = GAP * u + min(GAP_SHARE * size, GAP_MORE * u)
        for role in reversed(over):
            bottom = ink.top - gap if frame.valign != "top" else zone.top + highs[role]
            found[role] = self._line(
                role, zone._replace(top=bottom - highs[role] * 1.02, bottom=bottom), "bottom", size
            )
        y = ink.bottom + gap
        for role in under:
            height = max(highs[role] * 1.02, self._line_height(role) * 2)
            found[role] = self._line(role, zone._replace(top=y, bottom=min(y + height, self.panel.height)), "top", size)
            y = self.set(found[role]).box.bottom + gap

    def _author(self, found: dict[Role, Block], rest: list[Role]) -> None:
        """Place the author's line, and beyond it what has no room at the title."""
        frame, u = self.frame, self.panel.unit
        size = self.set(found["title"]).size if "title" in found else 0.0
        edge = frame.author.top if frame.author_valign == "bottom" else frame.author.bottom
        if "author" in self.texts:
            text = self.texts["author"]
            largest = self.style.author.size * u * _grown(text)
            if size and not self.style.loud_author:
                largest = max(LEAST * u, min(largest, size * AUTHOR_SHARE))
            lines = 1 if len(text) <= LONG_NAME else 2
            block = self._block("author", frame.author, self.style.author, frame.author_valign, largest, lines)
            found["author"] = block
            box = self.set(block).box
            if box.height:
                edge = box.top if frame.author_valign == "bottom" else box.bottom
        gap = GAP * u
        for role in reversed(rest) if frame.author_valign == "bottom" else rest:
            height = self._ink_height(role, frame.author) * 1.02
            if frame.author_valign == "bottom":
                box, edge = frame.author._replace(top=edge - gap - height, bottom=edge - gap), edge - gap - height
            else:
                box, edge = frame.author._replace(top=edge + gap, bottom=edge + gap + height), edge + gap + height
            found[role] = self._line(role, box, "middle", size)

    def _manner(self, role: Role) -> Manner:
        manners = {"subtitle": self.style.subtitle, "series": self.style.series, "tagline": self.style.tagline}
        return manners.get(role, self.style.author)

    def _line_height(self, role: Role) -> float:
        return self._manner(role).size * _grown(self.texts[role]) * self.panel.unit * LINE

    def _line(self, role: Role, box: Box, valign: Valign, title_size: float) -> Block:
        manner = self._manner(role)
        largest = manner.size * _grown(self.texts[role]) * self.panel.unit
        if title_size:
            largest = max(LEAST * self.panel.unit, min(largest, title_size * AUTHOR_SHARE))
        return self._block(role, box, manner, valign, largest, 1 if role == "series" else 2)

    def _ink_height(self, role: Role, zone: Box) -> float:
        """Return how high a small line, or two of them, will be."""
        high = self._line_height(role) * (1 if role == "series" else 2)
        block = self._line(role, zone._replace(top=0.0, bottom=high), "top", 0.0)
        return self.set(block).box.height or high

    def _block(self, role: Role, box: Box, manner: Manner, valign: Valign, largest: float, lines: int) -> Block:
        text = self.texts[role]
        align = self.frame.align or manner.align
        if self.frame.turn and role != "title":
            align = "left" if self.frame.turn == 270 else "right"
        if align == "left" and base_direction(text) == "rtl" and not self.frame.turn:
            align = "right"
        return Block(
            role=role,
            text=text,
            area=self.panel.area(box),
            font=manner.font,
            color=PLACEHOLDER,
            voice=self._voice(role, manner, text),
            case=manner.case,
            track=manner.track,
            leading=manner.leading,
            mode=manner.mode,
            align=align,
            valign=valign,
            max_size=min(2.0, largest / self.panel.width),
            max_lines=lines,
            rules=manner.rules,
            small_font=manner.small,
            turn=270
            if self.frame.turn == 270 and role == "title"
            else 90
            if self.frame.turn and role == "title"
            else 0,
        )

    def _voice(self, role: Role, manner: Manner, text: str) -> Voice:
        """In scripts without capitals small lines follow the title's manner, in a quieter one where that is loud."""
        if role == "title" or text_script(text, self.language) in CASED:
            return manner.voice
        title = self.style.title.voice
        return QUIETER.get(title, title)
