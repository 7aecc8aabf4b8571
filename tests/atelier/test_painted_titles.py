"""Families that paint the title into the art."""

from plugins.atelier.brief import Spec
from plugins.atelier.compose import compose


def test_a_title_cut_out_of_the_landscape_counts_as_set() -> None:
    cover = compose(
        Spec(description="mountains", title="Wild Country", width=200, height=300, family="knockout"),
        lambda phase: None,
    )
    assert cover.type.has_title
    assert cover.type.missing == ""
