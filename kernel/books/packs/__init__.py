"""Edition packs: the files of a book's editions, made by a worker and kept as one file to download."""
