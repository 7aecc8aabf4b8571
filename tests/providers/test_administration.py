"""Administrators make, check, change and remove instances over HTTP, on every database."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.person import Person, fault
from tests.product import Product
from tests.support.processes import wait_until

SECRET = "sk-planted-0123456789abcdef"
OTHER = "sk-planted-fedcba9876543210"
ROUTE = ["stub", "spare"]
DISK = {"kind": "storage", "provider": "disk", "label": "More room"}


class InstanceMaker:
    """An administrator with temporary instances, which are removed afterwards."""

    def __init__(self, product: Product) -> None:
        self.product = product
        self.admin: Person = product.admin()
        self._mine: list[str] = []

    def check(self, settings: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Check a draft of a stub."""
        body = {"kind": "image", "provider": "stub", "settings": settings} | more
        answer = self.admin.post("/api/admin/instances/check", json=body)
        assert answer.status_code == 200, answer.text
        report: dict[str, Any] = answer.json()
        return report

    def create(self, settings: dict[str, Any], **more: Any) -> httpx.Response:
        """Make a stub."""
        body = {"kind": "image", "provider": "stub", "label": f"Stub {uuid4().hex[:8]}", "settings": settings} | more
        answer = self.admin.post("/api/admin/instances", json=body)
        if answer.status_code == 201:
            self._mine.append(answer.json()["id"])
        return answer

    def made(self, settings: dict[str, Any], **more: Any) -> dict[str, Any]:
        """Make a stub without a check, outside the failover order, and return it."""
        answer = self.create(settings, **{"force": True, "addToRoute": False} | more)
        assert answer.status_code == 201, answer.text
        instance: dict[str, Any] = answer.json()
        return instance

    def change(self, instance_id: str, **body: Any) -> httpx.Response:
        return self.admin.patch(f"/api/admin/instances/{instance_id}", json=body)

    def get(self, instance_id: str) -> dict[str, Any]:
        answer = self.admin.get(f"/api/admin/instances/{instance_id}")
        assert answer.status_code == 200, answer.text
        instance: dict[str, Any] = answer.json()
        return instance

    def audit(self, about: str) -> list[dict[str, Any]]:
        """Return the audit rows about an object, latest first."""
        rows = self.admin.get("/api/admin/audit").json()
        return [row for row in rows if row["object"] == about]

    def route(self, kind: str, *ids: str, **more: Any) -> httpx.Response:
        return self.admin.put(f"/api/admin/routes/{kind}", json={"instances": list(ids)} | more)

    def leave(self) -> None:
        assert self.route("image", *ROUTE, userChoice=False).status_code == 200
        for instance_id in self._mine:
            self.admin.delete(f"/api/admin/instances/{instance_id}")


@pytest.fixture
def maker(product: Product) -> Iterator[InstanceMaker]:
    maker = InstanceMaker(product)
    yield maker
    maker.leave()


def test_a_checked_instance_is_made_and_stands_last_in_its_route(maker: InstanceMaker) -> None:
    report = maker.check({"references": 2, "api_key": SECRET})
    assert report["ok"] and report["steps"] == [{"name": "key", "status": "ok", "detail": "", "field": "api_key"}]
    made = maker.create({"references": 2, "api_key": SECRET}, checkToken=report["checkToken"]).json()
    assert (made["origin"], made["state"], made["routePosition"], made["checkOk"]) == ("stored", "ready", 2, True)
    assert made["settings"]["references"] == 2
    assert made["capabilities"]["referenceImages"] == 2
    assert made["sources"]["references"] == "stored" and made["sources"]["sizes"] == "default"
    assert made["revision"] == made["runningRevision"]
    assert maker.admin.get("/api/admin/routes/image").json()["instances"] == [*ROUTE, made["id"]]


def test_an_id_is_made_from_the_label(maker: InstanceMaker) -> None:
    first, second = maker.made({}, label="Überfluß & Öl"), maker.made({}, label="Überfluß & Öl")
    other = maker.made({}, label="絵")
    assert (first["id"], second["id"]) == ("uberflu-ol", "uberflu-ol-2")
    assert other["id"].startswith("stub-")


