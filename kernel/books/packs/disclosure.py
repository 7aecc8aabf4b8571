"""The disclosure of how a cover was made: for readers of the ZIP, and for the questions that shops ask.

Amazon KDP asks at every upload whether images were created by an AI-based tool, and means it "even if you applied
substantial edits afterwards" (help page on AI content, read 2026-11-01).
"""

from kernel.books.packs.ordering import OrderedPack
from kernel.books.packs.pack_texts import DisclosureTexts, filled, pack_texts
from kernel.covers.provenance.origin import Step


def disclosure(ordered: OrderedPack) -> str:
    """Return the text, in the language of the order."""
    texts, origin = pack_texts(ordered.language).disclosure, ordered.origin
    lines = [f"{ordered.book.title}", "", texts.heading, ""]
    for number, step in enumerate(origin.steps):
        lines += _lines(texts, step, is_first=number == 0)
    lines += [texts.letters_by_model if origin.letters_by_model else texts.lettering, ""]
    lines += [texts.kdp, texts.kdp_yes if origin.ai_made else texts.kdp_no]
    return "\n".join(lines) + "\n"


def _lines(texts: DisclosureTexts, step: Step, *, is_first: bool) -> list[str]:
    if step.by_program:
        sentence = texts.by_program if is_first else texts.changed_by_program
    else:
        sentence = texts.by_model if is_first else texts.changed_by_model
    model = step.model or step.provider
    lines = [filled(sentence, provider=step.provider, model=model, date=step.made_at.strftime("%Y-%m-%d"))]
    if step.words:
        lines.append(filled(texts.words, words=" ".join(step.words.split())))
    if step.references > 0:
        lines.append(filled(texts.references, count=str(step.references)))
    return [*lines, ""]
