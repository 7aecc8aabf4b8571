"""What each plan may download."""

from typing import Final

from kernel.accounts.user_summary import EVERYTHING, Downloads
from kernel.core.config import PictureFormat, PlansConfig
from kernel.core.errors import AppError

NAMES: Final[dict[PictureFormat, str]] = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}


class PlanRequired(AppError):
    """A file format that is not in the plan."""

    status, code = 402, "plan_required"

    def __init__(self, kind: PictureFormat, instead: list[PictureFormat]) -> None:
        others = " or ".join(NAMES[one] for one in instead)
        super().__init__(f"Upgrade to Pro to download {NAMES[kind]}, or choose {others}.")


class DownloadPolicy:
    """Pro and administrators have every format at full size, and every file of a book; the free plan has what is
    configured, and what an administrator saved.
    """

    def __init__(self, config: PlansConfig) -> None:
        self._free: Final = Downloads(
            formats=[kind for kind in EVERYTHING.formats if kind in config.free_download_formats],
            longest_px=config.free_download_longest_px or None,
        )

    @staticmethod
    def has_print_files(*, is_pro: bool, is_admin: bool, is_free: bool) -> bool:
        """Return whether somebody gets the files that printers take; else they are proofs, with a mark on them.

        `is_free` says that the free plan has them, as an administrator decided.
        """
        return is_pro or is_admin or is_free

    def of(self, *, is_pro: bool, is_admin: bool) -> Downloads:
        """Return what a user may download."""
        return EVERYTHING if is_pro or is_admin else self._free
