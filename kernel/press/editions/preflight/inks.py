"""Reads the colors of a page: operators with pypdf, pixels of CMYK pictures from their streams."""

import io
import zlib
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, ContentStream, DictionaryObject, NameObject, StreamObject

from kernel.press.editions.preflight.facts import InkFacts
from kernel.press.editions.preflight.structure import BROKEN, DEEPEST, held, resources_of, tried

MOST_CONTENT: Final = 3_000_000  # bytes of operators
MOST_FORMS: Final = 60
MOST_SAMPLES: Final = 260_000_000  # bytes of one picture
CHUNK: Final = 4_000_000
SMALL_TYPE: Final = 24.0  # points
BLACK_ENOUGH: Final = 0.8  # of black in a color that is meant to be black
_FILLS: Final = {b"k": 4, b"rg": 3, b"g": 1}
_STROKES: Final = {b"K": 4, b"RG": 3, b"G": 1}
_NAMES: Final = {4: "DeviceCMYK", 3: "DeviceRGB", 1: "DeviceGray"}
_SHORT: Final = {"/RGB": "DeviceRGB", "/CMYK": "DeviceCMYK", "/G": "DeviceGray"}
_PROCESS: Final = {"/All", "/None", "/Black", "/Cyan", "/Magenta", "/Yellow"}
_PLAIN: Final = {"/Normal", "/Compatible"}


class _State(NamedTuple):
    """The part of the graphics state that matters here."""

    fill: tuple[float, ...] = (0.0,)
    scale: float = 1.0
    line: float = 1.0
    size: float = 0.0
    text_scale: float = 1.0


