"""Numbers are written as browsers write them, so that a page without scripts says the same as one with them."""

import json
import subprocess

from kernel.core.text.languages import LANGUAGES
from kernel.core.text.numbers import plural_form, written_decimal, written_number, written_price

COUNTS = (0, 1, 2, 3, 5, 10, 11, 12, 15, 21, 22, 25, 99, 100, 101, 102, 111, 999, 1000, 1234, 9999, 12345, 10**6, 10**7)
MEASURES = (0, 0.004, 0.005, 0.0625, 0.6756, 6, 8.25, 12.9256, 1234.5, 12345.678)
SCRIPT = """
const [counts, languages] = JSON.parse(process.argv[1])
const written = (language) => {
  const forms = new Intl.PluralRules(language), numbers = new Intl.NumberFormat(`${language}-u-nu-latn`)
  return counts.map((count) => [forms.select(count), numbers.format(count)])
}
console.log(JSON.stringify(Object.fromEntries(languages.map((language) => [language, written(language)]))))
"""


def test_counts_are_those_of_browsers() -> None:
    asked = json.dumps([COUNTS, LANGUAGES])
    answer = subprocess.run(["node", "-e", SCRIPT, asked], check=True, capture_output=True, text=True).stdout
    ours = {code: [[plural_form(one, code), written_number(one, code)] for one in COUNTS] for code in LANGUAGES}
    assert json.loads(answer) == ours


def test_measures_are_those_of_browsers() -> None:
    script = """
const [values, languages] = JSON.parse(process.argv[1])
const said = (language, digits) => {
  const form = new Intl.NumberFormat(`${language}-u-nu-latn`, { maximumFractionDigits: digits })
  return values.map((value) => form.format(value))
}
console.log(JSON.stringify(Object.fromEntries(languages.map((one) => [one, [said(one, 2), said(one, 4)]]))))
"""
    asked = json.dumps([MEASURES, LANGUAGES])
    answer = subprocess.run(["node", "-e", script, asked], check=True, capture_output=True, text=True).stdout
    ours = {code: [[written_decimal(one, code, places) for one in MEASURES] for places in (2, 4)] for code in LANGUAGES}
    assert json.loads(answer) == ours


def test_prices_have_decimals_only_where_they_say_something() -> None:
    assert [written_price(minor, "usd", "en") for minor in (0, 1900, 1950, 123400)] == ["$0", "$19", "$19.50", "$1,234"]
    assert written_price(1950, "eur", "de") == "19,50 EUR" and written_price(1900, "jpy", "ja") == "1,900 JPY"
    assert written_price(1900, "usd", "ar") == "\u2066$19\u2069"
