"""`coverwright doctor`: checks whether the stored data keeps its invariants; reads only."""

from typing import Final

from sqlalchemy import union_all

from kernel.accounts import invariants as accounts
from kernel.billing import invariants as billing
from kernel.books import invariants as books
from kernel.core.invariants import Invariants, PromiseFinding
from kernel.covers import invariants as covers
from kernel.covers.series import invariants as series
from kernel.insight import invariants as insight
from kernel.mail import invariants as mail
from kernel.pictures.invariants import files_are_intact, objects_have_rows
from kernel.plans import invariants as plans
from kernel.providers import invariants as providers
from kernel.runtime import Runtime
from kernel.site import invariants as site

INVARIANTS: Final[Invariants] = {
    **plans.INVARIANTS,
    **covers.INVARIANTS,
    **series.INVARIANTS,
    **books.INVARIANTS,
    **insight.INVARIANTS,
    **site.INVARIANTS,
    **providers.INVARIANTS,
    **billing.INVARIANTS,
    **mail.INVARIANTS,
    **accounts.INVARIANTS,
}
STILL_TO_DO: Final[Invariants] = {
    **billing.STILL_TO_DO,
    **covers.STILL_TO_DO,
    **site.STILL_TO_DO,
    **accounts.STILL_TO_DO,
}
SHOWN: Final = 5


async def examine(runtime: Runtime, *, read_objects: bool = True) -> list[PromiseFinding]:
    """Check every invariant. `read_objects` also reads and hashes every stored picture."""
    findings = []
    async with runtime.database.snapshot() as connection:  # work goes on meanwhile, and would look half done
        for promise, check in INVARIANTS.items():
            findings.append(PromiseFinding(promise=promise, broken=tuple(await check(connection))))
        for promise, check in STILL_TO_DO.items():
            findings.append(PromiseFinding(promise=promise, broken=(), notes=tuple(await check(connection))))
    if read_objects:
        deleted = union_all(*covers.objects_being_deleted(), *books.objects_being_deleted())
        findings.append(await files_are_intact(runtime.database, runtime.pictures, without=deleted))
        findings.append(await objects_have_rows(runtime.database, runtime.providers.registry))
    return findings


def report(findings: list[PromiseFinding]) -> str:
    """Return the findings as text lines."""
    lines = []
    for finding in findings:
        lines.append(f"{'ok    ' if not finding.broken else 'BROKEN'} {finding.promise}")
        lines += [f"       {item}" for item in finding.broken[:SHOWN]]
        lines += [f"       still to do: {item}" for item in finding.notes[:SHOWN]]
        if len(finding.broken) > SHOWN:
            lines.append(f"       … and {len(finding.broken) - SHOWN} more")
    return "\n".join(lines)
