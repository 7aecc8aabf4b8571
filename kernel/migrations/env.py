"""Alembic's entry: runs on the connection that `migrate` passes."""

from typing import Any, Literal

from advanced_alchemy.types import DateTimeUTC
from alembic import context

from kernel.core.data.search_index import is_search_object


def render_item(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write our types by the names that the template imports."""
    return "DateTimeUTC(timezone=True)" if kind == "type" and isinstance(item, DateTimeUTC) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=context.config.attributes.get("metadata"),
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    include_object=lambda _object, name, *_: not is_search_object(name),
    render_item=render_item,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
