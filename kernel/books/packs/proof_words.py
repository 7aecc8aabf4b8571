"""What the proofs of a pack say, in the language of the account. What screens say too has its home in the interface."""

from typing import Final

from kernel.books.editions import EditionSettings, forms
from kernel.books.packs.ordering import OrderedPack
from kernel.books.packs.pack_texts import filled, pack_texts
from kernel.core.text.interface import interface_texts, interpolated
from kernel.core.text.languages import RIGHT_TO_LEFT
from kernel.press.editions import EditionOrder, ProofWords

LEGEND: Final = {"bleed": "bleed", "trim": "cut", "safe": "safe", "hinge": "hinge"}
"""Kinds of guides as the press calls them -> as the interface does."""


def proof_words(ordered: OrderedPack, settings: EditionSettings, order: EditionOrder) -> ProofWords:
    """Return the words of an edition's proofs, with a mark across them where the plan gives nothing else."""
    language, form = ordered.language, forms()[settings.name]
    own = pack_texts(language).proof
    mark = own.mark if ordered.proof else ""
    books, spine = interface_texts("books", language), interface_texts("spine", language)
    if form.rules is None or books is None or spine is None:
        return ProofWords(mark=mark)
    said, names = spine["spine"], books["books"]
    edition = order.edition
    facts = {
        said["trim"]: " × ".join(f"{side:g}" for side in edition.trim) + " in",
        said["pages"]: str(edition.pages),
        said["paper"]: said["papers"].get(edition.paper, ""),
    }
    kind = interpolated(names["kindAt"], {"form": names["kinds"][form.kind], "printer": form.printer_name})
    told = [filled(own.fact, label=label, value=value) for label, value in facts.items() if value]
    return ProofWords(
        printed=" · ".join([kind, *told]),
        legend={kind: said["legend"][name] for kind, name in LEGEND.items()} | {"fold": said["spine"]},
        mark=mark,
        right_to_left=language in RIGHT_TO_LEFT,
    )
