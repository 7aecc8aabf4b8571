"""Recordings of a vendor's traffic: no secret is in them, and they answer as the vendor did."""

import base64
import html
import io
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from kernel.spi.testing.recording import (
    Cassette,
    Recorder,
    Replay,
    Secrets,
    SecretSurvived,
    UnknownRequest,
    read_cassette,
)
from kernel.spi.testing.recording.cassettes import RecordedProvider
from kernel.spi.testing.running import RUNNING
from tests.vendors.pictures import picture

pytestmark = pytest.mark.anyio

PLACES = st.sampled_from(["header", "query", "path", "json", "form", "multipart", "answer", "answer header"])
ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "json": lambda text: json.dumps(text)[1:-1],
    "percent": lambda text: quote(text, safe=""),
    "form": quote_plus,
    "lower percent": lambda text: quote(text, safe="").lower() if text.islower() else quote(text, safe=""),
    "html": html.escape,
    "hex": lambda text: text.encode().hex(),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 of user and secret": lambda text: base64.b64encode(f"someone:{text}".encode()).decode(),
    "base64 in the middle": lambda text: base64.b64encode(f"ab{text}xyz".encode()).decode(),
    "base64 for addresses": lambda text: base64.urlsafe_b64encode(f"key:{text}".encode()).decode().rstrip("="),
    "percent of base64": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
}


def vendor(answer: httpx.Response) -> Callable[[httpx.Request], Awaitable[httpx.Response]]:
    async def send(request: httpx.Request) -> httpx.Response:
        return answer

    return send


def request_with(place: str, written: str) -> tuple[httpx.Request, httpx.Response]:
    """Return a request and its answer, with a text somewhere in one of them."""
    safe = quote(written, safe="%")
    content, headers, url = b"", {"x-plain": "1"}, "https://vendor.example/v1/things"
    answer = httpx.Response(200, json={"fine": True})
    match place:
        case "header":
            headers = {"x-note": safe if not written.isascii() else written}
        case "query":
            url += f"?note={safe}"
        case "path":
            url += f"/{safe}"
        case "json":
            content = b'{"note": "' + written.encode() + b'"}'
        case "form":
            content, headers = f"note={safe}&b=c".encode(), {"content-type": "application/x-www-form-urlencoded"}
        case "multipart":
            content = f'--X7\r\nContent-Disposition: form-data; name="a"\r\n\r\n{written}\r\n--X7--\r\n'.encode()
            headers = {"content-type": "multipart/form-data; boundary=X7"}
        case "answer":
            answer = httpx.Response(400, content=f"<p>no such key: {written}</p>".encode())
        case _:
            answer = httpx.Response(200, headers={"x-echo": safe})
    return httpx.Request("POST", url, headers=headers, content=content), answer


def spellings(secret: str) -> set[str]:
    return {write(secret) for write in ENCODINGS.values()} | {secret, quote(secret)}