def test_settings_are_not_saved_before_a_good_check(maker: InstanceMaker) -> None:
    bad = maker.check({"api_key": "bad"})
    assert (bad["ok"], bad["checkToken"], bad["steps"][0]["status"]) == (False, None, "fail")
    assert fault(maker.create({"api_key": "bad"}))["code"] == "check_required"
    made = maker.made({"references": 1})
    refused = maker.change(made["id"], settings={"references": 2})
    assert refused.status_code == 409 and fault(refused)["code"] == "check_required"
    assert maker.get(made["id"])["settings"]["references"] == 1


def test_a_check_is_good_for_the_same_draft_only(maker: InstanceMaker) -> None:
    token = maker.check({"references": 2, "api_key": SECRET})["checkToken"]
    for settings in ({"references": 3, "api_key": SECRET}, {"references": 2, "api_key": OTHER}, {"references": 2}):
        assert maker.create(settings, checkToken=token).status_code == 409
    for forged in (token[:-1] + ("0" if token[-1] != "0" else "1"), "9" + token, "", "x.y", "9" * 30 + ".", "²3.aa"):
        assert maker.create({"references": 2, "api_key": SECRET}, checkToken=forged).status_code == 409
    assert maker.create({"references": 2, "api_key": SECRET}, checkToken=token).status_code == 201


def test_a_check_is_good_for_ten_minutes(maker: InstanceMaker) -> None:
    token = maker.check({"references": 2})["checkToken"]
    with maker.product.later(seconds=601):
        assert maker.create({"references": 2}, checkToken=token).status_code == 409


def test_a_change_is_checked_together_with_what_is_kept(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": "bad"})
    kept = maker.check({"references": 1}, id=made["id"])
    assert not kept["ok"], "the kept key is bad"
    report = maker.check({"references": 1, "api_key": SECRET}, id=made["id"])
    changed = maker.change(made["id"], settings={"references": 1, "api_key": SECRET}, checkToken=report["checkToken"])
    assert changed.status_code == 200, changed.text
    assert changed.json()["checkOk"] is True


def test_a_label_alone_needs_no_check(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET})
    changed = maker.change(made["id"], label="  Another  ", enabled=False).json()
    assert (changed["label"], changed["state"], changed["enabled"]) == ("Another", "disabled", False)
    again = maker.change(made["id"], enabled=True, settings={}).json()
    assert again["state"] == "ready" and again["secrets"]["api_key"]["set"]


def test_a_secret_is_kept_replaced_and_cleared(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET})
    assert made["secrets"]["api_key"] | {"updatedAt": ""} == {
        "set": True,
        "hint": "…cdef",
        "source": "stored",
        "updatedAt": "",
    }
    kept = maker.change(made["id"], settings={"references": 1}, force=True).json()
    assert kept["secrets"]["api_key"] == made["secrets"]["api_key"]
    replaced = maker.change(made["id"], settings={"api_key": OTHER}, force=True).json()
    assert replaced["secrets"]["api_key"]["hint"] == "…3210"
    short = maker.change(made["id"], settings={"api_key": "short-secret"}, force=True).json()
    assert short["secrets"]["api_key"]["hint"] is None
    cleared = maker.change(made["id"], settings={"api_key": None, "references": None}, force=True).json()
    assert cleared["secrets"]["api_key"] == {"set": False, "hint": None, "source": "default", "updatedAt": None}
    assert cleared["settings"]["references"] == 4


def test_a_changed_address_demands_the_kept_secret_again(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET})
    moved = {"base_url": "https://elsewhere.example"}
    refused = maker.change(made["id"], settings=moved, force=True)
    assert refused.status_code == 422
    assert fault(refused)["fields"] == {"api_key": "Enter it again, because the address changed."}
    report = maker.check(moved, id=made["id"])
    assert (report["ok"], report["steps"], list(report["problems"])) == (False, [], ["api_key"])
    assert maker.change(made["id"], settings=moved | {"api_key": SECRET}, force=True).status_code == 200
    cleared = maker.change(made["id"], settings={"base_url": None, "api_key": None}, force=True)
    assert cleared.json()["settings"]["base_url"] == "https://stub.example"


def test_a_kept_secret_goes_to_no_other_provider(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET})
    body = {"id": made["id"], "kind": "storage", "provider": "disk", "settings": {}}
    answer = maker.admin.post("/api/admin/instances/check", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"provider"}


