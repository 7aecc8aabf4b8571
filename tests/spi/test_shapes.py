"""`misfit` finds where a plugin's answer differs from its contract."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from kernel.spi import (
    GeneratedImage,
    ImageCapabilities,
    ImageResult,
    Redirect,
    SendResult,
    Size,
    SubscriptionTruth,
    Usage,
    misfit,
)

IMAGE = GeneratedImage(data=b"x", media_type="image/png", size=Size(1, 2))


def made(kind: Any, *values: Any, **fields: Any) -> Any:
    """Make a Struct without type checks, as plugins can."""
    return kind(*values, **fields)


def image(**wrong: Any) -> ImageResult:
    fields: dict[str, Any] = {"data": b"x", "media_type": "image/png", "size": Size(1, 2), **wrong}
    return ImageResult(images=(GeneratedImage(**fields),), model="m")


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        (image(), ImageResult),
        (image(seed=3, revised_prompt="p"), ImageResult),
        (ImageResult(images=(), model="m", usage=Usage(cost_micros=5)), ImageResult),
        ([SendResult(state="sent")], Sequence[SendResult]),
        ({"a@example.org": SendResult(state="sent")}, Mapping[str, SendResult] | None),
        (None, Mapping[str, SendResult] | None),
        (None, None),
        (Redirect(url="https://a", memory={"k": "v"}), Redirect),
        ("text", str),
        (object(), Any),
    ],
)
def test_what_keeps_the_contract_fits(value: Any, hint: Any) -> None:
    assert misfit(value, hint) is None


@pytest.mark.parametrize(
    ("value", "hint", "where"),
    [
        (None, ImageResult, "result is a NoneType, not a ImageResult"),
        ({"images": []}, ImageResult, "result is a dict"),
        (image(data="text"), ImageResult, "result.images[0].data is a str, not a bytes"),
        (image(media_type="image/gif"), ImageResult, "result.images[0].media_type is 'image/gif', not one of"),
        (image(media_type=["unhashable"]), ImageResult, "result.images[0].media_type is"),
        (image(size=(1, 2)), ImageResult, "result.images[0].size is a tuple, not a Size"),
        (image(size=made(Size, 1.5, 2)), ImageResult, "result.images[0].size.width is a float, not a int"),
        (image(size=made(Size, True, 2)), ImageResult, "result.images[0].size.width is a bool, not a int"),
        (image(seed="3"), ImageResult, "result.images[0].seed is a str, not a int"),
        (made(ImageResult, images=IMAGE, model="m"), ImageResult, "result.images is a GeneratedImage, not a sequence"),
        (made(ImageResult, images="ab", model="m"), ImageResult, "result.images is a str, not a sequence"),
        ([made(SendResult, state="gone")], Sequence[SendResult], "result[0].state is 'gone'"),
        ({1: SendResult(state="sent")}, Mapping[str, SendResult], "result key is a int, not a str"),
        (["a"], Mapping[str, SendResult], "result is a list, not a mapping"),
        (made(ImageCapabilities, models=("m", 3)), ImageCapabilities, "result.models[1] is a int, not a str"),
    ],
)
def test_a_result_that_breaks_the_contract_is_named(value: Any, hint: Any, where: str) -> None:
    found = misfit(value, hint)
    assert found is not None and found.startswith(where)


def test_every_result_of_the_contracts_can_be_checked() -> None:
    truth = SubscriptionTruth(ref="s", customer="c", price="p", state="active", period_end=1, cancel_at=None)
    assert misfit([truth], Sequence[SubscriptionTruth]) is None
