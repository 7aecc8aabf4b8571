"""Books: what is true of all editions of one, and the sheets that printers take."""
