"""Uploads that are refused before they are read."""

from uuid import uuid4

from kernel.covers.route_options import UPLOADS_PER_MINUTE
from tests.api.test_references import PATH, asked, upload
from tests.conftest import Limits
from tests.person import Person, fault
from tests.support.drawings import picture

JSON = {"content-type": "application/json"}
UNREAD = b"{ no JSON: who reads it answers 400"


def test_too_many_uploads_are_refused_before_they_are_read(ada: Person) -> None:
    answers = [ada.post(PATH, content=UNREAD, headers=JSON).status_code for _ in range(UPLOADS_PER_MINUTE + 1)]
    assert answers == [400] * UPLOADS_PER_MINUTE + [429]


def test_uploads_that_no_cover_is_left_for_are_refused_before_they_are_read(ada: Person, limits: Limits) -> None:
    limits(free=0)
    answer = ada.post(PATH, content=UNREAD, headers=JSON)
    assert (answer.status_code, fault(answer)["code"]) == (402, "generation_limit_reached")


def test_who_has_used_everything_up_may_repeat_an_accepted_upload(ada: Person, limits: Limits) -> None:
    limits(free=1)
    body, key = asked(uploadedImages=[upload(picture())]), {"idempotency-key": uuid4().hex}
    first = ada.post(PATH, json=body, headers=key)
    assert first.status_code == 202, first.text
    ada.finished(first.json()["generationId"])
    again = ada.post(PATH, json=body, headers=key)
    assert again.status_code == 202 and again.json() == first.json()
    assert ada.post(PATH, json=body, headers={"idempotency-key": uuid4().hex}).status_code == 402
