"""Style sheets within emails: what design tools need is kept, what could load, hide or reach ours is not."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.mail.templates.layout import Reader, SendingSite, render_campaign_email
from kernel.mail.templates.style_sheet import safe_css, split_styles
from kernel.mail.templates.template_text import TemplateText, faults_of, safe_html

MJML = """<html><head><title>x</title><style type="text/css">#outlook a { padding:0; }
body { margin:0; } table, td { border-collapse:collapse; }</style>
<!--[if mso]><xml></xml><![endif]-->
<style type="text/css">@media only screen and (min-width:480px) {
.mj-column-per-50 { width:50% !important; max-width: 50%; position:fixed }}</style>
<style media="screen">.moz-text-html .mj-column-per-50{width:50%!important}@media(max-width:479px){td.full{width:auto}}
</style></head><body><div class="mj-column-per-50 outer" style="font-size:0px;width:100%">Hello {{firstName}}</div>
</body></html>"""
ADA = Reader(email="ada@example.org", first_name="Ada", last_name=None, language="en")


def test_a_newsletter_of_a_design_tool_keeps_its_columns() -> None:
    assert faults_of("broadcast", "News", MJML) == {}
    stored = safe_html(MJML)
    assert stored == safe_html(stored)
    message = render_campaign_email(
        TemplateText("News", stored), ADA, SendingSite(name="Site", url="https://s.example"), footer="bulk"
    )
    head, _, body = (message.html or "").partition("</head>")
    assert (
        "@media only screen and (min-width:480px) {\n.mj-column-per-50{width:50% !important;max-width:50%}\n}" in head
    )
    assert ".moz-text-html .mj-column-per-50{width:50% !important}" in head and "td.full{width:auto}" in head
    assert '<div class="mj-column-per-50 outer" style="font-size:0px;width:100%">Hello Ada</div>' in body
    assert "<style" not in body and "outlook" not in head and "position" not in head
    assert message.text.startswith("Hello Ada\n") and "mj-column" not in message.text


@pytest.mark.parametrize(
    "css",
    [
        "body{display:none}",
        "div{display:none!important}",
        ":not(.x){display:none}",
        ".x div{display:none}",
        ".x + *{display:none}",
        "[href]{color:red}",
        "@import url(https://t.example/a.css);",
        "@import 'https://t.example/a.css' screen;",
        "@font-face{font-family:x;src:url(https://t.example/f)}",
        ".x{background:url(https://t.example/p.png)}",
        '.x{background:image-set("https://t.example/p.png" 1x)}',
        ".x{width:expression(alert(1))}",
        ".x{behavior:url(x)}",
        ".x{position:fixed}",
        "@supports (display:grid){.x{color:red}}",
        "@media screen{body{display:none}}",
        ".x{font-family:'</style><script>alert(1)</script>'}",
        '@media screen and "</style>"{.x{color:red}}',
        ".x{background:(url(https://t.example/p.png))}",
        ".x{width:calc(1px + attr(x))}",
        ".x{width:" + "calc(" * 5_000 + "1px}",
        "@media screen{" * 5_000 + ".x{color:red}",
        "}}}{{{",
    ],
)
def test_nothing_else_is_kept(css: str) -> None:
    assert safe_css(css) == ""


def test_of_a_list_the_selectors_of_classes_are_kept() -> None:
    assert safe_css("body, .x, td.y:hover, a{color:rgb(1, 2, 3);zoom:1}") == ".x, td.y:hover{color:rgb(1, 2, 3)}"


@given(st.text(alphabet="<>/style{}.@x:;'\"( )u rl", max_size=200))
def test_no_style_sheet_ends_its_element(text: str) -> None:
    css, rest = split_styles(f"<p>{text}</p>")
    assert "<" not in safe_css(css) and "<style>" not in rest.lower()


@pytest.mark.parametrize(
    "html", ["<style" * 30_000, "<style>" * 30_000, "<style>" + ".x{color:red}" * 15_000, "<style>" + "{" * 100_000]
)
def test_long_ones_take_no_time(html: str) -> None:
    began = time.thread_time()
    safe_html(html)
    assert time.thread_time() - began < 30, "with the square of their length it would be hours"
