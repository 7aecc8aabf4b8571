"""What is asked of the press for an edition, and what it answers. Imports no drawing library.

All sizes are inches, all colors `#RRGGBB`.
"""

from typing import Annotated, Final, Literal

import msgspec

from kernel.press.children.pool import Limits
from kernel.press.editions.findings import Report
from kernel.press.editions.reported import SetReport
from kernel.press.lettering.document import Color, Lettering
from kernel.press.trade.table import CaseMeasures

PROGRAM: Final = "kernel.press.editions.worker"
PREFLIGHT_PROGRAM: Final = "kernel.press.editions.preflight.worker"

PREFLIGHT_LIMITS: Final = Limits(workers=1, orders=20, memory=300 * 2**20, seconds=20.0)
"""A file that somebody brings is hostile: its process is killed after 20 s, and takes no more than 512 MB by itself."""

Form = Literal["ebook", "paperback", "hardcover", "audiobook", "social", "mockups", "layers"]

Treatment = Literal["mirror", "gradient", "color", "tile", "painted"]
"""How the artwork goes on over spine and back: mirrored and ever softer, as a gradient of its own colors, as one of
them, repeated, or as an image service painted it.
"""

SpineReading = Literal["language", "down", "up", "upright"]
"""Which way type runs on the spine: as the book's language has it, from head to foot, from foot to head, or with
upright characters below each other.
"""


class PictureSource(msgspec.Struct, frozen=True, kw_only=True):
    """A PNG, JPEG or WebP: the bytes, or the path of a file that the drawing process can read."""

    data: bytes = b""
    path: str = ""

    def __bool__(self) -> bool:
        return bool(self.data or self.path)


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """What is true of all editions. Texts are plain, paragraphs are parted by line feeds; what is blank is left out.

    `number` as it is to be read on the spine ("2", "II"). `right_to_left` is the direction of pages. `mark` is the
    publisher's, a picture, best with a transparent ground; it stands on the spine. `picture` stands on the back, beside
    what is said `about` the author.
    """

    title: str
    subtitle: str = ""
    authors: tuple[str, ...] = ()
    tagline: str = ""
    blurb: str = ""
    about: str = ""
    quote: str = ""
    series: str = ""
    number: str = ""
    publisher: str = ""
    language: str = ""
    right_to_left: bool = False
    mark: PictureSource = PictureSource()
    picture: PictureSource = PictureSource()


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """The cover as it was composed: artwork without letters and the lettering on it.

    `composed` is the size in pixels at which the lettering was set; `colors` are the theme's. `lettering` is None where
    the words are part of the picture: nothing is set on it then, and other shapes are cropped from it.
    """

    artwork: PictureSource
    lettering: Lettering | None = None
    composed: tuple[int, int] = (1800, 2700)
    genre: str = ""
    colors: tuple[str, ...] = ()


class PanelGround(msgspec.Struct, frozen=True, kw_only=True):
    """What is below the type of spine and back. `color` is that of the treatment `color`; None takes the artwork's.

    `painted` is for the treatment of this name: a picture of what is beside the front, with the front's artwork in its
    full height at the end where the front is. Without one the artwork is mirrored.
    """

    treatment: Treatment = "mirror"
    color: Color | None = None
    painted: PictureSource = PictureSource()


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of the printer's own template: the spine, the page on which the cover lies in the middle, and those
    of a case where the trade table asks for them.

    `width` and `height` are None where the page is the cover with its bleed.
    """

    spine: Annotated[float, msgspec.Meta(gt=0.0, le=4.0)]
    width: Annotated[float, msgspec.Meta(gt=0.0, le=60.0)] | None = None
    height: Annotated[float, msgspec.Meta(gt=0.0, le=40.0)] | None = None
    case: CaseMeasures = CaseMeasures()


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """One trade form of a book. `printer` and what follows it matter for printed ones only; ids as in the trade table.

    `trim` is (width, height). `isbn` is the edition's own, "" for none. `barcode` says whose it is: ours is drawn where
    there is an ISBN, else the printer's place is left white. `profile` is the path of an ICC profile of the operator's
    for CMYK; without one the press separates by itself, and the proof says so.
    """

    form: Form
    printer: str = ""
    trim: tuple[float, float] = (6.0, 9.0)
    pages: int = 0
    paper: str = ""
    template: Template | None = None
    isbn: str = ""
    price: str = ""
    barcode: Literal["ours", "printer"] = "ours"
    ground: PanelGround = PanelGround()
    spine_reading: SpineReading = "language"
    profile: str = ""


class EditionOrder(msgspec.Struct, frozen=True, kw_only=True):
    """All that the files of one edition are made of. The same order makes the same bytes.

    `made` is the time that PDF/X wants to know, as stored with the order: ISO 8601, UTC. `volumes` are the fronts of
    other books of the series, in its order; two of them are shown beside this one in a mock-up of their own.
    """

    book: Book
    front: Front
    edition: Edition
    made: str = "2026-01-01T00:00:00Z"
    volumes: tuple[Front, ...] = ()


class ProofWords(msgspec.Struct, frozen=True, kw_only=True):
    """What a proof says in its reader's language: what is printed, what its guides mean, and what is written across it.

    `legend` names guides by their kinds (`bleed`, `trim`, `safe`, `fold`, `hinge`); `mark` is "" for a proof without
    one. `right_to_left` is the direction of the language. Without `printed` it is told in English.
    """

    printed: str = ""
    legend: dict[str, str] = {}
    mark: str = ""
    right_to_left: bool = False


class MakeFile(msgspec.Struct, frozen=True, kw_only=True, tag="make"):
    """Make the file `kind` of an edition (see `files_of`) in a folder. Answered with Made.

    `words` are for proofs; other files do not take them. Phases: `front`, `ground`, `type`, `encode`, `check`. Refused
    with `order` (see `order_faults`) or `picture`.
    """

    order: EditionOrder
    kind: str
    folder: str
    words: ProofWords = ProofWords()


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was made: its name in the folder, what it is, and what preflight found in it.

    `width` and `height` are pixels of a picture, of a PDF those of its image; `dpi` is the artwork's own at its final
    size, 0 where that means nothing.
    """

    name: str
    kind: str
    media_type: str
    size: int
    sha256: str
    width: int
    height: int
    dpi: float
    report: Report


