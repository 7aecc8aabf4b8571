"""A worker that is killed leaves no picture behind that nobody paints any more."""

import os
import signal
from uuid import uuid4

import pytest

from tests.faults.conftest import FaultHarness, valkey_command
from tests.support.processes import wait_until
from tests.vendors.pictures import picture

pytestmark = pytest.mark.fault


def test_a_preview_goes_when_its_worker_is_killed_and_the_cover_comes_all_the_same(harness: FaultHarness) -> None:
    product, reader, title = harness.product, harness.reader(), uuid4().hex
    product.stub.holds_and_shows()
    generation_id = reader.generate(title=title)

    def told() -> bool:
        product.stub.shows(picture(60, 90))
        return reader.status(generation_id)["preview"] is not None

    wait_until(told, "a preview", 30)
    product.stub.does("ok")  # who takes the job over shows nothing
    (call,) = product.stub.called(title)
    os.kill(call["pid"], signal.SIGKILL)
    wait_until(lambda: reader.status(generation_id)["preview"] is None, "no preview", 30)
    assert harness.ended(reader, [generation_id]) == {generation_id: "completed"}
    wait_until(lambda: valkey_command(product, "EXISTS", f"coverwright:preview:{generation_id}") == 0, "no key", 30)
    product.stub.releases()
