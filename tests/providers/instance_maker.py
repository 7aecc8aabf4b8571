"""Instances that tests make over HTTP, as administrators do."""

from typing import Any
from uuid import uuid4

import httpx

from tests.person import Person
from tests.product import Product

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
