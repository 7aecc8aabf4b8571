"""Messages in the format of RFC 5322: no content can forge a header."""

from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import default
from email.utils import parseaddr
from typing import Any

import pytest

from kernel.spi import EmailMessage, InvalidRequest, ascii_address, mime_message


def written(**fields: Any) -> bytes:
    given = {"to": "ada@example.org", "sender": "covers@example.com", "subject": "Ready", "text": "Hello"}
    return mime_message(EmailMessage(**(given | fields))).as_bytes()


def test_any_script_survives_in_seven_bits() -> None:
    data = written(subject="表紙 " * 40, text="Größe 6×9", html="<p>غلاف</p>", to_name='Jürgen "J", B.')
    assert data.isascii() and max(len(line) for line in data.splitlines()) <= 998
    read = message_from_bytes(data, policy=default)
    assert read["Subject"].split() == ["表紙"] * 40
    assert read["Date"] and read["Message-ID"].endswith("@example.com>")


@pytest.mark.parametrize(
    "text",
    [
        "Größe Jürgen " * 5 + "x",
        "Ä " * 30 + "x",
        "غلافك جاهز" * 3,
        "Jürgen van der Längsten Straße im Übrigen Ort",
        "plain " * 40 + "x",
        "x" * 1500,
        'with "quotes", commas (and brackets) <x@y.example>',
        'Ünd "quotes", commas (and brackets) <x@y.example>',
    ],
)
def test_no_blank_is_lost_or_added_in_subjects_and_names(text: str) -> None:
    data = written(subject=text, to_name=text)
    read = message_from_bytes(data)  # the old parser: the new one adds spaces to names
    assert decoded(read["Subject"]) == text
    name, address = parseaddr(read["To"].replace("\n", ""))
    assert (decoded(name), address) == (text, "ada@example.org")
    assert max(len(line) for line in data.splitlines()) <= 998


def decoded(header: str) -> str:
    return str(make_header(decode_header(header)))


@pytest.mark.parametrize(
    "hidden", ["=?utf-8?q?a=0D=0ABcc:_x=40y.example?=", "=?utf-8?b?YQ0KQmNjOiB4QHkuZXhhbXBsZQ==?="]
)
def test_a_line_break_hidden_in_an_encoded_word_stays_hidden(hidden: str) -> None:
    data = written(subject=hidden, to_name=hidden, headers={"X-A": hidden})
    assert b"\nBcc" not in data
    with pytest.raises(InvalidRequest):
        written(sender=f"{hidden} <a@b.example>")


def test_a_long_header_in_ascii_is_one_line_as_it_was_given() -> None:
    link = f"<https://covers.example/{'x' * 500}>"
    assert f"List-Unsubscribe: {link}\r\n".encode() in written(headers={"List-Unsubscribe": link})


def test_an_address_in_another_script_is_written_raw_and_its_domain_in_ascii() -> None:
    assert "To: ädä@xn--bcher-kva.example".encode() in written(to="ädä@bücher.example")


@pytest.mark.parametrize("control", ["\r\n", "\n", "\r", "\0", "\t", "\x85", "\u2028"])
@pytest.mark.parametrize("field", ["to", "sender", "subject", "to_name", "reply_to"])
def test_control_characters_are_refused_in_every_header(field: str, control: str) -> None:
    with pytest.raises(InvalidRequest, match=field):
        written(**{field: f"a@b.example{control}Bcc: x@y.example"})


@pytest.mark.parametrize(
    "headers",
    [
        {"Bcc": "x@y.example"},
        {"content-type": "text/html"},
        {"Resent-To": "x@y.example"},
        {"X A": "b"},
        {"X-A:": "b"},
        {"X-A\r\nBcc": "b"},
        {"X-A": "b\nBcc: x@y.example"},
        {"X-A": "ü"},
        {"X-A": "b" * 1000},
        {"": "b"},
    ],
)
def test_headers_that_are_not_the_authors_are_refused(headers: dict[str, str]) -> None:
    with pytest.raises(InvalidRequest):
        written(headers=headers)


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb"])
def test_half_a_character_is_refused(text: str) -> None:
    for field in ("subject", "text", "html", "to_name"):
        with pytest.raises(InvalidRequest):
            written(**{field: text})


@pytest.mark.parametrize(
    "address",
    [
        "",
        "a",
        "a@",
        "@b",
        "a b@c.example",
        "a@b.example, c@d.example",
        "undisclosed:;",
        "a@b..c",
        "<a@b.c",
        "a@" + "x" * 64,
    ],
)
def test_what_is_not_one_address_is_refused(address: str) -> None:
    with pytest.raises(InvalidRequest):
        ascii_address(address)


def test_a_name_is_left_out_of_a_bare_address() -> None:
    assert ascii_address("Ada <ada@bücher.example>") == "ada@xn--bcher-kva.example"
