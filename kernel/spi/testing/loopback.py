"""A vendor on this machine, for clients that bring their own transport: SDKs, sockets, other languages."""

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Final

import httpx

HOP_HEADERS: Final = frozenset({"connection", "transfer-encoding", "content-encoding", "content-length"})


class Loopback:
    """An HTTP server on a free port of 127.0.0.1 that answers with its `handler`, like `httpx.MockTransport`.

    Use it as a context manager and point the settings at `url`. If the handler raises, it closes the connection
    without an answer. An answer whose content is an iterator of bytes is sent piece by piece; if that raises, the
    answer ends there.
    """

    def __init__(self, handler: Callable[[httpx.Request], httpx.Response]) -> None:
        self.handler = handler
        loopback = self

        class Caller(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self) -> None:
                self.raw_requestline = self.rfile.readline(65_537)
                if not self.raw_requestline or not self.parse_request():
                    self.close_connection = True
                    return
                loopback._answer(self)

            def log_message(self, format: str, *args: Any) -> None:
                return

        self._server: Final = _Server(("127.0.0.1", 0), Caller)
        self._thread: Final = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._open = True
        self._thread.start()

    @property
    def url(self) -> str:
        """Return the address, without a trailing slash."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop listening: from now on connections are refused. A second call does nothing."""
        if self._open:
            self._open = False
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def __enter__(self) -> "Loopback":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _answer(self, caller: BaseHTTPRequestHandler) -> None:
        caller.close_connection = True
        body = _body(caller)
        request = httpx.Request(
            caller.command, f"{self.url}{caller.path}", headers=list(caller.headers.items()), content=body
        )
        try:
            response = self.handler(request)
        except Exception:  # the handler closes the connection
            return
        try:
            content = b"" if caller.command == "HEAD" else response.content
        except httpx.ResponseNotRead:
            _send_pieces(caller, response)
            return
        caller.send_response(response.status_code)
        for name, value in response.headers.multi_items():
            if name.lower() not in HOP_HEADERS:
                caller.send_header(name, value)
        length = response.headers.get("content-length", "0") if caller.command == "HEAD" else str(len(content))
        caller.send_header("Content-Length", length)
        caller.send_header("Connection", "close")
        caller.end_headers()
        caller.wfile.write(content)


def _send_pieces(caller: BaseHTTPRequestHandler, response: httpx.Response) -> None:
    """Send the pieces of an answer in chunks, as they come."""
    caller.send_response(response.status_code)
    for name, value in response.headers.multi_items():
        if name.lower() not in HOP_HEADERS:
            caller.send_header(name, value)
    caller.send_header("Transfer-Encoding", "chunked")
    caller.send_header("Connection", "close")
    caller.end_headers()
    try:
        for piece in response.iter_raw():
            caller.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            caller.wfile.flush()
    except Exception:  # without the last chunk: the client sees that it was cut off
        return
    caller.wfile.write(b"0\r\n\r\n")


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        return  # a client that disconnected is not worth a message


def _body(caller: BaseHTTPRequestHandler) -> bytes:
    """Read the whole body, with a declared length or in chunks."""
    if "chunked" not in caller.headers.get("Transfer-Encoding", "").lower():
        return caller.rfile.read(int(caller.headers.get("Content-Length") or 0))
    body = bytearray()
    while size := int(caller.rfile.readline().split(b";")[0], 16):
        body += caller.rfile.read(size)
        caller.rfile.readline()
    while caller.rfile.readline().strip():
        pass
    return bytes(body)
