"""Wire of books and editions. Sizes in inches."""

from datetime import datetime
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType

from kernel.books.editions import Background, Direction, Kind
from kernel.books.packs.schemas import PackOut
from kernel.books.spine.schemas import Sheet
from kernel.core.schemas import In, Line, Out, RowId
from kernel.covers.schemas import CoverOut
from kernel.press.editions import Finding
from kernel.press.trade.table import MOST_PAGES

MOST_TEXT: Final = 4000
Version = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Side = Annotated[float, Meta(gt=0, le=100)]
Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Language = Annotated[str, Meta(max_length=20, pattern=r"^([A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*)?$(?!\n)")]
Pages = Annotated[int, Meta(ge=1, le=MOST_PAGES)]


class BookIn(In, frozen=True, kw_only=True):
    """A book that is to be made of a cover of one's own."""

    cover_id: RowId


class BookChange(In, frozen=True, kw_only=True):
    """What may change in a book; what is absent stays. `version` is the one that the changes were made from.

    `number` is the volume's place in its series, as it is to be read; `price` as it is to be printed. `quote` is what
    somebody says of the book, for its back.
    """

    version: Version
    cover_id: RowId | UnsetType = UNSET
    title: Annotated[Line, Meta(max_length=200)] | UnsetType = UNSET
    subtitle: Annotated[Line, Meta(max_length=200)] | UnsetType = UNSET
    authors: Annotated[Line, Meta(max_length=200)] | UnsetType = UNSET
    tagline: Annotated[Line, Meta(max_length=300)] | UnsetType = UNSET
    blurb: Text | UnsetType = UNSET
    about_author: Text | UnsetType = UNSET
    quote: Text | UnsetType = UNSET
    series: Annotated[Line, Meta(max_length=200)] | UnsetType = UNSET
    number: Annotated[Line, Meta(max_length=40)] | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    direction: Direction | UnsetType = UNSET
    publisher: Annotated[Line, Meta(max_length=200)] | UnsetType = UNSET
    price: Annotated[Line, Meta(max_length=40)] | UnsetType = UNSET
    pages: Pages | UnsetType | None = UNSET


class EditionIn(In, frozen=True, kw_only=True):
    """How an edition is to be made. `version` is that of the book.

    `trim` is like `6x9`. `spine`, `sheetWidth` and `sheetHeight` are what the printer's own template says, and so are
    `boardWidth` (from the spine to the outer edge), `boardHeight`, `wrap` and `hinge`, which are kept where the binding
    `asks` for them. `background` is how the picture goes on over spine and back; `color` is for a plain one. `isbn` may
    have hyphens, and ten digits.
    """

    version: Version
    trim: Annotated[str, Meta(max_length=20)] = ""
    paper: Annotated[str, Meta(max_length=32)] = ""
    background: Background = "mirror"
    color: Annotated[str, Meta(pattern=r"^(#[0-9A-Fa-f]{6})?$(?!\n)", max_length=7)] = ""
    isbn: Annotated[str, Meta(max_length=40)] = ""
    spine: Side | None = None
    sheet_width: Side | None = None
    sheet_height: Side | None = None
    board_width: Side | None = None
    board_height: Side | None = None
    wrap: Side | None = None
    hinge: Side | None = None


class EditionProblem(Out, frozen=True, kw_only=True):
    """Why the files of an edition cannot be made yet: the field that is to blame, a code, and the numbers in it."""

    field: str
    code: str
    values: dict[str, float]


class EditionOut(Out, frozen=True, kw_only=True):
    """An edition. `sheet` is its whole cover, null for what is not printed and while there are `problems`.

    `printer` and `binding` are those of the trade table, blank for what is not printed.
    """

    name: str
    kind: Kind
    printer: str
    binding: str
    trim: str
    paper: str
    background: Background
    color: str
    isbn: str
    spine: float | None
    sheet_width: float | None
    sheet_height: float | None
    board_width: float | None
    board_height: float | None
    wrap: float | None
    hinge: float | None
    problems: list[EditionProblem]
    sheet: Sheet | None


class EditionPreview(Out, frozen=True, kw_only=True):
    """The whole cover of a printed edition for the screen: `picture` is a data URL, `guides` an SVG to lie over it.

    `version` is the book's. `dpi` is the artwork's own resolution at its final size. `spineMissing` says why there is
    no type on the spine: `pages`, `width`, or blank where there is. `small` is the smallest type, in points.
    """

    version: int
    picture: str
    guides: str
    width: int
    height: int
    dpi: float
    spine_type: bool
    spine_missing: str
    small: float
    findings: list[Finding]


class BookOut(Out, frozen=True, kw_only=True):
    """A book. `cover` is null once it is in the bin or gone; `pack` is the latest of its files, null without any.

    `themeId` and `themeName` are those of its cover: books of one theme are a series. `markUrl` is the address of the
    publisher's mark, `backPictureUrl` that of the picture on the back; null without one.
    """

    id: int
    version: int
    title: str
    subtitle: str
    authors: str
    tagline: str
    blurb: str
    about_author: str
    quote: str
    series: str
    number: str
    language: str
    direction: Direction
    publisher: str
    price: str
    pages: int | None
    mark_url: str | None
    back_picture_url: str | None
    cover: CoverOut | None
    theme_id: int | None
    theme_name: str | None
    editions: list[EditionOut]
    pack: PackOut | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class BookLine(Out, frozen=True, kw_only=True):
    """A book in a list; `editions` are the names of its editions, `ready` how many of them can be made."""

    id: int
    title: str
    authors: str
    series: str
    number: str
    pages: int | None
    cover: CoverOut | None
    editions: list[str]
    ready: int
    updated_at: datetime
    deleted_at: datetime | None


class FormOut(Out, frozen=True, kw_only=True):
    """A trade form that an edition can have."""

    name: str
    kind: Kind
    printer: str
    binding: str
