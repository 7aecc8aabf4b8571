"""The cover as one sheet: panels, type and the artwork that goes on below them; and the cover in other shapes."""
