"""The provider, beyond the rules of the conformance kit."""

from collections.abc import AsyncIterator

import msgspec
import pytest

from kernel.spi import Brief, Element, ImageRequest, InvalidRequest, Size, Unsupported
from kernel.spi.testing import FakeContext, FakeControl
from plugins.atelier.provider import Atelier, AtelierSettings

REQUEST = ImageRequest(
    prompt="A lighthouse in a storm",
    size=Size(200, 300),
    brief=Brief(description="A lighthouse in a storm", title="The Keeper", author="T. Ardagh", genre="mystery"),
)

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def atelier(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Atelier]:
    """One for the file: its drawing process takes longer to start than to draw a cover, and keeps nothing of one."""
    context = FakeContext(tmp_path_factory.mktemp("atelier"))
    provider = Atelier(AtelierSettings(), context)
    yield provider
    await provider.aclose()
    await context.http.aclose()


def titled(title: str) -> ImageRequest:
    return msgspec.structs.replace(REQUEST, brief=msgspec.structs.replace(REQUEST.brief, title=title))


async def test_a_repeated_job_is_the_same_picture_and_a_new_job_another(atelier: Atelier) -> None:
    jobs = [msgspec.structs.replace(REQUEST, idempotency_key=key) for key in ("one", "one", "two")]
    first, again, other = [(await atelier.generate(job, FakeControl())).images[0] for job in jobs]
    assert first.data == again.data and first.seed == again.seed
    assert first.data != other.data


async def test_a_title_no_font_can_set_is_passed_on_to_another_provider(atelier: Atelier) -> None:
    with pytest.raises(Unsupported, match="ไ"):
        await atelier.generate(titled("ไทย"), FakeControl())


async def test_a_reference_that_is_no_picture_is_the_users_to_mend(atelier: Atelier) -> None:
    with pytest.raises(InvalidRequest):
        await atelier.generate(msgspec.structs.replace(REQUEST, references=(b"nonsense",)), FakeControl())


async def test_what_the_author_chose_is_drawn_whatever_the_words_say(atelier: Atelier) -> None:
    fox = Element(kind="subject", id="fox", label="fox", count=2, color="red")
    told = await atelier.depict(REQUEST.brief.description, title="The Keeper", genre="mystery", language="en")
    assert [element.id for element in told.elements] == ["lighthouse", "storm"]
    for chosen, shown in ((None, {"lighthouse"}), ((fox,), {"fox"})):
        brief = msgspec.structs.replace(REQUEST.brief, elements=chosen)
        (image,) = (await atelier.generate(msgspec.structs.replace(REQUEST, brief=brief), FakeControl())).images
        assert {element.id for element in image.elements or () if element.kind == "subject"} == shown


async def test_the_phases_of_a_cover_are_told(atelier: Atelier) -> None:
    control = FakeControl()
    await atelier.generate(REQUEST, control)
    assert [phase for phase, _ in control.steps] == ["sketching", "painting", "lettering", "finishing"]
