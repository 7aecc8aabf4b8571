"""What administrators changed of settings, to be shown and put back."""

from typing import Final

from kernel.core.data.stored_rows import RowHistory, name_behind_colon
from kernel.site.models import Setting

SETTING_HISTORY: Final = RowHistory(
    table=Setting,
    key="setting_key",
    key_of=name_behind_colon,
    columns=("prompt_template", "default_values", "show_genre_checkbox", "text_value"),
)
"""Prompts, their defaults, and the texts of the landing page; uploaded pictures are not kept."""
