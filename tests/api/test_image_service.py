"""An image service that fails, returns garbage or does not answer: the state of the job, and the user's message."""

from uuid import uuid4

import pytest

from tests.person import Person
from tests.product import Product

DECLINED = "The image service declined this description. Nothing was used from your plan."


@pytest.fixture
def product(shared_product: Product) -> Product:
    """On one database: failures of services do not depend on it."""
    return shared_product


def test_a_refused_description_is_neither_retried_nor_passed_on(unreliable: Product, ada: Person) -> None:
    title = uuid4().hex
    unreliable.stub.does("refused")
    status = ada.finished(ada.generate(title=title))
    assert (status["status"], status["errorCode"], status["error"]) == ("failed", "content_refused", DECLINED)
    assert len(unreliable.stub.calls(title)) == 1 and unreliable.spare.calls(title) == []
    assert ada.used() == 0


@pytest.mark.parametrize(
    "mode",
    [
        "unavailable",
        "lost",
        "rate_limited:60",
        "auth_failed",
        "quota",
        "settings",
        "bug",
        "exit",
        "wrong_type",
        "empty",
        "garbage",
        "html",
        "truncated",
        "huge",
        "wrong_size",
    ],
)
def test_a_service_that_cannot_is_passed_over_for_the_next(unreliable: Product, ada: Person, mode: str) -> None:
    title = uuid4().hex
    unreliable.stub.does(mode)
    status = ada.finished(ada.generate(title=title))
    assert status["status"] == "completed"
    assert len(unreliable.stub.calls(title)) == len(unreliable.spare.calls(title)) == 1
    assert ada.used() == 1


def test_a_usable_picture_is_used_although_there_is_another(unreliable: Product, ada: Person) -> None:
    unreliable.stub.does("two")
    status = ada.finished(ada.generate(dimensions="custom", customWidth=4, customHeight=6))
    assert status["status"] == "completed"
    assert (status["result"]["width"], status["result"]["height"]) == (1200, 1800)


@pytest.mark.parametrize("mode", ["unavailable", "rate_limited:0.2", "garbage"])
def test_when_all_services_are_down_the_job_waits_and_tries_again(unreliable: Product, ada: Person, mode: str) -> None:
    title = uuid4().hex
    unreliable.stub.does(mode, "ok")
    unreliable.spare.does(mode, "ok")
    generation_id = ada.generate(title=title)
    retrying = ada.reaches(generation_id, phase="retrying")
    assert retrying["status"] == "pending" and retrying["error"] is None
    assert ada.finished(generation_id)["status"] == "completed"
    first, second = unreliable.stub.calls(title)
    assert second["at"] - first["at"] >= 0.025
    repeated = mode != "garbage"  # what could not be used would come again for the same key
    assert (first["key"] == second["key"] == generation_id) == repeated
    assert ada.used() == 1


def test_a_service_that_asks_for_patience_is_not_called_before(unreliable: Product, ada: Person) -> None:
    title = uuid4().hex
    for stub in (unreliable.stub, unreliable.spare):
        stub.does("rate_limited:30", "ok")
    generation_id = ada.generate(title=title)
    ada.reaches(generation_id, phase="retrying")
    ada.delete(f"/api/generations/{generation_id}")
    calls = len(unreliable.stub.calls()), len(unreliable.spare.calls())
    other = ada.generate()
    ada.reaches(other, phase="retrying")
    assert (len(unreliable.stub.calls()), len(unreliable.spare.calls())) == calls
    unreliable.advance(31)
    assert ada.finished(other)["status"] == "completed"


def test_a_job_fails_when_all_its_attempts_have_failed(unreliable: Product, ada: Person) -> None:
    title = uuid4().hex
    for stub in (unreliable.stub, unreliable.spare):
        stub.does("unavailable")
    status = ada.finished(ada.generate(title=title))
    assert (status["status"], status["errorCode"]) == ("failed", "unavailable")
    assert status["error"] == "Failed to generate cover. Please try again."
    assert len(unreliable.stub.calls(title)) == len(unreliable.spare.calls(title)) == 3
    assert ada.used() == 0


def test_a_service_that_does_not_answer_is_given_up(unreliable: Product, ada: Person) -> None:
    title = uuid4().hex
    unreliable.stub.does("unavailable", "ok")
    unreliable.spare.does("hang")
    status = ada.finished(ada.generate(title=title))
    assert status["status"] == "completed"
    assert len(unreliable.spare.calls(title)) == 1


def test_a_provider_that_ignores_cancellation_delays_no_other_job(unreliable: Product, ada: Person) -> None:
    unreliable.stub.does("unavailable", "ok")
    unreliable.spare.does("stubborn:20")
    assert ada.finished(ada.generate())["status"] == "completed"


def test_every_job_ends_by_its_deadline(unreliable: Product, ada: Person) -> None:
    title = uuid4().hex
    unreliable.stub.holds()
    generation_id = ada.generate(title=title)
    unreliable.stub.called(title)
    unreliable.advance(121)
    status = ada.finished(generation_id)
    assert (status["status"], status["errorCode"]) == ("failed", "deadline_exceeded")
    assert status["error"] == "The cover was not finished in time. Nothing was counted against your plan."
    assert ada.used() == 0
    unreliable.stub.releases()
    ada.cover()
    assert len(ada.get("/api/covers").json()) == 1


def test_what_a_service_says_about_itself_never_reaches_users(unreliable: Product, ada: Person) -> None:
    for stub in (unreliable.stub, unreliable.spare):
        stub.does("auth_failed")
    generation_id = ada.generate()
    status = ada.finished(generation_id)
    assert status["status"] == "failed"
    assert "key" not in status["error"] and "not accepted" not in str(status)


@pytest.mark.parametrize(
    ("mode", "code"),
    [
        ("auth_failed", "auth_failed"),
        ("quota", "quota_exhausted"),
        ("settings", "settings_invalid"),
        ("rate_limited:300", "rate_limited"),
    ],
)
def test_what_waiting_cannot_mend_fails_at_once_and_is_called_the_trouble_of_the_site(
    unreliable: Product, ada: Person, mode: str, code: str
) -> None:
    for stub in (unreliable.stub, unreliable.spare):
        stub.does(mode)
    first, second = ada.finished(ada.generate()), ada.finished(ada.generate())
    assert (first["status"], first["errorCode"]) == ("failed", code)
    assert first["error"] == (
        "The trouble is with the image service of this site, not with your description. "
        "Nothing was used from your plan. The administrators have been notified. Please come back later."
    )
    assert (second["status"], second["errorCode"]) == ("failed", "no_provider")
    assert ada.used() == 0
