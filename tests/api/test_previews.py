"""A picture that is shown while it is made: small, to its owner only, and gone with the end of the job."""

import asyncio
import io
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image

from kernel.core.config import load_config
from kernel.core.queue.server import QueueServer
from kernel.core.queue.valkey import open_redis
from kernel.covers.previews import service
from kernel.covers.previews.service import GenerationPreviews
from kernel.spi import PREVIEW_BYTES
from tests.person import TERMINAL, Person, fault
from tests.product import Product
from tests.support.processes import wait_until
from tests.support.valkey import valkey_server
from tests.vendors.pictures import picture


@pytest.fixture
def painting(product: Product, ada: Person) -> Iterator[str]:
    """A generation whose service shows pictures on the way."""
    title = uuid4().hex
    product.stub.holds_and_shows()
    generation_id = ada.generate(title=title)
    product.stub.called(title)
    yield generation_id
    product.stub.releases()
    product.stub.does("ok")
    ada.finished(generation_id)


def shown(product: Product, ada: Person, generation_id: str, data: bytes, *, after: int = 0) -> dict[str, Any]:
    """Show a picture until it is told of; those that come too soon are dropped."""

    def look() -> dict[str, Any] | None:
        product.stub.shows(data)
        status = ada.status(generation_id)
        return status if (status["preview"] or 0) > after else None

    return wait_until(look, "a preview", 30)


def seen(person: Person, generation_id: str) -> Image.Image:
    answer = person.get(f"/api/generations/{generation_id}/preview")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/webp" and answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    return Image.open(io.BytesIO(answer.content))


def test_a_picture_is_shown_while_it_is_made_and_gone_when_it_is_there(
    product: Product, ada: Person, bob: Person, painting: str
) -> None:
    address = f"/api/generations/{painting}/preview"
    assert ada.status(painting)["preview"] is None
    assert fault(ada.get(address))["code"] == "not_found"
    first = shown(product, ada, painting, picture(1500, 2250, "png", 200))
    assert first["status"] == "processing" and first["phase"] == "drawing" and first["result"] is None
    small = seen(ada, painting)
    assert small.size == (341, 512) and small.format == "WEBP"
    for stranger in (bob, product.admin()):
        assert stranger.get(address).status_code == 404
    assert product.visitor().get(address).status_code == 401
    second = shown(product, ada, painting, picture(300, 200, "jpeg", 20), after=first["preview"])
    assert second["preview"] > first["preview"]
    assert seen(ada, painting).size == (300, 200)
    product.stub.releases()
    done = ada.finished(painting)
    assert done["status"] == "completed" and done["preview"] is None
    assert ada.get(address).status_code == 404


def test_followers_hear_of_each_preview(product: Product, ada: Person, painting: str) -> None:
    told = []
    for status in ada.events(painting):
        told.append(status["preview"])
        if status["preview"] is None and status["status"] not in TERMINAL:
            shown(product, ada, painting, picture(60, 90, "webp"))
        elif status["preview"]:
            product.stub.releases()
    numbers = [number for number in told if number is not None]
    assert numbers and numbers == sorted(numbers)
    assert told[-1] is None


def test_a_bad_preview_costs_nobody_the_cover(product: Product, ada: Person, painting: str) -> None:
    for bad in (b"", b"<svg/>", picture(600, 900)[:500], bytes(PREVIEW_BYTES + 1)):
        product.stub.shows(bad)
    assert shown(product, ada, painting, picture(60, 90))["preview"]
    product.stub.releases()
    assert ada.finished(painting)["status"] == "completed"


def test_a_preview_goes_with_a_canceled_cover(product: Product, ada: Person, painting: str) -> None:
    shown(product, ada, painting, picture(60, 90))
    assert ada.delete(f"/api/generations/{painting}").json()["preview"] is None
    assert ada.get(f"/api/generations/{painting}/preview").status_code == 404


