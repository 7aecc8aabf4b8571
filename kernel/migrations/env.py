"""Alembic's entry: runs on the connection that `migrate` passes."""

from typing import Any, Literal

from advanced_alchemy.types import DateTimeUTC
from alembic import context


def render_item(kind: str, item: Any, _context: Any) -> str | Literal[False]:
    """Write our types by the names that the template imports."""
    return "DateTimeUTC(timezone=True)" if kind == "type" and isinstance(item, DateTimeUTC) else False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=context.config.attributes.get("metadata"),
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    render_item=render_item,
)
with context.begin_transaction():
    context.run_migrations()
