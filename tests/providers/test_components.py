"""Pages and settings components of plugins: the frame, its policy, and the calls."""

import base64
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from kernel.spi import component_faults
from tests.local_product import LocalProduct
from tests.person import Person
from tests.product import Product
from tests.stub_pages import PROBE
from tests.support.databases import BACKENDS, Databases

FRAME = "/api/admin/providers/image/probe/components/escape/frame"
CALLS = "/api/admin/instances/probe/components/escape/calls"
TOKEN = "sk-nobody-reads-this"


@pytest.fixture(scope="module", params=BACKENDS)
def probed(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Product]:
    """The product with an instance of the plugin that has pages."""
    env = {"COVERWRIGHT_EXTRA_PLUGINS": "tests.stub_image,tests.stub_pages"}
    product = LocalProduct(databases, request.param, env=env).start()
    draft = {"kind": "image", "provider": "probe", "label": "Probe", "settings": {"api_key": TOKEN}, "id": "probe"}
    made = product.admin().post("/api/admin/instances", json=draft | {"force": True, "addToRoute": False})
    assert made.status_code == 201, made.text
    yield product
    product.close()


@pytest.fixture
def admin(probed: Product) -> Person:
    return probed.admin()


def call(person: Person, name: str, argument: Any) -> Any:
    return person.post(f"{CALLS}/{name}", json={"argument": argument})


def audited(admin: Person) -> list[dict[str, Any]]:
    return [row for row in admin.get("/api/admin/audit").json() if row["action"] == "component.call"]


def test_providers_tell_their_pages_and_components(admin: Person) -> None:
    probe = next(one for one in admin.get("/api/admin/providers").json() if one["id"] == "probe")
    assert probe["pages"][0] == {
        "id": "escape",
        "title": {"en": "Escape", "de": "Ausbruch"},
        "frame": FRAME,
        "fields": [],
        "calls": ["echo", "keep"],
    }
    assert probe["settingsComponent"]["fields"] == ["api_key"]


def test_the_frame_is_a_sandbox_that_runs_its_module_and_fetches_nothing(admin: Person) -> None:
    answer = admin.get(FRAME, params={"language": "de"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/html")
    policy = answer.headers["content-security-policy"]
    allowed = dict(part.split(" ", 1) for part in policy.split("; "))
    assert allowed == {
        "default-src": "'none'",
        "script-src": allowed["script-src"],
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "connect-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'self'",
        "sandbox": "allow-scripts",
    }
    scripts = re.findall(r"<script(?: type=\"module\")?>(.*?)</script>", answer.text, re.DOTALL)
    hashes = [f"'sha384-{base64.b64encode(hashlib.sha384(one.encode()).digest()).decode()}'" for one in scripts]
    assert allowed["script-src"].split() == hashes
    assert "customElements.define('probe-escape'" in scripts[1]
    assert (answer.headers["x-frame-options"], answer.headers["cache-control"]) == ("SAMEORIGIN", "no-store")
    assert TOKEN not in answer.text


def test_the_words_of_a_language_stand_in_the_frame(admin: Person) -> None:
    address = "/api/admin/providers/image/comfyui/components/settings/frame"

    def words(language: str) -> Any:
        page = admin.get(address, params={"language": language}).text
        found = re.search(r'<script type="application/json" id="words">(.*?)</script>', page, re.DOTALL)
        assert found is not None
        return msgspec.json.decode(found[1])

    assert words("de")["remove"] == "Entfernen"
    assert words("xx") == words("en")
    assert admin.get(address, params={"language": "../x"}).status_code == 422


@pytest.mark.parametrize(
    "address",
    [
        FRAME.replace("escape", "nothing"),
        FRAME.replace("probe", "nobody"),
        FRAME.replace("image", "painting"),
        FRAME.replace("image/probe", "image/stub").replace("escape", "settings"),
    ],
)
def test_there_is_no_other_frame(admin: Person, address: str) -> None:
    assert admin.get(address).status_code == 404


def test_only_administrators_get_frames_and_calls(probed: Product) -> None:
    visitor, user = probed.visitor(), probed.user()
    assert (visitor.get(FRAME).status_code, user.get(FRAME).status_code) == (401, 403)
    assert (call(visitor, "echo", {}).status_code, call(user, "echo", {}).status_code) == (401, 403)


def test_a_call_from_another_origin_is_refused(admin: Person) -> None:
    for origin in ("null", "https://elsewhere.example"):
        sent = admin.post(f"{CALLS}/echo", json={"argument": {}}, headers={"origin": origin})
        assert sent.status_code == 403


def test_a_call_is_answered_without_the_secret(admin: Person) -> None:
    answer = call(admin, "echo", {"text": "hello"})
    assert (answer.status_code, answer.json()) == (200, {"answer": {"text": "hello ***"}})


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ("refuse", 409, "Probe: not like this"),
        ("away", 503, "nobody is there"),
        ("crash", 409, "a mistake of the plugin"),
        ("large", 409, "larger than 1024 KiB"),
        ("odd", 409, "Probe"),
    ],
)
def test_a_call_that_fails_says_why(admin: Person, text: str, status: int, words: str) -> None:
    answer = call(admin, "echo", {"text": text})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, "component_call_failed")
    assert words in answer.json()["error"]["message"]


