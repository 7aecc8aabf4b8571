"""The names of parameters: those that a route does not know are refused in administration, so that a filter is never
ignored, and what is wrong with one is said under the name that was sent.
"""

from typing import Any, Final
from urllib.parse import parse_qsl

from litestar import Litestar
from litestar.routes import HTTPRoute

from kernel.core.errors import SENT_AS, InvalidFields
from kernel.core.schemas import UNKNOWN

PARAMETERS: Final = "parameters"
"""Where a route's metadata has the names that its query may hold."""


def name_parameters(app: Litestar) -> None:
    """Write into the metadata of every route what its parameters are called, and which ones its query may hold."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler, model in route.route_handler_map.values():
            handler.opt[SENT_AS] = {one.field_name: one.field_alias for one in model.expected_query_params}
            if handler.opt.get("access") == "admin":
                handler.opt[PARAMETERS] = frozenset(one.field_alias for one in model.expected_query_params)


def check_parameters(options: dict[str, Any], query: bytes) -> None:
    """Raise InvalidFields for parameters that the route does not know, all of them at once."""
    known: frozenset[str] | None = options.get(PARAMETERS)
    if not query or known is None:
        return
    sent = {name for name, _ in parse_qsl(query.decode("latin-1"), keep_blank_values=True)}
    if unknown := sorted(sent - known):
        raise InvalidFields(dict.fromkeys(unknown, UNKNOWN))
