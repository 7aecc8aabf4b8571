"""Administrators make, check, change and remove instances over HTTP, on every database."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.person import fault
from tests.providers.instance_maker import ROUTE, InstanceMaker

SECRET = "sk-planted-0123456789abcdef"
OTHER = "sk-planted-fedcba9876543210"


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
        maker.product.admin()  # or the session were too old for it, too
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


@pytest.mark.parametrize("mask", ["********", "*", "••••••••"])
def test_what_is_shown_in_place_of_a_secret_never_becomes_it(maker: InstanceMaker, mask: str) -> None:
    made = maker.made({"api_key": SECRET})
    hint = made["secrets"]["api_key"]["hint"]
    assert hint == f"…{SECRET[-4:]}"
    row = "SELECT sealed FROM provider_secret WHERE instance_id = :id"
    before = maker.product.sql(row, id=made["id"])
    for shown in (mask, hint):
        kept = maker.change(made["id"], settings={"api_key": shown, "deadline_s": 9}, force=True)
        assert kept.status_code == 200 and kept.json()["secrets"]["api_key"]["hint"] == hint
        assert maker.product.sql(row, id=made["id"]) == before
        moved = maker.change(made["id"], settings={"api_key": shown, "base_url": "https://other.example"}, force=True)
        assert moved.status_code == 422 and set(fault(moved)["fields"]) == {"api_key"}
    bare = maker.made({"api_key": mask})
    assert maker.product.sql(row, id=bare["id"]) == []


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
        ("image", "fal", "base_url", {"api_key": SECRET}),
        ("image", "google", "base_url", {"api_key": SECRET}),
        ("email", "postmark", "api_url", {"api_token": SECRET}),
        ("email", "mailgun", "base_url", {"api_key": SECRET, "domain": "mg.example.com"}),
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


def test_what_is_removed_is_gone(maker: InstanceMaker) -> None:
    made = maker.made({"api_key": SECRET}, addToRoute=True)
    assert maker.admin.delete(f"/api/admin/instances/{made['id']}").status_code == 204
    for method in ("GET", "PATCH", "DELETE"):
        body = {"json": {}} if method == "PATCH" else {}
        assert maker.admin.request(method, f"/api/admin/instances/{made['id']}", **body).status_code == 404
    assert made["id"] not in maker.admin.get("/api/admin/routes/image").json()["instances"]
    assert maker.product.sql("SELECT * FROM provider_secret WHERE instance_id = :id", id=made["id"]) == []


def test_a_new_instance_stands_last_in_the_order_or_first(maker: InstanceMaker) -> None:
    before = maker.admin.get("/api/admin/routes/image").json()["instances"]
    first = maker.made({}, addToRoute=True, firstInRoute=True)["id"]
    last = maker.made({}, addToRoute=True)["id"]
    idle = maker.made({}, firstInRoute=True)["id"]
    assert maker.admin.get("/api/admin/routes/image").json()["instances"] == [first, *before, last]
    assert maker.get(idle)["routePosition"] is None


def test_providers_say_what_administrators_compare(maker: InstanceMaker) -> None:
    found = {(entry["kind"], entry["id"]): entry for entry in maker.admin.get("/api/admin/providers").json()}
    assert found["image", "stub"]["comparison"] is None
    compared = found["image", "openai"]["comparison"]
    assert (compared["cost"], compared["reach"], compared["vendor"]) == ("paid", "vendor", "OpenAI")
    assert compared["priceMicros"] > 0 and compared["priceAsof"].startswith("20") and compared["seconds"] == 60.0


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
        assert plugins["atelier"]["kit"] == report | {"waivers": {}}, "a report from before there were waivers"
        assert plugins["stub_image"]["kit"] is None and plugins["stub_image"]["state"] == "loaded"
        path.write_text("{")
        assert maker.admin.get("/api/admin/plugins").json()[0]["kit"] is None
    finally:
        path.unlink()