def test_a_refinement_is_shown_too(product: Product, ada: Person) -> None:
    cover = ada.cover()
    product.stub.holds_and_shows()
    answer = ada.post(f"/api/covers/{cover['id']}/refine", json={"change": "darker", "version": 1})
    generation_id = answer.json()["generationId"]
    assert shown(product, ada, generation_id, picture(60, 90))["preview"]
    product.stub.releases()
    assert ada.finished(generation_id)["status"] == "completed"


@pytest.mark.parametrize("generation_id", ["7", "nothing", "00000000-0000-0000-0000-000000000000"])
def test_an_address_of_nothing_is_not_found(ada: Person, generation_id: str) -> None:
    assert ada.get(f"/api/generations/{generation_id}/preview").status_code == 404


class Desk:
    """The previews of one process, with a queue server and a clock of the test's own."""

    def __init__(self, redis: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        config = load_config({"COVERWRIGHT_DATA": str(folder)})
        self.redis = redis
        self.now = 100.0
        self.told = 0
        nobody_looks: Any = None
        self.previews = GenerationPreviews(config.pictures, QueueServer(redis), nobody_looks, keep_s=60)
        monkeypatch.setattr(service.time, "monotonic", lambda: self.now)
        self.job = uuid4()

    async def tell(self) -> None:
        self.told += 1

    async def offer(self, data: bytes, *, after_s: float = 0.0) -> None:
        """Show a picture so much later, and wait until it is there or dropped."""
        self.now += after_s
        self.previews.offer(self.job, data)
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            if "GenerationPreviews" in repr(task.get_coro()):
                await task

    async def kept(self) -> tuple[int | None, int]:
        """Return the number that is kept, and for how many ms."""
        key = f"coverwright:preview:{self.job}"
        number = await self.redis.hget(key, "number")
        return int(number) if number else None, int(await self.redis.pttl(key))


@pytest.mark.anyio
async def test_one_preview_a_second_is_made_and_it_goes_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with valkey_server() as url:
        env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_REDIS_URL": url}
        async with aclosing(open_redis(load_config(env))) as redis:
            desk = Desk(redis, tmp_path, monkeypatch)
            await desk.offer(picture(60, 90))
            assert await desk.kept() == (None, -2), "nobody works on it"
            desk.previews.begin(desk.job, 3, desk.tell)
            await desk.offer(picture(60, 90))
            number, left_ms = await desk.kept()
            assert number == 3001 and 0 < left_ms <= 60_000
            for after_s in (0.0, 0.3, 0.3, 0.3):
                await desk.offer(picture(60, 90), after_s=after_s)
            assert (await desk.kept())[0] == 3001 and desk.told == 1
            await desk.offer(picture(60, 90), after_s=0.2)
            assert (await desk.kept())[0] == 3002 and desk.told == 2
            await desk.offer(b"<html>", after_s=1)
            await desk.offer(bytes(PREVIEW_BYTES + 1), after_s=1)
            assert (await desk.kept())[0] == 3002 and desk.told == 2
            await desk.redis.pexpire(f"coverwright:preview:{desk.job}", 30_000)
            await desk.previews.keep(desk.job)
            assert (await desk.kept())[1] > 30_000, "its worker still holds the job"
            await desk.previews.end(desk.job)
            assert await desk.kept() == (None, -2)
            await desk.offer(picture(60, 90), after_s=1)
            assert await desk.kept() == (None, -2), "a call that goes on after its job has ended shows nothing"


@pytest.mark.anyio
async def test_without_a_queue_server_nothing_is_shown_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = {"COVERWRIGHT_DATA": str(tmp_path), "COVERWRIGHT_REDIS_URL": f"unix://{tmp_path}/nobody.sock"}
    desk = Desk(open_redis(load_config(env)), tmp_path, monkeypatch)
    desk.previews.begin(desk.job, 1, desk.tell)
    await desk.offer(picture(60, 90))
    await desk.previews.keep(desk.job)
    assert await desk.previews.latest(desk.job) is None
    await desk.previews.end(desk.job)
    assert desk.told == 0
