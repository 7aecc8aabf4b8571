"""Pausing over HTTP: what a person is told, and what their export says."""

import io
import json
import zipfile

from tests.person import Person


def test_pausing_and_resuming(ada: Person, admin: Person) -> None:
    before = ada.subscribe()["subscription"]
    assert before["pausable"] and before["paused_until"] is None
    paused = ada.post("/api/subscription/pause", json={"months": 2})
    assert paused.status_code == 200, paused.text
    shown = paused.json()["subscription"]
    assert shown["paused_until"] > shown["current_period_end"] == before["current_period_end"]
    assert ada.get("/api/auth/user").json()["isPro"]
    export = ada.get("/api/account/export")
    with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
        (kept,) = json.loads(archive.read("subscriptions.json"))
    assert kept["paused_until"] == shown["paused_until"]
    found = admin.get("/api/admin/users").json()
    assert [person["subscription"] for person in found if person["id"] == ada.id] == ["paused"]
    resumed = ada.post("/api/subscription/resume", json={})
    assert resumed.status_code == 200 and resumed.json()["subscription"] == before


def test_only_some_months_can_be_paused(ada: Person) -> None:
    for bad in ({}, {"months": 0}, {"months": 4}, {"months": "many"}):
        assert ada.post("/api/subscription/pause", json=bad).status_code == 422
