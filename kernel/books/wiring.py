"""The services of books, wired."""

from kernel.billing.entitlement import Entitlement
from kernel.books.housekeeping import BookHousekeeping
from kernel.books.packs.service import PackService
from kernel.books.packs.worker import PackWorker
from kernel.books.pictures.service import BookPictureService
from kernel.books.preflight.service import PreflightService
from kernel.books.press import EditionPress
from kernel.books.preview import PreviewService
from kernel.books.service import BookService
from kernel.books.shelf.drift import ShelfDriftService
from kernel.books.shelf.service import ShelfService
from kernel.books.spine.service import SpineService
from kernel.core.config import Config
from kernel.core.data.database import Database
from kernel.core.queue.pubsub import PubSub
from kernel.core.wiring import Services
from kernel.covers.provenance.files import MarkedFiles
from kernel.pictures.store import PictureStore
from kernel.plans.service import PlanService
from kernel.providers import Registry
from kernel.themes.service import ThemeService


class Books(Services, frozen=True, kw_only=True):
    """Books, and what is made of them."""

    spine_service: SpineService
    preflights: PreflightService
    books: BookService
    book_pictures: BookPictureService
    packs: PackService
    previews: PreviewService
    shelves: ShelfService
    shelf_drifts: ShelfDriftService
    edition_press: EditionPress
    pack_worker: PackWorker
    book_housekeeping: BookHousekeeping


def open_books(
    config: Config,
    database: Database,
    pubsub: PubSub,
    registry: Registry,
    *,
    pictures: PictureStore,
    files: MarkedFiles,
    plans: PlanService,
    entitlement: Entitlement,
    themes: ThemeService,
) -> Books:
    """Wire the services."""
    books = BookService(database, pictures)
    packs = PackService(config.generation, database, registry, pictures, plans, entitlement)
    press = EditionPress()
    worker = PackWorker(config, packs, press, pictures, files, pubsub)
    return Books(
        spine_service=SpineService(),
        preflights=PreflightService(config),
        books=books,
        book_pictures=BookPictureService(config.pictures, database, pictures),
        packs=packs,
        previews=PreviewService(database, pictures, press),
        shelves=ShelfService(database, themes),
        shelf_drifts=ShelfDriftService(database, themes, press),
        edition_press=press,
        pack_worker=worker,
        book_housekeeping=BookHousekeeping(config.generation, books, packs, worker),
    )