def test_a_call_that_does_not_end_is_given_up(admin: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernel.providers.components.service.CALL_SECONDS", 0.05)
    answer = call(admin, "echo", {"text": "forever"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "component_call_failed")


def test_an_argument_has_the_type_of_the_call(admin: Person) -> None:
    wrong = call(admin, "echo", {"text": 7})
    assert wrong.status_code == 422 and "argument.text" in wrong.json()["error"]["fields"]
    assert call(admin, "echo", {"text": "x" * 300_000}).status_code == 413
    assert call(admin, "echo", "text").status_code == 422


def test_what_is_not_declared_cannot_be_called(admin: Person) -> None:
    for address in (
        f"{CALLS}/aclose",
        f"{CALLS}/generate",
        f"{CALLS.replace('escape', 'silent')}/echo",
        f"{CALLS.replace('probe', 'nobody')}/echo",
        f"{CALLS.replace('probe', 'stub')}/echo",
    ):
        assert admin.post(address, json={"argument": {}}).status_code == 404


def test_only_what_changes_something_is_audited(admin: Person) -> None:
    call(admin, "echo", {"text": "hello"})
    assert audited(admin) == []
    call(admin, "keep", {"text": "hello"})
    call(admin, "keep", {"text": "refuse"})
    found = audited(admin)
    assert [(row["outcome"], row["object"], row["keys"]) for row in found] == [
        ("failed", "instance:probe", ["escape.keep"]),
        ("ok", "instance:probe", ["escape.keep"]),
    ]


PAGE = PROBE.pages[0]
CALL = PAGE.calls[0]


class Unwritable(msgspec.Struct):
    """What JSON cannot hold."""

    what: object | complex


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ({"id": "settings"}, "is no name, is there twice, or is `settings`"),
        ({"id": "A page"}, "is no name"),
        ({"title": {"de": "Ausbruch"}}, "no text for `en`"),
        ({"title": {"en": " "}}, "is no text of a line"),
        ({"title": {"en": "Escape", "german": "Ausbruch"}}, "is no code such as `de`"),
        ({"element": "escape"}, "does not begin with `probe-`"),
        ({"element": "probe-other"}, "does not define the element `probe-other`"),
        ({"module": "nothing.js"}, "is no .js among the packaged files"),
        ({"calls": (CALL, CALL)}, "two calls have the same name"),
        ({"calls": ("echo",)}, "no tuple of AdminCall"),
        ({"calls": (msgspec.structs.replace(CALL, name="Echo it"),)}, "named like `recentItems`"),
        ({"calls": (msgspec.structs.replace(CALL, argument=str),)}, "is no Struct"),
        ({"calls": (msgspec.structs.replace(CALL, answer=Unwritable),)}, "cannot be JSON"),
        ({"calls": (msgspec.structs.replace(CALL, run="echo"),)}, "cannot be called"),
    ],
)
def test_faults_of_a_page_are_said(page: dict[str, Any], said: str) -> None:
    spec = msgspec.structs.replace(PROBE, pages=(msgspec.structs.replace(PAGE, **page),))
    assert any(said in fault for fault in component_faults(spec)), component_faults(spec)


def test_faults_of_a_settings_component_are_said() -> None:
    assert component_faults(PROBE) == []
    component = PROBE.settings_component
    assert component is not None
    for fields, said in (((), "it names no fields"), (("nothing",), "there is no setting nothing")):
        spec = msgspec.structs.replace(PROBE, settings_component=msgspec.structs.replace(component, fields=fields))
        assert component_faults(spec) == [f"settings component: {said}"]
