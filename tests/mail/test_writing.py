"""Templates of administrators: allowed variables, remaining HTML, and how variables are filled in."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.mail.templates.layout import Reader, SendingSite, render_campaign_email
from kernel.mail.templates.plain_text import plain_text
from kernel.mail.templates.template_text import TemplatePattern, TemplateText, faults_of, safe_html

VALUES = {
    "email": "ada@example.org",
    "firstName": "Ada",
    "lastName": "",
    "unsubscribeUrl": "https://u.example/?a=1&b=2",
}


@pytest.mark.parametrize(
    "text",
    [
        "{{surname}}",
        "{{{email}}}",
        "{{#email}}",
        "{{email.domain}}",
        "{{email|safe}}",
        "{{__proto__}}",
        "{{ email",
        "email }}",
        "{{email}} {{",
        "{{unsubscribeUrl}}",
    ],
)
def test_only_known_names_may_stand_in_braces(text: str) -> None:
    found = faults_of("signup", text, f"<p>{text}</p>")
    assert set(found) == {"subject", "htmlBody"}


def test_the_objection_names_the_variable() -> None:
    assert "{{surname}}" in faults_of("broadcast", "x", "{{email}} {{surname}}")["htmlBody"].message


@pytest.mark.parametrize(
    "markup",
    [
        '<a href="https://x.example/{{email}}">x</a>',
        '<a href="{{email}}">x</a>',
        '<a href="{{unsubscribeUrl}}#{{email}}">x</a>',
        '<img src="{{unsubscribeUrl}}">',
        '<p style="color:{{firstName}}">x</p>',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="//x.example">x</a>',
        '<a href="http://x.example">x</a>',
        '<img src="http://x.example/p.png">',
        '<img src="data:image/png;base64,AAAA">',
        "<p>" * 5001,
    ],
)
def test_addresses_are_whole_and_hold_no_values(markup: str) -> None:
    assert set(faults_of("broadcast", "x", markup)) == {"htmlBody"}


def test_a_valid_template_has_no_faults() -> None:
    good = '<a href="{{ unsubscribeUrl }}">x</a><img src="https://x.example/a.png"><a href="mailto:a@b.example">m</a>'
    assert faults_of("marketing", "Hello {{firstName}}", good) == {}


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>",
        "<svg onload=alert(1)>",
        "<form action=https://x.example><input></form>",
        "<iframe src=https://x.example></iframe>",
        "<base href=https://x.example>",
        '<meta http-equiv="refresh" content="0;url=https://x.example">',
        "<p onclick=alert(1)>x</p>",
        "<style>body{display:none}</style>",
        '<p style="position:fixed">x</p>',
        "<object data=https://x.example></object>",
        "<title>words</title>",
    ],
)
def test_nothing_that_runs_or_loads_is_left(bad: str) -> None:
    left = safe_html(f"<p>before</p>{bad}<p>after</p>")
    assert "<p>before</p>" in left and "<p>after</p>" in left
    for trace in (
        "script",
        "alert",
        "svg",
        "form",
        "iframe",
        "base",
        "refresh",
        "onclick",
        "display",
        "fixed",
        "object",
        "words",
    ):
        assert trace not in left


def test_what_an_e_mail_needs_is_left() -> None:
    html = (
        '<table role="presentation" width="100%" cellpadding="0"><tbody><tr><td align="center" bgcolor="#ffffff">'
        '<a href="https://x.example/?a=1&amp;b=2" style="color:#fff;background:#222">Go</a></td></tr></tbody></table>'
        '<p>{{email}} <a href="{{unsubscribeUrl}}">out</a></p>'
    )
    assert safe_html(html) == html


def test_values_are_text_in_a_page_and_one_line_in_a_subject() -> None:
    values = {"firstName": "<b>{{email}}</b>\r\nBcc: eve@example.org", "email": "ada@example.org"}
    text = TemplateText("Hi {{firstName}}", "<p>{{firstName}}</p>")
    assert text.subject(values) == "Hi <b>{{email}}</b> Bcc: eve@example.org"
    assert text.html(values).startswith("<p>&lt;b&gt;{{email}}&lt;/b&gt;")
    assert text.plain(values).startswith("<b>{{email}}</b>")


@pytest.mark.parametrize(
    ("pattern", "filled"),
    [
        ("Hello {{lastName}}, welcome", "Hello, welcome"),
        ("{{lastName}}, welcome", "welcome"),
        ("<p>{{lastName}}, welcome</p>", "<p>welcome</p>"),
        ("Welcome, {{lastName}}", "Welcome"),
        ("Dear {{firstName}} {{lastName}}:", "Dear Ada:"),
        ("Dear {{lastName}} {{lastName}}!", "Dear!"),
    ],
)
def test_a_name_that_is_not_known_leaves_no_hole(pattern: str, filled: str) -> None:
    assert TemplatePattern(pattern).fill(VALUES) == filled


@given(st.text(max_size=80), st.text(max_size=80))
def test_every_text_and_every_value_can_be_filled_in(text: str, value: str) -> None:
    values = dict.fromkeys(VALUES, value)
    if not faults_of("broadcast", text, text):
        subject = TemplateText(text, safe_html(text)).subject(values)
        assert "\n" not in subject and "\r" not in subject and len(subject) <= 200


def test_a_long_text_is_filled_in_quickly() -> None:
    text = TemplateText("x", safe_html("<p>Hello {{firstName}}, " + "words " * 3000 + "{{email}}</p>" * 20))
    began = time.process_time()
    for _ in range(100):
        text.html(VALUES)
    assert time.process_time() - began < 2


@pytest.mark.parametrize(
    "part",
    ["{{" + " " * 190_000, "<a " * 4900, "<a x='" * 4900, "<!--" * 40_000, "</" * 90_000],
    ids=["gap", "tag", "text", "comment", "end"],
)
def test_what_does_not_end_does_not_hold_anybody_up(part: str) -> None:
    began = time.process_time()
    faults_of("broadcast", part[:100], part)
    assert time.process_time() - began < 0.5


@pytest.mark.parametrize("odd", ["<![x]>", "<![%", "<![if !mso]>", "<![ x[", "<!doctype html [", "<?php", "<!"])
def test_odd_html_passes_and_what_is_in_it_is_still_checked(odd: str) -> None:
    html = f"<p>Hello</p>{odd}"
    assert faults_of("broadcast", "x", html) == {} and "<p>Hello</p>" in TemplateText("x", safe_html(html)).html({})
    assert set(faults_of("broadcast", "x", f'{odd}><a href="http://x.example">x</a>')) == {"htmlBody"}


def test_the_words_of_a_page_can_be_read_without_it() -> None:
    html = (
        "<h1>Hello</h1><p>See <a href='https://x.example'>the site</a>\n and <a href='https://y.example'>"
        "https://y.example</a>.<br>Bye</p><ul><li>one</li><li>two</li></ul>"
        "<p><img src='https://x.example/p.png' alt='A cover'> &amp; <a href='mailto:a@b.example'>a@b.example</a></p>"
    )
    assert plain_text(html) == (
        "Hello\n\nSee the site (https://x.example) and https://y.example.\nBye\n\n- one\n- two\n\n"
        "[A cover] & a@b.example"
    )


def test_below_an_e_mail_to_many_stand_reason_way_out_and_address_from_right_to_left_where_that_is_read() -> None:
    reader = Reader(email="ada@example.org", first_name=None, last_name=None, language="ar")
    site = SendingSite(name="<Ink>", url="https://covers.example", postal_address="1 Harbour Road\n<Town>")
    message = render_campaign_email(
        TemplateText("x", "<p>y</p>"), reader, site, footer="bulk", unsubscribe_url="https://u.example/?a=1&b=2"
    )
    html = message.html or ""
    assert '<div lang="ar" dir="rtl"' in html and "&lt;Ink&gt;" in html and "1 Harbour Road<br>&lt;Town&gt;" in html
    assert 'href="https://u.example/?a=1&amp;b=2"' in html
    assert message.text.endswith("إلغاء الاشتراك: https://u.example/?a=1&b=2\n\n1 Harbour Road\n<Town>\n")