class ShowSheet(msgspec.Struct, frozen=True, kw_only=True, tag="show"):
    """Draw the sheet of a printed edition for the screen, without guides, `width` pixels wide. Answered with Shown.

    `panel` says whether all of the sheet is wanted, or only the spine as it is cut from it.
    """

    order: EditionOrder
    width: int = 1600
    panel: Literal["sheet", "spine"] = "sheet"


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A sheet for the screen: a PNG of it, its guides as an SVG for laying over it, and what is to be known of it.

    `dpi` is the artwork's own at its final size; `spine_type` says whether there is type on the spine, `spine_missing`
    why not: `pages` (the printer allows none), `width` (too thin) or "". `small` is the smallest type, in points.
    """

    png: bytes
    width: int
    height: int
    guides: str
    dpi: float
    spine_type: bool
    spine_missing: str
    small: float
    report: Report


class MeasureSpines(msgspec.Struct, frozen=True, kw_only=True, tag="spines"):
    """Say how the spines of printed editions are set, without drawing them. Answered with SpinesMeasured.

    `mark_shapes` are width to height of their marks, None without one; no picture of an order is opened.
    """

    orders: tuple[EditionOrder, ...]
    mark_shapes: tuple[float | None, ...]


class SpineMeasure(msgspec.Struct, frozen=True, kw_only=True):
    """How a spine is set: its height in inches, why there is no type (see Shown), which way type runs, its faces.

    `author` is how far the ink of the author's name is from the end of the spine where reading begins, in inches from
    the head, or from the foot for `up` and `upright`; None without a name.
    """

    height: float
    missing: str
    reading: str = ""
    title_face: str = ""
    author_face: str = ""
    author: float | None = None
    mark: bool = False


class SpinesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """The spines of MeasureSpines, in its order."""

    spines: tuple[SpineMeasure, ...]


class MatchTemplate(msgspec.Struct, frozen=True, kw_only=True, tag="template"):
    """Read a printer's own template PDF, that nobody vouches for. Answered with TemplateSize; refused as CheckFile."""

    path: str


class TemplateSize(msgspec.Struct, frozen=True, kw_only=True):
    """The boxes of a template's first page: its media box and, where it has one, its trim box, (width, height)."""

    page: tuple[float, float]
    trim: tuple[float, float] | None


PressTask = MakeFile | ShowSheet | SetReport | MeasureSpines


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """What a brought file is to be: an edition of these measures, as in `Edition`."""

    form: Form
    printer: str = ""
    trim: tuple[float, float] = (6.0, 9.0)
    pages: int = 0
    paper: str = ""
    template: Template | None = None
    right_to_left: bool = False


class CheckFile(msgspec.Struct, frozen=True, kw_only=True, tag="check"):
    """Check a finished PDF, JPEG or PNG, that nobody vouches for. Answered with Report. Refused with `unreadable`.

    A file may also kill the process (ProcessLost) or take too long (TookTooLong): then it cannot be read, either.
    """

    path: str
    target: Target
    picture: bool = True


CheckTask = CheckFile | MatchTemplate
