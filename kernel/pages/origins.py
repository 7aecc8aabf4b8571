"""Where a page may go beside us: to the payment vendor whose form it shows, and nowhere else."""

from kernel.core.web import policies
from kernel.providers import PAYMENT, Registry


def page_policies(registry: Registry) -> dict[str, str]:
    """Return the headers of a page, as the payment instances that are in use now need them."""
    needed = [entry.capabilities.origins for entry in registry.route(PAYMENT) if entry.usable]
    return policies(
        scripts=[source for origins in needed for source in origins.scripts],
        frames=[source for origins in needed for source in origins.frames],
        connections=[source for origins in needed for source in origins.connections],
    )