class InkReader:
    """Collects the colors of one page."""

    def __init__(self, reader: PdfReader) -> None:
        self._reader = reader
        self._left = MOST_CONTENT
        self._forms = 0
        self._pictures: set[int] = set()
        self.spaces: set[str] = set()
        self.spots: set[str] = set()
        self.transparent: set[str] = set()
        self.settings: set[str] = set()
        self.compressions: set[str] = set()
        self.most = 0.0
        self.rich = 0.0
        self.finest = 0.0
        self.read = True

    def page(self, page: PageObject) -> InkFacts:
        """Return the colors of a page."""
        if tried(lambda: str(held(page.get("/Group")).get("/S", "")), "") == "/Transparency":
            self.transparent.add("group")
        contents = tried(lambda: page["/Contents"].get_object(), None)
        if contents is not None:
            self._content(contents, resources_of(page), _State(), 0)
        return InkFacts(
            spaces=frozenset(self.spaces),
            spots=tuple(sorted(self.spots)),
            most=self.most,
            rich_type=self.rich,
            transparent=tuple(sorted(self.transparent)),
            settings=tuple(sorted(self.settings)),
            compressions=frozenset(self.compressions),
            finest_line=self.finest,
            read=self.read,
        )

    def _content(self, stream: Any, resources: DictionaryObject, state: _State, depth: int) -> None:
        try:
            data = self._bounded(stream)
            if data is None:
                self.read = False
                return
            content = ContentStream(None, self._reader)
            content.set_data(data)
            self._operators(content.operations, resources, state, depth)
        except BROKEN:
            self.read = False

    def _bounded(self, stream: Any) -> bytes | None:
        """Return the operators, decompressed as far as there is room; None beyond."""
        parts = stream if isinstance(stream, ArrayObject) else [stream]
        data = b""
        for part in parts:
            data += inflated(held(part), self._left + 1) + b"\n"
            if len(data) > self._left:
                return None
        self._left -= len(data)
        return data

    def _operators(self, operations: Any, resources: DictionaryObject, state: _State, depth: int) -> None:
        stack: list[_State] = []
        for operands, operator in operations:
            if operator == b"q":
                stack.append(state)
            elif operator == b"Q":
                state = stack.pop() if stack else state
            elif operator == b"cm":
                state = state._replace(scale=state.scale * _scale(operands))
            elif operator == b"w":
                state = state._replace(line=float(operands[0]))
            elif operator == b"Tf":
                state = state._replace(size=abs(float(operands[1])))
            elif operator == b"Tm":
                state = state._replace(text_scale=_scale(operands))
            elif operator in _FILLS or operator in _STROKES:
                color = tuple(float(value) for value in operands)
                self._color(color)
                if operator in _FILLS:
                    state = state._replace(fill=color)
            elif operator in (b"cs", b"CS"):
                self._space(operands[0], resources)
            elif operator in (b"sc", b"scn", b"SC", b"SCN"):
                numbers = tuple(float(value) for value in operands if not isinstance(value, NameObject))
                if len(numbers) == 4:
                    self.most = max(self.most, sum(numbers))
            elif operator in (b"S", b"s", b"B", b"B*", b"b", b"b*"):
                width = max(state.line * state.scale, 1e-6)
                self.finest = min(self.finest or width, width)
            elif operator in (b"Tj", b"TJ", b"'", b'"'):
                self._type(state)
            elif operator == b"gs":
                self._settings(operands[0], resources)
            elif operator == b"sh":
                shading = held((held(resources.get("/Shading")) or {}).get(operands[0])) or {}
                self._space(shading.get("/ColorSpace"), resources)
            elif operator == b"Do":
                self._object(operands[0], resources, state, depth)
            elif operator == b"INLINE IMAGE":
                self._space((operands or {}).get("settings", {}).get("/CS"), resources)

    def _color(self, color: tuple[float, ...]) -> None:
        if name := _NAMES.get(len(color)):
            self.spaces.add(name)
        if len(color) == 4:
            self.most = max(self.most, sum(color))

    def _type(self, state: _State) -> None:
        """Note small type whose black is made of several inks, or of red, green and blue."""
        size = state.size * state.text_scale * state.scale
        fill = state.fill
        rich = len(fill) == 4 and fill[3] >= BLACK_ENOUGH and sum(fill[:3]) > 0.05
        rich = rich or (len(fill) == 4 and min(fill[:3]) > BLACK_ENOUGH)
        if rich and 0 < size < SMALL_TYPE:
            self.rich = min(self.rich or size, size)

    def _space(self, space: Any, resources: DictionaryObject, depth: int = 0) -> None:
        space = held(space)
        if isinstance(space, NameObject):
            own = held((held(resources.get("/ColorSpace")) or {}).get(space))
            if own is not None and depth < DEEPEST:
                self._space(own, resources, depth + 1)
            elif str(space) != "/Pattern":
                self.spaces.add(_SHORT.get(str(space), str(space)[1:]))
        elif isinstance(space, ArrayObject) and space and depth < DEEPEST:
            kind = str(held(space[0]))[1:]
            if kind in ("Indexed", "I", "Pattern") and len(space) > 1:
                self._space(space[1], resources, depth + 1)
                return
            self.spaces.add(kind)
            if kind == "Separation" and str(held(space[1])) not in _PROCESS:
                self.spots.add(str(held(space[1]))[1:])
            if kind == "DeviceN":
                self.spots.update(str(held(name))[1:] for name in held(space[1]))

    def _settings(self, name: Any, resources: DictionaryObject) -> None:
        state = held((held(resources.get("/ExtGState")) or {}).get(name)) or {}
        for key in ("/ca", "/CA"):
            if key in state and float(held(state[key])) < 1:
                self.transparent.add("opacity")
        if "/SMask" in state and str(held(state["/SMask"])) != "/None":
            self.transparent.add("soft mask")
        if "/BM" in state:
            blend = held(state["/BM"])
            modes = blend if isinstance(blend, ArrayObject) else [blend]
            if any(str(held(mode)) not in _PLAIN for mode in modes):
                self.transparent.add("blend mode")
        self.settings.update(str(key)[1:] for key in ("/TR", "/TR2", "/HT") if key in state)

    def _object(self, name: Any, resources: DictionaryObject, state: _State, depth: int) -> None:
        item = held((held(resources.get("/XObject")) or {}).get(name))
        if not isinstance(item, StreamObject):
            return
        if str(item.get("/Subtype")) == "/Form":
            self._forms += 1
            if str((held(item.get("/Group")) or {}).get("/S", "")) == "/Transparency":
                self.transparent.add("group")
            if depth < DEEPEST and self._forms <= MOST_FORMS:
                inner = resources_of(item) or resources
                self._content(item, inner, state, depth + 1)
            return
        if id(item) in self._pictures:
            return
        self._pictures.add(id(item))
        if "/SMask" in item:
            self.transparent.add("soft mask")
        if not item.get("/ImageMask"):
            self._space(item.get("/ColorSpace"), resources)
        self.compressions.update(str(kind)[1:] for kind in filters_of(item))
        if tried(lambda: str(held(item.get("/ColorSpace"))), "") == "/DeviceCMYK":
            most = tried(lambda: most_ink(item), None)
            if most is None:
                self.read = False
            else:
                self.most = max(self.most, most)


