"""Words of many lengths and scripts, for tests of lettering."""

from kernel.press.lettering.document import CoverWords
from kernel.press.lettering.sheet import BOOKS, LANGUAGES

EXTREME = (
    CoverWords(title="Ö", author="X"),
    CoverWords(title="It", author="Johann Wolfgang von Goethe & Friedrich Christoph Ludwig Schiller"),
    CoverWords(
        title="The Unreasonable and Altogether Improbable History of the House at the End of the Last Street in Town",
        author="Anne Example",
        subtitle="Being the true account of what happened there, told by one who saw it all",
    ),
    CoverWords(title="Donaudampfschifffahrtsgesellschaftskapitänswitwe", author="Ä. Übermüller"),
    CoverWords(title="", author="Only A. Name"),
    CoverWords(title="Only a title"),
    CoverWords(title="1984", author="42", series="Numbers", number="7", tagline="100 %", subtitle="3.14"),
)

EVERY = (*BOOKS.values(), *LANGUAGES.values(), *EXTREME)
