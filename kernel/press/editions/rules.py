"""The codes of all rules of preflight: whoever words them has these to word. Imports nothing."""

from typing import Final

DOCUMENT_RULES: Final = (
    "file_kind",
    "one_page",
    "encryption",
    "file_size",
    "pdf_version",
    "metadata",
    "annotations",
    "bookmarks",
    "layers",
    "scripts",
    "attachments",
    "form_fields",
    "fonts_embedded",
    "pdfx",
    "output_intent",
    "trapped",
)
PLACE_RULES: Final = (
    "page_size",
    "spine_width",
    "rotation",
    "crop_box",
    "trim_box",
    "bleed",
    "safe_area",
    "spine_type",
    "spine_safe",
    "hinge",
    "text_size",
    "hidden_text",
    "printer_marks",
    "white_strip",
    "blank_page",
    "barcode_place",
    "barcode_quiet",
    "barcode_contrast",
    "barcode_size",
    "barcode_number",
)
COLOR_RULES: Final = (
    "image_resolution",
    "image_excess",
    "color_space",
    "color_profiles",
    "spot_colors",
    "total_ink",
    "black_type",
    "transparency",
    "press_settings",
    "compression",
    "line_width",
    "read_in_full",
)
PICTURE_RULES: Final = (
    "picture_format",
    "picture_size",
    "picture_ideal",
    "picture_most",
    "picture_shape",
    "picture_color",
    "picture_profile",
    "picture_file",
    "picture_transparent",
    "picture_moving",
    "picture_border",
    "picture_bars",
    "picture_blank",
)
OWN_RULES: Final = (
    "artwork_resolution",
    "artwork_enlarged",
    "mark_resolution",
    "texts_fit",
    "contrast",
    "separation",
)
"""What only the press knows of a file that it made itself."""

RULES: Final = (*DOCUMENT_RULES, *PLACE_RULES, *COLOR_RULES, *PICTURE_RULES, *OWN_RULES)
