"""Wire of plans."""

from typing import Annotated

from msgspec import Meta

from kernel.core.schemas import In, Out

MAX_LIMIT = 1_000_000


class PlanLimits(Out, frozen=True, kw_only=True):
    """The monthly limits of both plans."""

    pro_unlimited: bool
    pro_monthly_limit: int
    free_monthly_limit: int


class PlanLimitsIn(In, frozen=True, kw_only=True):
    """New limits. Pro allows at least one cover, free may allow none."""

    pro_unlimited: bool
    pro_monthly_limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT)]
    free_monthly_limit: Annotated[int, Meta(ge=0, le=MAX_LIMIT)]


class FreeFiles(Out, frozen=True, kw_only=True):
    """Whether the free plan gets the files that printers take, without a mark."""

    free_print_files: bool


class FreeFilesIn(In, frozen=True, kw_only=True):
    """Whether it is to get them."""

    free_print_files: bool


class ResetDone(Out, frozen=True, kw_only=True):
    """How many users' counters were set to zero."""

    users: int