def test_every_bad_setting_is_named_at_once(maker: InstanceMaker) -> None:
    bad = {"references": -1, "concurrency": "many", "color": "red", "api_key": "", "sizes": [1]}
    report = maker.check(bad)
    assert (report["ok"], report["checkToken"], set(report["problems"])) == (False, None, set(bad))
    answer = maker.create(bad, force=True)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == set(bad)


def test_a_setting_does_not_end_with_a_line_break(maker: InstanceMaker) -> None:
    bad = {"base_url": "https://stub.example\n", "api_key": f"{SECRET}\n", "sizes": ["64x64", "64x64\n"]}
    answer = maker.create(bad, force=True)
    assert answer.status_code == 422 and fault(answer)["fields"] == dict.fromkeys(
        bad, "Must not end with a line break."
    )


@pytest.mark.parametrize(
    ("kind", "provider", "address", "rest"),
    [
        ("image", "openai", "base_url", {"api_key": SECRET}),
        ("image", "replicate", "base_url", {"api_token": SECRET}),
        ("email", "postmark", "api_url", {"api_token": SECRET}),
        ("signin", "oidc", "issuer", {"client_id": "site"}),
    ],
)
def test_an_impossible_address_is_reported_at_its_setting(
    maker: InstanceMaker, kind: str, provider: str, address: str, rest: dict[str, Any]
) -> None:
    for impossible in ("https://xn--.example", "https://[::1"):
        made = maker.made({address: impossible} | rest, kind=kind, provider=provider)
        assert (made["state"], list(made["problems"])) == ("needs_attention", [address]), made["reason"]


def test_changes_at_once_are_all_kept_and_all_audited(maker: InstanceMaker) -> None:
    made = maker.made({})
    changes = {"references": 3, "concurrency": 7, "resumable": True, "deadline_s": 9.5, "price_micros": 77}
    with ThreadPoolExecutor(5) as at_once:
        answers = at_once.map(lambda pair: maker.change(made["id"], settings=dict([pair]), force=True), changes.items())
        assert {answer.status_code for answer in answers} == {200}
    assert maker.get(made["id"])["settings"].items() >= changes.items()
    rows = [row for row in maker.audit(f"instance:{made['id']}") if row["action"] == "instance.change"]
    assert sorted(key for row in rows for key in row["keys"]) == sorted(changes)


def test_what_only_building_finds_is_told_at_its_setting(maker: InstanceMaker) -> None:
    assert maker.check({"sizes": ["big"]})["problems"] == {"sizes": "Sizes look like 1024x1536."}
    made = maker.made({"sizes": ["big"]})
    assert (made["state"], made["problems"]) == ("needs_attention", {"sizes": "Sizes look like 1024x1536."})


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"id": "stub"}, "id"),
        ({"id": "check"}, "id"),
        ({"id": "-no"}, "id"),
        ({"id": "ends\n"}, "id"),
        ({"provider": "nobody"}, "provider"),
        ({"kind": "video"}, "kind"),
        ({"label": "   "}, "label"),
        ({"label": "two\nlines"}, "label"),
        ({"settings": []}, "settings"),
        ({"settings": {"control": "x" * 70_000}}, "settings"),
        ({"settings": {f"field{n}": 1 for n in range(201)}}, "settings"),
        ({"color": "red"}, "color"),
    ],
)
def test_an_instance_that_cannot_be_is_refused_at_the_field(
    maker: InstanceMaker, changes: dict[str, Any], field: str
) -> None:
    body = {"kind": "image", "provider": "stub", "label": "No", "settings": {}, "force": True} | changes
    answer = maker.admin.post("/api/admin/instances", json=body)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {field}


def test_no_secret_is_ever_told(maker: InstanceMaker) -> None:
    """A secret is planted in one instance and searched for in every response, audit trail, log and database."""
    seen = [json.dumps(maker.check({"api_key": SECRET}))]
    made = maker.made({"api_key": SECRET})
    seen.append(json.dumps(made))
    seen.append(maker.change(made["id"], settings={"api_key": OTHER, "sizes": ["big"]}, force=True).text)
    for path in ("instances", f"instances/{made['id']}", "providers", "plugins", "routes", "audit"):
        seen.append(maker.admin.get(f"/api/admin/{path}").text)
    seen.append(maker.admin.post(f"/api/admin/instances/{made['id']}/check").text)
    tables = ("provider_instance", "provider_secret", "provider_check", "audit")
    seen += [str(maker.product.sql(f"SELECT * FROM {table}")) for table in tables]
    seen.append(maker.product.log.read_text(errors="replace"))
    for text in seen:
        assert SECRET not in text and OTHER not in text
    sealed = maker.product.sql("SELECT sealed FROM provider_secret WHERE instance_id = :id", id=made["id"])
    assert len(sealed) == 1


