"""Requests that no author has thought of: Hypothesis draws them, within what the capabilities claim.

The same ones are drawn each time, so that a rule that fails does so again.
"""

from typing import Any, Final, TypeVar

from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from .. import Brief, CustomerRequest, EmailMessage, ImageCapabilities, ImageRequest, Size

EXAMPLES: Final = 8
LONGEST_SIDE: Final = 1024
"""Larger pictures of a range are not asked for: they take long and show nothing more."""
SIZES_TRIED: Final = 3
LONGEST_TEXT: Final = 300

T = TypeVar("T")

_LINES = st.text(st.characters(exclude_categories=("Cs", "Cc", "Cn", "Co", "Zl", "Zp")), max_size=80)
_WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=LONGEST_TEXT)
_KEY_WORD = st.from_regex(r"[a-z0-9_-][a-z0-9._-]{0,20}", fullmatch=True)
_TOKENS = st.from_regex(r"[A-Za-z0-9_-]{16,128}", fullmatch=True)


def drawn(strategy: st.SearchStrategy[T], count: int = EXAMPLES) -> list[T]:
    """Return examples of a strategy, always the same."""
    found: list[T] = []

    @profile(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example: T) -> None:
        found.append(example)

    collect()
    return found


def image_requests(can: ImageCapabilities, references: tuple[bytes, ...]) -> st.SearchStrategy[ImageRequest]:
    """Return requests that these capabilities allow; `references` are as many as are claimed."""
    words = st.text(st.characters(exclude_categories=["Cs"]), max_size=min(LONGEST_TEXT, can.max_prompt_chars))
    return st.builds(
        ImageRequest,
        prompt=words.filter(str.strip),
        size=_sizes(can),
        brief=st.builds(
            Brief,
            description=_WORDS,
            title=_LINES,
            author=_LINES,
            genre=_LINES,
            subtitle=_LINES,
            style=_LINES,
            colors=st.lists(st.from_regex(r"#[0-9A-F]{6}", fullmatch=True), max_size=5).map(tuple),
            language=st.sampled_from(("", "en", "ar", "ja", "de")),
        ),
        model=st.sampled_from((None, *can.models)),
        count=st.integers(1, can.max_images),
        format=st.sampled_from(can.formats),
        references=st.integers(0, len(references)).map(lambda number: references[:number]),
        seed=st.none() | st.integers(0, 2**31 - 1),
    )


def _sizes(can: ImageCapabilities) -> st.SearchStrategy[Size]:
    if can.size_range is None:
        return st.sampled_from(sorted(can.sizes, key=lambda size: size.width * size.height)[:SIZES_TRIED])
    low, high = can.size_range.smallest, can.size_range.largest
    return st.builds(
        Size,
        width=st.integers(low.width, max(low.width, min(high.width, LONGEST_SIDE))),
        height=st.integers(low.height, max(low.height, min(high.height, LONGEST_SIDE))),
    )


def messages(message: EmailMessage) -> st.SearchStrategy[EmailMessage]:
    """Return messages with other words, to the same address."""
    html = st.none() | _LINES.map(lambda text: f"<p>{text.replace('&', '').replace('<', '')}</p>")
    return st.builds(
        lambda **words: EmailMessage(
            to=message.to, sender=message.sender, reply_to=message.reply_to, metadata=message.metadata, **words
        ),
        subject=_LINES.filter(str.strip),
        text=_LINES.filter(str.strip),
        html=html,
        to_name=_LINES,
    )


def people() -> st.SearchStrategy[CustomerRequest]:
    """Return people with names in any script."""
    return st.builds(
        lambda number, name: CustomerRequest(
            user_ref=f"user-{number}",
            email=f"reader.{number}@example.org",
            name=name.strip(),
            idempotency_key=f"kit-{number}",
        ),
        number=st.uuids(version=4),
        name=_LINES,
    )


def objects() -> st.SearchStrategy[tuple[str, bytes]]:
    """Return keys of the contract's alphabet, each with the bytes of its object."""
    keys = st.lists(_KEY_WORD, min_size=1, max_size=4).map("/".join)
    return st.tuples(keys, st.binary(max_size=2000))


def passwords() -> st.SearchStrategy[str]:
    """Return long passwords in any script, none of which is easy to guess."""
    text = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=8, max_size=60)
    return text.map(lambda words: f"pale 7 harbours {words} grün")


def redirect_words() -> st.SearchStrategy[tuple[str, str]]:
    """Return a state and a nonce, as the kernel makes them."""
    return st.tuples(_TOKENS, _TOKENS)


def told(example: Any) -> str:
    """Return an example for a message; requests can be long."""
    return repr(example)[:500]
