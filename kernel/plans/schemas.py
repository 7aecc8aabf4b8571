"""Wire of plans."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from kernel.core.schemas import In, Out

MAX_LIMIT = 1_000_000


class PlanLimits(Out, frozen=True, kw_only=True):
    """The monthly limits of both plans, and whether the free one gets the files that printers take, without a mark."""

    pro_unlimited: bool
    pro_monthly_limit: int
    free_monthly_limit: int
    free_print_files: bool


class PlanLimitsIn(In, frozen=True, kw_only=True):
    """New limits. Pro allows at least one cover, free may allow none. Without `freePrintFiles` that stays as it is."""

    pro_unlimited: bool
    pro_monthly_limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT)]
    free_monthly_limit: Annotated[int, Meta(ge=0, le=MAX_LIMIT)]
    free_print_files: bool | UnsetType = UNSET


class ResetDone(Out, frozen=True, kw_only=True):
    """How many users' counters were set to zero."""

    users: int
