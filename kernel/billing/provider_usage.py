"""How much depends on a payment instance."""

from sqlalchemy import func, select

from kernel.billing.models import BillingCustomer, PaymentOperation, PaymentRemoval
from kernel.core.data.database import ReadConnection


async def count_customers(connection: ReadConnection, instance_id: str) -> int:
    """Return how many customers only this instance knows, with customers still to be deleted and pending calls."""
    tables = (BillingCustomer, PaymentRemoval, PaymentOperation)
    queries = [select(func.count()).select_from(table).where(table.instance_id == instance_id) for table in tables]
    return sum([int((await connection.execute(query)).scalar_one()) for query in queries])
