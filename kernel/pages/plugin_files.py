"""Files that plugins bring for browsers, such as the script of a payment form."""

from typing import Any

from litestar import Response, route
from litestar.di import NamedDependency
from litestar.enums import HttpMethod
from litestar.params import FromPath

from kernel.core.errors import Absent
from kernel.core.web.access import PUBLIC, AppRequest
from kernel.pages.responses import cacheable_response
from kernel.pages.static_files import IMMUTABLE
from kernel.providers import Registry, find_static_file


@route(
    "/plugins/{plugin:str}/static/{digest:str}/{name:str}",
    http_method=[HttpMethod.GET, HttpMethod.HEAD],
    operation_id="getPluginFile",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
)
async def plugin_file(
    request: AppRequest,
    plugin: FromPath[str],
    digest: FromPath[str],
    name: FromPath[str],
    registry: NamedDependency[Registry],
) -> Response[Any]:
    """Answer with a file of a plugin's folder `static`; 404 for any other address, also one with an earlier digest."""
    file = find_static_file(registry.plugins, plugin, digest, name)
    if file is None:
        raise Absent
    text = not file.media_type.startswith(("image/p", "image/w", "font/"))
    headers = {"cache-control": IMMUTABLE, "cross-origin-resource-policy": "same-origin"}
    return cacheable_response(request, file.body, media_type=file.media_type, headers=headers, packed=text)
