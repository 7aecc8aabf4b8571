"""Editions: what a wrap, a pack of eight files and a preflight cost, in processes as the product has them."""

import asyncio
import io
import logging
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import pikepdf
from PIL import Image

from kernel.press.children.pool import Limits, Pool
from kernel.press.editions import (
    PREFLIGHT_LIMITS,
    PREFLIGHT_PROGRAM,
    PROGRAM,
    Book,
    CheckFile,
    Edition,
    EditionOrder,
    Front,
    Made,
    MakeFile,
    Picture,
    Report,
    Shown,
    ShowSheet,
    Target,
    Template,
)
from kernel.press.lettering.choosing import choose
from kernel.press.lettering.document import CoverWords
from kernel.press.lettering.sheet import made
from tests.benchmarks.bench import Bench
from tests.benchmarks.figures import Figure, Section
from tests.benchmarks.processes import cpu_s, peak_mb

T = TypeVar("T")
WRAP_AIM_S: Final = 3.0
PACK_AIM_S: Final = 12.0
PACK_AIM_MB: Final = 700.0
CHECK_AIM_S: Final = 5.0
CHECKED_BYTES: Final = 40_000_000
BLURB: Final = "When the tide stops for good, Ishbel Carrow wakes on a beach that should not exist. " * 8

PAPERBACK: Final = Edition(
    form="paperback", printer="kdp", trim=(6, 9), pages=300, paper="white", isbn="9783161484100", price="$16.99"
)
PACK: Final[tuple[tuple[Edition, tuple[str, ...]], ...]] = (
    (PAPERBACK, ("print", "proof")),
    (msgspec.structs.replace(PAPERBACK, form="hardcover"), ("print",)),
    (
        msgspec.structs.replace(PAPERBACK, printer="ingramspark", paper="template", template=Template(spine=0.68)),
        ("print",),
    ),
    (Edition(form="ebook"), ("ebook",)),
    (Edition(form="audiobook"), ("audiobook_3000",)),
    (Edition(form="social"), ("social_square", "social_link")),
)
"""Eight files of five kinds."""


def editions(bench: Bench) -> Section:
    """Measure each in a process of its own, warm: libraries and fonts are loaded, nothing of the book is."""
    del bench
    return asyncio.run(_measured())


async def _measured() -> Section:
    with tempfile.TemporaryDirectory() as folder:
        art = Path(folder) / "artwork.png"
        art.write_bytes(made(2, (1800, 2700)))
        order = _order(art)
        wrap, _, wrap_mb = await _cost(PROGRAM, [lambda pool: _make(pool, order, PAPERBACK, "print", folder)])
        shown, shown_s, _ = await _cost(PROGRAM, [lambda pool: pool.run(ShowSheet(order=order), Shown)])
        works = [
            lambda pool, edition=edition, kind=kind: _make(pool, order, edition, kind, folder)
            for edition, kinds in PACK
            for kind in kinds
        ]
        pack, pack_s, pack_mb = await _cost(PROGRAM, works)
        print_file = next(Path(folder).glob("*paperback*white.pdf"))
        large = _enlarged(print_file, Path(folder) / "large.pdf")
        target = Target(form="paperback", printer="kdp", pages=300, paper="white")
        small, _, _ = await _check(print_file, target)
        check, check_s, check_mb = await _check(large, target)
    return Section(
        title="Editions of a book",
        conditions="6 × 9 in, 300 pages, cover of 1800×2700; wrap of 3878×2775 pixels; warm processes, each of its own",
        figures=[
            Figure(what="wrap as print PDF, CPU", value=wrap, unit="s", at_most=WRAP_AIM_S),
            Figure(what="wrap as print PDF, peak memory", value=wrap_mb, unit="MB"),
            Figure(what="wrap for the screen, CPU", value=shown, unit="s"),
            Figure(what="wrap for the screen", value=shown_s, unit="s"),
            Figure(what="pack of 8 files, CPU", value=pack, unit="s", at_most=PACK_AIM_S),
            Figure(what="pack of 8 files", value=pack_s, unit="s"),
            Figure(what="pack of 8 files, peak memory", value=pack_mb, unit="MB", at_most=PACK_AIM_MB),
            Figure(what="preflight of our PDF, CPU", value=small, unit="s"),
            Figure(what="preflight of a PDF of 40 MB, CPU", value=check, unit="s"),
            Figure(what="preflight of a PDF of 40 MB", value=check_s, unit="s", at_most=CHECK_AIM_S),
            Figure(what="preflight of a PDF of 40 MB, peak memory", value=check_mb, unit="MB"),
        ],
    )


def _order(art: Path) -> EditionOrder:
    words = CoverWords(title="The Salt Throne", author="Maren Oakhollow")
    lettering = choose(art.read_bytes(), words, genre="fantasy", language="en")
    book = Book(
        title=words.title,
        authors=(words.author,),
        tagline="The sea remembers",
        blurb=BLURB,
        about=BLURB[:170],
        language="en",
    )
    front = Front(artwork=Picture(path=str(art)), lettering=lettering, genre="fantasy")
    return EditionOrder(book=book, front=front, edition=PAPERBACK)


async def _make(pool: Pool, order: EditionOrder, edition: Edition, kind: str, folder: str) -> Made:
    asked = msgspec.structs.replace(order, edition=edition)
    return await pool.run(MakeFile(order=asked, kind=kind, folder=folder), Made)


async def _check(path: Path, target: Target) -> tuple[float, float, float]:
    order = CheckFile(path=str(path), target=target)
    return await _cost(PREFLIGHT_PROGRAM, [lambda pool: pool.run(order, Report)])


async def _cost(program: str, works: list[Callable[[Pool], Awaitable[T]]]) -> tuple[float, float, float]:
    """Return CPU seconds, seconds and the peak memory in MB of doing one thing after another in one warm process."""
    limits = Limits(seconds=120.0) if program == PROGRAM else PREFLIGHT_LIMITS
    pool = Pool(program, limits, logging.getLogger(__name__))
    try:
        pool.open()
        while not pool.processes:
            await asyncio.sleep(0.05)
        (process,) = pool.processes
        before, began = cpu_s(process), time.monotonic()
        for work in works:
            await work(pool)
        return cpu_s(process) - before, time.monotonic() - began, peak_mb(process)
    finally:
        await pool.aclose()


def _enlarged(path: Path, to: Path) -> Path:
    """Return a PDF of 40 MB: the same page with a picture of noise in JPEG below it."""
    chance = random.Random(3)
    noise = Image.frombytes("RGB", (3878, 2775), chance.randbytes(3878 * 2775 * 3))
    buffer = io.BytesIO()
    quality = 100
    noise.save(buffer, "JPEG", quality=quality, subsampling=0)
    data = buffer.getvalue()
    with pikepdf.open(path) as pdf:
        image = pdf.pages[0].obj.Resources.XObject.Im0
        image.write(data, filter=pikepdf.Name.DCTDecode)
        ballast = CHECKED_BYTES - len(data)
        if ballast > 0:
            pdf.Root["/Ballast"] = pdf.make_stream(chance.randbytes(ballast))
        pdf.save(to)
    return to
