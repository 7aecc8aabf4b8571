"""Names of hosts in ASCII, by IDNA 2008."""

import pytest

from kernel.spi import ascii_host


@pytest.mark.parametrize(
    ("host", "ascii_name"),
    [
        ("Covers.Example", "covers.example"),
        ("straße.example", "xn--strae-oqa.example"),
        ("STRAẞE.example", "xn--strae-oqa.example"),
        ("βόλος.example", "xn--nxasmm1c.example"),
        ("bu\u0308cher.example", "xn--bcher-kva.example"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"),
        ("mail_relay", "mail_relay"),
        ("covers.example.", "covers.example."),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
    ],
)
def test_a_host_is_written_as_idna_2008_has_it(host: str, ascii_name: str) -> None:
    assert ascii_host(host) == ascii_name


@pytest.mark.parametrize(
    "host",
    [
        "ｅｘａｍｐｌｅ.example",
        "a\u3002example",
        "☃.example",
        "xn--.example",
        "a..example",
        ".example",
        "x" * 64,
        "ü" * 60,
    ],
)
def test_what_would_have_to_be_mapped_is_no_host(host: str) -> None:
    with pytest.raises(UnicodeError):
        ascii_host(host)
