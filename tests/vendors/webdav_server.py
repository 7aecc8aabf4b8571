"""A WebDAV server, and what can stand before it.

python -m tests.vendors.webdav_server FOLDER     prints its address; ends when its input does
"""

import sys
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx

from tests.vendors.server_process import ServerProcess, serve

USER: Final = "anna"
PASSWORD: Final = "app-password-of-anna"
SHARE: Final = "/remote.php/dav/files/anna"
"""As Nextcloud has it."""


class WebDAVServer(ServerProcess):
    """The server, with its files in a folder of ours; close it."""

    def __init__(self, files: Path) -> None:
        super().__init__("tests.vendors.webdav_server", str(files))
        self.files = files

    def new_folder(self) -> Path:
        """Make an empty folder; its address is `url`, a slash and its name."""
        folder = self.files / f"test-{uuid4().hex[:12]}"
        folder.mkdir()
        return folder


class Front(httpx.MockTransport):
    """Stands before a server: answers what its handler answers, and passes on the rest."""

    def __init__(self) -> None:
        super().__init__(_passes)  # type: ignore[arg-type]  # the base knows no request that is passed on
        self._behind = httpx.AsyncHTTPTransport(trust_env=False)
        self.seen: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer, or pass the request on unread."""
        self.seen.append(request.method)
        if self.handler is not _passes:
            await request.aread()
            if (answer := self.handler(request)) is not None:
                assert isinstance(answer, httpx.Response)
                return answer
        return await self._behind.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the connections to the server."""
        await self._behind.aclose()


def _passes(request: httpx.Request) -> None:
    return None


def main() -> None:
    """Serve the folder."""
    from werkzeug.wsgi import get_input_stream
    from wsgidav.fs_dav_provider import FilesystemProvider
    from wsgidav.wsgidav_app import WsgiDAVApp

    inner = WsgiDAVApp(
        {
            "provider_mapping": {SHARE: FilesystemProvider(sys.argv[1])},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "dir_browser": {"enable": False},
            "logging": {"enable": False},
        }
    )

    def application(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"] = get_input_stream(environ)  # it reads a body up to its end
        return inner(environ, start_response)

    serve(application, path=SHARE, threaded=True)


if __name__ == "__main__":
    main()
