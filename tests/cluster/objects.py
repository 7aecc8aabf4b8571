"""An S3 server that keeps its objects when it is stopped: python -m tests.cluster.objects ADDRESS PORT FILE"""

import io
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

ACCOUNT: Final = "123456789012"
"""The account of whoever asks the stand-in."""
PARTITION: Final = "aws"


class OneAtATime:
    """A WSGI application that is not safe for several requests at a time; a slow body keeps nobody else waiting."""

    def __init__(self, application: Any) -> None:
        self._application = application
        self._turn = threading.Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer one request."""
        if environ.get("CONTENT_LENGTH"):
            body = environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            environ["wsgi.input"] = io.BytesIO(body)
        with self._turn:
            return list(self._application(environ, start_response))


def main(address: str, port: str, file: str) -> None:
    """Serve until SIGTERM."""
    from moto import server as stand_in
    from moto.s3.models import s3_backends
    from werkzeug.serving import make_server

    backend, kept = s3_backends[ACCOUNT][PARTITION], Path(file)
    if kept.exists():
        backend.buckets = pickle.loads(kept.read_bytes())  # written below, by ourselves
        s3_backends.bucket_accounts |= dict.fromkeys(backend.buckets, (PARTITION, ACCOUNT))
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    application = OneAtATime(vars(stand_in)["DomainDispatcherApplication"](vars(stand_in)["create_backend_app"]))
    server = make_server(address, int(port), application, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    signal.sigwait({signal.SIGTERM})
    server.shutdown()
    fresh = kept.with_suffix(".new")
    fresh.write_bytes(pickle.dumps(backend.buckets))
    fresh.replace(kept)
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
