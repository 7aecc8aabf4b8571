"""What Pro costs."""

from litestar import Controller, get
from litestar.di import NamedDependency

from kernel.core.access import PUBLIC
from kernel.core.config import Config
from kernel.core.wire import Out


class SelectedPrice(Out, frozen=True, kw_only=True):
    """The price of Pro: minor units, currency code in lower case, billing interval."""

    amount: int
    currency: str
    interval: str


class PriceController(Controller):
    """The price everyone may see, in spite of its path."""

    path = "/api/admin"
    tags = ("Plans",)

    @get("/selected-price", operation_id="getSelectedPrice", opt=PUBLIC, sync_to_thread=False)
    def selected_price(self, config: NamedDependency[Config]) -> SelectedPrice:
        """Return the configured price of Pro."""
        plans = config.plans
        return SelectedPrice(
            amount=plans.pro_price_minor, currency=plans.pro_price_currency, interval=plans.pro_price_interval
        )
