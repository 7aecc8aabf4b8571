"""ISBNs as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.press.editions import IsbnFault, checked_isbn
from kernel.press.editions.isbn import check_digit


@pytest.mark.parametrize(
    ("said", "digits", "written"),
    [
        ("978-3-16-148410-0", "9783161484100", "978-3-16-148410-0"),
        ("ISBN 978 0 306 40615 7", "9780306406157", "978-0-306-40615-7"),
        ("ISBN-13: 9780306406157", "9780306406157", "9780306406157"),
        ("0-306-40615-2", "9780306406157", "9780306406157"),
        ("080442957X", "9780804429573", "9780804429573"),
        ("٩٧٨٠٣٠٦٤٠٦١٥٧", "9780306406157", "9780306406157"),
    ],
)
def test_an_isbn_is_read_however_it_is_written(said: str, digits: str, written: str) -> None:
    isbn = checked_isbn(said)
    assert (isbn.digits, isbn.written) == (digits, written)


@pytest.mark.parametrize(
    ("said", "code", "expected"),
    [
        ("9783161484101", "check_digit", "0"),
        ("0306406153", "check_digit", "2"),
        ("978316148410", "length", ""),
        ("", "length", ""),
        ("1234567890128", "prefix", ""),
        ("97831614841OO", "characters", ""),
        ("97803064061X7", "characters", ""),
    ],
)
def test_what_is_no_isbn_is_refused_with_the_reason(said: str, code: str, expected: str) -> None:
    with pytest.raises(IsbnFault) as caught:
        checked_isbn(said)
    assert (caught.value.code, caught.value.expected) == (code, expected)


@given(st.text("0123456789", min_size=9, max_size=9), st.integers(0, 11), st.integers(1, 9))
def test_one_wrong_digit_is_always_found(nine: str, place: int, by: int) -> None:
    twelve = "978" + nine
    right = twelve + check_digit(twelve)
    wrong = right[: place + 1] + str((int(right[place + 1]) + by) % 10) + right[place + 2 :]
    assert checked_isbn(right).digits == right
    with pytest.raises(IsbnFault):
        checked_isbn(wrong)
