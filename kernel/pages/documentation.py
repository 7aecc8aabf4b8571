"""The documentation for plugin authors at `/docs`: static pages that `python -m kernel.docs.site` has written."""

from pathlib import Path
from typing import Any, Final

from litestar import Response, route
from litestar.di import NamedDependency
from litestar.enums import HttpMethod

from kernel.core.web.access import PUBLIC, AppRequest
from kernel.pages.responses import conditional_response
from kernel.pages.static_files import StaticFiles

DOCUMENTATION: Final = Path(__file__).with_name("docs")
"""Where the pages lie once they have been built."""
UNBUILT: Final = b"The documentation has not been built. Run `make build`."


@route(
    ["/docs", "/docs/{path:path}"],
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    operation_id="getDocumentation",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
)
async def documentation(request: AppRequest, docs_files: NamedDependency[StaticFiles]) -> Response[Any]:
    """Answer with a page or one of its assets; 404 with a page that says so for any other address."""
    place = request.url.path.removeprefix("/docs").rstrip("/") or "/index"
    for address in (place, f"{place}.html"):
        if docs_files.find(address):
            return docs_files.answer(request, address)
    missing = docs_files.find("/404.html")
    return conditional_response(
        request,
        missing.bodies["identity"] if missing else UNBUILT,
        media_type=missing.media_type if missing else "text/plain",
        headers={"cache-control": "no-cache"},
        status=404,
    )
