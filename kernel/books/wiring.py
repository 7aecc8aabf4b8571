"""The services of books, wired."""

from kernel.books.spine.service import SpineService
from kernel.core.wiring import Services


class Books(Services, frozen=True, kw_only=True):
    """What is made of books."""

    spine_service: SpineService


def open_books() -> Books:
    """Wire the services."""
    return Books(spine_service=SpineService())
