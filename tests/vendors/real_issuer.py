"""The issuer of issuer.mjs as a process, and a user of its pages."""

import html
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urljoin

import httpx

from kernel.core.config import PROJECT_ROOT
from tests.support.processes import GuardedProcess, free_port, wait_until

MODULE = PROJECT_ROOT / "node_modules" / "oidc-provider"
SCRIPT = Path(__file__).with_name("issuer.mjs")
START_S = 30.0


@contextmanager
def running(return_address: str, home: str) -> Iterator[str]:
    """Run the issuer and yield its address. Raises AssertionError where Node or the package is missing."""
    node = shutil.which("node")
    assert node and MODULE.exists(), "these tests need Node and `npm ci`"
    port = free_port()
    process = GuardedProcess([node, str(SCRIPT), str(port), return_address, home])
    address = f"http://127.0.0.1:{port}"
    try:
        wait_until(lambda: _answers(address), "start of the issuer", START_S)
        yield address
    finally:
        process.stop()


def visit(address: str, name: str, *, back_at: str) -> str:
    """Sign in under a name, agree to everything, and return the address to which the browser is sent back."""
    with httpx.Client() as browser:
        answer = browser.get(address)
        for _ in range(12):
            if answer.is_redirect:
                onward = urljoin(str(answer.url), answer.headers["location"])
                if onward.startswith(back_at):
                    return onward
                answer = browser.get(onward)
                continue
            action = re.search(r'<form[^>]*action="([^"]+)"', answer.text)
            assert action, answer.text[:2000]
            prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
            form = {"prompt": prompt.group(1) if prompt else "", "login": name, "password": "any"}
            answer = browser.post(urljoin(str(answer.url), html.unescape(action.group(1))), data=form)
    raise AssertionError("the issuer never sent the browser back")


def _answers(address: str) -> bool:
    try:
        return httpx.get(f"{address}/.well-known/openid-configuration", timeout=1).status_code == 200
    except httpx.HTTPError:
        return False
