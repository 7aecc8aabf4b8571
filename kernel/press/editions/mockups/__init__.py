"""Mock-ups of books: paperback, hardcover, all sides, e-reader, phone, and a series side by side."""
