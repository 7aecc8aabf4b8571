"""Secrets are planted where administrators enter them, and searched for everywhere: answers, logs, traces, storage."""

import re
from collections.abc import Callable, Iterator
from typing import Final

import httpx
import pytest

from tests.api.test_access import FIXED, ROUTES
from tests.person import Person
from tests.product import PASSWORD
from tests.running_product import RunningProduct
from tests.support.databases import BACKENDS

STORED: Final = "canary-stored-5f1c77aa90"
REPLACED: Final = "canary-replaced-b81e02d4c6"
TRIED: Final = "canary-tried-2290fe6ab1"
IN_FILE: Final = "canary-in-file-7d30c5e918"
IN_ENVIRONMENT: Final = "canary-in-env-04ab6f3e57"
PLANTED: Final = (STORED, REPLACED, TRIED, IN_FILE, IN_ENVIRONMENT)

REST_S: Final = 400.0
"""Longer than the pause of an instance that failed, or whose key was refused."""

DECLARED: Final = """
[[instances]]
id = "filed"
kind = "image"
provider = "stub"
label = "Filed"
settings = {{ control = "", api_key = "{key}" }}
"""


class Ears:
    """Records every response that a client of the test gets."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    def listen(self, person: Person) -> Person:
        """Record all further responses to a client."""
        person.event_hooks = {"request": [], "response": [self._keep]}
        return person

    def _keep(self, answer: httpx.Response) -> None:
        if "event-stream" not in answer.headers.get("content-type", ""):
            answer.read()
            self.heard.append((f"{answer.request.method} {answer.request.url.path}", f"{answer.headers} {answer.text}"))


@pytest.fixture(scope="module", params=BACKENDS)
def keeper(request: pytest.FixtureRequest, new_database: Callable[[str], str]) -> Iterator[tuple[RunningProduct, Ears]]:
    """A product that has used secrets: stored, replaced, checked, failed with, and leaked by a faulty plugin."""
    product = RunningProduct(
        fresh=True,
        database_url=new_database(request.param),
        settings=DECLARED.format(key=IN_FILE),
        env={"COVERWRIGHT_LOG_LEVEL": "debug", "COVERWRIGHT_INSTANCE_STUB_API_KEY": IN_ENVIRONMENT},
    )
    try:
        product.start()
        ears = Ears()
        live(product, ears)
        yield product, ears
    finally:
        product.close()


def live(product: RunningProduct, ears: Ears) -> None:
    """Use secrets in every way that administrators can, including failures."""
    admin, reader = ears.listen(product.admin()), ears.listen(product.user())
    control = {"control": str(product.folder / "stub")}
    draft = {"id": "keyed", "kind": "image", "provider": "stub", "settings": control | {"api_key": STORED}}
    checked = admin.post("/api/admin/instances/check", json=draft).json()
    assert checked["ok"], checked
    new = draft | {"label": "Keyed", "checkToken": checked["checkToken"]}
    assert admin.post("/api/admin/instances", json=new).status_code == 201
    for _ in range(2):
        tried = {"id": "keyed", "kind": "image", "provider": "stub", "settings": {"api_key": TRIED, "sizes": "wrong"}}
        assert admin.post("/api/admin/instances/check", json=tried).status_code in (200, 422)
    moved = {"settings": {"base_url": "https://elsewhere.example"}, "force": True}
    assert admin.patch("/api/admin/instances/keyed", json=moved).status_code == 422
    changed = {"settings": {"api_key": REPLACED}, "force": True}
    assert admin.patch("/api/admin/instances/keyed", json=changed).status_code == 200
    for instance in ("keyed", "stub", "filed"):
        assert admin.put("/api/admin/routes/image", json={"instances": [instance]}).status_code == 200
        for mode in ("bug", "auth_failed", "ok"):
            product.stub.does(mode)
            reader.finished(reader.generate())
            product.advance(REST_S)
            admin.reauthenticate(PASSWORD)
        assert admin.post(f"/api/admin/instances/{instance}/check", json={}).status_code == 200
    for route in ROUTES:
        method, template = route.split(" ")
        if method == "GET" and "-events" not in template and "logout" not in template:
            names = re.findall(r"{(\w+)}", template)
            path = template.format(**{name: FIXED.get(name, "keyed" if "instance" in name else "1") for name in names})
            admin.get(path)
    admin.event_hooks = {"request": [], "response": []}


def test_the_secrets_were_really_used(keeper: tuple[RunningProduct, Ears]) -> None:
    product, ears = keeper
    shown = product.admin().get("/api/admin/instances").json()
    by_id = {instance["id"]: instance["secrets"]["api_key"] for instance in shown if instance["provider"] == "stub"}
    assert all(by_id[name]["set"] for name in ("keyed", "stub", "filed"))
    assert by_id["keyed"]["source"] == "stored"
    assert by_id["stub"]["source"] == "COVERWRIGHT_INSTANCE_STUB_API_KEY"
    assert len(ears.heard) > len([route for route in ROUTES if route.startswith("GET")]) / 2
    assert product.sql("SELECT count(*) AS n FROM attempt WHERE code = 'provider_bug'")[0]["n"]


def test_no_response_contains_a_secret(keeper: tuple[RunningProduct, Ears]) -> None:
    _, ears = keeper
    assert [(what, secret) for what, said in ears.heard for secret in PLANTED if secret in said] == []


def test_no_log_line_or_trace_contains_a_secret(keeper: tuple[RunningProduct, Ears]) -> None:
    product, _ = keeper
    log = product.log.read_text(errors="replace")
    assert "broke its contract" in log  # the trace of the faulty plugin is there
    assert [secret for secret in PLANTED if secret in log] == []


def test_no_row_of_the_database_holds_one(keeper: tuple[RunningProduct, Ears]) -> None:
    product, _ = keeper
    tables = product.sql(
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
        if product.database_url
        else "SELECT name FROM sqlite_master WHERE type = 'table'"
    )
    assert len(tables) > 10
    found = []
    for table in tables:
        dump = repr(product.sql(f'SELECT * FROM "{table["name"]}"'))
        found += [(table["name"], secret) for secret in PLANTED if secret in dump]
    assert found == []


def test_no_stored_file_contains_a_secret(keeper: tuple[RunningProduct, Ears]) -> None:
    product, _ = keeper
    files = [path for path in product.data.rglob("*") if path.is_file()]
    assert len(files) > 3
    assert [(path.name, secret) for path in files for secret in PLANTED if secret.encode() in path.read_bytes()] == []
