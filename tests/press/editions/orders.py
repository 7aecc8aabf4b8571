"""Orders of editions for tests: one book in several languages, on pictures made from numbers."""

from functools import cache
from pathlib import Path

import msgspec

from kernel.press.editions import Book, Edition, EditionOrder, Front, Picture, Template
from kernel.press.lettering.choosing import choose
from kernel.press.lettering.document import CoverWords
from kernel.press.lettering.sheet import made
from kernel.press.trade.table import CaseMeasures

ISBN = "978-3-16-148410-0"
ENGLISH = Book(
    title="The Salt Throne",
    authors=("Maren Oakhollow",),
    tagline="The sea remembers what it is owed",
    blurb="When the tide stops for good, Ishbel Carrow wakes on a beach that should not exist.\n"
    "Four kingdoms want the crown of salt in her hands. One of them has already drowned.",
    about="Maren Oakhollow grew up on the coast and has worked as a boat builder and a translator.",
    series="The Tidebound",
    number="2",
    publisher="Lantern & Kelp",
    language="en",
)
ARABIC = Book(
    title="ملحمة البحر والقمر",
    authors=("ليلى حداري",),
    blurb="في قرية صغيرة على ساحل لا تعرفه الخرائط، تستيقظ ندى على صوت البحر وهو يناديها باسمها.",
    language="ar",
    right_to_left=True,
)
JAPANESE = Book(
    title="海辺の図書館",
    authors=("村田 遥香",),
    blurb="小さな港町の図書館で働く澪のもとに、ある雨の夕方、一冊の本が返却される。",
    language="ja",
)
PAPERBACK = Edition(form="paperback", printer="kdp", trim=(6, 9), pages=300, paper="white", isbn=ISBN, price="$16.99")
SMALL = Edition(form="paperback", printer="kdp", trim=(5, 8), pages=320, paper="cream", isbn=ISBN)
HARDCOVER = Edition(form="hardcover", printer="kdp", trim=(5.5, 8.5), pages=234, paper="cream", isbn=ISBN)
SPARK = Edition(
    form="paperback",
    printer="ingramspark",
    trim=(5, 8),
    pages=240,
    paper="template",
    isbn=ISBN,
    template=Template(spine=0.6),
)
CASE = Edition(
    form="hardcover",
    printer="ingramspark",
    trim=(5, 8),
    pages=240,
    paper="template",
    isbn=ISBN,
    template=Template(spine=0.75, case=CaseMeasures(board_width=5.1875, board_height=8.25, wrap=0.625, hinge=0.375)),
)


@cache
def artwork(seed: int = 3, size: tuple[int, int] = (800, 1200)) -> bytes:
    """Return a picture as PNG."""
    return made(seed, size)


@cache
def front(book: Book = ENGLISH, seed: int = 3, size: tuple[int, int] = (800, 1200)) -> Front:
    """Return a composed front."""
    words = CoverWords(title=book.title, author=", ".join(book.authors))
    lettering = choose(artwork(seed, size), words, genre="fantasy", language=book.language)
    return Front(artwork=Picture(data=artwork(seed, size)), lettering=lettering, composed=size, genre="fantasy")


def order(edition: Edition = SMALL, book: Book = ENGLISH, **changes: object) -> EditionOrder:
    """Return an order; `changes` are fields of the edition."""
    return EditionOrder(book=book, front=front(book), edition=msgspec.structs.replace(edition, **changes))


def written(folder: Path, name: str, data: bytes) -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_bytes(data)
    return path