def test_what_was_done_is_audited_by_the_names_of_fields(maker: InstanceMaker) -> None:
    report = maker.check({"api_key": SECRET, "references": 3})
    made = maker.create({"api_key": SECRET, "references": 3}, checkToken=report["checkToken"]).json()
    maker.change(made["id"], settings={"references": 2}, label="New", force=True)
    maker.admin.post(f"/api/admin/instances/{made['id']}/check")
    maker.route("image", *ROUTE)
    maker.admin.delete(f"/api/admin/instances/{made['id']}")
    rows = [(row["action"], row["outcome"], row["keys"]) for row in maker.audit(f"instance:{made['id']}")]
    assert rows == [
        ("instance.delete", "ok", []),
        ("instance.check", "ok", []),
        ("instance.change", "forced", ["label", "references"]),
        ("instance.create", "ok", ["api_key", "references"]),
    ]
    assert maker.audit("provider:image:stub")[0]["action"] == "instance.check"
    assert maker.audit("route:image")[0]["keys"] == ["instances"]


def test_a_check_of_what_is_saved_is_remembered(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": "bad"})
    assert (made["checkedAt"], made["checkOk"]) == (None, None)
    report = maker.admin.post(f"/api/admin/instances/{made['id']}/check").json()
    assert (report["ok"], report["checkToken"], report["problems"]) == (False, None, {"api_key": "key"})
    shown = maker.get(made["id"])
    assert shown["checkOk"] is False and shown["checkedAt"]


def test_each_step_of_a_check_is_streamed_as_it_ends(maker: InstanceMaker) -> None:
    body = {"kind": "signin", "provider": "password", "settings": {}}
    events: list[tuple[str, Any]] = []
    headers = {"accept": "text/event-stream"}
    with maker.admin.stream("POST", "/api/admin/instances/check", json=body, headers=headers) as answer:
        assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event:"):
                name = line.removeprefix("event:").strip()
            elif line.startswith("data:"):
                events.append((name, json.loads(line.removeprefix("data:"))))
    *steps, (last, report) = events
    assert [name for name, _ in steps] == ["step"] * 3 and last == "report"
    assert report["ok"] and report["checkToken"] and report["steps"] == [step for _, step in steps]


def test_checks_are_limited(maker: InstanceMaker) -> None:
    eager = InstanceMaker(maker.product)
    eager.admin = maker.product.user(admin=True)
    body = {"kind": "image", "provider": "stub", "settings": {}}
    statuses = [eager.admin.post("/api/admin/instances/check", json=body).status_code for _ in range(21)]
    assert statuses == [200] * 20 + [429]


def test_an_instance_of_the_file_is_changed_but_not_removed(maker: InstanceMaker) -> None:
    before = maker.get("spare")
    assert (before["origin"], before["sources"]["deadline_s"]) == ("file", "file")
    changed = maker.change("spare", settings={"deadline_s": 2.5, "api_key": SECRET}, force=True).json()
    assert (changed["origin"], changed["sources"]["deadline_s"]) == ("file", "stored")
    assert changed["sources"]["control"] == "file" and changed["settings"]["deadline_s"] == 2.5
    refused = maker.admin.delete("/api/admin/instances/spare")
    assert refused.status_code == 409 and fault(refused)["code"] == "declared_in_file"
    back = maker.change("spare", settings={"deadline_s": None, "api_key": None}, force=True).json()
    assert back["settings"] == before["settings"] and back["sources"] == before["sources"]


def test_a_new_order_is_followed_by_the_workers(maker: InstanceMaker) -> None:
    (maker.product.folder / "third").mkdir(exist_ok=True)
    made = maker.made({"control": str(maker.product.folder / "third")})
    assert maker.route("image", made["id"], "stub").json()["instances"] == [made["id"], "stub"]
    title = f"Switched {uuid4().hex[:6]}"
    person = maker.product.user()

    def used_instance() -> str:
        person.cover(title=title)
        rows = maker.product.sql("SELECT instance_id FROM attempt ORDER BY id DESC LIMIT 1")
        return str(rows[0]["instance_id"])

    wait_until(lambda: used_instance() == made["id"], "the worker to follow", 10)
    assert maker.admin.get("/api/admin/instances").json()[0]["routePosition"] == 1


@pytest.mark.parametrize("ids", [["nobody"], ["stub", "stub"], ["disk"], ["stub", 7], "stub"])
def test_a_route_takes_instances_of_its_kind_once(maker: InstanceMaker, ids: Any) -> None:
    answer = maker.admin.put("/api/admin/routes/image", json={"instances": ids})
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {"instances"}


def test_users_can_be_allowed_to_choose_a_provider(maker: InstanceMaker) -> None:
    assert maker.route("image", *ROUTE, userChoice=True).json()["userChoice"] is True
    assert maker.route("image", *ROUTE).json()["userChoice"] is True, "left out, it is kept"
    assert maker.route("image", *ROUTE, userChoice=False).json()["userChoice"] is False


def test_there_is_a_route_for_each_kind_and_no_other(maker: InstanceMaker) -> None:
    kinds = [route["kind"] for route in maker.admin.get("/api/admin/routes").json()]
    assert kinds == ["image", "payment", "email", "storage", "signin"]
    assert maker.admin.get("/api/admin/routes/video").status_code == 404
    assert maker.admin.put("/api/admin/routes/video", json={"instances": []}).status_code == 404


def test_a_storage_that_holds_pictures_is_not_removed(maker: InstanceMaker) -> None:
    made = maker.made({"folder": str(maker.product.folder / "more")}, **DISK)
    before = maker.admin.get("/api/admin/routes/storage").json()["instances"]
    try:
        maker.route("storage", made["id"], *before)
        person = maker.product.user()
        cover = 0
        while not maker.get(made["id"])["inUse"]:
            cover = person.cover()["id"]
        assert maker.get(made["id"])["inUseWhat"] == "pictures"
        refused = maker.admin.delete(f"/api/admin/instances/{made['id']}")
        assert refused.status_code == 409 and fault(refused)["code"] == "in_use"
        assert "(pictures: 1)" in fault(refused)["message"]
        drained = maker.change(made["id"], draining=True).json()
        assert drained["state"] == "draining"
        assert person.get(f"/api/covers/{cover}/image").status_code == 200
    finally:
        maker.route("storage", *before)


def test_the_last_way_in_for_administrators_stays_open(maker: InstanceMaker) -> None:
    for answer in (
        maker.change("password", enabled=False),
        maker.change("password", draining=True),
        maker.route("signin"),
    ):
        assert answer.status_code == 409 and fault(answer)["code"] == "last_sign_in"
    assert maker.get("password")["state"] == "ready"
    second = maker.made({}, kind="signin", provider="password", label="Second", addToRoute=True)
    assert maker.change("password", enabled=False).status_code == 200
    refused = maker.admin.delete(f"/api/admin/instances/{second['id']}")
    assert refused.status_code == 409 and fault(refused)["code"] == "last_sign_in"
    assert maker.change("password", enabled=True).status_code == 200
    assert maker.admin.delete(f"/api/admin/instances/{second['id']}").status_code == 204


def test_two_who_each_switch_off_another_way_in_leave_one_open(maker: InstanceMaker) -> None:
    second = maker.made({}, kind="signin", provider="password", label="Second", addToRoute=True)
    doors = ["password", second["id"]]
    try:
        for _ in range(3):
            with ThreadPoolExecutor(2) as at_once:
                answers = list(at_once.map(lambda door: maker.change(door, enabled=False), doors))
            assert sorted(answer.status_code for answer in answers) == [200, 409]
            for door in doors:
                assert maker.change(door, enabled=True).status_code == 200
    finally:
        maker.change("password", enabled=True)


def test_a_budget_goes_with_its_instance(maker: InstanceMaker) -> None:
    made = maker.made({}, id="spendthrift")
    saved = maker.admin.put("/api/admin/budgets", json={"instances": [{"instanceId": made["id"], "monthMicros": 5}]})
    assert [entry["instanceId"] for entry in saved.json()["instances"]] == [made["id"]]
    maker.admin.delete(f"/api/admin/instances/{made['id']}")
    shown = maker.admin.get("/api/admin/budgets").json()
    shown.pop("spent")
    assert shown["instances"] == [] and maker.admin.put("/api/admin/budgets", json=shown).status_code == 200
    maker.made({}, id="spendthrift")
    assert maker.admin.get("/api/admin/budgets").json()["instances"] == []


def test_budgets_saved_at_once_are_those_of_one_of_them(maker: InstanceMaker) -> None:
    def save(number: int) -> int:
        body = {"siteMonthMicros": number, "instances": [{"instanceId": "stub", "monthMicros": number}]}
        return maker.admin.put("/api/admin/budgets", json=body).status_code

    try:
        with ThreadPoolExecutor(12) as at_once:
            assert set(at_once.map(save, range(10**9, 10**9 + 12))) == {200}
        shown = maker.admin.get("/api/admin/budgets").json()
        assert shown["instances"] == [{"instanceId": "stub", "monthMicros": shown["siteMonthMicros"]}]
    finally:
        assert maker.admin.put("/api/admin/budgets", json={"instances": []}).status_code == 200


def test_while_no_storage_is_there_nothing_is_made_or_paid(maker: InstanceMaker) -> None:
    person, title = maker.product.user(), uuid4().hex
    cover = person.cover()["id"]
    try:
        assert maker.change("disk", enabled=False).status_code == 200
        shown = person.get(f"/api/covers/{cover}/image")
        assert shown.status_code == 503 and fault(shown)["code"] == "unavailable" and shown.headers["retry-after"]
        assert person.get(f"/api/covers/{cover}/download?format=png").status_code == 503
        assert person.get("/api/capabilities").json()["image"]["available"] is False
        assert person.start(title=title).status_code == 503
    finally:
        assert maker.change("disk", enabled=True).status_code == 200
    assert person.get(f"/api/covers/{cover}/image").status_code == 200
    assert maker.product.stub.calls(title) == []


def test_what_is_removed_is_gone(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET}, addToRoute=True)
    assert maker.admin.delete(f"/api/admin/instances/{made['id']}").status_code == 204
    for method in ("GET", "PATCH", "DELETE"):
        body = {"json": {}} if method == "PATCH" else {}
        assert maker.admin.request(method, f"/api/admin/instances/{made['id']}", **body).status_code == 404
    assert made["id"] not in maker.admin.get("/api/admin/routes/image").json()["instances"]
    assert maker.product.sql("SELECT * FROM provider_secret WHERE instance_id = :id", id=made["id"]) == []


