"""Image services with different capabilities: which one is called, and what users may choose."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from uuid import uuid4

import pytest

from tests.local_product import LocalProduct
from tests.person import SMALL, Person, fault
from tests.product import Product
from tests.stub_image.control import Stub
from tests.support.databases import Databases
from tests.support.drawings import base64_of, picture

WITH_REFERENCES: Final = "/api/generate-cover-with-references"
UPLOAD: Final = {"id": "1", "name": "a.png", "base64": base64_of(picture())}
PICKY: Final = """
[[instances]]
id = "picky"
kind = "image"
provider = "stub"
label = "Picky"
settings = {{ control = "{control}/picky", models = ["fine", "rough"], references = 3, price_micros = 40000 }}

[[instances]]
id = "benched"
kind = "image"
provider = "stub"
label = "Benched"
settings = {{ control = "{control}/benched" }}
"""
ROUTE: Final = ["stub", "spare", "picky"]


class Varied(LocalProduct):
    """A product whose first service takes no references, the second two, the third three; a fourth is not in use."""

    def __init__(self, databases: Databases) -> None:
        super().__init__(
            databases,
            "sqlite",
            env={
                "COVERWRIGHT_INSTANCE_STUB_REFERENCES": "0",
                "COVERWRIGHT_INSTANCE_STUB_SIZES": "1024x1536",
                "COVERWRIGHT_INSTANCE_SPARE_REFERENCES": "2",
            },
            route=tuple(ROUTE),
        )
        self.picky = Stub(self.folder / "picky")
        with (self.folder / "site.toml").open("a") as config:
            config.write(PICKY.format(control=self.folder))


@pytest.fixture(scope="module")
def running(databases: Databases) -> Iterator[Varied]:
    product = Varied(databases)
    yield product.start()
    product.close()


@pytest.fixture
def varied(running: Varied) -> Iterator[Varied]:
    """The product, healthy again afterwards."""
    yield running
    running.picky.does("ok")
    running.calm()


@pytest.fixture
def choosing(varied: Varied) -> Iterator[Varied]:
    """The same while users may choose."""
    with choice(varied):
        yield varied


@contextmanager
def choice(product: Product) -> Iterator[None]:
    """Let users choose during the block."""
    path = "/api/admin/routes/image"
    for allowed in (True, False):
        answer = product.admin().put(path, json={"instances": ROUTE, "userChoice": allowed})
        assert answer.status_code == 200, answer.text
        if allowed:
            yield


def image(person: Person) -> dict[str, Any]:
    """Return what the generator may offer."""
    capabilities: dict[str, Any] = person.get("/api/capabilities").json()["image"]
    return capabilities


def makers(product: Varied, title: str) -> list[str]:
    """Return the services that were called for a title."""
    calls = [*product.stub.calls(title), *product.spare.calls(title), *product.picky.calls(title)]
    return [call["instance"] for call in sorted(calls, key=lambda call: float(call["at"]))]


def made_by(product: Varied, person: Person, **fields: Any) -> list[str]:
    """Make a cover and return the services that were called."""
    title = uuid4().hex
    path = WITH_REFERENCES if "uploadedImages" in fields else "/api/generate-cover"
    answer = person.post(path, json={"prompt": "a fox", "title": title, "dimensions": SMALL} | fields)
    assert answer.status_code == 202, answer.text
    assert person.finished(answer.json()["generationId"])["status"] == "completed"
    return makers(product, title)


@pytest.mark.parametrize(("count", "who"), [(0, "stub"), (1, "spare"), (2, "spare"), (3, "picky")])
def test_the_first_service_that_takes_so_many_references_is_asked(varied: Varied, count: int, who: str) -> None:
    fields = {"uploadedImages": [UPLOAD] * count} if count else {}
    assert made_by(varied, varied.user(), **fields) == [who]


def test_more_references_than_any_service_takes_are_refused_and_nothing_is_kept(varied: Varied) -> None:
    person = varied.user()
    answer = person.post(WITH_REFERENCES, json={"prompt": "a fox", "uploadedImages": [UPLOAD] * 4})
    assert answer.status_code == 422
    assert (fault(answer)["code"], fault(answer)["message"]) == (
        "unsupported",
        "At most 3 reference images can be used at the moment.",
    )
    assert person.used() == 0
    assert varied.sql("SELECT id FROM generation WHERE user_id = :id", id=person.id) == []


def test_when_the_service_that_takes_references_fails_no_other_is_asked(varied: Varied) -> None:
    title, person = uuid4().hex, varied.user()
    varied.picky.does("refused")
    body = {"prompt": "a fox", "title": title, "dimensions": SMALL, "uploadedImages": [UPLOAD] * 3}
    answer = person.post(WITH_REFERENCES, json=body)
    status = person.finished(answer.json()["generationId"])
    assert (status["status"], status["errorCode"], makers(varied, title)) == ("failed", "content_refused", ["picky"])


def test_capabilities_tell_what_the_first_service_and_what_any_can_do(varied: Varied) -> None:
    told = image(varied.visitor())
    assert (told["provider"], told["firstReferences"], told["references"]) == ("Stub", 0, 3)
    assert told["referenceProviders"] == ["Spare", "Spare", "Picky"]
    assert told["upscaled"] == ["6x9", "8.5x11", "8x8", "custom", "5.5x8.5", "1024x1792"]
    assert told["choices"] == [] and told["expectedMs"] > 0


def test_capabilities_tell_how_to_pay_and_how_to_sign_in(varied: Varied) -> None:
    told = varied.visitor().get("/api/capabilities").json()
    assert told["payment"] == {"client": "sandbox", "promotionCodes": True, "taxes": False}
    assert told["signin"] == [{"id": "password", "kind": "form"}]


def test_users_choose_only_where_they_may(varied: Varied) -> None:
    person = varied.user()
    answer = person.start(instanceId="picky", model="fine")
    assert answer.status_code == 422
    assert set(fault(answer)["fields"]) == {"instanceId", "model"}
    with choice(varied):
        assert [one["instanceId"] for one in image(person)["choices"]] == ROUTE


def test_choices_name_models_and_references_and_costs_only_to_administrators(choosing: Varied) -> None:
    for person, cost in ((choosing.visitor(), None), (choosing.user(), None), (choosing.admin(), 40_000)):
        told = image(person)
        picky = told["choices"][2]
        assert picky.pop("expectedMs") > 0
        assert picky == {
            "instanceId": "picky",
            "label": "Picky",
            "models": ["fine", "rough"],
            "references": 3,
            "seed": True,
            "lettersByModel": False,
            "depicts": False,
            "sketches": False,
            "estimateMicros": cost,
        }
        assert told["estimateMicros"] is None


def test_running_again_asks_the_chosen_service_while_it_is_offered(varied: Varied) -> None:
    person, title = varied.user(), uuid4().hex
    with choice(varied):
        generation_id = person.generate(title=title, instanceId="picky")
        person.finished(generation_id)
        again = person.post(f"/api/generations/{generation_id}/retry", json={}).json()["generationId"]
        person.finished(again)
    assert makers(varied, title) == ["picky", "picky"]
    usual = person.post(f"/api/generations/{generation_id}/retry", json={}).json()["generationId"]
    person.finished(usual)
    assert makers(varied, title)[-1] == "stub"


def test_the_chosen_service_and_model_are_used_and_no_other(choosing: Varied) -> None:
    person = choosing.user()
    assert made_by(choosing, person, instanceId="picky") == ["picky"]
    title = uuid4().hex
    generation_id = person.generate(title=title, instanceId="picky", model="rough")
    status = person.finished(generation_id)
    assert (status["status"], status["provider"]) == ("completed", "Stub")
    assert [call["model"] for call in choosing.picky.calls(title)] == ["rough"]
    choosing.picky.does("unsupported")
    title = uuid4().hex
    assert person.finished(person.generate(title=title, instanceId="picky"))["status"] == "failed"
    assert makers(choosing, title) == ["picky"]


def test_a_model_alone_goes_to_the_first_service_that_has_it(choosing: Varied) -> None:
    assert made_by(choosing, choosing.user(), model="rough") == ["picky"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"instanceId": "benched"}, "instanceId"),
        ({"instanceId": "disk"}, "instanceId"),
        ({"instanceId": "nobody"}, "instanceId"),
        ({"instanceId": "stub", "model": "fine"}, "model"),
        ({"model": "none of them"}, "model"),
        ({"instanceId": "spare", "uploadedImages": [UPLOAD] * 3}, "instanceId"),
    ],
)
def test_a_choice_that_cannot_be_had_is_refused_at_its_field(
    choosing: Varied, fields: dict[str, Any], field: str
) -> None:
    person = choosing.user()
    path = WITH_REFERENCES if "uploadedImages" in fields else "/api/generate-cover"
    answer = person.post(path, json={"prompt": "a fox"} | fields)
    assert answer.status_code == 422 and set(fault(answer)["fields"]) == {field}
    assert person.used() == 0


def test_a_chosen_service_that_is_out_of_order_is_waited_for(choosing: Varied) -> None:
    person, title = choosing.user(), uuid4().hex
    choosing.picky.does("rate_limited:1", "ok")
    status = person.finished(person.generate(title=title, instanceId="picky"))
    assert status["status"] == "completed" and makers(choosing, title) == ["picky", "picky"]
    first, second = choosing.picky.calls(title)
    assert second["at"] - first["at"] >= 1
