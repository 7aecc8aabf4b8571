"""A WebDAV server in a separate process: in ours, its copies of stored data would count as the plugin's memory.

python -m tests.vendors.webdav_server FOLDER     prints its address; ends when its input does
"""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import httpx

USER: Final = "anna"
PASSWORD: Final = "app-password-of-anna"
SHARE: Final = "/remote.php/dav/files/anna"
"""As Nextcloud has it."""

Fault = Callable[[httpx.Request], httpx.Response | None]


class WebDAVServer:
    """The server, with its files in a folder of ours; close it."""

    def __init__(self, files: Path) -> None:
        self.files = files
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.vendors.webdav_server", str(files)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().decode().strip()
        assert self.url.startswith("http://127.0.0.1:"), "the server did not start"

    def new_folder(self) -> Path:
        """Make an empty folder; its address is `url`, a slash and its name."""
        folder = self.files / f"test-{uuid4().hex[:12]}"
        folder.mkdir()
        return folder

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=10)


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
    """Serve the folder until the input ends."""
    from werkzeug.serving import make_server
    from werkzeug.wsgi import get_input_stream
    from wsgidav.fs_dav_provider import FilesystemProvider
    from wsgidav.wsgidav_app import WsgiDAVApp

    application = WsgiDAVApp(
        {
            "provider_mapping": {SHARE: FilesystemProvider(sys.argv[1])},
            "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
            "simple_dc": {"user_mapping": {"*": {USER: {"password": PASSWORD}}}},
            "dir_browser": {"enable": False},
            "logging": {"enable": False},
        }
    )

    def serve(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"] = get_input_stream(environ)  # it reads a body up to its end
        return application(environ, start_response)

    server = make_server("127.0.0.1", 0, serve, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}{SHARE}", flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    main()