def test_providers_come_with_the_form_of_their_settings(maker: InstanceMaker) -> None:
    found = {(entry["kind"], entry["id"]): entry for entry in maker.admin.get("/api/admin/providers").json()}
    schema = found["image", "stub"]["schema"]
    assert (schema["type"], schema["required"]) == ("object", [])
    assert list(schema["properties"])[:3] == ["control", "api_key", "base_url"]
    assert schema["properties"]["base_url"]["x-destination"] is True
    assert {"format": "password", "type": "string", "writeOnly": True} in schema["properties"]["api_key"]["anyOf"]


def test_plugins_come_with_the_report_of_the_kit(maker: InstanceMaker) -> None:
    report = {
        "kitVersion": "1.0",
        "ok": False,
        "passed": 3,
        "failed": 1,
        "skipped": 0,
        "checkedAt": "2026-11-21T12:00:00Z",
        "failures": ["SEC-001"],
    }
    folder = maker.product.data / "kit"
    folder.mkdir(exist_ok=True)
    path = folder / "coverwright.json"
    try:
        path.write_text(json.dumps(report))
        plugins = {plugin["name"]: plugin for plugin in maker.admin.get("/api/admin/plugins").json()}
        assert plugins["atelier"]["kit"] == report
        assert plugins["stub_image"]["kit"] is None and plugins["stub_image"]["state"] == "loaded"
        path.write_text("{")
        assert maker.admin.get("/api/admin/plugins").json()[0]["kit"] is None
    finally:
        path.unlink()