@given(
    secret=st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF, exclude_categories=["Cc", "Cs"]), min_size=8),
    place=PLACES,
    encoding=st.sampled_from(sorted(ENCODINGS)),
)
@settings(max_examples=400, derandomize=True, deadline=None, database=None)
def test_no_secret_survives_wherever_it_stands_and_however_it_is_written(
    secret: str, place: str, encoding: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    recorder = Recorder(Secrets({"api_key": secret}))
    request, answer = request_with(place, ENCODINGS[encoding](secret))

    async def ask() -> None:
        await recorder.transport(vendor(answer)).handle_async_request(request)

    coroutine = ask()
    with pytest.raises(StopIteration):
        coroutine.send(None)  # nothing in it waits
    path = tmp_path_factory.getbasetemp() / "recording.yaml"
    Cassette(tuple(recorder.interactions)).write(path, Secrets({"api_key": secret}))
    (kept,) = read_cassette(path).interactions
    told = [kept.request.uri, str(kept.request.body), str(kept.request.headers), str(kept.response.headers)]
    told += [str(kept.response.body.string), path.read_text()]
    assert [text for text in told if any(form in text for form in spellings(secret))] == []
    assert Secrets({"api_key": secret}).survivors(path.read_bytes()) is False


async def test_names_are_enough_for_keys_cookies_and_signatures() -> None:
    recorder = Recorder(Secrets({}))
    headers = {
        "Authorization": "Bearer q1",
        "Cookie": "session=q2",
        "X-Goog-Api-Key": "q3",
        "X-Postmark-Server-Token": "q4",
        "X-Amz-Security-Token": "q5",
        "x-request-id": "kept",
    }
    url = "https://user:q6@vendor.example/a?X-Amz-Signature=q7&key=q8&page=kept2&sig=q9&apiKey=q10"
    body = {"client_secret": "q11", "apiKey": "q12", "access_token": "q13", "max_tokens": 7, "key": "kept3"}
    answer = httpx.Response(
        302, headers=[("Set-Cookie", "a=q14"), ("Location", "https://cdn.example/x?sig=q15&w=kept4")]
    )
    await recorder.transport(vendor(answer)).handle_async_request(
        httpx.Request("POST", url, headers=headers, json=body)
    )
    form = httpx.Request("POST", "https://vendor.example/token", data={"refresh_token": "q16", "grant": "kept5"})
    await recorder.transport(vendor(httpx.Response(200))).handle_async_request(form)
    text = repr(recorder.interactions)
    assert [number for number in range(1, 17) if f"q{number}'" in text or f"q{number}&" in text] == []
    assert "q6@" not in text and all(f"kept{number}" in text for number in ("", 2, 3, 4, 5))


async def test_parts_of_a_secret_with_a_structure_are_secrets_too() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"
    document = json.dumps({"type": "account", "private_key": key, "private_key_id": "0123456789abcdef"})
    secrets = Secrets({"account": document})
    cut = secrets.cut_values(b"type account, key MIIEvQIBADANBgkqhkiG9w0BAQEFAASC, id 0123456789abcdef")
    assert cut == b"type account, key cut-account, id cut-account"


def test_a_recording_with_a_secret_is_not_written(tmp_path: Path) -> None:
    recording = Cassette((), settings_with("sk-12345678"))
    with pytest.raises(SecretSurvived):
        recording.write(tmp_path / "r.yaml", Secrets({"api_key": "sk-12345678"}))
    assert list(tmp_path.iterdir()) == []


async def test_pictures_are_shortened_to_what_rules_look_at(tmp_path: Path) -> None:
    large = noisy(640, 960, 1)
    encoded = base64.b64encode(large).decode()
    answers = [
        httpx.Response(200, content=large, headers={"content-type": "image/png"}),
        httpx.Response(200, json={"data": [{"b64_json": encoded}]}),
        httpx.Response(200, text=f'data: {{"url": "data:image/png;base64,{encoded}"}}\n\n'),
        httpx.Response(200, content=noisy(640, 960, 2)),
    ]
    recorder = Recorder(Secrets({}))
    for number, answer in enumerate(answers):
        await recorder.transport(vendor(answer)).handle_async_request(
            httpx.Request("GET", f"https://vendor.example/{number}")
        )
    Cassette(tuple(recorder.interactions)).write(tmp_path / "r.yaml", Secrets({}))
    assert (tmp_path / "r.yaml").stat().st_size < 6000 < len(large)
    replay = Replay(tmp_path / "r.yaml")
    async with httpx.AsyncClient(transport=replay) as client:
        bodies = [(await client.get(f"https://vendor.example/{number}")).content for number in range(4)]
    small = bodies[0]
    with Image.open(io.BytesIO(small)) as flat:
        assert (flat.format, flat.size) == ("PNG", (640, 960))
    assert base64.b64encode(small) in bodies[1] and base64.b64encode(small) in bodies[2], "the same picture is the same"
    assert bodies[3] != small, "another one is another"


async def recorded(tmp_path: Path, secrets: dict[str, str], *requests: httpx.Request) -> Path:
    """Record requests to a vendor that counts them; return the file."""
    count = 0

    async def send(request: httpx.Request) -> httpx.Response:
        nonlocal count
        count += 1
        return httpx.Response(200, json={"number": count})

    recorder = Recorder(Secrets(secrets))
    for request in requests:
        await recorder.transport(send).handle_async_request(request)
    path = tmp_path / "recording.yaml"
    Cassette(tuple(recorder.interactions)).write(path, Secrets(secrets))
    return path


def paint(prompt: str, key: str = "sk-real-key-1") -> httpx.Request:
    body = {"prompt": prompt, "caller": {"note": f"by {key}"}}
    address = f"https://vendor.example/v1/images?user={quote(key)}"
    basic = base64.b64encode(f"x:{key}".encode()).decode()
    return httpx.Request("POST", address, json=body | {"auth": basic})


async def test_a_recording_answers_as_the_vendor_did_whatever_the_key(tmp_path: Path) -> None:
    asked = [paint("a"), paint("b"), paint("a")]
    path = await recorded(tmp_path, {"api_key": "sk-real-key-1"}, *asked)
    assert "sk-real-key-1" not in path.read_text()
    for key in ("cut-api_key", "sk-another-key"):
        replay = Replay(path, {"api_key": key})
        answers = [await replay.handle_async_request(paint(prompt, key)) for prompt in ("a", "b", "a", "a")]
        assert [answer.json()["number"] for answer in answers] == [1, 2, 3, 3], "in their order, the last repeated"


async def test_each_rule_gets_its_own_answers(tmp_path: Path) -> None:
    ask = httpx.Request("GET", "https://vendor.example/now")
    number = 0

    async def send(request: httpx.Request) -> httpx.Response:
        nonlocal number
        number += 1
        return httpx.Response(200, json=number)

    recorder = Recorder(Secrets({}))
    outer = list(RUNNING)
    try:
        for rule in ("IMG_01", "IMG_02"):
            RUNNING[:] = [rule]
            await recorder.transport(send).handle_async_request(ask)
        replay = Replay(Cassette(tuple(recorder.interactions)))
        RUNNING[:] = ["IMG_02"]
        assert (await replay.handle_async_request(ask)).json() == 2
        RUNNING[:] = ["IMG_05"]
        assert (await replay.handle_async_request(ask)).json() == 1, "a rule of no recording gets what there is"
    finally:
        RUNNING[:] = outer


async def test_an_unknown_request_says_what_is_different(tmp_path: Path) -> None:
    replay = Replay(await recorded(tmp_path, {}, paint("a lighthouse"), paint("a harbour")))
    with pytest.raises(UnknownRequest) as caught:
        await replay.handle_async_request(paint("a lighthouse at night"))
    words = str(caught.value)
    assert "is not in the recording" in words
    assert '- "prompt": "a lighthouse"' in words.replace("-  ", "- ") and '"a lighthouse at night"' in words
    assert replay.unknown == [words]


async def test_a_boundary_of_chance_and_the_order_of_names_are_no_difference(tmp_path: Path) -> None:
    def upload() -> httpx.Request:
        return httpx.Request("POST", "https://vendor.example/up", files={"a": ("a.png", picture(8, 8, "png"))})

    def ordered(body: str) -> httpx.Request:
        headers = {"content-type": "application/json"}
        return httpx.Request("POST", "https://vendor.example/j", content=body, headers=headers)

    first, again = upload(), upload()
    assert first.headers["content-type"] != again.headers["content-type"]
    for request in (first, again):
        await request.aread()
    replay = Replay(await recorded(tmp_path, {}, first, ordered('{"a": 1, "b": 2}')))
    assert (await replay.handle_async_request(again)).json() == {"number": 1}
    assert (await replay.handle_async_request(ordered('{"b":2,"a":1}'))).json() == {"number": 2}


@pytest.mark.parametrize("text", ["", "a: [", "interactions: 7", "- x"])
def test_what_is_no_recording_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(text)
    with pytest.raises(ValueError, match="is not a recording"):
        read_cassette(tmp_path / "r.yaml")


def settings_with(key: str) -> tuple[RecordedProvider, ...]:
    return (RecordedProvider("image", "acme", {"api_key": key}),)


def noisy(width: int, height: int, seed: int) -> bytes:
    """Return a picture that does not compress."""
    dice = random.Random(seed)
    buffer = io.BytesIO()
    Image.frombytes("L", (width, height), dice.randbytes(width * height)).save(buffer, "PNG")
    return buffer.getvalue()
