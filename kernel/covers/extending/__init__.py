"""How artworks go on beyond their sides: over the spine and the back of a printed book."""
