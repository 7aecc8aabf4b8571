"""Everything that is not the API: files of the SPA, and its shell for every other address."""

import gzip
from typing import Any, Final

from litestar import Request, Response, get
from litestar.di import NamedDependency

from kernel.accounts.sessions import cookie_token
from kernel.core.access import PUBLIC
from kernel.core.config import Config
from kernel.core.errors import Absent
from kernel.pages.files import StaticFiles
from kernel.pages.origins import page_policies, payment_screens
from kernel.pages.shell import SPA_ROUTES, language_of, split_language, write_shell
from kernel.providers import Registry

UNBUILT = "The web interface has not been built. Run `make run`, or `npm run build`."
SHELL_LEVEL: Final = 5
"""The shell is written anew for every visit, so its compression must be quick."""


@get(
    ["/", "/{path:path}"],
    operation_id="getPage",
    include_in_schema=False,
    opt={**PUBLIC, "compressed_already": True},
    sync_to_thread=False,
)
def page(
    request: Request[Any, Any, Any],
    config: NamedDependency[Config],
    static_files: NamedDependency[StaticFiles],
    registry: NamedDependency[Registry],
) -> Response[Any]:
    """Answer with a file if there is one, else with the shell; 404 for what has neither file nor screen."""
    path = request.url.path
    if path == "/api" or path.startswith("/api/"):
        raise Absent("There is no such call.")
    if static_files.find(path) and path != "/index.html":
        return static_files.answer(request, path)
    in_path, rest = split_language(path)
    last = rest.rsplit("/", 1)[-1]
    if "." in last or path.startswith(("/assets/", "/locales/", "/showcase/")):
        raise Absent
    template = static_files.find("/index.html")
    if template is None:
        return Response(UNBUILT, status_code=503, media_type="text/plain")
    screen, signed_in = rest.rstrip("/") or "/", cookie_token(request, config) is not None
    hints = static_files.hints.tags(screen, signed_in=signed_in)
    first_screen = static_files.first_screens.find(screen, signed_in=signed_in)
    body = write_shell(template.bodies["identity"].decode(), request, config, path, hints, first_screen).encode()
    headers = {
        "cache-control": "no-cache",
        "content-language": language_of(request, in_path),
        "vary": "accept-language, cookie, accept-encoding",
        **page_policies(registry, rest),
    }
    if "gzip" in request.headers.get("accept-encoding", ""):
        body = gzip.compress(body, SHELL_LEVEL, mtime=0)
        headers["content-encoding"] = "gzip"
    status = 200 if SPA_ROUTES.match(rest) or rest.rstrip("/") in payment_screens(registry) else 404
    return Response(body, status_code=status, media_type="text/html", headers=headers)