def content_size(page: PageObject, most: int) -> int:
    """Return how many bytes of operators a page has, decompressed; what is over `most` is not counted."""
    size = 0
    contents = tried(lambda: held(page.get("/Contents")), None)
    for part in contents if isinstance(contents, ArrayObject) else [contents]:
        size += tried(lambda part=part: len(inflated(held(part), most + 1)), 0)  # type: ignore[misc]
    return size


def filters_of(stream: Any) -> list[str]:
    """Return the names of a stream's filters, outermost first."""
    found = held(stream.get("/Filter"))
    if found is None:
        return []
    return [str(held(item)) for item in found] if isinstance(found, ArrayObject) else [str(found)]


def inflated(stream: Any, most: int) -> bytes:
    """Return a stream's bytes; of one that is only deflated no more than `most`."""
    data: bytes = stream._data  # pypdf decompresses without a limit
    filters = filters_of(stream)
    if filters in (["/FlateDecode"], ["/Fl"]) and not held(stream.get("/DecodeParms")):
        return zlib.decompressobj().decompress(data, most)
    if not filters:
        return data[:most]
    found: bytes = stream.get_data()
    return found[:most]


def most_ink(image: Any) -> float | None:
    """Return the most ink of a CMYK picture's pixels, None where it cannot be measured."""
    width, height = int(held(image["/Width"])), int(held(image["/Height"]))
    size = width * height * 4
    if not 0 < size <= MOST_SAMPLES or int(held(image.get("/BitsPerComponent", 8))) != 8:
        return None
    filters = filters_of(image)
    if filters == ["/DCTDecode"]:
        picture = Image.open(io.BytesIO(image._data), formats=("JPEG",))
        if picture.mode != "CMYK" or picture.width * picture.height * 4 > MOST_SAMPLES:
            return None
        samples = np.asarray(picture).reshape(-1, 4)
        return _largest(samples)
    if filters not in (["/FlateDecode"], []):
        return None
    parms = held(image.get("/DecodeParms")) or {}
    predictor = int(held(parms.get("/Predictor", 1)))
    row = width * 4 + (1 if predictor >= 10 else 0)
    data = zlib.decompressobj().decompress(image._data, row * height) if filters else image._data
    if len(data) != row * height or predictor == 2:
        return None
    rows = np.frombuffer(data, np.uint8).reshape(height, row)
    if predictor < 10:
        return _largest(rows.reshape(-1, 4))
    return _largest_predicted(rows, width)


def _largest_predicted(rows: npt.NDArray[np.uint8], width: int) -> float | None:
    """Undo PNG's filters None, Sub and Up, row after row; others are left to the reader of the file."""
    most = 0
    above = np.zeros(width * 4, np.uint8)
    for line in rows:
        kind, row = line[0], line[1:]
        if kind == 1:
            row = np.cumsum(row.reshape(width, 4), axis=0, dtype=np.uint8).reshape(-1)
        elif kind == 2:
            row = row + above
        elif kind:
            return None
        above = row
        most = max(most, int(row.reshape(width, 4).sum(axis=1, dtype=np.uint16).max()))
    return most / 255


def _largest(samples: npt.NDArray[np.uint8]) -> float:
    most = 0
    for start in range(0, len(samples), CHUNK):
        most = max(most, int(samples[start : start + CHUNK].sum(axis=1, dtype=np.uint16).max()))
    return most / 255


def _scale(operands: Any) -> float:
    a, b, c, d = (float(value) for value in operands[:4])
    return float(abs(a * d - b * c) ** 0.5)
