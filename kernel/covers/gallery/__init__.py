"""The gallery: listing, changing, the bin, themes, downloads."""
